import { expect, test } from 'vitest';
import { createCallerService } from '../../local/src/services.ts';
import { type StackSettings, USUAL_PORTS } from '../../local/src/settings.ts';

const APP = { key: 'key', tenantKey: 'demo' } as Parameters<typeof createCallerService>[1];
const environmentWith = (adjustments: Readonly<Record<string, string>>) =>
  createCallerService({ ports: USUAL_PORTS, folder: '.', adjustments } as StackSettings, APP).env;
const SANDBOX = 'http://127.0.0.1:8090';

test('the example shows the pictures of the sandbox only', () => {
  expect(environmentWith({ PROVIDER_A_CALLS_PER_SECOND: '5' })).toMatchObject({
    IMAGE_SOURCES: SANDBOX,
  });
});

test('the example shows the pictures of a real platform that a developer has set', () => {
  expect(environmentWith({ PROVIDER_A_AUTHORIZE_URL: 'https://accounts.google.com/base' })).toMatchObject({
    IMAGE_SOURCES: `${SANDBOX} https:`,
  });
});

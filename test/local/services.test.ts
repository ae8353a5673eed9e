import { expect, test } from 'vitest';
import { createCallerService } from '../../local/src/services.ts';
import { type StackSettings, USUAL_PORTS } from '../../local/src/settings.ts';

const APP = { key: 'key', tenantKey: 'demo' } as Parameters<typeof createCallerService>[1];
const environmentWith = (adjustments: Readonly<Record<string, string>>) =>
  createCallerService({ ports: USUAL_PORTS, folder: '.', adjustments } as StackSettings, APP).env;
const SANDBOX = 'http://127.0.0.1:8090';

test('the example lets browsers leave for the sandbox only', () => {
  expect(environmentWith({ PROVIDER_A_CALLS_PER_SECOND: '5' })).toMatchObject({
    LAUNCH_ORIGINS: `http://127.0.0.1:8080 ${SANDBOX}`,
    IMAGE_SOURCES: SANDBOX,
  });
});

test('the example lets browsers leave for a real consent page that a developer has set, and shows its pictures', () => {
  expect(environmentWith({ PROVIDER_A_AUTHORIZE_URL: 'https://accounts.google.com/base' })).toMatchObject({
    LAUNCH_ORIGINS: `http://127.0.0.1:8080 ${SANDBOX} https://accounts.google.com`,
    IMAGE_SOURCES: `${SANDBOX} https:`,
  });
});

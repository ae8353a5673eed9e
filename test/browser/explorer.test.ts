import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type Sandbox, startSandbox } from '../../sandbox/src/server.ts';
import { findChromium, openChromium } from '../kit/chromium.ts';
import { AUTHORIZATION, SECRET, type Service, startService } from '../kit/graphql-service.ts';
import { complaintsOf } from '../kit/page-faults.ts';

let service: Service;
let sandbox: Sandbox;
beforeAll(async () => {
  service = await startService();
  const key = AUTHORIZATION.replace('Bearer ', '');
  sandbox = await startSandbox({
    port: 0,
    explorer: {
      graphqlUrl: `${service.url}/graphql`,
      schemaUrl: `${service.url}/schema.graphql`,
      key,
      tenantKey: 'demo',
      returnUrl: 'http://127.0.0.1:3999/connected',
    },
  });
});
afterAll(async () => {
  await sandbox.close();
  await service.close();
});

const ask = async (body: object, headers: Readonly<Record<string, string>> = {}) => {
  const init = { method: 'POST', headers: { 'content-type': 'application/json', ...headers } };
  const answer = await fetch(`${sandbox.url}/explorer/graphql`, { ...init, body: JSON.stringify(body) });
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
};

test('the explorer adds the key only for its own page', async () => {
  const query = { query: '{ integrationReadiness { idpIdentityAvailable } }' };
  expect((await ask(query)).body).toEqual({ data: { integrationReadiness: { idpIdentityAvailable: false } } });
  expect((await ask(query, { 'sec-fetch-site': 'cross-site' })).status).toBe(403);
});

describe.skipIf(findChromium() === undefined)('in a browser', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openChromium();
  });
  afterAll(() => browser.close());

  test('the explorer runs a query and shows the answer; the key is never in the page', async () => {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
    onTestFinished(() => context.close());
    const page = await context.newPage();
    const complaints = complaintsOf(page);
    const foreign: string[] = [];
    const received: Promise<string>[] = [];
    page.on('request', (request) => {
      if (!/^(blob|data):/.test(request.url()) && !request.url().startsWith(sandbox.url)) foreign.push(request.url());
      received.push(Promise.resolve(JSON.stringify([request.headers(), request.postData()])));
    });
    page.on('response', (response) => received.push(response.text().catch(() => '')));
    await page.goto(sandbox.url);
    await page.getByRole('link', { name: 'GraphQL explorer of the service' }).click();
    await page.getByRole('button', { name: /^Execute query/ }).click();
    await page.getByText('"idpIdentityAvailable"').waitFor();
    expect(await page.content()).not.toContain(SECRET);
    expect((await Promise.all(received)).join('\n')).not.toContain(SECRET);
    expect([...foreign, ...complaints]).toEqual([]);
  });
});

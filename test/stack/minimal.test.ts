import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { describe } from 'vitest';
import { startApp } from '../../examples/minimal/src/main.ts';
import { buildHttpUrl } from '../../local/src/ports.ts';
import { ROOT } from '../../local/src/services.ts';
import { IDP_CLIENT } from '../../sandbox/src/clients.ts';
import { findChromium, openChromium } from '../kit/chromium.ts';
import type { TestService } from '../kit/service.ts';
import { stackTest } from '../kit/stack.ts';
import { addEndpoint } from './webhook-endpoint.ts';

/** In this order. A scan reports changed posts as well, at any time. */
const EVENTS = ['connection.connected', 'job.finished'] as const;

/** Sets the app up as an operator does, and runs the example on another site than the service and the platforms. */
async function openMinimal(service: TestService) {
  const { settings, app, commandLine } = service;
  const publicUrl = `http://localhost:${settings.ports.caller}`;
  const [api, sandbox] = [buildHttpUrl(settings.ports.api), buildHttpUrl(settings.ports.sandbox)];
  const issuer = { issuer: `${sandbox}/idp`, 'client-id': IDP_CLIENT.clientId };
  const { id: issuerId = '' } = await commandLine.run('issuer create', issuer, IDP_CLIENT.clientSecret);
  await commandLine.run('identity set', {
    app: app.appId,
    issuer: issuerId,
    'return-url': `${publicUrl}/sign-in/return`,
  });
  await commandLine.run('return-url add', { app: app.appId, url: `${publicUrl}/connect/return` });
  const { secret } = await addEndpoint(service, `${publicUrl}/webhooks`, EVENTS);
  const server = startApp({
    PUBLIC_URL: publicUrl,
    PORT: String(settings.ports.caller),
    SERVICE_GRAPHQL_URL: `${api}/graphql`,
    SERVICE_API_KEY: app.key,
    TENANT_KEY: app.tenantKey,
    LAUNCH_ORIGINS: `${api} ${sandbox}`,
    WEBHOOK_SECRETS: secret,
  });
  await once(server, 'listening');
  const close = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return { publicUrl, close };
}

const test = stackTest()
  .extend<{ $file: { app: { publicUrl: string } } }>({
    app: [
      async ({ service }, use) => {
        const { publicUrl, close } = await openMinimal(service);
        await use({ publicUrl });
        await close();
      },
      { scope: 'file' },
    ],
  })
  // biome-ignore lint/correctness/noEmptyPattern: the runner reads from it which fixtures this one needs.
  .extend('newPage', async ({}, { onCleanup }) => {
    const browser = await openChromium();
    onCleanup(() => browser.close());
    return async () => await (await browser.newContext()).newPage();
  });

const heading = async (page: Page) => await page.getByRole('heading').innerText();
const press = async (page: Page, name: string | RegExp) => await page.getByRole('button', { name }).click();

async function signIn(page: Page, publicUrl: string, person: RegExp): Promise<void> {
  await page.goto(publicUrl);
  await press(page, 'Sign in'); // Its form, then the form of the launch, which submits itself.
  await page.getByRole('radio', { name: person }).check();
  await press(page, 'Allow');
  await page.getByRole('heading', { name: 'Your accounts' }).waitFor();
}

describe.skipIf(findChromium() === undefined)('the example in one file', () => {
  test('has at most 200 lines', ({ expect }) => {
    const source = readFileSync(path.join(ROOT, 'examples', 'minimal', 'src', 'main.ts'), 'utf8');
    expect(source.trimEnd().split('\n').length).toBeLessThanOrEqual(200);
  });

  test('signs in, connects, reads, refreshes, takes webhooks and disconnects', async ({ app, newPage, expect }) => {
    const page = await newPage();
    await signIn(page, app.publicUrl, /Vale rowan@sandbox/);
    await press(page, 'Connect TikTok');
    await page.getByRole('radio', { name: /Harbour Kitchen/ }).check();
    await press(page, 'Allow');
    await page.getByRole('heading', { name: /^Harbour Kitchen/ }).waitFor();
    const account = page.url();

    await expect.poll(async () => await page.reload().then(() => page.locator('ol li').count())).toBeGreaterThan(0);
    await press(page, 'Refresh');
    await page.waitForURL(account);
    expect(await page.locator('ol li').count()).toBe(20);
    await expect
      .poll(async () => await page.reload().then(() => page.getByText(/^Last event:/).innerText()))
      .toBe('Last event: job.finished');

    // Neither a browser without a session nor another person reads the account.
    const stranger = await newPage();
    await stranger.goto(account);
    expect(await heading(stranger)).toBe('Not signed in');
    await signIn(stranger, app.publicUrl, /other account/);
    expect(await stranger.locator('ul li').count()).toBe(0);
    await stranger.goto(account);
    expect(await heading(stranger)).toBe('NOT_FOUND');

    await press(page, 'Disconnect');
    await page.getByText('Access: SUCCEEDED. Data: SUCCEEDED.').waitFor();
    await page.goto(account);
    expect(await heading(page)).toBe('NOT_FOUND');
    expect(await page.locator('p').first().innerText()).toBe('It does not exist, or it was disconnected.');
    await page.goto(app.publicUrl);
    expect(await page.locator('ul li').count()).toBe(0);
  });

  test('shows a refusal at the platform, and refuses a return that its session did not start', async ({
    app,
    newPage,
    expect,
  }) => {
    const page = await newPage();
    await signIn(page, app.publicUrl, /Vale rowan@sandbox/);
    await press(page, 'Connect Instagram');
    await press(page, /Deny|Cancel|Not now/);
    await page.getByText('DENIED: ACCESS_DENIED').waitFor();
    const foreign = `${app.publicUrl}/connect/return?ss_session_id=0aa0d52a-7213-4d4e-8c93-094a834169fc`;
    const response = await page.goto(foreign);
    expect([response?.status(), await heading(page)]).toEqual([403, 'This link is invalid']);
  });

  test('refuses a webhook that the service did not sign, and one without an end', async ({ app, expect }) => {
    const post = async (body: string, headers: Record<string, string> = {}) =>
      (await fetch(`${app.publicUrl}/webhooks`, { method: 'POST', body, headers })).status;
    expect(await post('{}')).toBe(400);
    expect(await post('x'.repeat(65_537))).toBe(413);
  });
});

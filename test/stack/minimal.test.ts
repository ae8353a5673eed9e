import { once } from 'node:events';
import type { BrowserContext, Page } from 'playwright-core';
import { describe, vi } from 'vitest';
import { startApp } from '../../examples/minimal/main.mjs';
import { buildHttpUrl } from '../../local/src/ports.ts';
import { IDP_CLIENT } from '../../sandbox/src/clients.ts';
import { findChromium } from '../kit/chromium.ts';
import { findObstacle, prepareRecipe, type RecipeLanguage, startRecipe } from '../kit/recipes.ts';
import type { TestService } from '../kit/service.ts';
import { stackTest } from '../kit/stack.ts';
import { addEndpoint } from './webhook-endpoint.ts';

/** In this order. A scan reports changed posts as well, at any time. */
const EVENTS = ['connection.connected', 'job.finished'] as const;

/** Sets the app up as an operator does, on another site than the service and the platforms. @returns its environment. */
async function setUp(service: TestService) {
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
  return {
    PUBLIC_URL: publicUrl,
    PORT: String(settings.ports.caller),
    SERVICE_GRAPHQL_URL: `${api}/graphql`,
    SERVICE_API_KEY: app.key,
    TENANT_KEY: app.tenantKey,
    WEBHOOK_SECRETS: secret,
  };
}
type Settings = Awaited<ReturnType<typeof setUp>>;

const startAlone = (language: RecipeLanguage) => async (settings: Settings) => {
  const app = await startRecipe(language, settings);
  const isListening = () => fetch(settings.PUBLIC_URL).then(Boolean, () => false);
  await vi.waitUntil(async () => app.exitCode !== null || (await isListening()), { interval: 50 });
  if (app.exitCode !== null) throw new Error('The application has ended.');
  return async () => {
    if (app.exitCode !== null || app.signalCode !== null) return;
    const ended = once(app, 'exit');
    app.kill('SIGKILL');
    await ended;
  };
};

/** Starts the application. @returns a function that stops it. */
const STARTS = {
  JavaScript: async (settings: Settings) => {
    const server = startApp(settings);
    await once(server, 'listening');
    return async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    };
  },
  Python: startAlone('Python'),
  Go: startAlone('Go'),
} as const;
const LANGUAGES = ['JavaScript', 'Python', 'Go'] as const;

const pageTest = stackTest()
  .extend<{ $file: { settings: Settings } }>({
    settings: [async ({ service }, use) => use(await setUp(service)), { scope: 'file' }],
  })
  .extend('newPage', async ({ browser }, { onCleanup }) => {
    const contexts: BrowserContext[] = [];
    onCleanup(async () => {
      for (const context of contexts) await context.close();
    });
    return async () => {
      const context = await browser.newContext();
      contexts.push(context);
      return await context.newPage();
    };
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

describe.skipIf(findChromium() === undefined).for(LANGUAGES)('the application of the examples in %s', (language) => {
  const test = pageTest.extend('publicUrl', async ({ settings }, { onCleanup }) => {
    onCleanup(await STARTS[language](settings));
    return settings.PUBLIC_URL;
  });

  const obstacle = language === 'JavaScript' ? undefined : findObstacle(language);
  test.beforeAll(async () => {
    if (language !== 'JavaScript' && obstacle === undefined) await prepareRecipe(language);
  });
  test.beforeEach(({ skip }) => skip(obstacle !== undefined, obstacle));

  test('signs in, connects, reads, refreshes, takes webhooks, disconnects', async ({ publicUrl, newPage, expect }) => {
    const page = await newPage();
    await signIn(page, publicUrl, /Vale rowan@sandbox/);
    await page.getByText('By connecting you agree').waitFor();
    expect(await page.getByRole('contentinfo').getByRole('link').count()).toBe(4);
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
    await signIn(stranger, publicUrl, /other account/);
    expect(await stranger.locator('ul li').count()).toBe(0);
    await stranger.goto(account);
    expect(await heading(stranger)).toBe('NOT_FOUND');

    await press(page, 'Disconnect');
    await page.getByText('Access: SUCCEEDED. Data: SUCCEEDED.').waitFor();
    await page.goto(account);
    expect(await heading(page)).toBe('NOT_FOUND');
    expect(await page.locator('p').first().innerText()).toBe('It does not exist, or it was disconnected.');
    await page.goto(publicUrl);
    expect(await page.locator('ul li').count()).toBe(0);
  });

  test('shows a refusal, and refuses a return of another session', async ({ publicUrl, newPage, expect }) => {
    const page = await newPage();
    await signIn(page, publicUrl, /Vale rowan@sandbox/);
    await press(page, 'Connect Instagram');
    await press(page, /Deny|Cancel|Not now/);
    await page.getByText('DENIED: ACCESS_DENIED').waitFor();
    const foreign = `${publicUrl}/connect/return?ss_session_id=0aa0d52a-7213-4d4e-8c93-094a834169fc`;
    const response = await page.goto(foreign);
    expect([response?.status(), await heading(page)]).toEqual([403, 'This link is invalid']);
  });

  test('refuses a webhook without the service’s signature or an end', async ({ publicUrl, expect }) => {
    const post = async (body: string, headers: Record<string, string> = {}) =>
      (await fetch(`${publicUrl}/webhooks`, { method: 'POST', body, headers })).status;
    expect(await post('{}')).toBe(400);
    expect(await post('x'.repeat(65_537))).toBe(413);
  });
});

import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { describe, vi } from 'vitest';
import { startApp } from '../../examples/minimal/main.mjs';
import { buildHttpUrl } from '../../local/src/ports.ts';
import { ROOT } from '../../local/src/services.ts';
import { IDP_CLIENT } from '../../sandbox/src/clients.ts';
import { ERROR_CODES } from '../../src/basics/errors.ts';
import { findChromium, openChromium } from '../kit/chromium.ts';
import { findObstacle, prepareRecipe, type RecipeLanguage, startRecipe } from '../kit/recipes.ts';
import type { TestService } from '../kit/service.ts';
import { stackTest } from '../kit/stack.ts';
import { operator } from './operator.ts';
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
const readSource = (...names: string[]) => readFileSync(path.join(ROOT, 'examples', ...names), 'utf8');
const SOURCES = {
  JavaScript: readSource('minimal', 'main.mjs'),
  Python: readSource('python', 'main.py'),
  Go: readSource('go', 'main.go'),
};
/** The text before that for a code. */
const TEXTS = {
  Python: (code: string) => SOURCES.Python.includes(`"${code}": "`),
  Go: (code: string) => readSource('go', 'page.html').includes(`if eq .Title "${code}"}}`),
};

const test = stackTest()
  .extend<{ $file: { settings: Settings; browser: Browser } }>({
    settings: [async ({ service }, use) => use(await setUp(service)), { scope: 'file' }],
    browser: [
      // biome-ignore lint/correctness/noEmptyPattern: the runner reads from it which fixtures this one needs.
      async ({}, use) => {
        const browser = await openChromium();
        await use(browser);
        await browser.close();
      },
      { scope: 'file' },
    ],
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
  const open = async (settings: Settings, onTestFinished: (close: () => Promise<void>) => void) => {
    onTestFinished(await STARTS[language](settings));
    return { publicUrl: settings.PUBLIC_URL };
  };

  const obstacle = language === 'JavaScript' ? undefined : findObstacle(language);
  test.beforeAll(async () => {
    if (language !== 'JavaScript' && obstacle === undefined) await prepareRecipe(language);
  });
  test.beforeEach(({ skip }) => skip(obstacle !== undefined, obstacle));

  test('signs in, connects, reads, refreshes, takes webhooks and disconnects', async ({
    settings,
    newPage,
    expect,
    onTestFinished,
  }) => {
    const app = await open(settings, onTestFinished);
    const page = await newPage();
    await signIn(page, app.publicUrl, /Vale rowan@sandbox/);
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
    settings,
    newPage,
    expect,
    onTestFinished,
  }) => {
    const app = await open(settings, onTestFinished);
    const page = await newPage();
    await signIn(page, app.publicUrl, /Vale rowan@sandbox/);
    await press(page, 'Connect Instagram');
    await press(page, /Deny|Cancel|Not now/);
    await page.getByText('DENIED: ACCESS_DENIED').waitFor();
    const foreign = `${app.publicUrl}/connect/return?ss_session_id=0aa0d52a-7213-4d4e-8c93-094a834169fc`;
    const response = await page.goto(foreign);
    expect([response?.status(), await heading(page)]).toEqual([403, 'This link is invalid']);
  });

  test('lists an account that cannot be read now, and lets its person disconnect it', async ({
    service,
    settings,
    newPage,
    expect,
    onTestFinished,
  }) => {
    const app = await open(settings, onTestFinished);
    const page = await newPage();
    await signIn(page, app.publicUrl, /Vale rowan@sandbox/);
    await press(page, 'Connect TikTok');
    await page.getByRole('radio', { name: /Harbour Kitchen/ }).check();
    await press(page, 'Allow');
    await page.getByRole('heading', { name: /^Harbour Kitchen/ }).waitFor();
    const account = page.url();
    const [registration] = await service.database.sql`
      select registration_id from registration join registration_app using (registration_id)
      where provider = 'PROVIDER_B' and app_id = ${service.app.appId}
    `;
    const ask = await operator(service);
    const id = { id: registration?.registrationId };
    onTestFinished(async () => void (await ask('mutation ($id: ID!) { resumeRegistration(id: $id) { id } }', id)));
    await ask('mutation ($id: ID!) { pauseRegistration(id: $id) { connectionCount } }', id);

    await page.goto(app.publicUrl);
    expect(await page.locator('ul li').allInnerTexts()).toEqual(['Account (AUTHORIZATION_SUSPENDED)']);
    expect(await page.getByRole('button', { name: /^Connect / }).count()).toBe(3);
    await page.getByRole('link', { name: 'Account', exact: true }).click();
    expect([page.url(), await heading(page)]).toEqual([account, 'AUTHORIZATION_SUSPENDED']);
    await press(page, 'Disconnect');
    await page.getByText('Access: SUCCEEDED. Data: SUCCEEDED.').waitFor();
    await page.goto(app.publicUrl);
    expect(await page.locator('ul li').count()).toBe(0);
  });

  test('refuses a webhook that the service did not sign, and one without an end', async ({
    settings,
    expect,
    onTestFinished,
  }) => {
    const app = await open(settings, onTestFinished);
    const post = async (body: string, headers: Record<string, string> = {}) =>
      (await fetch(`${app.publicUrl}/webhooks`, { method: 'POST', body, headers })).status;
    expect(await post('{}')).toBe(400);
    expect(await post('x'.repeat(65_537))).toBe(413);
  });

  test.skipIf(language === 'JavaScript')(
    'has a text for each code, and shows it',
    async ({ settings, newPage, expect, onTestFinished }) => {
      if (language !== 'JavaScript') expect(ERROR_CODES.filter((code) => !TEXTS[language](code))).toEqual([]);
      const app = await open(settings, onTestFinished);
      const page = await newPage();
      await signIn(page, app.publicUrl, /Vale rowan@sandbox/);
      await press(page, 'Connect YouTube');
      await page.getByRole('radio', { name: /250 posts/ }).check();
      await press(page, 'Allow');
      await expect
        .poll(async () => await page.reload().then(() => page.locator('ol li').allInnerTexts()))
        .toContainEqual(expect.stringMatching(/VIEWS \d+/));
      const says = async (path: string, code: string, text: string | RegExp) => {
        await page.goto(`${app.publicUrl}${path}`);
        expect(await heading(page)).toBe(code);
        expect(await page.locator('p').first().innerText()).toMatch(text);
      };
      const account = new URL(page.url()).pathname;
      await says(`${account}?days=91`, 'BAD_USER_INPUT', /^Please check your input\. .*90 days/); // With HTTP 400.
      await press(page, 'Disconnect');
      await page.getByText('Access: SUCCEEDED. Data: SUCCEEDED.').waitFor();
    },
  );

  test.skipIf(language === 'JavaScript')(
    'shows that its key is wrong, and that the service does not answer',
    async ({ settings, newPage, expect, onTestFinished }) => {
      const page = await newPage();
      const wrong = `${settings.SERVICE_API_KEY.slice(0, -1)}${settings.SERVICE_API_KEY.endsWith('0') ? '1' : '0'}`;
      for (const [change, code, text] of [
        [{ SERVICE_API_KEY: wrong }, 'UNAUTHENTICATED', 'Something is wrong on our side.'],
        [{ SERVICE_GRAPHQL_URL: 'http://127.0.0.1:9/' }, 'UPSTREAM_UNAVAILABLE', 'Please try again in a minute.'],
      ] as const) {
        const close = await STARTS[language]({ ...settings, ...change });
        onTestFinished(close);
        await page.goto(settings.PUBLIC_URL);
        await press(page, 'Sign in');
        expect([await heading(page), await page.locator('p').first().innerText()]).toEqual([code, text]);
        await close();
      }
    },
  );
});

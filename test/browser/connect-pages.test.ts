import axe from 'axe-core';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type PageInput, renderPage } from '../../src/api/connect/page.tsx';
import { PAGE_LANGUAGES } from '../../src/api/connect/page-language.ts';
import { PAGE_CONTENT_SECURITY_POLICY } from '../../src/api/connect/page-style.ts';
import { PAGE_TEXTS, REFUSAL_PAGES } from '../../src/api/connect/page-texts.ts';
import type { Refusal } from '../../src/api/connect/refused.ts';
import { type CorrelationId, newId } from '../../src/ids.ts';
import { findChromium, openChromium } from '../kit/chromium.ts';

const ADDRESS = 'https://connect.example/page';
const correlationId = newId<CorrelationId>();
const PHONE = { width: 390, height: 844 };
const DESKTOP = { width: 1280, height: 800 };
const APPS = {
  'a known app': { name: 'Rowan’s Creator Studio', backUrl: 'https://app.example/' },
  'an app of an overlong name': { name: 'W'.repeat(100), backUrl: 'https://app.example/' },
  'no known app': undefined,
};

describe.skipIf(findChromium() === undefined)('every error page of the connect flow', { timeout: 60_000 }, () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openChromium();
  });
  afterAll(() => browser.close());

  test('has no faults with any text', async () => {
    const appearance = { colorScheme: 'light', viewport: PHONE } as const;
    const refusals = Object.keys(REFUSAL_PAGES) as Refusal[];
    const pages = refusals.map((refusal) => ({ refusal, app: APPS['a known app'] }));
    expect(await faultsOf(browser, appearance, pages)).toEqual([]);
  });

  test('fits into 320 px in every language', async () => {
    const page = await openPage(browser, { viewport: { width: 320, height: 640 } });
    for (const language of PAGE_LANGUAGES) {
      for (const refusal of Object.keys(REFUSAL_PAGES) as Refusal[]) {
        await show(page, { refusal, language, app: APPS['a known app'] });
        expect(await page.evaluate('document.documentElement.scrollWidth'), `${language} ${refusal}`).toBe(320);
        expect(await page.locator('html').getAttribute('lang')).toBe(language);
      }
    }
    await page.context().close();
  });

  // The pages differ only in their text, so the longest one represents all.
  const pages = Object.values(APPS).map((app) => ({ refusal: 'wrongBrowser' as const, app }));
  for (const colorScheme of ['light', 'dark'] as const) {
    for (const viewport of [PHONE, DESKTOP]) {
      test(`has no faults with any app name, ${colorScheme}, ${viewport.width} px wide`, async () => {
        expect(await faultsOf(browser, { colorScheme, viewport }, pages)).toEqual([]);
      });
    }
  }

  test('applies its style under its Content-Security-Policy', async () => {
    const page = await openPage(browser, { colorScheme: 'dark', viewport: PHONE });
    await show(page, { refusal: 'launchUsed', app: APPS['a known app'] });
    expect(await page.evaluate('getComputedStyle(document.body).backgroundColor')).toBe('rgb(17, 19, 24)');
    await page.context().close();
  });

  test('leads back to the app by keyboard, without scripts', async () => {
    const page = await openPage(browser, { viewport: PHONE, javaScriptEnabled: false });
    await show(page, { refusal: 'launchUsed', app: APPS['a known app'] });
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.waitForURL('https://app.example/');
    await page.context().close();
  });

  test('sends neither path nor query in the Referer header', async () => {
    const page = await openPage(browser, { viewport: PHONE });
    await show(page, { refusal: 'launchUsed', app: APPS['a known app'] });
    const [request] = await Promise.all([page.waitForRequest('https://app.example/'), page.getByRole('link').click()]);
    expect(await request.headerValue('referer')).toBe('https://connect.example/');
    await page.context().close();
  });
});

type Shown = Pick<PageInput, 'refusal' | 'app'> & { readonly language?: PageInput['language'] };

async function faultsOf(
  browser: Browser,
  appearance: BrowserContextOptions,
  pages: readonly Shown[],
): Promise<string[]> {
  const faults: string[] = [];
  const page = await openPage(browser, appearance);
  page.on('console', (message) => {
    // The browser reports a refused style here. The 4xx status of the page is expected.
    if (message.type() === 'error' && !message.text().includes('the server responded with a status of')) {
      faults.push(message.text());
    }
  });
  for (const shown of pages) {
    await show(page, shown);
    const { violations } = (await page.evaluate(`${axe.source};axe.run()`)) as axe.AxeResults;
    faults.push(...violations.map(({ id }) => `${shown.refusal}: axe says ${id}`));
    const wide = await page.evaluate('document.documentElement.scrollWidth > innerWidth');
    if (wide) faults.push(`${shown.refusal}: scrolls sideways`);
  }
  await page.context().close();
  return faults;
}

async function openPage(browser: Browser, appearance: BrowserContextOptions): Promise<Page> {
  const context = await browser.newContext(appearance);
  await context.route('https://app.example/', (route) => route.fulfill({ contentType: 'text/html', body: 'the app' }));
  return await context.newPage();
}

async function show(page: Page, { language = 'en', ...shown }: Shown): Promise<void> {
  await page.route(ADDRESS, (route) =>
    route.fulfill({
      status: REFUSAL_PAGES[shown.refusal].status,
      contentType: 'text/html; charset=utf-8',
      headers: { 'content-security-policy': PAGE_CONTENT_SECURITY_POLICY, 'referrer-policy': 'strict-origin' },
      body: renderPage({ ...shown, language, flow: 'connect', correlationId }),
    }),
  );
  await page.goto(ADDRESS);
  await page.unroute(ADDRESS);
  expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe(
    PAGE_TEXTS[language].refusals[shown.refusal].title,
  );
}

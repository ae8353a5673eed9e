import axe from 'axe-core';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DEMO_COLOR, drawDemoLogo } from '../../local/src/demo-logo.ts';
import { type PageInput, renderPage } from '../../src/api/connect/page.tsx';
import { buildContentSecurityPolicy } from '../../src/api/connect/page-style.ts';
import { PAGE_TEXTS, REFUSAL_PAGES } from '../../src/api/connect/page-texts.ts';
import type { Refusal } from '../../src/api/connect/refused.ts';
import { PAGE_LANGUAGES } from '../../src/basics/codes.ts';
import { type CorrelationId, newId } from '../../src/basics/ids.ts';
import { findChromium, openChromium } from '../kit/chromium.ts';

const ADDRESS = 'https://connect.example/page';
const LOGO_URL = 'https://connect.example/api/connect/logo/x';
/** The longest app name, without a place to break it, and with many. */
const LONG_NAMES = ['W'.repeat(100), 'Donaudampfschifffahrtsgesellschaft '.repeat(2).trim()];
/** Where contrast fails first: the ends, a light and a dark color, and one in between. */
const COLORS = ['#ffffff', '#000000', '#ffee00', '#10164a', '#808080', DEMO_COLOR];
const correlationId = newId<CorrelationId>();
const PHONE = { width: 390, height: 844 };
const DESKTOP = { width: 1280, height: 800 };
const KNOWN_APP = { name: 'Rowan’s Creator Studio', backUrl: 'https://app.example/' };
const APPS: Readonly<Record<string, PageInput['app']>> = {
  'a known app': KNOWN_APP,
  'an app of an overlong name': { name: 'W'.repeat(100), backUrl: 'https://app.example/' },
  'no known app': undefined,
};
const branded = (color: string | null, name = 'Rowan’s Creator Studio', { width = 128, height = 128 } = {}) => ({
  name,
  backUrl: 'https://app.example/',
  look: { color, logo: { url: LOGO_URL, width, height } },
});

describe.skipIf(findChromium() === undefined)('every error page of the connect flow', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openChromium();
  });
  afterAll(() => browser.close());

  test('has no faults with any text', async () => {
    const appearance = { colorScheme: 'light', viewport: PHONE } as const;
    const refusals = Object.keys(REFUSAL_PAGES) as Refusal[];
    const pages = refusals.map((refusal) => ({ refusal, app: KNOWN_APP }));
    expect(await faultsOf(browser, appearance, pages)).toEqual([]);
  });

  test('fits into 320 px in every language', async () => {
    const page = await openPage(browser, { viewport: { width: 320, height: 640 } });
    for (const language of PAGE_LANGUAGES) {
      for (const refusal of Object.keys(REFUSAL_PAGES) as Refusal[]) {
        await show(page, { refusal, language, app: KNOWN_APP });
        expect(await page.evaluate('document.documentElement.scrollWidth'), `${language} ${refusal}`).toBe(320);
        expect(await page.locator('html').getAttribute('lang')).toBe(language);
      }
    }
    await page.context().close();
  });

  // The pages differ only in their text, so the longest one represents all.
  const pages = Object.values(APPS).map((app) => ({ refusal: 'wrongBrowser' as const, app }));
  test('has no faults with any app name, dark, on a desktop', async () => {
    expect(await faultsOf(browser, { colorScheme: 'dark', viewport: DESKTOP }, pages)).toEqual([]);
  });

  for (const colorScheme of ['light', 'dark'] as const) {
    test(`has no faults in any color of an app, ${colorScheme}`, async () => {
      const colored = COLORS.map((color) => ({ refusal: 'launchUsed' as const, app: branded(color) }));
      const grown = { refusal: 'launchUsed' as const, app: branded(null, LONG_NAMES[0]) };
      expect(await faultsOf(browser, { colorScheme, viewport: PHONE }, [...colored, grown])).toEqual([]);
    });
  }

  test('leads back to the app by keyboard, without scripts', async () => {
    const page = await openPage(browser, { viewport: PHONE, javaScriptEnabled: false });
    await show(page, { refusal: 'launchUsed', app: KNOWN_APP });
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.waitForURL('https://app.example/');
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
    const run = `${axe.source};axe.run({ resultTypes: ['violations'] })`;
    const { violations } = (await page.evaluate(run)) as axe.AxeResults;
    faults.push(...violations.map(({ id }) => `${shown.refusal}: axe says ${id}`));
    const wide = await page.evaluate('document.documentElement.scrollWidth > innerWidth');
    if (wide) faults.push(`${shown.refusal}: scrolls sideways`);
  }
  await page.context().close();
  return faults;
}

async function openPage(browser: Browser, appearance: BrowserContextOptions): Promise<Page> {
  const context = await browser.newContext(appearance);
  await context.route(LOGO_URL, (route) => route.fulfill({ contentType: 'image/png', body: drawDemoLogo() }));
  await context.route('https://app.example/', (route) => route.fulfill({ contentType: 'text/html', body: 'the app' }));
  return await context.newPage();
}

async function show(page: Page, { language = 'en', ...shown }: Shown): Promise<void> {
  await page.route(ADDRESS, (route) =>
    route.fulfill({
      status: REFUSAL_PAGES[shown.refusal].status,
      contentType: 'text/html; charset=utf-8',
      headers: {
        'content-security-policy': buildContentSecurityPolicy({
          color: shown.app?.look?.color ?? null,
          hasLogo: shown.app?.look?.logo != null,
        }),
        'referrer-policy': 'strict-origin',
      },
      body: renderPage({ ...shown, language, flow: 'connect', correlationId }),
    }),
  );
  await page.goto(ADDRESS);
  await page.unroute(ADDRESS);
  expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe(
    PAGE_TEXTS[language].refusals[shown.refusal].title,
  );
}

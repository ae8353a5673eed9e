import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import ts from 'typescript';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BUTTON_TEXTS, type ProviderEntry } from '../../clients/typescript/src/connect-accounts.ts';
import { findChromium, openChromium } from '../kit/chromium.ts';
import { complaintsOf, faultsOf } from '../kit/page-faults.ts';

const ORIGIN = 'https://app.example';
const SOURCE = path.join(import.meta.dirname, '..', '..', 'clients', 'typescript', 'src', 'connect-accounts.ts');
const SCRIPT = ts.transpileModule(readFileSync(SOURCE, 'utf8'), {
  compilerOptions: { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext },
}).outputText;
/** Allows one script file and nothing inline, neither script nor style. */
const POLICY = "default-src 'none'; script-src 'self'; style-src 'none'; form-action 'self'; base-uri 'none'";

const ALL_STATES: readonly ProviderEntry[] = [
  { provider: 'PROVIDER_A', name: 'Tube', state: 'READY' },
  { provider: 'PROVIDER_B', name: 'Clips', state: 'NOT_CONFIGURED' },
  { provider: 'PROVIDER_C', name: 'Pictures', state: 'CONNECTED', account: 'Harbour Kitchen' },
  { provider: 'PROVIDER_A', name: 'Tube', state: 'RECONNECT_REQUIRED', account: 'Noor', connectionId: 'connection-1' },
  { provider: 'PROVIDER_B', name: 'Clips', state: 'SUSPENDED' },
  { provider: 'PROVIDER_C', name: 'Pictures', state: 'CONNECTED', account: 'Noor, Berlin', canAddAccount: true },
];

const escapeHtml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');

interface Shown {
  readonly entries?: readonly ProviderEntry[];
  readonly lang?: string;
  readonly attributes?: string;
  readonly children?: string;
}

function pageOf({ entries = ALL_STATES, lang = 'en', attributes = '', children = '' }: Shown): string {
  return `<!doctype html><html lang="${lang}"><head><meta charset="utf-8"><title>Accounts</title>
    <meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark">
    <script type="module" src="/connect-accounts.js"></script></head><body><main><h1>Accounts</h1>
    <connect-accounts action="/connect" providers="${escapeHtml(JSON.stringify(entries))}" ${attributes}>${children}</connect-accounts>
    </main></body></html>`;
}

test('every language has every text, with the same placeholders', () => {
  const placeholders = (text: string) => (text.match(/\{\w+\}/g) ?? []).sort();
  expect(Object.keys(BUTTON_TEXTS)).toEqual(['en', 'de', 'fr', 'es', 'pt-BR']);
  for (const [language, texts] of Object.entries(BUTTON_TEXTS)) {
    expect(Object.keys(texts), language).toEqual(Object.keys(BUTTON_TEXTS.en));
    for (const [key, english] of Object.entries(BUTTON_TEXTS.en)) {
      const text: string = texts[key as keyof typeof texts];
      expect(placeholders(text), `${language} ${key}`).toEqual(placeholders(english));
      expect(text.trim(), `${language} ${key}`).not.toBe('');
      if (language !== 'en') expect(text, `${language} ${key}`).not.toBe(english);
    }
  }
});

test('the element is one file without imports', () => {
  expect(SCRIPT).not.toMatch(/^\s*import\b|\bimport\(|\brequire\(/m);
});

describe.skipIf(findChromium() === undefined)('<connect-accounts>', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openChromium();
  });
  afterAll(() => browser.close());

  async function open(shown: Shown = {}, { locale = 'en', scripts = true, width = 390 } = {}) {
    const context = await browser.newContext({
      locale,
      javaScriptEnabled: scripts,
      viewport: { width, height: 800 },
      bypassCSP: false,
    });
    const page = await context.newPage();
    const complaints = complaintsOf(page);
    const posts: string[] = [];
    await page.route(`${ORIGIN}/**`, (route) => {
      const request = route.request();
      const { pathname } = new URL(request.url());
      if (pathname === '/connect-accounts.js') return route.fulfill({ contentType: 'text/javascript', body: SCRIPT });
      if (request.method() === 'POST') posts.push(request.postData() ?? '');
      const headers = { 'content-security-policy': POLICY };
      const body = pathname === '/' ? pageOf(shown) : '<!doctype html><title>Launch</title><h1>Launch</h1>';
      return route.fulfill({ contentType: 'text/html', headers, body });
    });
    await page.goto(`${ORIGIN}/`);
    return { page, posts, complaints };
  }

  const close = (page: Page) => page.context().close();

  test('shows each state to screen readers, with a button where a person can act', async () => {
    const { page, complaints } = await open();
    await page.getByRole('button').first().waitFor();
    expect(await page.getByRole('list').ariaSnapshot()).toBe(
      [
        '- list:',
        '  - listitem:',
        '    - strong: Tube',
        '    - text: Not connected',
        '    - button "Connect Tube"',
        '  - listitem:',
        '    - strong: Clips',
        '    - text: Not available at the moment',
        '  - listitem:',
        '    - strong: Pictures',
        '    - text: Connected as Harbour Kitchen',
        '  - listitem:',
        '    - strong: Tube',
        '    - text: Noor Access has ended. Reconnect to continue.',
        '    - button "Reconnect Tube"',
        '  - listitem:',
        '    - strong: Clips',
        '    - text: On hold. It resumes automatically.',
        '  - listitem:',
        '    - strong: Pictures',
        '    - text: Connected as Noor, Berlin',
        '    - button "Add Pictures account"',
      ].join('\n'),
    );
    expect(complaints).toEqual([]); // A strict policy blocks neither its script nor its style.
    await close(page);
  });

  test('has no accessibility faults in light and dark', async () => {
    const { page } = await open();
    await page.getByRole('button').first().waitFor();
    expect(await faultsOf(page)).toEqual([]);
    await close(page);
  });

  test('submits its form by keyboard, in the same tab, with the page’s own hidden fields', async () => {
    const { page, posts } = await open({ children: '<input type="hidden" name="csrf" value="c-1"><p>No script.</p>' });
    await page.getByRole('button').first().waitFor();
    expect(await page.getByText('No script.').isVisible()).toBe(false);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Launch' }).waitFor();
    expect(page.context().pages()).toHaveLength(1);
    expect(posts).toEqual(['provider=PROVIDER_A&reconnectConnectionId=connection-1&csrf=c-1']);
    await close(page);
  });

  test.for([
    ['another origin', 'https://evil.example/connect'],
    ['a script', 'javascript:alert(1)'],
  ])('shows no button if its action is %s', async ([, action]) => {
    const { page } = await open();
    await page.evaluate(`document.querySelector('connect-accounts').setAttribute('action', '${action}')`);
    expect(await page.getByRole('button').count()).toBe(0);
    expect(await page.getByText('Not connected').isVisible()).toBe(true);
    await close(page);
  });

  test('writes names as text', async () => {
    const name = `<img src=x onerror="document.title='owned'">$& {account}`;
    const { page } = await open({ entries: [{ provider: 'PROVIDER_A', name, state: 'READY' }] });
    await page.getByRole('button', { name: `Connect ${name}` }).waitFor();
    expect(await page.title()).toBe('Accounts');
    await close(page);
  });

  test('without script, shows the page’s own content', async () => {
    const { page } = await open({ children: '<p>Connect by hand.</p>' }, { scripts: false });
    expect(await page.getByText('Connect by hand.').isVisible()).toBe(true);
    await close(page);
  });
});

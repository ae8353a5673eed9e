import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type Sandbox, startSandbox } from '../../sandbox/src/server.ts';
import { findChromium, openChromium } from '../kit/chromium.ts';
import { complaintsOf, faultsOf } from '../kit/page-faults.ts';

const REDIRECT = 'http://127.0.0.1:1/api/connect/callback/provider-a';

describe.skipIf(findChromium() === undefined)('the sandbox’s pages', () => {
  let browser: Browser;
  let sandbox: Sandbox;
  beforeAll(async () => {
    sandbox = await startSandbox({ port: 0 });
    browser = await openChromium();
  });
  afterAll(async () => {
    await browser.close();
    await sandbox.close();
  });

  async function open(path: string, viewport = { width: 390, height: 664 }): Promise<Page> {
    const context = await browser.newContext({ viewport });
    onTestFinished(() => context.close());
    const page = await context.newPage();
    await page.goto(`${sandbox.url}${path}`);
    return page;
  }

  const consentPath = () =>
    `/a/accounts/o/oauth2/v2/auth?${new URLSearchParams({
      client_id: 'sandbox-client-a',
      redirect_uri: REDIRECT,
      response_type: 'code',
      scope: 'openid https://www.googleapis.com/auth/youtube.readonly',
    })}`;

  test('ask for consent in the app’s own name, with Allow and Deny in view and in tab order', async () => {
    const page = await open(consentPath());
    const complaints = complaintsOf(page);
    const text = await page.locator('main').innerText();
    expect(text).toContain('Demo Studio asks for access to your account at YouTube.');
    expect(text).toContain('sandbox-client-a');
    const [allow, deny] = [page.getByRole('button', { name: 'Allow' }), page.getByRole('button', { name: 'Deny' })];
    const [left, right] = [await allow.boundingBox(), await deny.boundingBox()];
    for (const box of [left, right]) expect((box?.y ?? 1_000) + (box?.height ?? 0)).toBeLessThanOrEqual(664);
    expect(left?.x).toBeLessThan(right?.x ?? 0);
    const stops: string[] = [];
    for (let stop = 0; stop < 4; stop += 1) {
      await page.keyboard.press('Tab');
      stops.push(await page.evaluate('document.activeElement.value'));
    }
    // The account, the one permission that can be unticked, then both answers as they are read.
    expect(stops.slice(1)).toEqual(['https://www.googleapis.com/auth/youtube.readonly', 'allow', 'deny']);
    expect([...(await faultsOf(page)), ...complaints]).toEqual([]);
  });

  test('have an icon', async () => {
    const page = await open('/');
    const icon = await page.locator('link[rel=icon]').getAttribute('href');
    const answer = await page.request.get(`${sandbox.url}${icon}`);
    expect([answer.status(), answer.headers()['content-type']]).toEqual([200, 'image/svg+xml']);
  });

  test.each([
    ['PROVIDER_A', 'https://www.youtube.com/watch?v=', 'https://www.youtube.com/channel/'],
    ['PROVIDER_B', 'https://www.tiktok.com/@harbour.kitchen.demo/', 'https://vm.tiktok.com/ZS'],
    ['PROVIDER_C', 'https://www.instagram.com/', 'https://www.instagram.com/harbour.kitchen.demo/'],
  ] as const)('stand in for the links of %s', async (provider, postPrefix, profilePrefix) => {
    const [account] = sandbox.control.accounts(provider);
    if (account === undefined) throw new Error('There is no account.');
    const page = await open(`/accounts/${account.id}`);
    const url = await page.locator('article code').first().innerText();
    expect(url.startsWith(postPrefix)).toBe(true);
    await page.goto(`${sandbox.url}/visit?url=${encodeURIComponent(`${url}${url.includes('?') ? '&' : '?'}igsh=x`)}`);
    expect(await page.locator('code').innerText()).toBe(url);
    await page.getByRole('link', { name: /^All posts of/ }).click();
    await page.getByRole('heading', { name: account.name }).waitFor();
    const profile =
      provider === 'PROVIDER_C'
        ? profilePrefix
        : `${profilePrefix}${provider === 'PROVIDER_A' ? account.id : `${account.id.slice(-7)}/`}`;
    await page.goto(`${sandbox.url}/visit?url=${encodeURIComponent(profile)}`);
    await page.getByRole('heading', { name: account.name }).waitFor();
    await page.goto(`${sandbox.url}/visit?url=https%3A%2F%2Fexample.com%2F`);
    await page.getByRole('link', { name: 'All accounts of the sandbox' }).waitFor();
    expect(await faultsOf(page)).toEqual([]);
  });
});

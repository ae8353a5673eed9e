import type { Page } from 'playwright-core';
import { describe } from 'vitest';
import { findChromium, openChromium } from '../kit/chromium.ts';
import { refusalOf } from '../kit/graphql.ts';
import { lastDays } from '../kit/person.ts';
import { stackTest } from '../kit/stack.ts';
import { openCallerPages } from './caller-pages.ts';

/** The app is on `localhost`, the service and the platforms on 127.0.0.1: different sites, as in production. */
const test = stackTest().extend('visit', { auto: true }, async ({ service, newPerson }, { onCleanup }) => {
  const browser = await openChromium();
  const person = newPerson();
  const app = await openCallerPages(person, service.app.returnUrl);
  onCleanup(async () => {
    await browser.close();
    await app.close();
  });
  // A phone without scripts, because no page of the service needs them.
  const context = await browser.newContext({ javaScriptEnabled: false, viewport: { width: 390, height: 844 } });
  return { person, app, context, page: await context.newPage() };
});

const choose = (page: Page, name: string) => page.getByRole('radio', { name: new RegExp(name) }).check();

describe.skipIf(findChromium() === undefined)('a person in a real browser', () => {
  test('connects an account, and the app reads and disconnects it', async ({ service, visit, expect }) => {
    const { person, app, context, page } = visit;
    const account = person.account('PROVIDER_B', /^250 posts/);
    await page.goto(app.url);
    await page.getByRole('button', { name: 'Connect' }).click();
    await page.getByRole('heading', { name: 'Allow access to your account?' }).waitFor();
    await choose(page, 'Harbour Kitchen');
    await page.getByRole('button', { name: 'Allow' }).click();
    await page.getByRole('heading', { name: 'Connected as Harbour Kitchen' }).waitFor();

    const { pathname } = new URL(service.app.returnUrl);
    expect(app.asked.filter((path) => path.startsWith(pathname))).toEqual([
      expect.stringMatching(new RegExp(`^${pathname}\\?ss_session_id=[0-9a-f-]{36}$`)),
    ]);
    const cookies = await context.cookies();
    expect(cookies).toHaveLength(1);
    expect(cookies.every(({ httpOnly, sameSite }) => httpOnly && sameSite === 'Lax')).toBe(true);

    const connectionId = await page.getByRole('status').innerText();
    expect((await person.posts(connectionId, lastDays(6))).length).toBeGreaterThan(0);
    const { revoke, erase } = await person.disconnect(connectionId);
    expect([revoke.status, erase.status]).toEqual(['SUCCEEDED', 'SUCCEEDED']);
    expect((await refusalOf(person.connection(connectionId))).code).toBe('NOT_FOUND');
    expect(person.liveGrants(account)).toEqual([]);
  });

  test('goes back and clicks again: continues, or in another browser reads the reason and returns to the app', async ({
    service,
    visit,
    expect,
  }) => {
    const { app, context, page } = visit;
    await page.goto(app.url);
    await page.getByRole('button', { name: 'Connect' }).click();
    await page.getByRole('heading', { name: 'Allow access to your account?' }).waitFor();
    await page.goBack();
    await page.getByRole('button', { name: 'Connect' }).click();
    await page.getByRole('heading', { name: 'Allow access to your account?' }).waitFor();
    await page.goBack();
    await context.clearCookies(); // As another browser.
    await page.getByRole('button', { name: 'Connect' }).click();
    await page.getByRole('heading', { name: 'This link was already used' }).waitFor();
    await page.getByRole('link', { name: 'Harbour Kitchen' }).click();
    expect(new URL(page.url()).origin).toBe(new URL(service.app.returnUrl).origin);
  });
});

import { serve } from '@hono/node-server';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { createApp } from '../../examples/caller/src/app.ts';
import { readConfig } from '../../examples/caller/src/config.ts';
import { findFreePort } from '../../local/src/ports.ts';
import { CONNECTION, FakeService, newAccount, newJob, refusal } from '../caller/fake-service.ts';
import { VARIABLES } from '../caller/visitor.ts';
import { signWebhook } from '../caller/webhook.ts';
import { findChromium, openChromium } from '../kit/chromium.ts';
import { complaintsOf, faultsOf } from '../kit/page-faults.ts';

const NOW = new Date().toISOString();
/** The connect host, which the test answers for. */
const CONNECT = 'https://connect.example';

const crowdedAccount = newAccount({
  capabilities: [
    { capability: 'PROFILE', availability: 'AVAILABLE', reason: null },
    { capability: 'CONTENT_LIST', availability: 'AVAILABLE', reason: null },
    { capability: 'CONTENT_METRICS', availability: 'NOT_GRANTED', reason: 'PERMISSION_WITHDRAWN' },
  ],
  profile: {
    displayName: 'W'.repeat(120),
    handle: 'w'.repeat(80),
    avatarUrl: null,
    profileUrl: null,
    description: null,
  },
});

const noPosts = (pageInfo: object) => ({
  items: [],
  pageInfo: {
    endCursor: null,
    hasNextPage: false,
    completeForWindow: false,
    incompleteReason: 'NEVER_SCANNED',
    ...pageInfo,
  },
});

describe.skipIf(findChromium() === undefined)('the example caller’s pages', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openChromium();
  });
  afterAll(() => browser.close());

  /** Opens the application over a fake service and signs a person in. */
  async function open(changes: Readonly<Record<string, string>> = {}, name = 'Rowan') {
    const service = new FakeService();
    service.answers.redeemIdpIdentityResult = () => ({ status: 'COMPLETED', issuer: 'i', idpSub: '1', name });
    service.answers.connection = () => crowdedAccount;
    service.answers.content = () => noPosts({});
    const port = await findFreePort();
    const publicUrl = `http://127.0.0.1:${port}`;
    const config = readConfig({ ...VARIABLES, PUBLIC_URL: publicUrl, ...changes });
    const server = serve({ fetch: createApp(config, { fetch: service.fetch }).fetch, hostname: '127.0.0.1', port });
    onTestFinished(() => void server.close());
    const context = await browser.newContext();
    onTestFinished(() => context.close());
    const page = await context.newPage();
    const complaints = complaintsOf(page);
    await context.route(`${CONNECT}/**`, (route) => {
      const flow = route.request().url().includes('/identity/') ? 'identity' : 'connect';
      const path = flow === 'identity' ? 'sign-in' : 'connect';
      const location = `${publicUrl}/${path}/return?ss_session_id=${service.lastIds.get(flow)}`;
      // As the service: a page that leads on, which ends the chain that `form-action` watches.
      const body = `<!doctype html><meta http-equiv="refresh" content="0;url=${location}">`;
      return route.fulfill({ status: 200, contentType: 'text/html', body });
    });
    await page.goto(publicUrl);
    await page.getByRole('button', { name: 'Sign in to begin' }).click();
    await page.getByRole('heading', { name: 'Your accounts' }).waitFor();
    const deliver = (event: object) => fetch(`${publicUrl}/webhooks`, signWebhook(event));
    return { service, page, complaints, deliver, go: (path: string) => page.goto(`${publicUrl}${path}`) };
  }

  async function expectNoFaults(page: Page, complaints: readonly string[]): Promise<void> {
    expect([...(await faultsOf(page)), ...complaints]).toEqual([]);
  }

  test('have no faults before and after the first sign-in, and for an id from another browser', async () => {
    const { page, go, complaints } = await open();
    await expectNoFaults(page, complaints);
    const icon = await page.request.get(
      new URL((await page.locator('link[rel=icon]').getAttribute('href')) ?? '', page.url()).href,
    );
    expect([icon.status(), icon.headers()['content-type']]).toEqual([200, 'image/svg+xml; charset=utf-8']);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('button', { name: 'Sign in to begin' }).waitFor();
    await expectNoFaults(page, complaints);
    await go('/connect/return?ss_session_id=unknown');
    await page.getByRole('heading', { name: 'Not started in this browser' }).waitFor();
    await expectNoFaults(page, complaints);
  });

  test('have no faults with overlong names, missing permissions and a waiting job', async () => {
    const { service, page, go, complaints } = await open();
    service.answers.requestRefresh = () => ({ id: 'job-1', status: 'QUEUED' });
    service.answers.syncJob = () => newJob({ status: 'RUNNING', nextRetryAt: NOW, errorCode: 'PROVIDER_UNAVAILABLE' });
    await go(`/connections/${CONNECTION}`);
    await page.getByRole('button', { name: /^Refresh/ }).click();
    await page.getByText('TikTok is not available at the moment.').waitFor();
    await expectNoFaults(page, complaints);
  });

  test('have no faults when the service refuses', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {});
    const { service, page, go, complaints } = await open();
    await go(`/connections/${CONNECTION}`);
    service.answers.connection = () => {
      throw refusal('RECONNECT_REQUIRED');
    };
    await go(`/connections/${CONNECTION}`);
    await expectNoFaults(page, complaints);
    await go(`/connections/${CONNECTION}/disconnect`);
    await expectNoFaults(page, complaints);
    await go('/connections/never-seen');
    await expectNoFaults(page, complaints);
  });

  test('work with the keyboard alone', async () => {
    const { service, page } = await open();
    await page.keyboard.press('Tab');
    expect(await page.locator(':focus').innerText()).toBe('Skip to content');
    await page.keyboard.press('Enter');
    // The documents that people agree to stand before the button.
    for (const name of ['Privacy policy', 'Terms', 'YouTube Terms of Service', 'Google Privacy Policy']) {
      await page.keyboard.press('Tab');
      expect(await page.locator(':focus').innerText()).toBe(name);
    }
    await page.keyboard.press('Tab');
    const button = page.getByRole('button', { name: 'Connect YouTube' });
    expect(await button.evaluate((element) => element.matches(':focus'))).toBe(true);
    const [launched] = await Promise.all([page.waitForRequest(`${CONNECT}/**`), page.keyboard.press('Enter')]);
    expect(launched.postData()).toBe(`launchToken=${service.launchTokens.at(-1)}`);
    expect(service.callsOf('createConnectSession').at(-1)?.args.input).toMatchObject({ provider: 'PROVIDER_A' });
  });
});

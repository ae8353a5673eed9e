import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launchForm } from '../../../clients/typescript/src/index.ts';
import { startServer } from '../../../src/api/http/server.ts';
import { findChromium, openChromium } from '../../kit/chromium.ts';
import { complaintsOf } from '../../kit/page-faults.ts';
import { insertReturnUrl } from '../../kit/seed.ts';
import { findAttempt } from '../../kit/seed-attempts.ts';
import { openStage, type Stage } from './stage.ts';

/**
 * Real browsers send and keep origins, fetch metadata and Lax cookies across sites. The app and the provider are on
 * `localhost`, the service is on 127.0.0.1: the browser treats them as different sites.
 */
describe.skipIf(findChromium() === undefined)('in a real browser', () => {
  let browser: Browser;
  let stage: Stage;
  let app: Site;
  let provider: Site;
  let connectUrl: string;
  /** The referrers that the platform has received. */
  const referrers: string[] = [];
  const closing: (() => Promise<unknown>)[] = [];

  beforeAll(async () => {
    app = await openSite((request, response) => {
      const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
      response.setHeader('content-type', 'text/html');
      if (pathname !== '/start') return void response.end('back at the app');
      if (searchParams.has('hidden')) response.setHeader('referrer-policy', 'no-referrer');
      if (searchParams.has('library')) {
        const session = { launchUrl: `${connectUrl}/api/connect/redeem`, launchToken: searchParams.get('token') ?? '' };
        const page = launchForm(session);
        for (const [name, value] of Object.entries(page.headers)) response.setHeader(name, value);
        return void response.end(page.html);
      }
      if (searchParams.has('documented')) {
        response.setHeader('content-security-policy', `form-action 'self' ${connectUrl}; frame-ancestors 'none'`);
      }
      response.end(`<form method="post" action="${connectUrl}/api/connect/redeem">
        <input name="launchToken" value="${searchParams.get('token')}"><button>Connect</button></form>`);
    });
    provider = await openSite((request, response) => {
      const { searchParams: query, hash, search } = new URL(request.url ?? '/', 'http://localhost');
      // A broker, which forwards at once to an origin that no caller knows.
      if (request.headers.host?.startsWith('localhost')) {
        const location = `${provider.url.replace('localhost', '127.0.0.1')}/consent${search}${hash}`;
        return void response.writeHead(303, { location }).end();
      }
      referrers.push(request.headers.referer ?? 'none');
      const back = `${query.get('redirect_uri')}?code=c-1&state=${query.get('state')}`;
      response.setHeader('content-type', 'text/html').end(`<a href="${back}">Allow</a>`);
    });
    const placeholder = await openSite(() => undefined);
    connectUrl = placeholder.url.replace('localhost', '127.0.0.1');
    await placeholder.close();
    stage = await openStage({ connectUrl, providerUrl: provider.url });
    await stage.addLaunchOrigin(app.url);
    const server = await startServer(stage.http, { host: '127.0.0.1', port: Number(new URL(connectUrl).port) });
    browser = await openChromium();
    closing.push(
      () => browser.close(),
      () => server.close(0),
      app.close,
      provider.close,
      stage.close,
    );
  });
  afterAll(async () => {
    for (const close of closing) await close();
  });

  /** An attempt that will lead back to the app's site. */
  async function newAttempt() {
    const attempt = await stage.connectAttempt('PROVIDER_B');
    const returnUrl = `${app.url}/back`;
    await insertReturnUrl(stage.sql, stage.appId, returnUrl);
    await stage.sql`update connect_attempt set return_url = ${returnUrl} where attempt_id = ${attempt.attemptId}`;
    return { attempt, back: `${returnUrl}?ss_session_id=${attempt.attemptId}` };
  }

  test.each(['documented', 'library'])(
    'the %s launch page leads through a broker, and again after the back button',
    async (kind) => {
      const page = await browser.newPage();
      const complaints = complaintsOf(page);
      const { attempt, back } = await newAttempt();
      const launchPage = `${app.url}/start?${kind}=1&token=${attempt.launchToken}`;
      await page.goto(`${app.url}/home`);
      await page.goto(launchPage);
      if (kind === 'documented') await page.getByRole('button').click();
      await page.getByRole('link', { name: 'Allow' }).waitFor();
      expect(referrers.at(-1)).toBe('none');
      await page.goBack();
      if (kind === 'documented') await page.getByRole('button').click();
      else await page.goto(launchPage);

      await page.getByRole('link', { name: 'Allow' }).click();
      await page.waitForURL(back);
      expect(complaints).toEqual([]);
      await page.close();
    },
  );

  test('the page of a refused callback keeps no code in the address bar or in the history', async () => {
    const page = await browser.newPage();
    const { attempt, back } = await newAttempt();
    await page.goto(`${app.url}/start?library=1&token=${attempt.launchToken}`);
    const link = page.getByRole('link', { name: 'Allow' });
    const callback = (await link.getAttribute('href')) ?? '';
    const elsewhere = await (await browser.newContext()).newPage();
    await elsewhere.goto(`${app.url}/home`);
    const answer = await elsewhere.goto(callback);
    expect(answer?.status()).toBe(403);
    await elsewhere.getByRole('heading', { name: 'Please continue in the browser where you started' }).waitFor();
    expect(elsewhere.url()).not.toMatch(/code=|=c-1|state=/); // Its random id may contain the rest.
    await elsewhere.goBack();
    expect(elsewhere.url()).toBe(`${app.url}/home`);
    await elsewhere.context().close();
    await link.click();
    await page.waitForURL(back);
    await page.close();
  });

  test('a page that hides its origin, and a frame, are refused and use up nothing', async () => {
    const page = await browser.newPage();
    const { attempt, back } = await newAttempt();
    await page.goto(`${app.url}/start?hidden=1&token=${attempt.launchToken}`);
    await page.getByRole('button').click();
    await page.getByRole('heading', { name: 'We stopped this request' }).waitFor();

    await page.goto(`${app.url}/start?token=${attempt.launchToken}`);
    await page.evaluate(`document.forms[0].target = document.body.appendChild(Object.assign(
      document.createElement('iframe'), { name: 'inside' })).name`);
    await page.getByRole('button').click();
    await page.frameLocator('iframe').getByRole('heading', { name: 'This step needs the whole window' }).waitFor();
    expect((await findAttempt(stage.sql, attempt.attemptId))?.status).toBe('CREATED');

    await page.goto(`${app.url}/start?token=${attempt.launchToken}`);
    await page.getByRole('button').click();
    await page.getByRole('link', { name: 'Allow' }).click();
    await page.waitForURL(back);
    await page.close();
  });
});

type Site = Awaited<ReturnType<typeof openSite>>;

async function openSite(answer: RequestListener) {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

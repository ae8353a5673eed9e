import { describe, expect, test } from 'vitest';
import type { AttemptId } from '../../../src/basics/ids.ts';
import { associatedData } from '../../../src/vault/associated-data.ts';
import { at } from '../../kit/seed.ts';
import { findAttempt } from '../../kit/seed-attempts.ts';
import type { Browser } from './browser.ts';
import { ISSUER, RETURN_URL, type Stage, stateIn, useStage } from './stage.ts';

const stage = useStage();

const CODE = 'code-7d1c%2F';
const PATH = '/api/connect/callback/provider-b';

async function launched(of: Stage = stage, browser: Browser = of.browser()) {
  const attempt = await of.connectAttempt('PROVIDER_B');
  const state = await stateIn(await browser.launch('connect', attempt.launchToken));
  const back = `${RETURN_URL}&ss_session_id=${attempt.attemptId}`;
  return { attempt, browser, state, back, path: `${PATH}?code=${CODE}&state=${state}` };
}
const row = async ({ attemptId }: { attemptId: AttemptId }) => await findAttempt(stage.sql, attemptId);
const dispatchesOf = async ({ attemptId }: { attemptId: string }) =>
  await stage.sql`select * from outbox where workflow_id = ${`connect/${attemptId}`}`;

describe('a callback', () => {
  test('seals the code, starts the workflow, and redirects with only the session id added', async () => {
    const { attempt, browser, back, path } = await launched();
    const response = await browser.send(path);
    expect([response.status, response.headers.get('location')]).toEqual([303, back]);
    const { status, sealedCode } = (await row(attempt)) ?? {};
    expect(status).toBe('EXCHANGING');
    const code = await stage.openInbox(sealedCode ?? '', associatedData.code(attempt.attemptId));
    expect(code.reveal()).toBe(decodeURIComponent(CODE));
    expect(await dispatchesOf(attempt)).toMatchObject([
      {
        workflowType: 'connectAttempt',
        input: { attemptId: attempt.attemptId, provider: 'PROVIDER_B', expiresAt: attempt.expiresAt.toISOString() },
        signalName: null,
        searchAttributes: { AppId: attempt.appId, Provider: 'PROVIDER_B', JobKind: 'CONNECT' },
        correlationId: attempt.correlationId,
      },
    ]);
    expect(stage.deliveryRequests()).toBeGreaterThan(0);
  });

  test('is accepted once when sent 20 times at once, and every response redirects to the app', async () => {
    const { attempt, browser, back, path } = await launched();
    const answers = await Promise.all(Array.from({ length: 20 }, () => browser.send(path)));
    expect(new Set(answers.map(({ headers }) => headers.get('location')))).toEqual(new Set([back]));
    expect(await dispatchesOf(attempt)).toHaveLength(1);
  });

  test('in another browser is stored with its attempt, because the person quotes that page', async () => {
    const [go, other] = [await launched(), await launched()];
    await stage.browser().send(go.path);
    const read = ({ attempt: { attemptId } }: typeof go) => stage.sql`
      select last_refusal, last_refused_at > business_now() - interval '1 minute' as is_new
      from connect_attempt where attempt_id = ${attemptId}
    `;
    expect(await read(go)).toEqual([{ lastRefusal: 'wrongBrowser', isNew: true }]);
    expect(await read(other)).toEqual([{ lastRefusal: null, isNew: null }]);
  });

  test.each<[string, number, (go: Awaited<ReturnType<typeof launched>>) => Promise<Response>]>([
    ['in another browser', 403, ({ path }) => stage.browser().send(path)],
    ['in a browser with a different attempt', 403, async ({ path }) => (await launched()).browser.send(path)],
    [
      'with the right cookie name and another value',
      403,
      async ({ path, browser }) => {
        const [name = ''] = browser.cookies.keys();
        return await stage.browser().send(path, { headers: { cookie: `${name}=${'A'.repeat(43)}` } });
      },
    ],
    ['with a code in Latin-1', 400, ({ browser, path }) => browser.send(path.replace(CODE, 'm%FCller'))],
    ['at another provider', 404, ({ browser, path }) => browser.send(path.replace('provider-b', 'provider-a'))],
    [
      'of the other flow',
      404,
      ({ browser, path }) =>
        browser.send(path.replace('connect/callback/provider-b', `identity/callback/${stage.issuerId}`)),
    ],
    ['as a form', 405, ({ browser, path }) => browser.send(path, { method: 'POST' })],
    ['as HEAD', 503, ({ browser, path }) => browser.send(path, { method: 'HEAD' })],
    ['as a preview', 503, ({ browser, path }) => browser.send(path, { headers: { 'sec-purpose': 'prefetch' } })],
  ])('%s uses up nothing', async (_, status, send) => {
    const go = await launched();
    const before = await row(go.attempt);
    const refused = await send(go);
    expect(refused.status).toBe(status);
    expect(refused.headers.get('location')).toBeNull();
    expect(await row(go.attempt)).toEqual(before);
    expect(await dispatchesOf(go.attempt)).toHaveLength(0);
    expect((await go.browser.send(go.path)).headers.get('location')).toBe(go.back);
  });

  test('must carry the issuer that the provider promises, if it names one', async () => {
    const attempt = await stage.connectAttempt('PROVIDER_A');
    const browser = stage.browser();
    const state = await stateIn(await browser.launch('connect', attempt.launchToken));
    const path = `/api/connect/callback/provider-a?code=${CODE}&state=${state}`;
    expect((await browser.send(`${path}&iss=${encodeURIComponent(ISSUER)}`)).status).toBe(400);
    expect((await row(attempt))?.status).toBe('AUTHORIZING');
    const own = await browser.send(`${path}&iss=${encodeURIComponent('https://accounts.google.com')}`);
    expect(own.status).toBe(303);
  });

  test('that is late gets the page for it even if the cookie has expired, and shows other browsers no id', async () => {
    const { attempt, path } = await launched();
    await at(stage.sql, attempt.expiresAt, 0, async () => {
      const page = await stage.browser().send(path);
      expect(page.status).toBe(410);
      expect(await page.text()).not.toContain(attempt.attemptId);
    });
  });

  test('finds its own attempt when one browser has two in progress', async () => {
    const browser = stage.browser();
    const first = await launched(stage, browser);
    const second = await launched(stage, browser);
    expect((await browser.send(first.path)).headers.get('location')).toBe(first.back);
    expect((await browser.send(second.path)).headers.get('location')).toBe(second.back);
  });
});

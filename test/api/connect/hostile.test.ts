import { afterEach, describe, expect, test } from 'vitest';
import { holdLimits } from '../../kit/hold-limits.ts';
import { findAttempt } from '../../kit/seed-attempts.ts';
import type { Browser } from './browser.ts';
import { RETURN_URL, stateIn, useStage } from './stage.ts';

const stage = useStage();

let logged = 0;
afterEach(() => {
  const log = stage.lines.slice(logged).join('');
  logged = stage.lines.length;
  expect(log).not.toContain(MARK);
  expect(log).not.toContain('script');
});

const PATH = '/api/connect/callback/provider-b';
/** Part of every hostile value: it must appear nowhere, also not in the log. */
const MARK = 'marked-4c1d';

async function launched(browser: Browser = stage.browser()) {
  const attempt = await stage.connectAttempt();
  const state = await stateIn(await browser.launch('connect', attempt.launchToken));
  const good = `${PATH}?code=good&state=${state}`;
  return { attempt, browser, state, good, back: `${RETURN_URL}&ss_session_id=${attempt.attemptId}` };
}
type Launched = Awaited<ReturnType<typeof launched>>;

function expectClearPage(response: Response, html: string): void {
  expect(response.headers.get('content-security-policy')).toMatch(
    /^default-src 'none'; style-src 'sha256-[\w+/=]+'; form-action 'none'; frame-ancestors 'none'; base-uri 'none'$/,
  );
  expect(response.headers.get('content-type')).toBe('text/html; charset=UTF-8');
  expect(response.headers.get('cache-control')).toBe('no-store');
  expect(response.headers.get('x-content-type-options')).toBe('nosniff');
  expect(response.headers.get('referrer-policy')).toBe('strict-origin');
  expect(response.headers.get('access-control-allow-origin')).toBeNull();
  expect(response.headers.get('location')).toBeNull();
  expect(html).toMatch(/<h1>[^<]+<\/h1>/);
  expect(html).not.toContain(MARK);
}

type Case = readonly [what: string, status: number, path: (go: Launched) => string];
const LONG = `${MARK}${'x'.repeat(5_000)}`;

describe('a callback with hostile parameters gets a clear page and uses up nothing:', () => {
  const cases: Case[] = [
    ['a state of 5 KB', 404, () => `${PATH}?code=${MARK}&state=${LONG}`],
    ['a state in brackets', 404, ({ state }) => `${PATH}?code=${MARK}&state[]=${state}`],
    ['a state followed by a NUL', 404, ({ state }) => `${PATH}?code=${MARK}&state=${state}%00`],
    ['bytes that are not UTF-8', 404, () => `${PATH}?code=${MARK}&state=%ff%fe%c0%80`],
    ['the same state twice', 404, ({ good, state }) => `${good}&state=${state}`],
    ['a provider that is not UTF-8', 404, ({ good }) => good.replace('provider-b', '%E0%A4%A')],
    ['an empty code', 400, ({ state }) => `${PATH}?code=&state=${state}`],
    ['two codes', 400, ({ good }) => `${good}&code=${MARK}`],
    ['a code of 5 KB', 400, ({ state }) => `${PATH}?code=${LONG}&state=${state}`],
    ['two errors', 400, ({ state }) => `${PATH}?error=access_denied&error=${MARK}&state=${state}`],
    ['an issuer of 5 KB, twice', 400, ({ good }) => `${good}&iss=${LONG}&iss=`],
  ];
  for (const [what, status, path] of cases) {
    test(what, async () => {
      const go = await launched();
      const before = await findAttempt(stage.sql, go.attempt.attemptId);
      const response = await go.browser.send(path(go));
      const html = await response.text();
      expect(response.status).toBe(status);
      expectClearPage(response, html);
      expect(await findAttempt(stage.sql, go.attempt.attemptId)).toEqual(before);
      expect((await go.browser.send(go.good)).headers.get('location')).toBe(go.back);
    });
  }
});

test('an error of any text ends the attempt in its own browser only, and is echoed nowhere', async () => {
  const go = await launched();
  const error = encodeURIComponent(`<script>${MARK}</script>\u0000`);
  const query = `error=${error}&error_description=${MARK}&error_reason=gew%E4hrt&error_uri=https://${MARK}.example&state=${go.state}`;
  const stranger = await stage.browser().send(`${PATH}?${query}`);
  expect(stranger.status).toBe(403);
  expectClearPage(stranger, await stranger.text());
  const attempt = await findAttempt(stage.sql, go.attempt.attemptId);
  expect(attempt?.status).toBe('AUTHORIZING');
  const lines = stage.lines.slice(logged).map((line) => JSON.parse(line));
  // The page quotes its correlation id. The values of the query are not logged.
  const named = { attemptId: attempt?.attemptId, correlationId: attempt?.correlationId };
  expect(lines.find(({ message }) => message === 'Browser refused')).toMatchObject(named);
  const own = await go.browser.send(`${PATH}?${query}`);
  expect(own.headers.get('location')).toBe(go.back);
  const ended = await findAttempt(stage.sql, go.attempt.attemptId);
  expect([ended?.status, ended?.resultCode]).toEqual(['FAILED', 'PROVIDER_UNAVAILABLE']);
  // The back button repeats the request without further effect.
  expect((await go.browser.send(`${PATH}?code=${MARK}&state=${go.state}`)).headers.get('location')).toBe(go.back);
  expect(await findAttempt(stage.sql, go.attempt.attemptId)).toEqual(ended);
});

test('a valid callback replayed from elsewhere reveals nothing and changes nothing', async () => {
  const go = await launched();
  await go.browser.send(go.good);
  const before = await findAttempt(stage.sql, go.attempt.attemptId);
  for (const browser of [stage.browser(), (await launched()).browser]) {
    const response = await browser.send(go.good.replace('good', MARK));
    const html = await response.text();
    expect(response.status).toBe(403);
    expectClearPage(response, html);
    expect(html).not.toContain(go.attempt.attemptId);
  }
  expect(await findAttempt(stage.sql, go.attempt.attemptId)).toEqual(before);
});

test('one address is limited in visits, of both flows together', async () => {
  const stranger = stage.browser();
  const startedAtMs = performance.now();
  const answers = await Promise.all(
    Array.from({ length: 800 }, (_, index) =>
      stranger.send(`/api/${index % 2 === 0 ? 'connect' : 'identity'}/refused?why=callbackExpired`),
    ),
  );
  // 300 requests at once, and 50 in each further second.
  const most = 300 + Math.ceil((50 * (performance.now() - startedAtMs)) / 1_000);
  const answered = answers.filter(({ status }) => status === 410).length;
  expect(answered).toBeGreaterThanOrEqual(300);
  expect(answered).toBeLessThanOrEqual(most);
});

test('one address is limited in guesses of a callback, and another person is not', async () => {
  const stranger = stage.browser();
  const guess = `${PATH}?code=${MARK}&state=${'A'.repeat(43)}`;
  holdLimits();
  const answers = await Promise.all(Array.from({ length: 600 }, () => stranger.send(guess)));
  // 503 on a busy machine, which looks no guess up.
  expect(answers.filter(({ status }) => status !== 429 && status !== 503).length).toBeLessThanOrEqual(30);
  const { browser, good, back } = await launched();
  expect((await browser.send(good)).headers.get('location')).toBe(back);
});

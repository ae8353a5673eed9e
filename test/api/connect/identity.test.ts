import { describe, expect, test } from 'vitest';
import { IssuerUnavailable } from '../../../src/identity/discovery.ts';
import { setEnabled } from '../../kit/seed.ts';
import { findSignIn } from '../../kit/seed-attempts.ts';
import { IDENTITY_RETURN_URL, ISSUER, oidc, openOwnStage, type Stage, stateIn, TENANT, useStage } from './stage.ts';

const stage = useStage();

type Named = Pick<Awaited<ReturnType<Stage['identityAttempt']>>, 'attemptId'>;
const rowOf = async ({ attemptId }: Named, at = stage) => {
  const row = await findSignIn(at.sql, attemptId);
  if (!row) throw new Error('The attempt is missing.');
  return row;
};
const dispatchesOf = async ({ attemptId }: Named) =>
  await stage.sql`select * from outbox where workflow_id = ${`identity/${attemptId}`}`;

async function launched() {
  const attempt = await stage.identityAttempt();
  const browser = stage.browser();
  const state = await stateIn(await browser.launch('identity', attempt.launchToken));
  const path = `/api/identity/callback/${stage.issuerId}`;
  const back = `${IDENTITY_RETURN_URL}?ss_session_id=${attempt.attemptId}`;
  return { attempt, browser, state, path, back, good: `${path}?code=c-1&state=${state}&iss=${ISSUER}` };
}

describe('a sign-in', () => {
  test.each<[string, number, (go: Awaited<ReturnType<typeof launched>>) => Promise<Response>]>([
    ['in another browser', 403, ({ good }) => stage.browser().send(good)],
    ['by another issuer', 400, ({ browser, good }) => browser.send(`${good}.attacker`)],
    [
      'with an error of another issuer',
      400,
      ({ browser, path, state }) => browser.send(`${path}?error=server_error&state=${state}&iss=${ISSUER}.attacker`),
    ],
    ['by a different spelling of the issuer', 400, ({ browser, good }) => browser.send(`${good}/`)],
    ['without the promised issuer', 400, ({ browser, path, state }) => browser.send(`${path}?code=c&state=${state}`)],
    ['at another issuer', 404, ({ browser, good }) => browser.send(good.replace(stage.issuerId, stage.appId))],
    [
      'of the other flow',
      404,
      ({ browser, good }) => browser.send(good.replace(/identity\/callback\/[^?]*/, 'connect/callback/provider-b')),
    ],
  ])('answered %s uses up nothing', async (_, status, send) => {
    const go = await launched();
    const before = await rowOf(go.attempt);
    expect((await send(go)).status).toBe(status);
    expect(await rowOf(go.attempt)).toEqual(before);
    expect((await go.browser.send(go.good)).headers.get('location')).toBe(go.back);
  });

  test('accepts an answer without an issuer if none is promised', async () => {
    const quiet = await openOwnStage({ oidc: { ...oidc, sendsIss: async () => false } });
    const attempt = await quiet.identityAttempt();
    const browser = quiet.browser();
    const state = await stateIn(await browser.launch('identity', attempt.launchToken));
    const path = `/api/identity/callback/${quiet.issuerId}?code=c&state=${state}`;
    expect((await browser.send(`${path}&iss=https%3A%2F%2Fother.example`)).status).toBe(400);
    expect((await browser.send(path)).status).toBe(303);
  });

  test('keeps its launch token while the issuer does not respond', async () => {
    const buildAuthorizationUrl = () => Promise.reject(new IssuerUnavailable('The issuer cannot be discovered.'));
    const down = await openOwnStage({ oidc: { ...oidc, buildAuthorizationUrl } });
    const attempt = await down.identityAttempt();
    expect((await down.browser().launch('identity', attempt.launchToken)).status).toBe(503);
    expect((await rowOf(attempt, down)).stage).toBe('CREATED');
  });

  test.each([
    [
      'refused to the tenant',
      () => stage.sql`update tenant set tenant_key = 'x' where app_id = ${stage.appId}`,
      () => stage.sql`update tenant set tenant_key = ${TENANT} where app_id = ${stage.appId}`,
    ],
    [
      'refused to the app',
      () => setEnabled(stage.sql, stage.appId, false),
      () => setEnabled(stage.sql, stage.appId, true),
    ],
  ])('ends FAILED if %s since it was created', async (_, change, revert) => {
    const attempt = await stage.identityAttempt();
    await change();
    const response = await stage.browser().launch('identity', attempt.launchToken).finally(revert);
    expect(response.status).toBe(403);
    expect((await rowOf(attempt)).status).toBe('FAILED');
    expect(await dispatchesOf(attempt)).toEqual([]);
  });
});

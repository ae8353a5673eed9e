import { expect } from 'vitest';
import { forEachProvider } from '../../src/basics/codes.ts';
import { mayCall } from '../../src/domain/access/may-call.ts';
import { type AttemptRules, mayConnect } from '../../src/domain/access/may-connect.ts';
import { type Database, test } from '../kit/postgres.ts';
import { type SeededApp, seedApp } from '../kit/seed.ts';
import { answerAttempt, seedAttempt } from '../kit/seed-attempts.ts';

const rules = { facts: forEachProvider(() => ({})), suspendSiblings: false } as unknown as AttemptRules;
type Change = (sql: Database, app: SeededApp) => Promise<unknown>;

const CHANGES = {
  nothing: async () => undefined,
  'a disabled app': (sql, { app }) => sql`update app set enabled = false where app_id = ${app.appId}`,
  'a tenant that is gone': (sql, { app }) => sql`delete from tenant where app_id = ${app.appId}`,
  'no policy': (sql, { app }) => sql`delete from app_policy where app_id = ${app.appId} and provider = 'PROVIDER_B'`,
  'a smaller policy': (sql, { app }) =>
    sql`update app_policy set capabilities = '{CONTENT_LIST}' where app_id = ${app.appId} and provider = 'PROVIDER_B'`,
  'a return URL that is gone': (sql, { app }) => sql`delete from return_url where app_id = ${app.appId}`,
  'no registration': (sql, { app, registrations }) =>
    sql`delete from registration_app where app_id = ${app.appId} and registration_id = ${registrations.PROVIDER_B}`,
  'a paused registration': (sql, { registrations }) =>
    sql`update registration set paused_at = business_now() where registration_id = ${registrations.PROVIDER_B}`,
} as const satisfies Record<string, Change>;

for (const [name, withBrowser, withoutBrowser] of [
  ['nothing', undefined, undefined],
  ['a disabled app', 'POLICY_CHANGED', 'POLICY_CHANGED'],
  ['a tenant that is gone', 'POLICY_CHANGED', 'POLICY_CHANGED'],
  ['no policy', 'POLICY_CHANGED', 'POLICY_CHANGED'],
  ['a smaller policy', 'POLICY_CHANGED', 'POLICY_CHANGED'],
  ['a return URL that is gone', 'POLICY_CHANGED', undefined],
  ['no registration', 'POLICY_CHANGED', 'POLICY_CHANGED'],
  ['a paused registration', 'REGISTRATION_PAUSED', 'REGISTRATION_PAUSED'],
] as const)
  test(`${name} takes from an attempt its permit: ${withBrowser} before the callback, ${withoutBrowser} after`, async ({
    sql,
  }) => {
    const seeded = await seedApp(sql);
    const attempt = await seedAttempt(sql, seeded, {}, answerAttempt);
    await CHANGES[name](sql, seeded);
    for (const step of ['launch', 'callback'] as const)
      expect((await mayConnect(rules, sql, attempt, step))?.reason, step).toBe(withBrowser);
    for (const step of ['exchange', 'completion'] as const)
      expect((await mayConnect(rules, sql, attempt, step))?.reason, step).toBe(withoutBrowser);
    expect(await mayCall(sql, { for: 'ATTEMPT', attemptId: attempt.attemptId })).toEqual(
      withoutBrowser === undefined ? {} : { reason: withoutBrowser },
    );
  });

test('an attempt without an answer is not wanted', async ({ sql }) => {
  const attempt = await seedAttempt(sql, await seedApp(sql));
  expect(await mayCall(sql, { for: 'ATTEMPT', attemptId: attempt.attemptId })).toEqual({ reason: 'NotWanted' });
});

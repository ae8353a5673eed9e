import { describe, expect } from 'vitest';
import { type AttemptId, newId } from '../../src/basics/ids.ts';
import type { Database } from '../../src/store/driver/sql.ts';
import { findGrantOfAttempt } from '../../src/store/grants/grants.ts';
import { failureOf, openStage } from '../kit/activity-stage.ts';
import { runActivity } from '../kit/deps.ts';
import { test } from '../kit/postgres.ts';
import { rejectClient, setEnabled } from '../kit/seed.ts';

/** An attempt with a code. The exchange and the read send two requests each. */
async function open(sql: Database) {
  const stage = await openStage(sql);
  const { attemptId } = await stage.newAttempt();
  const sent: string[] = [];
  const hooks: Record<string, () => Promise<unknown>> = {};
  const { exchangeCode, readAccount } = stage.provider;
  for (const [kind, method] of Object.entries({ exchange: exchangeCode, read: readAccount })) {
    const succeed = method.getMockImplementation() as ((...input: never[]) => Promise<never>) | undefined;
    method.mockImplementation(async (...input: unknown[]) => {
      const call = input.at(-1) as Parameters<typeof exchangeCode>[2];
      for (const request of ['first', 'second']) {
        await hooks[`before ${request} ${kind}`]?.();
        await call.admit({ quotaUnits: 0, cannotWait: request === 'second' });
        sent.push(`${request} ${kind}`);
      }
      await hooks[`after ${kind}`]?.();
      return (await succeed?.(...(input as never[]))) as never;
    });
  }
  return {
    ...{ stage, attemptId, sent },
    forbid: (when: string) => {
      hooks[when] = () => setEnabled(sql, stage.seeded.app.appId, false);
    },
    exchange: () => runActivity(stage.activities.exchangeCode, { attemptId }),
    read: () => runActivity(stage.activities.readAccount, { attemptId }),
    isClaimed: async () => {
      const [row] = await sql`
        select exchange_claimed_at is not null as is_claimed from connect_attempt where attempt_id = ${attemptId}
      `;
      return row?.isClaimed;
    },
  };
}

describe('an exchange', () => {
  test.for([
    ['before first exchange', 'POLICY_CHANGED', [], false],
    ['before second exchange', 'POLICY_CHANGED', ['first exchange'], true],
  ] as const)('of an app that is disabled %s ends with %s', async ([when, type, calls, isClaimed], { sql }) => {
    const opened = await open(sql);
    opened.forbid(when);
    const failure = await failureOf(opened.exchange());
    expect(failure).toMatchObject(isClaimed ? { type, outcomeUnknown: true } : { type });
    expect(opened.sent).toEqual(calls);
    expect(await opened.isClaimed()).toBe(isClaimed);
    expect(await findGrantOfAttempt(sql, opened.attemptId)).toBeUndefined();
  });

  test('sends no code while the platform is known to refuse our client', async ({ sql }) => {
    const { exchange, isClaimed, sent, stage } = await open(sql);
    await rejectClient(sql, stage.seeded.registrations.PROVIDER_B);
    expect(await failureOf(exchange())).toMatchObject({ type: 'RetryLater', retryAfterSeconds: 60 });
    expect(sent).toEqual([]);
    expect(await isClaimed()).toBe(false);
  });

  test('proves that the platform accepts our client', async ({ sql }) => {
    const { exchange, stage } = await open(sql);
    const select = () =>
      sql`select accepted_at is not null as is_accepted from registration where registration_id = ${stage.seeded.registrations.PROVIDER_B}`;
    await sql`update registration set accepted_at = null where registration_id = ${stage.seeded.registrations.PROVIDER_B}`;
    await exchange();
    expect(await select()).toEqual([{ isAccepted: true }]);
  });

  test('of no attempt, or of one without a code, is not wanted', async ({ sql }) => {
    const { exchange, attemptId, stage, sent } = await open(sql);
    const none = runActivity(stage.activities.exchangeCode, { attemptId: newId<AttemptId>() });
    expect(await failureOf(none)).toEqual({ type: 'NotWanted' });
    await sql`update connect_attempt set sealed_code = null where attempt_id = ${attemptId}`;
    expect(await failureOf(exchange())).toEqual({ type: 'NotWanted' });
    expect(sent).toEqual([]);
  });
});

describe('the read after an exchange', () => {
  test.for([
    ['before first read', []],
    ['before second read', ['first read']],
    ['after read', ['first read', 'second read']],
  ] as const)('of an app that is disabled %s stores nothing', async ([when, calls], { sql }) => {
    const { exchange, read, forbid, sent, attemptId } = await open(sql);
    await exchange();
    sent.length = 0;
    forbid(when);
    expect(await failureOf(read())).toEqual({ type: 'POLICY_CHANGED' });
    expect(sent).toEqual(calls);
    expect(await findGrantOfAttempt(sql, attemptId)).toMatchObject({ status: 'PENDING' });
    const [row] = await sql`select provider_account_id from account_grant where attempt_id = ${attemptId}`;
    expect(row?.providerAccountId).toBeNull();
  });

  test('of an attempt without a grant is not wanted', async ({ sql }) => {
    const { read, sent } = await open(sql);
    expect(await failureOf(read())).toEqual({ type: 'NotWanted' });
    expect(sent).toEqual([]);
  });
});

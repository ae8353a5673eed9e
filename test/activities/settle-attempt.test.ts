import { randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import { mayComplete } from '../../src/domain/access/may-connect.ts';
import { completeAttempt } from '../../src/domain/connecting/complete-attempt.ts';
import { openStage, type Stage } from '../kit/activity-stage.ts';
import { beside } from '../kit/beside.ts';
import { runActivity } from '../kit/deps.ts';
import { newTokens } from '../kit/fake-provider.ts';
import { inTransaction, test } from '../kit/postgres.ts';
import { findGrantOfAttempt, lockPrincipal, moveGrantToDead, seedConnection } from '../kit/seed.ts';
import { type Attempt, connectAttempts, moveAttemptToEnd } from '../kit/seed-attempts.ts';

const CANCELED = { status: 'CANCELED', resultCode: 'CANCELED' } as const;
const FAILED = { status: 'FAILED', resultCode: 'PROVIDER_UNAVAILABLE' } as const;
const complete = (stage: Stage, { attemptId }: Attempt) => runActivity(stage.activities.completeAttempt, { attemptId });
const listRevokes = ({ sql }: Stage, { attemptId }: Attempt) =>
  sql`select kind from disconnect_job where attempt_id = ${attemptId}`;

/** Attempts of one scope whose grants are of one account and of a principal each, the oldest first. */
async function exchangeTwice(stage: Stage): Promise<[Attempt, Attempt]> {
  const scopeId = await stage.newScopeId();
  const exchange = () => {
    stage.provider.exchangeCode.mockResolvedValueOnce({ tokens: newTokens(), principal: randomUUID() });
    return stage.newExchangedAttempt({ scopeId });
  };
  return [await exchange(), await exchange()];
}

test('an attempt without a grant is answered as it stands', async ({ sql }) => {
  const stage = await openStage(sql);
  const attempt = await stage.newAttempt();
  expect(await complete(stage, attempt)).toEqual({ status: 'UNFINISHED', resultCode: null });
  await moveAttemptToEnd(sql, attempt.attemptId, CANCELED);
  expect(await complete(stage, attempt)).toEqual(CANCELED);
});

test('an attempt that is ended for its deadline too early stays, with its grant', async ({ sql }) => {
  const stage = await openStage(sql);
  const attempt = await stage.newExchangedAttempt();
  const { attemptId } = attempt;
  const end = { status: 'EXPIRED', resultCode: 'EXPIRED' } as const;
  expect(await runActivity(stage.activities.endAttempt, { attemptId, end })).toEqual({
    status: 'UNFINISHED',
    resultCode: null,
  });
  expect(await findGrantOfAttempt(sql, attemptId)).toMatchObject({ status: 'PENDING' });
  expect(await listRevokes(stage, attempt)).toEqual([]);
  expect(await complete(stage, attempt)).toMatchObject({ status: 'COMPLETED' });
});

test.for([
  ['PROVIDER_B', true, null],
  ['PROVIDER_C', true, 'REMOVE_APP_AT_PROVIDER'],
  ['PROVIDER_B', false, null],
  ['PROVIDER_C', false, null],
] as const)(
  'an attempt at %s that fails, with a grant: %s, asks the person for %s',
  async ([provider, hasGrant, action], { sql }) => {
    const stage = await openStage(sql);
    const { attemptId } = await (hasGrant ? stage.newExchangedAttempt({ provider }) : stage.newAttempt({ provider }));
    expect(await runActivity(stage.activities.endAttempt, { attemptId, end: FAILED })).toEqual(FAILED);
    expect(await connectAttempts.find(sql, attemptId)).toMatchObject({ ...FAILED, creatorAction: action });
  },
);

describe('two attempts of one account', () => {
  test('that complete at the same time make one connection', async ({ sql }) => {
    const stage = await openStage(sql);
    const [one, other] = await exchangeTwice(stage);
    const { result: settled } = await beside(
      sql,
      (tx) => completeAttempt(stage.deps, tx, one.attemptId),
      () => complete(stage, other),
    );
    expect(settled).toEqual({ status: 'COMPLETED', resultCode: null });
    expect(await sql`select status from connection where scope_id = ${one.scopeId}`).toEqual([{ status: 'CONNECTED' }]);
  });

  test('that complete in the other order leave the newer consent', async ({ sql }) => {
    const stage = await openStage(sql);
    const [older, newer] = await exchangeTwice(stage);
    await sql`update connect_attempt set created_at = created_at - interval '1 second' where attempt_id = ${older.attemptId}`;
    expect(await complete(stage, newer)).toMatchObject({ status: 'COMPLETED' });
    expect(await complete(stage, older)).toEqual(CANCELED);
    expect(await findGrantOfAttempt(sql, newer.attemptId)).toMatchObject({ status: 'LIVE' });
    expect(await findGrantOfAttempt(sql, older.attemptId)).toMatchObject({ status: 'DEAD' });
    expect(await listRevokes(stage, older)).toEqual([]);
  });
});

test('a completed reconnect cancels the ones that began before it, and none that began later', async ({ sql }) => {
  const stage = await openStage(sql);
  const { connectionId: reconnectConnectionId, scopeId } = await stage.newConnection();
  const begin = async (hours: number) => {
    const { attemptId } = await stage.newExchangedAttempt({ scopeId, reconnectConnectionId });
    await sql`
      update connect_attempt set created_at = created_at + make_interval(hours => ${hours}) where attempt_id = ${attemptId}
    `;
    return attemptId;
  };
  const [older, own, newer] = [await begin(-1), await begin(0), await begin(1)];
  expect(await runActivity(stage.activities.completeAttempt, { attemptId: own })).toMatchObject({
    status: 'COMPLETED',
  });
  const attempts = await sql`
    select status from connect_attempt where attempt_id in ${sql([older, own, newer])} order by created_at
  `;
  expect(attempts.map(({ status }) => status)).toEqual(['CANCELED', 'COMPLETED', 'EXCHANGING']);
});

test('a grant that ends while its attempt fails needs no revoke', async ({ sql }) => {
  const stage = await openStage(sql);
  const attempt = await stage.newExchangedAttempt();
  const { attemptId } = attempt;
  const grant = await findGrantOfAttempt(sql, attemptId);
  if (!grant) throw new Error('There is no grant.');
  const { result: settled } = await beside(
    sql,
    async (tx) => {
      await lockPrincipal(tx, grant.principalMac);
    },
    () => runActivity(stage.activities.endAttempt, { attemptId, end: FAILED }),
    (tx) => moveGrantToDead(tx, grant.grantId),
  );
  expect(settled).toEqual(FAILED);
  expect(await listRevokes(stage, attempt)).toEqual([]);
});

test.for([
  ['CONNECTED', undefined],
  ['RECONNECT_REQUIRED', undefined],
  ['SUSPENDED', undefined],
  ['DISCONNECTED', 'CANCELED'],
  ['DELETING', 'CANCELED'],
  ['gone', 'CANCELED'],
] as const)('a reconnect of a connection that is %s is denied: %s', async ([status, reason], { sql }) => {
  const stage = await openStage(sql);
  const scope = stage.seeded.newScope();
  const connectionId = await seedConnection(sql, stage.seeded, {
    scope,
    providerAccountId: 'account-1',
    ...(status !== 'gone' && { status }),
  });
  const [row] = await sql`select scope_id from connection where connection_id = ${connectionId}`;
  const attempt = await stage.newExchangedAttempt({ scopeId: row?.scopeId, reconnectConnectionId: connectionId });
  const grant = await findGrantOfAttempt(sql, attempt.attemptId);
  if (!grant) throw new Error('There is no grant.');
  if (status === 'gone') await sql`delete from connection where connection_id = ${connectionId}`;
  const denial = await inTransaction(sql, (tx) => mayComplete(stage.deps, tx, attempt, grant));
  expect(denial?.reason).toBe(reason);
});

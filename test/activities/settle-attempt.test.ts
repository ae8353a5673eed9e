import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { completeAttempt } from '../../src/domain/connecting/complete-attempt.ts';
import { openStage, type Stage, stageTest as test } from '../kit/activity-stage.ts';
import { beside } from '../kit/beside.ts';
import { runActivity } from '../kit/deps.ts';
import { newTokens } from '../kit/fake-provider.ts';
import { findGrantOfAttempt } from '../kit/seed.ts';
import { type Attempt, connectAttempts } from '../kit/seed-attempts.ts';

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

test('an attempt that is ended for its deadline too early stays, with its grant', async ({ sql, stage }) => {
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
  async ([provider, hasGrant, action], { sql, stage }) => {
    const { attemptId } = await (hasGrant ? stage.newExchangedAttempt({ provider }) : stage.newAttempt({ provider }));
    expect(await runActivity(stage.activities.endAttempt, { attemptId, end: FAILED })).toEqual(FAILED);
    expect(await connectAttempts.find(sql, attemptId)).toMatchObject({ ...FAILED, creatorAction: action });
  },
);

test('an attempt whose deadline passes after its exchange makes no connection, and its grant is revoked', async ({
  sql,
  stage,
}) => {
  const attempt = await stage.newExchangedAttempt();
  await sql`update connect_attempt set expires_at = business_now() where attempt_id = ${attempt.attemptId}`;
  expect(await complete(stage, attempt)).toEqual({ status: 'EXPIRED', resultCode: 'EXPIRED' });
  expect(await listRevokes(stage, attempt)).toEqual([{ kind: 'COMPENSATION' }]);
  expect(await sql`select from connection where scope_id = ${attempt.scopeId}`).toHaveLength(0);
});

test('two attempts of one account that complete at the same time make one connection', async ({ sql, stage }) => {
  const [one, other] = await exchangeTwice(stage);
  const { result: settled } = await beside(
    sql,
    (tx) => completeAttempt(stage.deps, tx, one.attemptId),
    () => complete(stage, other),
  );
  expect(settled).toEqual({ status: 'COMPLETED', resultCode: null });
  expect(await sql`select status from connection where scope_id = ${one.scopeId}`).toEqual([{ status: 'CONNECTED' }]);
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

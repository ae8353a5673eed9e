import { describe, expect } from 'vitest';
import { type Attempt, cancelReconnects } from '../../src/store/attempts/attempts.ts';
import { inTransaction } from '../../src/store/driver/sql.ts';
import { failureOf, openStage, type Stage } from '../kit/activity-stage.ts';
import { callerOf, createDeps } from '../kit/caller.ts';
import { MINUTE_MS, moveClock } from '../kit/clock.ts';
import { runActivity } from '../kit/deps.ts';
import { test } from '../kit/postgres.ts';

const EXPIRED = { status: 'EXPIRED', resultCode: 'EXPIRED', connectionId: null };
const REMOVE = { creatorAction: 'REMOVE_APP_AT_PROVIDER' };
const failed = { status: 'FAILED', resultCode: 'PROVIDER_UNAVAILABLE' } as const;

/** The fields of the attempt that its caller reads. */
async function readAsCaller(stage: Stage, { attemptId, scopeId }: Attempt) {
  const [scope] = await stage.sql`select tenant_key, external_subject_id from scope where scope_id = ${scopeId}`;
  const call = callerOf(await createDeps(stage.sql), stage.seeded);
  return await call('connectSessionResult', { scope, id: attemptId });
}

const end = (stage: Stage, { attemptId }: Attempt, how: Parameters<Stage['activities']['endAttempt']>[0]['end']) =>
  runActivity(stage.activities.endAttempt, { attemptId, end: how });

describe('an attempt past its deadline', () => {
  test('ends EXPIRED even if a disconnect would cancel it', async ({ sql }) => {
    const stage = await openStage(sql);
    const connection = await stage.newConnection();
    const attempt = await stage.newAttempt({
      scopeId: connection.scopeId,
      reconnectConnectionId: connection.connectionId,
    });
    await moveClock(sql, 10 * MINUTE_MS);
    expect(await readAsCaller(stage, attempt)).toMatchObject(EXPIRED);
    await inTransaction(sql, (tx) => cancelReconnects(tx, connection.connectionId, null));
    expect(await readAsCaller(stage, attempt)).toMatchObject(EXPIRED);
  });
});

describe('an attempt with a lost exchange', () => {
  test('reports it, for every reason to stop waiting for the answer', async ({ sql }) => {
    const stage = await openStage(sql);
    const attempt = await stage.newAttempt();
    stage.provider.exchangeCode.mockRejectedValueOnce(new Error('The worker dies here.'));
    await failureOf(runActivity(stage.activities.exchangeCode, { attemptId: attempt.attemptId }));
    await end(stage, attempt, failed);
    expect(await readAsCaller(stage, attempt)).toMatchObject({ ...failed, ...REMOVE });
  });
});

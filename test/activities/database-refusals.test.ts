import { describe, expect } from 'vitest';
import { openStage, type Stage } from '../kit/activity-stage.ts';
import { runActivity } from '../kit/deps.ts';
import { post } from '../kit/fake-provider.ts';
import { type Database, test } from '../kit/postgres.ts';

/** Postgres refuses every write to `table` with `sqlState` while `work` runs. */
async function refusing<T>(sql: Database, table: string, sqlState: string, work: () => Promise<T>): Promise<T> {
  await sql.unsafe(`
    create function refuse_write() returns trigger language plpgsql as $$
    begin raise exception 'no' using errcode = '${sqlState}'; end
    $$;
    create trigger refuse before insert or update on ${table} for each row execute function refuse_write();
  `);
  try {
    return await work();
  } finally {
    await sql.unsafe(`drop trigger refuse on ${table}; drop function refuse_write`);
  }
}

const thrownBy = async (activity: Promise<unknown>) =>
  (await activity.then(
    () => expect.fail('It worked.'),
    (error: unknown) => error,
  )) as { type: string; nonRetryable: boolean; nextRetryDelay?: unknown };

async function scanOnePost(stage: Stage) {
  const { connectionId } = await stage.newConnection({ capabilities: ['CONTENT_LIST'] });
  const { jobId } = await stage.newScan(connectionId);
  stage.provider.listContent.mockResolvedValueOnce({ items: [post('1', new Date())], cursor: null, reachedEnd: true });
  return { connectionId, jobId, tried: () => runActivity(stage.activities.runScanStep, { jobId }) };
}

const failureOf = ({ type }: { type: string }) => ({ type, retryAfterSeconds: null });

describe('a read', () => {
  for (const sqlState of ['22021']) {
    test(`ends at once as INTERNAL if Postgres refuses its data with ${sqlState}`, async ({ sql }) => {
      const stage = await openStage(sql);
      const { connectionId, jobId, tried } = await scanOnePost(stage);
      const failure = await thrownBy(refusing(sql, 'content_item', sqlState, tried));
      expect(failure).toMatchObject({ type: 'DataRefused', nonRetryable: true });
      const verdict = await runActivity(stage.activities.recordReadFailure, { jobId, failedTry: failureOf(failure) });
      expect(verdict).toEqual({ ended: true, code: 'INTERNAL' });
      expect(await stage.job('read_job', jobId)).toMatchObject({ status: 'FAILED', errorCode: 'INTERNAL' });
      const [connection] = await sql`select sync_status from connection where connection_id = ${connectionId}`;
      expect(connection).toEqual({ syncStatus: 'FAILED' });
      expect(stage.deps.lines.filter((line) => line.includes(sqlState))).toHaveLength(1);
    });
  }
});

describe('an attempt', () => {
  test('fails with a clear code, without endless retries, if Postgres refuses its completion', async ({ sql }) => {
    const stage = await openStage(sql);
    const { attemptId } = await stage.newExchangedAttempt();
    const completing = () => runActivity(stage.activities.completeAttempt, { attemptId });
    expect(await thrownBy(refusing(sql, 'connection', '22021', completing))).toMatchObject({ type: 'DataRefused' });
    const end = { status: 'FAILED', resultCode: 'EXCHANGE_FAILED' } as const;
    expect(await runActivity(stage.activities.endAttempt, { attemptId, end })).toEqual(end);
  });
});

describe('an erase', () => {
  test('records each refusal by Postgres, and clears the record after it succeeds', async ({ sql }) => {
    const stage = await openStage(sql);
    const { connectionId, scopeId } = await stage.newConnection();
    const { revokeJobId, eraseJobId } = await stage.disconnect({ connectionId, scopeId });
    const purge = () => runActivity(stage.activities.purgeContent, { connectionId, revokeJobId, eraseJobId });
    const failure = await thrownBy(refusing(sql, 'connection', '23514', purge));
    // Temporal retries it slowly, since the workflow itself does not wait.
    expect(failure).toMatchObject({ type: 'DataRefused', nonRetryable: false, nextRetryDelay: 60_000 });
    const verdict = await runActivity(stage.activities.recordDisconnectFailure, {
      jobId: eraseJobId,
      failedTry: failureOf(failure),
    });
    expect(verdict).toMatchObject({ ended: false, code: 'INTERNAL', waitSeconds: 60 });
    expect(await stage.job('disconnect_job', eraseJobId)).toMatchObject({ status: 'RUNNING', lastFailure: 'INTERNAL' });
    await purge();
    expect(await stage.job('disconnect_job', eraseJobId)).toMatchObject({ status: 'RUNNING', nextRetryAt: null });
  });
});

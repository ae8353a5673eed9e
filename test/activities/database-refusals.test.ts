import { describe, expect } from 'vitest';
import { openStage } from '../kit/activity-stage.ts';
import { runActivity } from '../kit/deps.ts';
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

const failureOf = ({ type }: { type: string }) => ({ type, retryAfterSeconds: null });

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

import { describe, expect } from 'vitest';
import { type ConnectionId, type JobId, newId } from '../../src/basics/ids.ts';
import { cancelUnservedJobs, finishScan } from '../../src/domain/reading/end-read-job.ts';
import { startRefreshes } from '../../src/domain/reading/start-refreshes.ts';
import { scheduleRefreshes, updateRefreshPolicy } from '../../src/store/connections/automatic-refresh.ts';
import { type Database, inTransaction } from '../../src/store/driver/sql.ts';
import { insertMetricsJob } from '../../src/store/jobs/new-reads.ts';
import { findScanInFlight } from '../../src/store/jobs/read-jobs.ts';
import { DAY_MS, HOUR_MS } from '../kit/clock.ts';
import { asWorker, test } from '../kit/postgres.ts';
import { at, seedApp, seedConnection } from '../kit/seed.ts';

/** A connection that is refreshed every hour. `refresh` runs what is due at an hour, counted from the first. */
async function open(sql: Database, windowDays = 7) {
  const seeded = await seedApp(sql);
  const policy = { everyMinutes: 60, windowDays, newestPosts: 50 };
  await updateRefreshPolicy(sql, seeded.app.appId, 'PROVIDER_B', policy);
  const id = await seedConnection(sql, seeded, { scope: seeded.newScope() });
  await scheduleRefreshes(sql, [id]);
  const [row] = await sql`select refresh_due_at from connection where connection_id = ${id}`;
  const dueAt = row?.refreshDueAt as Date;
  const refresh = (hour: number) =>
    at(sql, dueAt, hour * HOUR_MS, () => inTransaction(asWorker(sql), (tx) => startRefreshes(tx, [{ id, dueAt }])));
  const connectionId = id as ConnectionId;
  const scan = async () => (await findScanInFlight(sql, connectionId)) ?? expect.fail('There is no scan.');
  return { connectionId, dueAt, refresh, scan };
}

describe('an automatic refresh', () => {
  test.for([
    [1, false],
    [7, true], // As a caller who names no window.
    [8, false],
    [14, false],
  ] as const)('reads the last %i days', async ([days, windowOmitted], { sql }) => {
    const { dueAt, refresh, scan } = await open(sql, days);
    expect(await refresh(0)).toBe(1);
    expect(await scan()).toMatchObject({
      windowOmitted,
      publishedAfter: new Date(dueAt.getTime() - days * DAY_MS),
      publishedBefore: dueAt,
      maxItems: 50,
      isRefresh: true,
      requestedBy: 'SERVICE',
    });
  });

  test('is passed over while the connection is being scanned', async ({ sql }) => {
    const { refresh, scan } = await open(sql);
    await refresh(0);
    const { jobId } = await scan();
    expect(await refresh(1)).toBe(0);
    expect((await scan()).jobId).toBe(jobId);
  });
});

describe('a scan', () => {
  const shown = async (sql: Database, connectionId: string) => {
    const [connection] = await sql`select sync_status from connection where connection_id = ${connectionId}`;
    const [job] =
      await sql`select status, error_code from read_job where connection_id = ${connectionId} and kind = 'SCAN'`;
    const covered = await sql`select from coverage where connection_id = ${connectionId}`;
    return { sync: connection?.syncStatus, status: job?.status, reason: job?.errorCode, covered: covered.length };
  };
  const run = async (sql: Database) => {
    const { connectionId, dueAt, refresh, scan } = await open(sql);
    await refresh(0);
    await sql`update connection set sync_status = 'RUNNING' where connection_id = ${connectionId}`;
    const { jobId } = await scan();
    await sql`update read_job set status = 'RUNNING', started_at = business_now() where job_id = ${jobId}`;
    const job = { ...(await scan()), readBefore: dueAt, chainStartedAt: dueAt };
    const finish = () => at(sql, dueAt, 0, () => finishScan(asWorker(sql), job, null));
    return { connectionId, job, finish };
  };

  test('shows its end on the connection, with what it covers', async ({ sql }) => {
    const { connectionId, job, finish } = await run(sql);
    const found = async () => {
      const [row] =
        await sql`select refresh_found is not null as is_found from connection where connection_id = ${connectionId}`;
      return row?.isFound;
    };
    expect(await found()).toBe(false);
    await finish();
    expect(await found()).toBe(job.isRefresh); // To compare it with the next.
    expect(await shown(sql, connectionId)).toEqual({ sync: 'READY', status: 'SUCCEEDED', reason: null, covered: 1 });
  });

  test('that was canceled because it may no longer read changes nothing when its last page comes', async ({ sql }) => {
    const { connectionId, job, finish } = await run(sql);
    await sql`update read_job set next_retry_at = business_now() + interval '1 hour' where job_id = ${job.jobId}`;
    await insertMetricsJob(sql, { ...job, jobId: newId<JobId>(), requestedBy: 'CALLER', providerContentId: 'post-1' });
    await inTransaction(asWorker(sql), (tx) => cancelUnservedJobs(tx, connectionId, ['PROFILE']));
    const canceled = { sync: 'FAILED', status: 'CANCELED', reason: 'CAPABILITY_UNAVAILABLE', covered: 0 };
    expect(await shown(sql, connectionId)).toEqual(canceled);
    // Its workflow, which waits for the next try, ends at once; that of the other runs.
    const woken = await sql`
      select workflow_id from outbox where signal_name is not null and input ->> 'connectionId' = ${connectionId}
    `;
    expect(woken).toEqual([{ workflowId: `scan/${job.jobId}` }]);
    await finish();
    expect(await shown(sql, connectionId)).toEqual(canceled);
  });
});

import { describe, expect } from 'vitest';
import { type GrantId, type JobId, newId } from '../../src/basics/ids.ts';
import { inTransaction, type Transaction } from '../../src/store/driver/sql.ts';
import { discardKeptTokens, keepTokens } from '../../src/store/grants/kept-tokens.ts';
import { findAdminJobs } from '../../src/store/jobs/admin-jobs.ts';
import { moveDisconnectJobToEnd, moveDisconnectJobToRunning } from '../../src/store/jobs/disconnect-jobs.ts';
import { requeueRevokes } from '../../src/store/jobs/retries.ts';
import { beside, hold } from '../kit/beside.ts';
import { businessNow, DAY_MS } from '../kit/clock.ts';
import { asApi, test } from '../kit/postgres.ts';
import { at, seedApp, seedConnection } from '../kit/seed.ts';
import { insertJob, type JobRow, seedDisconnectJob } from '../kit/seed-jobs.ts';

describe('jobs to retry', () => {
  test('are queued again if they are failed revokes whose tokens are left', async ({ sql }) => {
    const seeded = await seedApp(sql);
    const now = await businessNow(sql);
    const grantOf = async (isDead = false) => {
      const connectionId = await seedConnection(sql, seeded, { scope: seeded.newScope() });
      if (isDead)
        await sql`update account_grant set status = 'DEAD', sealed_tokens = null where connection_id = ${connectionId}`;
      const [row] = await sql`select grant_id from account_grant where connection_id = ${connectionId}`;
      return row?.grantId as GrantId;
    };
    const failed = (daysAgo: number, row: JobRow): JobRow => ({
      ...{ status: 'FAILED', finishedAt: now, nextCheckAt: now, giveUpAt: now },
      createdAt: new Date(now.getTime() - daysAgo * DAY_MS),
      ...row,
    });
    const insert = (row: JobRow) => insertJob(sql, seeded, row);
    const fresh = await insert(failed(1, { grantId: await grantOf() }));
    const old = await insert(failed(6, { grantId: await grantOf(), kind: 'COMPENSATION', run: 4 }));
    const others = [
      await insert(failed(1, { grantId: await grantOf(true) })),
      await insert(failed(1, { grantId: await grantOf(), kind: 'ERASE' })),
      await insert(failed(1, { grantId: await grantOf(), status: 'SUCCEEDED' })),
      await insert({ grantId: await grantOf() }),
      await insert(failed(1, {})),
    ];
    const unasked = await insert(failed(1, { grantId: await grantOf() }));
    await at(sql, now, 0, async () => {
      const runs = await inTransaction(sql, (tx) => requeueRevokes(tx, [fresh, ...others, old]));
      expect(runs).toEqual(new Map([[fresh, 2], [old, 5]])); // biome-ignore format: one line.
    });
    const rows = await sql`
      select job_id, next_retry_at, next_check_at, give_up_at from disconnect_job
      where app_id = ${seeded.app.appId} and status = 'QUEUED' and run > 1 order by run
    `;
    const queued = (jobId: JobId, days: number) => ({
      ...{ jobId, nextRetryAt: now, nextCheckAt: null },
      giveUpAt: new Date(now.getTime() + days * DAY_MS),
    });
    expect(rows).toEqual([queued(fresh, 3), queued(old, 1)]);
    expect((await findAdminJobs(sql, [unasked])).map(({ status }) => status)).toEqual(['FAILED']);
  });
});

test('a failed revoke is not queued again if its tokens are discarded meanwhile', async ({ sql }) => {
  const seeded = await seedApp(sql);
  const makeFailed = async () => {
    const grantId = newId<GrantId>();
    const jobId = await seedDisconnectJob(sql, seeded, { grantId });
    await keepTokens(sql, jobId, 'sealed', { grantId, refreshClaim: null });
    await moveDisconnectJobToRunning(sql, jobId);
    const failed = { status: 'FAILED', creatorAction: null, errorCode: 'PROVIDER_UNAVAILABLE' } as const;
    await moveDisconnectJobToEnd(sql, jobId, failed);
    return jobId;
  };
  const [discarded, kept, unasked] = [await makeFailed(), await makeFailed(), await makeFailed()];
  const requeue = (...jobIds: JobId[]) => inTransaction(asApi(sql), (tx) => requeueRevokes(tx, jobIds));
  const first = (tx: Transaction) => discardKeptTokens(tx, discarded);
  expect(await beside(sql, first, () => requeue(discarded, kept))).toEqual({
    ...{ waited: true, held: true, result: new Map([[kept, 2]]) },
  });
  // A holder of another job is no hindrance.
  const held = hold('disconnect_job', 'job_id', unasked);
  expect(await beside(sql, held, () => requeue(discarded))).toMatchObject({ waited: false, result: new Map() });
});

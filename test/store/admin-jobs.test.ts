import { randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import { type BulkDisconnectId, type ConnectionId, type GrantId, type JobId, newId } from '../../src/basics/ids.ts';
import { inTransaction, type Transaction } from '../../src/store/driver/sql.ts';
import { discardKeptTokens, keepTokens } from '../../src/store/grants/kept-tokens.ts';
import {
  assignJobsToBulk,
  findAdminJobs,
  listParentIds,
  requeueRevokes,
  takeWaitingJobs,
} from '../../src/store/jobs/admin-jobs.ts';
import { moveDisconnectJobToEnd, moveDisconnectJobToRunning } from '../../src/store/jobs/disconnect-jobs.ts';
import { beside, hold } from '../kit/beside.ts';
import { businessNow, DAY_MS, HOUR_MS, MINUTE_MS } from '../kit/clock.ts';
import { asApi, test } from '../kit/postgres.ts';
import { at, seedApp, seedConnection, seedScope } from '../kit/seed.ts';
import { seedAttempt } from '../kit/seed-attempts.ts';
import { insertJob, type JobRow, seedDisconnectJob } from '../kit/seed-jobs.ts';

const idsOf = (jobs: readonly { jobId: JobId }[]) => jobs.map(({ jobId }) => jobId);

test('a job names the person and the account of its connection or attempt', async ({ sql }) => {
  const seeded = await seedApp(sql);
  const scopes = [seeded.newScope(), seeded.newScope()] as const;
  const found = [];
  for (const scope of scopes) {
    const providerAccountId = `account of ${scope.externalSubjectId}`;
    const connectionId = await seedConnection(sql, seeded, { scope, providerAccountId });
    const { attemptId } = await seedAttempt(sql, seeded, { scopeId: await seedScope(sql, seeded, scope) });
    found.push(await insertJob(sql, seeded, { connectionId, kind: 'LOOKUP' }));
    found.push(await insertJob(sql, seeded, { attemptId, kind: 'COMPENSATION' }));
  }
  found.push(await insertJob(sql, seeded, {}));
  const jobs = await findAdminJobs(sql, found);
  const [first, second] = scopes;
  const { tenantKey } = seeded;
  expect(jobs.map((job) => [job.tenantKey, job.externalSubjectId, job.providerAccountId])).toEqual([
    [tenantKey, first.externalSubjectId, `account of ${first.externalSubjectId}`],
    [tenantKey, first.externalSubjectId, null],
    [tenantKey, second.externalSubjectId, `account of ${second.externalSubjectId}`],
    [tenantKey, second.externalSubjectId, null],
    [null, null, null],
  ]);
});

describe('jobs to retry', () => {
  test('are taken if they wait for a later try, or are silent for 15 minutes', async ({ sql }) => {
    const seeded = await seedApp(sql);
    const connectionId = await seedConnection(sql, seeded, { scope: seeded.newScope() });
    const now = await businessNow(sql);
    const from = (ms: number) => new Date(now.getTime() + ms);
    const silent = -15 * MINUTE_MS;
    const failed = { status: 'FAILED', finishedAt: now };
    const rows: readonly [boolean, JobRow][] = [
      [true, { status: 'RUNNING', nextRetryAt: from(1) }],
      [true, { status: 'QUEUED', nextRetryAt: from(DAY_MS) }],
      [false, { status: 'RUNNING', nextRetryAt: now }],
      [true, { status: 'RUNNING', nextRetryAt: from(silent) }],
      [false, { status: 'RUNNING', nextRetryAt: from(silent + 1) }],
      [true, { status: 'RUNNING', startedAt: from(silent), createdAt: now }],
      [false, { status: 'RUNNING', startedAt: from(silent + 1), createdAt: from(-HOUR_MS) }],
      [true, { status: 'QUEUED', createdAt: from(silent) }],
      [false, { status: 'QUEUED', createdAt: from(silent + 1) }],
      [false, { ...failed, nextRetryAt: from(DAY_MS) }],
      [false, { ...failed, createdAt: from(-DAY_MS) }],
    ];
    for (const kind of ['LOOKUP', 'COMPENSATION'] as const) {
      const jobs: { jobId: JobId; taken: boolean }[] = [];
      for (const [taken, row] of rows)
        jobs.push({ jobId: await insertJob(sql, seeded, { kind, connectionId, ...row }), taken });
      const unasked = await insertJob(sql, seeded, { kind, connectionId, nextRetryAt: from(DAY_MS) });
      const expected = jobs.filter(({ taken }) => taken);
      await at(sql, now, 0, async () => {
        expect(await takeWaitingJobs(sql, idsOf(jobs))).toEqual(new Set(idsOf(expected)));
        expect(await takeWaitingJobs(sql, idsOf(jobs))).toEqual(new Set());
      });
      const later = await findAdminJobs(sql, [...idsOf(expected), unasked]);
      expect(later.map(({ nextRetryAt }) => nextRetryAt)).toEqual([...expected.map(() => now), from(DAY_MS)]);
    }
  });

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

test('a bulk disconnect is named once, though both receipts of a connection belong to it', async ({ sql }) => {
  const seeded = await seedApp(sql);
  const [connectionId, other] = [newId<ConnectionId>(), newId<ConnectionId>()];
  const [bulk, otherBulk, erasureId] = [newId<BulkDisconnectId>(), newId<BulkDisconnectId>(), randomUUID()];
  const insert = (row: JobRow) => insertJob(sql, seeded, row);
  const receipts = [
    await insert({ connectionId, kind: 'REVOKE' }),
    await insert({ connectionId, kind: 'ERASE', erasureId }),
  ];
  const ofOther = await insert({ connectionId: other, kind: 'REVOKE' });
  await assignJobsToBulk(sql, bulk, receipts);
  await assignJobsToBulk(sql, otherBulk, [ofOther]);
  expect((await listParentIds(sql, connectionId)).sort()).toEqual([bulk, erasureId].sort());
  expect(await listParentIds(sql, other)).toEqual([otherBulk]);
});

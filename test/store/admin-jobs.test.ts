import { randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import { type BulkDisconnectId, type ConnectionId, type GrantId, type JobId, newId } from '../../src/basics/ids.ts';
import { type Database, inTransaction, type Transaction } from '../../src/store/driver/sql.ts';
import { discardKeptTokens, keepTokens } from '../../src/store/grants/kept-tokens.ts';
import {
  type AdminJob,
  assignJobsToBulk,
  countAdminJobs,
  countStuckJobs,
  EVERY_JOB,
  findAdminJobs,
  getListedAt,
  type JobFilter,
  listAdminJobs,
  listParentIds,
  listRetryableJobs,
  requeueRevokes,
  takeWaitingJobs,
} from '../../src/store/jobs/admin-jobs.ts';
import { moveDisconnectJobToEnd, moveDisconnectJobToRunning } from '../../src/store/jobs/disconnect-jobs.ts';
import { beside, hold } from '../kit/beside.ts';
import { businessNow, DAY_MS, HOUR_MS, MINUTE_MS } from '../kit/clock.ts';
import { asApi, test } from '../kit/postgres.ts';
import { at, type SeededApp, seedApp, seedConnection, seedScope } from '../kit/seed.ts';
import { seedAttempt } from '../kit/seed-attempts.ts';
import { insertJob, type JobRow, seedDisconnectJob } from '../kit/seed-jobs.ts';

const newIds = (count: number): JobId[] => Array.from({ length: count }, () => newId<JobId>()).sort();
const idsOf = (jobs: readonly { jobId: JobId }[]) => jobs.map(({ jobId }) => jobId);

/** Seven jobs of one app, at two connections, and one of another app. */
async function openJobs(sql: Database) {
  const [seeded, other] = [await seedApp(sql), await seedApp(sql)];
  const connect = (app: SeededApp) => seedConnection(sql, app, { scope: app.newScope() });
  const [one, two, foreign] = [await connect(seeded), await connect(seeded), await connect(other)];
  const now = await businessNow(sql);
  const ago = (minutes: number) => new Date(now.getTime() - minutes * MINUTE_MS);
  const [a, b, c, d, e, f, g] = newIds(7) as [JobId, JobId, JobId, JobId, JobId, JobId, JobId];
  const ended = (status: string, minutes: number) => ({ status, finishedAt: ago(minutes) });
  const insert = (jobId: JobId, connectionId: ConnectionId, kind: JobRow['kind'], created: number, end: object = {}) =>
    insertJob(sql, seeded, { jobId, connectionId, kind: kind ?? 'REVOKE', createdAt: ago(created), ...end });
  await insert(g, two, 'LOOKUP', 40);
  await insert(e, two, 'LOOKUP', 60, ended('FAILED', 10));
  await insert(a, one, 'LOOKUP', 50, ended('SUCCEEDED', 10));
  await insert(b, one, 'LOOKUP', 50, ended('FAILED', 20));
  await insert(c, two, 'LOOKUP', 40);
  await insert(f, two, 'REVOKE', 30);
  await insert(d, one, 'ERASE', 40, ended('SUCCEEDED', 10));
  await insertJob(sql, other, { connectionId: foreign, kind: 'LOOKUP', createdAt: ago(45) });
  const names = new Map([a, b, c, d, e, f, g].map((id, index) => [id, 'abcdefg'[index]] as const));
  const spell = (jobs: readonly AdminJob[]) => jobs.map(({ jobId }) => names.get(jobId) ?? '?').join('');
  return { seeded, one, ago, spell };
}

test('a list has the jobs of its filter, in its order, whatever the length of a page', async ({ sql }) => {
  const { seeded, one, ago, spell } = await openJobs(sql);
  const lists: readonly [Partial<JobFilter>, string][] = [
    [{}, 'fgdcbae'],
    [{ connectionId: one }, 'dba'],
    [{ kinds: ['LOOKUP'] }, 'gcbae'],
    [{ kinds: ['REVOKE'] }, 'f'],
    [{ kinds: ['LOOKUP', 'ERASE'] }, 'gdcbae'],
    [{ kinds: ['REVOKE', 'ERASE'] }, 'fd'],
    [{ statuses: ['QUEUED'] }, 'fgc'],
    [{ statuses: ['FAILED', 'QUEUED'] }, 'fgcbe'],
    [{ endedSince: ago(20) }, 'edab'],
    [{ endedSince: ago(10) }, 'eda'],
    [{ endedBefore: ago(10) }, 'b'],
    [{ endedSince: ago(20), endedBefore: ago(9) }, 'edab'],
    [{ endedBefore: ago(20) }, ''],
    [{ stuck: false }, 'dbae'],
    [{ stuck: true }, 'cgf'],
    [{ stuck: true, kinds: ['LOOKUP'] }, 'cg'],
  ];
  for (const [part, expected] of lists) {
    const filter: JobFilter = { ...EVERY_JOB, appId: seeded.app.appId, ...part };
    const name = JSON.stringify(part);
    expect(await countAdminJobs(sql, filter), name).toEqual({ count: expected.length, isExact: true });
    for (const limit of [1, 2, 10]) {
      let spelled = '';
      let after: { at: Date; id: string } | null = null;
      for (let page = 0; page < 8; page += 1) {
        const jobs: AdminJob[] = await listAdminJobs(sql, filter, { limit, after });
        expect(jobs.length, name).toBe(Math.min(limit, expected.length - spelled.length));
        spelled += spell(jobs);
        const last = jobs.at(-1);
        if (last === undefined) break;
        after = { at: getListedAt(filter, last), id: last.jobId };
      }
      expect(spelled, name).toBe(expected);
    }
  }
});

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

test('groups of stuck jobs of one size and age come by app, provider and kind', async ({ sql }) => {
  const apps = [await seedApp(sql), await seedApp(sql)].sort((a, b) => (a.app.appId < b.app.appId ? -1 : 1));
  const [low, high] = apps as [SeededApp, SeededApp];
  const now = await businessNow(sql);
  const stuck = (
    seeded: SeededApp,
    provider: JobRow['provider'],
    kind: JobRow['kind'],
    minutes: number,
    waits = true,
  ) =>
    insertJob(sql, seeded, {
      ...{ provider: provider ?? 'PROVIDER_B', kind: kind ?? 'REVOKE', status: 'RUNNING', tries: 1 },
      firstFailedAt: new Date(now.getTime() - minutes * MINUTE_MS),
      nextRetryAt: new Date(now.getTime() + (waits ? HOUR_MS : -MINUTE_MS)),
    });
  await stuck(high, 'PROVIDER_A', 'COMPENSATION', 50);
  await stuck(low, 'PROVIDER_B', 'REVOKE', 50);
  await stuck(low, 'PROVIDER_A', 'REVOKE', 50);
  await stuck(low, 'PROVIDER_A', 'COMPENSATION', 50, false);
  await stuck(low, 'PROVIDER_B', 'COMPENSATION', 24);
  await stuck(low, 'PROVIDER_B', 'COMPENSATION', 25);
  await stuck(high, 'PROVIDER_B', 'REVOKE', 20);
  await stuck(high, 'PROVIDER_B', 'REVOKE', 30, false);
  const groups = (await countStuckJobs(sql, EVERY_JOB)).flatMap((group) => {
    const app = apps.find((seeded) => seeded.app.appId === group.appId);
    if (app === undefined) return [];
    const minutes = (now.getTime() - group.since.getTime()) / MINUTE_MS;
    return [[app === low ? 'low' : 'high', group.provider, group.kind, group.count, group.retryableCount, minutes]];
  });
  expect(groups).toEqual([
    ['high', 'PROVIDER_B', 'REVOKE', 2, 1, 30],
    ['low', 'PROVIDER_B', 'COMPENSATION', 2, 2, 25],
    ['low', 'PROVIDER_A', 'COMPENSATION', 1, 0, 50],
    ['low', 'PROVIDER_A', 'REVOKE', 1, 1, 50],
    ['low', 'PROVIDER_B', 'REVOKE', 1, 1, 50],
    ['high', 'PROVIDER_A', 'COMPENSATION', 1, 1, 50],
  ]);
});

describe('jobs to retry', () => {
  test('are listed by the time since which they are stuck, then by id, and only if they wait', async ({ sql }) => {
    const seeded = await seedApp(sql);
    const now = await businessNow(sql);
    const [a, b, c, d] = newIds(4) as [JobId, JobId, JobId, JobId];
    const rows: readonly [JobId, number, number][] = [
      [c, 60, 1],
      [b, 60, 1],
      [a, 30, 1],
      [d, 70, -1],
    ];
    for (const [jobId, failedMinutesAgo, waitMinutes] of rows)
      await insertJob(sql, seeded, {
        ...{ jobId, status: 'RUNNING', tries: 1 },
        firstFailedAt: new Date(now.getTime() - failedMinutesAgo * MINUTE_MS),
        nextRetryAt: new Date(now.getTime() + waitMinutes * 5 * MINUTE_MS),
      });
    const filter = { ...EVERY_JOB, appId: seeded.app.appId, stuck: true };
    expect(idsOf(await listRetryableJobs(sql, filter, 10))).toEqual([b, c, a]);
    expect(idsOf(await listRetryableJobs(sql, filter, 1))).toEqual([b]);
  });

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
  // Whoever holds another job is no hindrance.
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

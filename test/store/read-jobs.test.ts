import { createHash, randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import type { ReadJobKind } from '../../src/basics/codes.ts';
import { type CorrelationId, type JobId, newId } from '../../src/basics/ids.ts';
import { type Database, inTransaction } from '../../src/store/driver/sql.ts';
import {
  adoptScan,
  countCallerJobsInFlight,
  insertLookup,
  insertMetricsJob,
  insertScan,
} from '../../src/store/jobs/new-reads.ts';
import {
  cancelReadJobs,
  findLookupInFlight,
  findMetricsJobInFlight,
  findReadJob,
  findReadJobOfConnection,
  findRunningReadJob,
  findScanInFlight,
  moveReadJobToEnd,
} from '../../src/store/jobs/read-jobs.ts';
import { moveReadJobToRunning } from '../../src/store/jobs/running-reads.ts';
import { beside } from '../kit/beside.ts';
import { businessNow, DAY_MS } from '../kit/clock.ts';
import { asApi, test } from '../kit/postgres.ts';
import { at, seedApp, seedConnection } from '../kit/seed.ts';
import { insertJob, type JobRow } from '../kit/seed-jobs.ts';

test('a job in flight is found by its kind and its connection', async ({ sql }) => {
  const seeded = await seedApp(sql);
  const newJob = async () => ({
    connectionId: await seedConnection(sql, seeded, { scope: seeded.newScope() }),
    appId: seeded.app.appId,
    provider: 'PROVIDER_B' as const,
    requestedBy: 'CALLER' as const,
    correlationId: newId<CorrelationId>(),
  });
  const [scanned, looked, both, none] = [await newJob(), await newJob(), await newJob(), await newJob()];
  const [providerContentId, url] = [randomUUID(), 'https://platform.example/v'];
  const urlSha256 = createHash('sha256').update(url).digest();
  const scan = (job: typeof both) => insertScan(sql, { ...job, window: null, maxItems: 100, continues: null });
  const metrics = (job: typeof both) => insertMetricsJob(sql, { ...job, providerContentId });
  const lookup = (job: typeof both) => insertLookup(sql, { ...job, url, urlSha256 });
  const found = async ({ connectionId }: typeof both) =>
    (
      await Promise.all([
        findScanInFlight(sql, connectionId),
        findMetricsJobInFlight(sql, connectionId, providerContentId),
        findLookupInFlight(sql, connectionId, urlSha256),
      ])
    ).map((job) => job?.jobId);
  const first = await scan(scanned);
  const second = await lookup(looked);
  const third = await metrics(looked);
  const [fourth, fifth, sixth] = [await lookup(both), await metrics(both), await scan(both)];
  expect(await found(scanned)).toEqual([first.jobId, undefined, undefined]);
  expect(await found(looked)).toEqual([undefined, third.jobId, second.jobId]);
  expect(await found(both)).toEqual([sixth.jobId, fifth.jobId, fourth.jobId]);
  expect(await found(none)).toEqual([undefined, undefined, undefined]);
});

describe('a read job', () => {
  /** Two connections of one app, and jobs of them at a fixed time. */
  async function open(sql: Database) {
    const seeded = await seedApp(sql);
    const connect = () => seedConnection(sql, seeded, { scope: seeded.newScope() });
    const [connectionId, otherId] = [await connect(), await connect()];
    const now = await businessNow(sql);
    const from = (ms: number) => new Date(now.getTime() + ms);
    const insert = (row: JobRow) => insertJob(sql, seeded, { kind: 'LOOKUP', connectionId, ...row });
    const scan = { kind: 'SCAN' as const, publishedAfter: from(-DAY_MS), publishedBefore: now, maxItems: 9 };
    return { connectionId, otherId, now, from, insert, scan };
  }

  test('is found by its connection while it is open, and for 7 days after its end', async ({ sql }) => {
    const { connectionId, otherId, now, from, insert } = await open(sql);
    const ended = { status: 'FAILED', createdAt: from(-30 * DAY_MS) };
    const jobs = [
      await insert({ createdAt: from(-30 * DAY_MS) }),
      await insert({ ...ended, finishedAt: from(-7 * DAY_MS + 1) }),
      await insert({ ...ended, finishedAt: from(-7 * DAY_MS) }),
      await insert({ connectionId: otherId }),
    ];
    const found = await at(sql, now, 0, () =>
      Promise.all(jobs.map(async (jobId) => (await findReadJobOfConnection(sql, connectionId, jobId))?.jobId)),
    );
    expect(found).toEqual([jobs[0], jobs[1], undefined, undefined]);
  });

  test('is found as running by its id', async ({ sql }) => {
    const { otherId, insert } = await open(sql);
    await insert({ status: 'RUNNING' });
    const [running, queued] = [await insert({ status: 'RUNNING' }), await insert({})];
    await insert({ status: 'RUNNING', connectionId: otherId });
    expect((await findRunningReadJob(sql, running))?.jobId).toBe(running);
    expect(await findRunningReadJob(sql, queued)).toBeUndefined();
  });

  test('shows its next try while it waits for one', async ({ sql }) => {
    const { now, from, insert } = await open(sql);
    const next = from(1);
    const cases: readonly [JobRow, Date | null][] = [
      [{ status: 'QUEUED', nextRetryAt: next }, next],
      [{ status: 'RUNNING', nextRetryAt: next }, next],
      [{ status: 'RUNNING', nextRetryAt: now }, null],
      [{ status: 'RUNNING', nextRetryAt: from(-1) }, null],
      [{ status: 'FAILED', finishedAt: now, nextRetryAt: next }, null],
    ];
    for (const [row, shown] of cases) {
      const jobId = await insert(row);
      expect((await at(sql, now, 0, () => findReadJob(sql, jobId)))?.nextRetryAt).toEqual(shown);
    }
  });

  test('can be continued if it is a scan that ended incomplete in the last 24 hours', async ({ sql }) => {
    const { now, from, insert, scan } = await open(sql);
    const incomplete = {
      ...{ ...scan, status: 'SUCCEEDED', incompleteReason: 'MAX_ITEMS' },
      ...{ providerCursor: 'next', finishedAt: from(-DAY_MS + 1) },
    };
    const lookup = { kind: 'LOOKUP' as const, publishedAfter: null, publishedBefore: null, maxItems: null };
    const cases: readonly [JobRow, boolean][] = [
      [incomplete, true],
      [{ ...incomplete, providerCursor: null, reachedEnd: true }, true],
      [{ ...incomplete, providerCursor: null }, false],
      [{ ...incomplete, incompleteReason: null }, false],
      [{ ...incomplete, finishedAt: from(-DAY_MS) }, false],
      [{ ...incomplete, status: 'FAILED' }, false],
      [{ ...incomplete, ...lookup }, false],
    ];
    for (const [row, isContinuable] of cases) {
      const jobId = await insert(row);
      expect((await at(sql, now, 0, () => findReadJob(sql, jobId)))?.continuable).toBe(isContinuable);
    }
  });

  test('that begins early waits no more, and one that was due keeps the instant', async ({ sql }) => {
    const { now, from, insert } = await open(sql);
    for (const [before, after] of [
      [from(DAY_MS), now],
      [from(-DAY_MS), from(-DAY_MS)],
      [null, null],
    ]) {
      const jobId = await insert({ nextRetryAt: before });
      await at(sql, now, 0, () => moveReadJobToRunning(sql, jobId));
      const [row] = await sql`select status, next_retry_at from read_job where job_id = ${jobId}`;
      expect(row).toEqual({ status: 'RUNNING', nextRetryAt: after });
    }
  });

  test('that ends waits for nothing, and others of its connection go on', async ({ sql }) => {
    const { from, insert } = await open(sql);
    const waiting = { status: 'RUNNING', nextRetryAt: from(DAY_MS) };
    const [ended, other] = [await insert(waiting), await insert(waiting)];
    expect(await moveReadJobToEnd(sql, ended, { status: 'FAILED', errorCode: 'PROVIDER_UNAVAILABLE' })).toBe('LOOKUP');
    expect(await moveReadJobToEnd(sql, ended, { status: 'SUCCEEDED' })).toBeUndefined();
    const rows = await sql`
      select job_id, status, next_retry_at from read_job where job_id in (${ended}, ${other}) order by status
    `;
    expect(rows).toEqual([
      { jobId: ended, status: 'FAILED', nextRetryAt: null },
      { jobId: other, ...waiting },
    ]);
  });

  test('in flight is found beside those of other posts and URLs, and those that have ended', async ({ sql }) => {
    const { connectionId, now, insert, scan } = await open(sql);
    const url = (name: string) => createHash('sha256').update(name).digest();
    const metrics = { kind: 'METRICS' as const, providerContentId: 'own' };
    const ended = { status: 'SUCCEEDED', finishedAt: now };
    const find = async () =>
      (
        await Promise.all([
          findScanInFlight(sql, connectionId),
          findMetricsJobInFlight(sql, connectionId, 'own'),
          findLookupInFlight(sql, connectionId, url('own')),
        ])
      ).map((job) => job?.jobId);
    await insert({ ...scan, ...ended });
    await insert({ ...metrics, providerContentId: 'other' });
    await insert({ ...metrics, ...ended });
    await insert({ urlSha256: url('other') });
    await insert({ urlSha256: url('own'), ...ended });
    expect(await find()).toEqual([undefined, undefined, undefined]);
    const own = [await insert(scan), await insert(metrics), await insert({ urlSha256: url('own') })];
    expect(await find()).toEqual(own);
  });

  test('of the wanted kinds is canceled while it is in flight, at its connection', async ({ sql }) => {
    const { connectionId, otherId, now, from, insert, scan } = await open(sql);
    const metrics = { kind: 'METRICS' as const, providerContentId: 'own' };
    const ended = { status: 'SUCCEEDED', finishedAt: from(-DAY_MS) };
    const scanId = await insert({ ...scan, status: 'RUNNING', nextRetryAt: from(DAY_MS) });
    const metricsId = await insert(metrics);
    const lookupId = await insert({ status: 'RUNNING' });
    const left = [
      await insert({ ...scan, ...ended }),
      await insert({ ...metrics, ...ended }),
      await insert(ended),
      await insert({ ...scan, connectionId: otherId }),
    ];
    const cancel = (...kinds: ReadJobKind[]) =>
      inTransaction(sql, (tx) => cancelReadJobs(tx, connectionId, 'CONNECTION_DISCONNECTED', kinds));
    const waited = (jobs: Awaited<ReturnType<typeof cancel>>) => jobs.map((job) => [job.kind, job.jobId, job.waited]);
    await at(sql, now, 0, async () => {
      expect(waited(await cancel('SCAN', 'METRICS')).sort()).toEqual([
        ['METRICS', metricsId, false],
        ['SCAN', scanId, true],
      ]);
      expect(await cancel('SCAN', 'METRICS')).toEqual([]);
      expect(waited(await cancel('SCAN', 'METRICS', 'LOOKUP'))).toEqual([['LOOKUP', lookupId, false]]);
    });
    const stateOf = async (ids: readonly JobId[]) =>
      await sql`
        select distinct status, finished_at, next_retry_at, error_code from read_job
        where job_id = any(${[...ids]}::uuid[]) order by status
      `;
    expect(await stateOf([scanId, metricsId, lookupId])).toEqual([
      { status: 'CANCELED', finishedAt: now, nextRetryAt: null, errorCode: 'CONNECTION_DISCONNECTED' },
    ]);
    expect(await stateOf(left)).toEqual([
      { status: 'QUEUED', finishedAt: null, nextRetryAt: null, errorCode: null },
      { status: 'SUCCEEDED', finishedAt: from(-DAY_MS), nextRetryAt: null, errorCode: null },
    ]);
  });
});

test('a job that ends while it is canceled keeps its end, and one that is canceled tells whose it was', async ({
  sql,
}) => {
  const seeded = await seedApp(sql);
  const connectionId = await seedConnection(sql, seeded, { scope: seeded.newScope() });
  const [ended, canceled] = [
    await insertJob(sql, seeded, { kind: 'LOOKUP', connectionId, status: 'RUNNING' }),
    await insertJob(sql, seeded, { kind: 'LOOKUP', connectionId }),
  ];
  const { waited, result } = await beside(
    sql,
    (tx) => moveReadJobToEnd(tx, ended, { status: 'SUCCEEDED' }),
    () => inTransaction(asApi(sql), (tx) => cancelReadJobs(tx, connectionId, null)),
  );
  expect(waited).toBe(true);
  expect(result).toEqual([
    {
      ...{ jobId: canceled, kind: 'LOOKUP', appId: seeded.app.appId, provider: 'PROVIDER_B', connectionId },
      ...{ correlationId: (await findReadJob(sql, canceled))?.correlationId, waited: false },
    },
  ]);
  expect(await findReadJob(sql, ended)).toMatchObject({ status: 'SUCCEEDED' });
});

test("the app's own jobs that callers asked for count while they are in flight", async ({ sql }) => {
  const [seeded, other] = [await seedApp(sql), await seedApp(sql)];
  const insert = async (app: typeof seeded, row: object) =>
    insertJob(sql, app, {
      kind: 'LOOKUP',
      connectionId: await seedConnection(sql, app, { scope: app.newScope() }),
      ...row,
    });
  const finishedAt = await businessNow(sql);
  for (const status of ['QUEUED', 'RUNNING']) await insert(seeded, { status });
  await insert(seeded, { requestedBy: 'SERVICE' });
  for (const status of ['SUCCEEDED', 'FAILED', 'CANCELED']) await insert(seeded, { status, finishedAt });
  for (let n = 0; n < 5; n += 1) await insert(other, {});
  const count = ({ app }: typeof seeded) => inTransaction(sql, (tx) => countCallerJobsInFlight(tx, app.appId));
  expect([await count(seeded), await count(other)]).toEqual([2, 5]);
});

test('a scan of ours that a caller asks for becomes theirs, with as many items as either wants', async ({ sql }) => {
  const seeded = await seedApp(sql);
  const now = await businessNow(sql);
  const insert = async () =>
    insertJob(sql, seeded, {
      connectionId: await seedConnection(sql, seeded, { scope: seeded.newScope() }),
      kind: 'SCAN',
      ...{ requestedBy: 'SERVICE', isRefresh: true, maxItems: 50 },
      ...{ publishedAfter: new Date(0), publishedBefore: now, wantedSince: new Date(now.getTime() - DAY_MS) },
    });
  const [more, fewer, other] = [await insert(), await insert(), await insert()];
  const adopt = (jobId: JobId, maxItems: number) =>
    at(sql, now, 0, () => inTransaction(sql, (tx) => adoptScan(tx, jobId, maxItems)));
  const isTheirs = { requestedBy: 'CALLER', isRefresh: false, ageSeconds: 0 };
  expect(await adopt(more, 60)).toMatchObject({ ...isTheirs, jobId: more, maxItems: 60 });
  expect(await adopt(fewer, 40)).toMatchObject({ ...isTheirs, jobId: fewer, maxItems: 50 });
  expect(await findReadJob(sql, other)).toMatchObject({ requestedBy: 'SERVICE', isRefresh: true, maxItems: 50 });
});

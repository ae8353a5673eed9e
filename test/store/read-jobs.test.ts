import { describe, expect } from 'vitest';
import type { ReadJobKind } from '../../src/basics/codes.ts';
import type { JobId } from '../../src/basics/ids.ts';
import { type Database, inTransaction } from '../../src/store/driver/sql.ts';
import { adoptScan } from '../../src/store/jobs/new-reads.ts';
import { cancelReadJobs, findReadJob, moveReadJobToEnd } from '../../src/store/jobs/read-jobs.ts';
import { moveReadJobToRunning } from '../../src/store/jobs/running-reads.ts';
import { beside } from '../kit/beside.ts';
import { businessNow, DAY_MS } from '../kit/clock.ts';
import { asApi, test } from '../kit/postgres.ts';
import { at, seedApp, seedConnection } from '../kit/seed.ts';
import { insertJob, type JobRow } from '../kit/seed-jobs.ts';

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

test('a job that ends while it is canceled keeps its end, and a canceled one returns its owner', async ({ sql }) => {
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

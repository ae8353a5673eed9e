import { describe, expect } from 'vitest';
import { type ConnectionId, type CorrelationId, type JobId, newId } from '../../src/basics/ids.ts';
import { type Database, inTransaction } from '../../src/store/driver/sql.ts';
import { insertScan, type NewScan } from '../../src/store/jobs/new-reads.ts';
import { findReadJob, moveReadJobToEnd, type ReadJob } from '../../src/store/jobs/read-jobs.ts';
import { recordReadFailure } from '../../src/store/jobs/record-failure.ts';
import { moveReadJobToRunning, storeForJob, updateCursor } from '../../src/store/jobs/running-reads.ts';
import { insertPage, updateRechecked } from '../../src/store/jobs/scans.ts';
import { beside, hold } from '../kit/beside.ts';
import { businessNow, DAY_MS, HOUR_MS, MINUTE_MS } from '../kit/clock.ts';
import { asWorker, test } from '../kit/postgres.ts';
import { seedApp, seedConnection } from '../kit/seed.ts';

const SETBACK = {
  type: 'RetryLater',
  code: 'PROVIDER_UNAVAILABLE',
  answer: 'HTTP_503',
  inARow: 1,
  waitSeconds: 60,
} as const;

/** Scans of new connections of one app, and a clock that stands at `now`, or so much later. */
async function openApp(sql: Database) {
  const seeded = await seedApp(sql);
  const connect = () => seedConnection(sql, seeded, { scope: seeded.newScope() });
  const newJob = (connectionId: ConnectionId) => ({
    ...{ connectionId, appId: seeded.app.appId, provider: 'PROVIDER_B' as const, requestedBy: 'CALLER' as const },
    correlationId: newId<CorrelationId>(),
  });
  const newScan = async (scan: Partial<NewScan> = {}) =>
    insertScan(sql, { ...newJob(await connect()), window: null, maxItems: 100, continues: null, ...scan });
  const now = await businessNow(sql);
  const from = (ms: number) => new Date(now.getTime() + ms);
  return { seeded, newScan, now, from };
}

describe('a running read', () => {
  test('stores only where it stands, and then waits for nothing', async ({ sql }) => {
    const { newScan, now } = await openApp(sql);
    const [queued, other] = [await newScan(), await newScan()];
    const { jobId } = queued;
    await recordReadFailure(sql, jobId, { ...SETBACK, inARow: 3 });
    const job = (await moveReadJobToRunning(sql, jobId)) ?? expect.fail('It has ended.');
    const permit = async () => undefined;
    const store = (changes: Partial<ReadJob>, cursor: string) =>
      storeForJob(asWorker(sql), { ...job, ...changes }, permit, (tx) => updateCursor(tx, jobId, cursor));
    for (const changes of [{ providerCursor: 'elsewhere' }, { chainStartedAt: now }, { itemCount: 1 }])
      expect(await store(changes, 'wrong'), JSON.stringify(changes)).toBe(false);
    expect(await findReadJob(sql, jobId)).toEqual({ ...job, ageSeconds: expect.any(Number) });
    // A holder of another connection is no hindrance.
    const { waited, result } = await beside(sql, hold('connection', 'connection_id', other.connectionId), () =>
      store({}, 'second'),
    );
    expect([waited, result]).toEqual([false, true]);
    expect(await store({}, 'again')).toBe(false);
    expect(await store({ providerCursor: 'second' }, 'third')).toBe(true);
    expect(await findReadJob(sql, jobId)).toMatchObject({
      ...{ providerCursor: 'third', steps: 2, tries: 0, failureType: null, failuresInARow: 0, nextRetryAt: null },
    });
    await moveReadJobToEnd(sql, jobId, { status: 'SUCCEEDED' });
    expect(await store({ providerCursor: 'third' }, 'fourth')).toBe(false);
    expect(await findReadJob(sql, other.jobId)).toMatchObject({ providerCursor: null, steps: 0, status: 'QUEUED' });
  });

  test('stores a page with the range that it reads, and the results of a recheck', async ({ sql }) => {
    const { newScan, from } = await openApp(sql);
    const [queued, other] = [await newScan(), await newScan()];
    const job = (await moveReadJobToRunning(sql, queued.jobId)) ?? expect.fail('It has ended.');
    const window = {
      ...{ publishedAfter: from(-3 * DAY_MS), publishedBefore: from(-DAY_MS) },
      ...{ readBefore: from(-HOUR_MS), chainStartedAt: from(-MINUTE_MS) },
    };
    const page = { items: [], cursor: 'next', reachedEnd: false };
    const options = { withMetrics: false, permit: async () => undefined };
    const insert = () => insertPage(asWorker(sql), job, { window, page }, options);
    const position = await insert();
    expect(position?.job).toMatchObject({ ...window, providerCursor: 'next', steps: 1, reachedEnd: false });
    expect(position?.limits).toBeDefined();
    expect(await insert()).toBeUndefined();
    for (const change of [
      { added: 1, changed: 2, removed: 3 },
      { added: 10, changed: 20, removed: 30 },
    ])
      await inTransaction(asWorker(sql), (tx) => updateRechecked(tx, job.jobId, change));
    const counts = async (jobId: JobId) => {
      const [row] = await sql`
        select steps, added_count as added, changed_count as changed, removed_count as removed from read_job
        where job_id = ${jobId}
      `;
      return row;
    };
    expect(await counts(job.jobId)).toEqual({ steps: 3, added: 11, changed: 22, removed: 33 });
    expect(await counts(other.jobId)).toEqual({ steps: 0, added: 0, changed: 0, removed: 0 });
  });
});

describe('a new scan', () => {
  test('that continues another one starts at its end, as of its beginning', async ({ sql }) => {
    const { newScan, from } = await openApp(sql);
    const first = await newScan();
    const ended = { ...first, providerCursor: 'next', reachedEnd: true, readBefore: from(-HOUR_MS) };
    const next = await newScan({ continues: ended });
    expect(next).toMatchObject({
      ...{ providerCursor: 'next', reachedEnd: true, readBefore: from(-HOUR_MS), chainNumber: first.chainNumber },
      chainStartedAt: first.createdAt,
    });
    const third = await newScan({ continues: { ...next, chainStartedAt: from(-DAY_MS), reachedEnd: false } });
    expect(third).toMatchObject({ chainStartedAt: from(-DAY_MS), reachedEnd: false, chainNumber: first.chainNumber });
    expect(await newScan()).toMatchObject({ providerCursor: null, chainStartedAt: null, readBefore: null });
  });
});

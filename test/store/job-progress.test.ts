import { describe, expect } from 'vitest';
import { type ConnectionId, type CorrelationId, newId } from '../../src/basics/ids.ts';
import type { Database } from '../../src/store/driver/sql.ts';
import { insertScan, type NewScan } from '../../src/store/jobs/new-reads.ts';
import { findReadJob, moveReadJobToEnd, type ReadJob } from '../../src/store/jobs/read-jobs.ts';
import { recordReadFailure } from '../../src/store/jobs/record-failure.ts';
import { moveReadJobToRunning, storeForJob, updateCursor } from '../../src/store/jobs/running-reads.ts';
import { beside, hold } from '../kit/beside.ts';
import { businessNow } from '../kit/clock.ts';
import { asWorker, test } from '../kit/postgres.ts';
import { seedApp, seedConnection } from '../kit/seed.ts';

const FAILED_TRY = {
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
  return { newScan, now };
}

describe('a running read', () => {
  test('stores only where it stands, and then waits for nothing', async ({ sql }) => {
    const { newScan, now } = await openApp(sql);
    const [queued, other] = [await newScan(), await newScan()];
    const { jobId } = queued;
    await recordReadFailure(sql, jobId, { ...FAILED_TRY, inARow: 3 });
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
});

import { randomBytes } from 'node:crypto';
import { describe, expect } from 'vitest';
import type { JobId } from '../../src/basics/ids.ts';
import type { Database } from '../../src/store/driver/sql.ts';
import { findAdminJob } from '../../src/store/jobs/admin-jobs.ts';
import {
  hasUnsettledRevoke,
  moveDisconnectJobToEnd,
  moveDisconnectJobToRunning,
} from '../../src/store/jobs/disconnect-jobs.ts';
import { recordDisconnectFailure } from '../../src/store/jobs/record-failure.ts';
import { businessNow, HOUR_MS, MINUTE_MS } from '../kit/clock.ts';
import { asApi, asWorker, test } from '../kit/postgres.ts';
import { at, seedApp } from '../kit/seed.ts';
import { type SeedDisconnectJob, seedDisconnectJob } from '../kit/seed-jobs.ts';

const SUCCEEDED = { status: 'SUCCEEDED', creatorAction: null } as const;
const FAILED = { status: 'FAILED', creatorAction: null, errorCode: 'PROVIDER_UNAVAILABLE' } as const;

async function openApp(sql: Database) {
  const seeded = await seedApp(sql);
  const now = await businessNow(sql);
  const later = <T>(ms: number, work: () => Promise<T>) => at(sql, now, ms, work);
  const make = (job: SeedDisconnectJob = {}) => later(0, () => seedDisconnectJob(sql, seeded, job));
  const fail = (jobId: JobId) =>
    later(0, () =>
      recordDisconnectFailure(sql, jobId, { code: 'PROVIDER_UNAVAILABLE', answer: null, waitSeconds: 3600 }),
    );
  return { appId: seeded.app.appId, now, later, make, fail };
}

describe('a job of a disconnect', () => {
  test('that begins early waits no more, and one that has ended neither', async ({ sql }) => {
    const { now, later, make, fail } = await openApp(sql);
    const [jobId, other] = [await make(), await make()];
    const shown = async (of: JobId) => {
      const job = await findAdminJob(sql, of);
      return [job?.status, job?.nextRetryAt, job?.startedAt];
    };
    const start = (ms: number) => later(ms, () => moveDisconnectJobToRunning(asWorker(sql), jobId));
    for (const id of [jobId, other]) await fail(id);
    await start(MINUTE_MS);
    const began = new Date(now.getTime() + MINUTE_MS);
    expect(await shown(jobId)).toEqual(['RUNNING', began, began]);
    await fail(jobId);
    await start(2 * HOUR_MS);
    const due = new Date(now.getTime() + HOUR_MS);
    expect(await shown(jobId)).toEqual(['RUNNING', due, began]); // It was due, and so late.
    expect(await moveDisconnectJobToEnd(asWorker(sql), jobId, FAILED)).toMatchObject({ jobId, status: 'FAILED' });
    expect(await shown(jobId)).toEqual(['FAILED', null, began]);
    expect(await moveDisconnectJobToEnd(asWorker(sql), jobId, SUCCEEDED)).toBeUndefined();
    expect(await start(0)).toBeUndefined();
    expect(await shown(other)).toEqual(['QUEUED', due, null]);
  });
});

test('a person has an unsettled revoke at a platform while it is queued or runs', async ({ sql }) => {
  const { make } = await openApp(sql);
  const [scopeMac, other] = [randomBytes(32), randomBytes(32)];
  const isUnsettled = (macs = [scopeMac], provider: 'PROVIDER_A' | 'PROVIDER_B' = 'PROVIDER_B') =>
    hasUnsettledRevoke(asApi(sql), macs, provider);
  await make({ scopeMac, provider: 'PROVIDER_A' });
  await make({ scopeMac, kind: 'ERASE' });
  await make({ scopeMac: other });
  expect(await isUnsettled()).toBe(false);
  const jobId = await make({ scopeMac });
  expect(await isUnsettled()).toBe(true);
  expect(await isUnsettled([randomBytes(32), scopeMac])).toBe(true); // By the hashes of either key.
  await moveDisconnectJobToRunning(asWorker(sql), jobId);
  expect(await isUnsettled()).toBe(true);
  await moveDisconnectJobToEnd(asWorker(sql), jobId, FAILED);
  expect([await isUnsettled(), await isUnsettled([scopeMac], 'PROVIDER_A')]).toEqual([false, true]);
});

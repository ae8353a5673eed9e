import { randomBytes } from 'node:crypto';
import { expect } from 'vitest';
import {
  hasUnsettledRevoke,
  moveDisconnectJobToEnd,
  moveDisconnectJobToRunning,
} from '../../src/store/jobs/disconnect-jobs.ts';
import { asApi, asWorker, test } from '../kit/postgres.ts';
import { seedApp } from '../kit/seed.ts';
import { type SeedDisconnectJob, seedDisconnectJob } from '../kit/seed-jobs.ts';

const FAILED = { status: 'FAILED', creatorAction: null, errorCode: 'PROVIDER_UNAVAILABLE' } as const;

test('a person has an unsettled revoke at a platform while it is queued or runs', async ({ sql }) => {
  const seeded = await seedApp(sql);
  const make = (job: SeedDisconnectJob = {}) => seedDisconnectJob(sql, seeded, job);
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

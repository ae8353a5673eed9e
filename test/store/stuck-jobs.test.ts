import { expect } from 'vitest';
import type { JobId } from '../../src/basics/ids.ts';
import type { Database } from '../../src/store/driver/sql.ts';
import {
  countStuckJobs,
  EVERY_JOB,
  getListedAt,
  type JobFilter,
  listAdminJobs,
  listRetryableJobs,
} from '../../src/store/jobs/admin-jobs.ts';
import { moveDisconnectJobToRunning } from '../../src/store/jobs/disconnect-jobs.ts';
import { recordDisconnectSetback } from '../../src/store/jobs/setbacks.ts';
import { businessNow, HOUR_MS } from '../kit/clock.ts';
import { asApi, test } from '../kit/postgres.ts';
import { at, type SeededApp, seedApp } from '../kit/seed.ts';
import { type SeedDisconnectJob, seedDisconnectJob } from '../kit/seed-jobs.ts';

/** A revoke that has begun to fail so many ms ago, and waits for a day. */
async function failing(sql: Database, seeded: SeededApp, sinceMs: number, job: SeedDisconnectJob = {}): Promise<JobId> {
  const jobId = await seedDisconnectJob(sql, seeded, job);
  await at(sql, await businessNow(sql), -sinceMs, async () => {
    await moveDisconnectJobToRunning(sql, jobId);
    await recordDisconnectSetback(sql, jobId, {
      code: 'PROVIDER_UNAVAILABLE',
      answer: 'HTTP_503',
      waitSeconds: 86_400,
    });
  });
  return jobId;
}
const idsOf = (jobs: readonly { jobId: JobId }[]) => jobs.map(({ jobId }) => jobId);
const stuckOf = ({ app }: SeededApp): JobFilter => ({ ...EVERY_JOB, appId: app.appId, stuck: true });

test('stuck jobs come in the order in which they began to fail, a page at a time, as they are retried', async ({
  sql,
}) => {
  const [seeded, other] = [await seedApp(sql), await seedApp(sql)];
  const [middle, oldest, newest] = [
    await failing(sql, seeded, 2 * HOUR_MS),
    await failing(sql, seeded, 3 * HOUR_MS),
    await failing(sql, seeded, HOUR_MS),
  ];
  await failing(sql, other, 4 * HOUR_MS);
  await seedDisconnectJob(sql, seeded); // It has not failed.
  const filter = stuckOf(seeded);
  expect(idsOf(await listRetryableJobs(asApi(sql), filter, 10))).toEqual([oldest, middle, newest]);
  expect(idsOf(await listRetryableJobs(asApi(sql), filter, 2))).toEqual([oldest, middle]);
  const first = await listAdminJobs(asApi(sql), filter, { limit: 2, after: null });
  expect(idsOf(first)).toEqual([oldest, middle]);
  const [, last] = first;
  if (last === undefined) throw new Error('There is no second job.');
  const after = { at: getListedAt(filter, last), id: last.jobId };
  expect(idsOf(await listAdminJobs(asApi(sql), filter, { limit: 2, after }))).toEqual([newest]);
});

test('groups of stuck jobs come the largest first, then the one that began first', async ({ sql }) => {
  const [seeded, other] = [await seedApp(sql), await seedApp(sql)];
  await failing(sql, seeded, 4 * HOUR_MS, { provider: 'PROVIDER_B' });
  await failing(sql, seeded, HOUR_MS, { provider: 'PROVIDER_B', kind: 'COMPENSATION' });
  await failing(sql, seeded, 5 * HOUR_MS, { provider: 'PROVIDER_A', kind: 'COMPENSATION' });
  await failing(sql, seeded, 2 * HOUR_MS, { provider: 'PROVIDER_A' });
  await failing(sql, seeded, 3 * HOUR_MS, { provider: 'PROVIDER_A' });
  await failing(sql, other, 9 * HOUR_MS);
  const groups = await countStuckJobs(asApi(sql), stuckOf(seeded));
  expect(groups.map(({ provider, kind, count }) => [provider, kind, count])).toEqual([
    ['PROVIDER_A', 'REVOKE', 2],
    ['PROVIDER_A', 'COMPENSATION', 1],
    ['PROVIDER_B', 'REVOKE', 1],
    ['PROVIDER_B', 'COMPENSATION', 1],
  ]);
  for (const group of groups)
    expect(group).toMatchObject({ appName: 'Harbour Kitchen', lastFailure: 'PROVIDER_UNAVAILABLE', failedCount: 0 });
});

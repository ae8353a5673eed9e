import { expect, onTestFinished } from 'vitest';
import { clearDisconnectFailure, recordDisconnectFailure } from '../../src/store/jobs/record-failure.ts';
import { listFailures } from '../../src/store/overview.ts';
import { businessNow, SECOND_MS } from '../kit/clock.ts';
import { asApi, createTestDatabase, test } from '../kit/postgres.ts';
import { at, seedApp } from '../kit/seed.ts';
import { insertJob, seedDisconnectJob } from '../kit/seed-jobs.ts';

test('failures of open jobs are counted by code, until a try succeeds', async () => {
  const { sql, drop } = await createTestDatabase(); // It looks at whole tables.
  onTestFinished(drop);
  const now = await businessNow(sql);
  const seeded = await seedApp(sql);
  const fail = async (provider: 'PROVIDER_A' | 'PROVIDER_B', code: 'RATE_LIMITED' | 'INTERNAL', seconds: number) => {
    const jobId = await seedDisconnectJob(sql, seeded, { provider });
    const failedTry = { code, waitSeconds: 60, answer: null } as Parameters<typeof recordDisconnectFailure>[2];
    await at(sql, now, seconds * SECOND_MS, () => recordDisconnectFailure(sql, jobId, failedTry));
    return jobId;
  };
  await fail('PROVIDER_B', 'INTERNAL', 5);
  await fail('PROVIDER_B', 'RATE_LIMITED', 4);
  await fail('PROVIDER_B', 'RATE_LIMITED', 3);
  await fail('PROVIDER_A', 'INTERNAL', 2);
  await clearDisconnectFailure(sql, await fail('PROVIDER_A', 'RATE_LIMITED', 1));
  await seedDisconnectJob(sql, seeded, { provider: 'PROVIDER_A' });
  const ended = { status: 'FAILED', errorCode: 'INTERNAL', finishedAt: now, tries: 1, lastFailure: 'INTERNAL' };
  await insertJob(sql, seeded, ended);
  const since = (seconds: number) => new Date(now.getTime() + seconds * SECOND_MS);
  expect(await listFailures(asApi(sql))).toEqual([
    { provider: 'PROVIDER_A', code: 'INTERNAL', count: 1, since: since(2) },
    { provider: 'PROVIDER_B', code: 'RATE_LIMITED', count: 2, since: since(3) },
    { provider: 'PROVIDER_B', code: 'INTERNAL', count: 1, since: since(5) },
  ]);
});

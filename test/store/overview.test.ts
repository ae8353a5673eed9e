import { expect, onTestFinished } from 'vitest';
import { PROVIDER_NAMES } from '../../src/basics/codes.ts';
import type { Database } from '../../src/store/driver/sql.ts';
import { clearDisconnectFailure, recordDisconnectFailure } from '../../src/store/jobs/record-failure.ts';
import { listFailures, listHealth } from '../../src/store/overview.ts';
import { updateQuotaSpent } from '../../src/store/registrations/registrations.ts';
import { businessNow, HOUR_MS, MINUTE_MS, SECOND_MS } from '../kit/clock.ts';
import { asApi, createTestDatabase, test } from '../kit/postgres.ts';
import { at, seedApp, seedConnection } from '../kit/seed.ts';
import { insertJob, seedDisconnectJob } from '../kit/seed-jobs.ts';

/** A database of its own: it looks at whole tables. */
async function createDatabase(): Promise<{ sql: Database; now: Date; ago: (ms: number) => Date }> {
  const { sql, drop } = await createTestDatabase();
  onTestFinished(drop);
  const now = await businessNow(sql);
  return { sql, now, ago: (ms) => new Date(now.getTime() - ms) };
}

test('failures of open jobs are counted by code, until a try succeeds', async () => {
  const { sql, now } = await createDatabase();
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

test('the health of a provider counts its jobs of the last hour, and its registrations in trouble', async () => {
  const { sql, now, ago } = await createDatabase();
  const list = (ms = 0) => at(sql, now, ms, () => listHealth(asApi(sql), PROVIDER_NAMES));
  const jobs = { openJobs: 0, succeededLastHour: 0, failedLastHour: 0 };
  const registrations = {
    pausedRegistrations: 0,
    rejectedRegistrations: 0,
    doubtedRegistrations: 0,
    spentRegistrations: 0,
  };
  const well = PROVIDER_NAMES.map((provider) => ({ provider, ...jobs, ...registrations }));
  expect(await list()).toEqual(well); // Nothing is registered yet.
  const seeded = await seedApp(sql);
  expect(await list()).toEqual(well);
  const connectionId = await seedConnection(sql, seeded, { scope: seeded.newScope() });
  for (const finishedAt of [ago(HOUR_MS), ago(HOUR_MS - 1)]) {
    await insertJob(sql, seeded, { kind: 'LOOKUP', connectionId, status: 'SUCCEEDED', finishedAt });
    await insertJob(sql, seeded, { status: 'FAILED', errorCode: 'INTERNAL', finishedAt });
  }
  await sql`update registration set downgrades_held_at = business_now() where registration_id = ${seeded.registrations.PROVIDER_C}`;
  await at(sql, now, 0, () => updateQuotaSpent(sql, seeded.registrations.PROVIDER_A, 60));
  const [a, b, c] = well;
  expect(await list()).toEqual([
    { ...a, spentRegistrations: 1 },
    { ...b, succeededLastHour: 1, failedLastHour: 1 },
    { ...c, doubtedRegistrations: 1 },
  ]);
  expect((await list(MINUTE_MS))[0]).toEqual(a);
});

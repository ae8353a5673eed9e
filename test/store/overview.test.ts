import { expect, onTestFinished } from 'vitest';
import { type ConnectionStatus, PROVIDER_NAMES, type ProviderName } from '../../src/basics/codes.ts';
import { issueKey, revokeKey } from '../../src/store/apps/keys.ts';
import { moveAttemptToEnd } from '../../src/store/attempts/attempts.ts';
import { moveConnection } from '../../src/store/connections/connections.ts';
import { holdDowngrades } from '../../src/store/connections/downgrades.ts';
import type { Database } from '../../src/store/driver/sql.ts';
import { updateIssuerSecretExpiry } from '../../src/store/issuers/known-issuers.ts';
import { moveDisconnectJobToEnd } from '../../src/store/jobs/disconnect-jobs.ts';
import { clearDisconnectSetback, recordDisconnectSetback } from '../../src/store/jobs/setbacks.ts';
import { insertAdminToken, revokeAdminToken } from '../../src/store/operators/admin-tokens.ts';
import {
  countConnections,
  countJobs,
  getTotals,
  listExpiring,
  listFailures,
  listHealth,
} from '../../src/store/overview.ts';
import { updateQuotaSpent } from '../../src/store/registrations/registrations.ts';
import { businessNow, DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../kit/clock.ts';
import { withoutSorting } from '../kit/plans.ts';
import { asApi, createTestDatabase, test } from '../kit/postgres.ts';
import { at, seedApp, seedConnection } from '../kit/seed.ts';
import { seedAttempt } from '../kit/seed-attempts.ts';
import { insertJob, insertRow, seedDisconnectJob } from '../kit/seed-jobs.ts';

/** A database of its own: it looks at whole tables. */
async function createDatabase(): Promise<{ sql: Database; now: Date; ago: (ms: number) => Date }> {
  const { sql, drop } = await createTestDatabase();
  onTestFinished(drop);
  const now = await businessNow(sql);
  return { sql, now, ago: (ms) => new Date(now.getTime() - ms) };
}

test('connections are counted by provider and status, in this order, without what is none', async () => {
  const { sql } = await createDatabase();
  const seeded = await seedApp(sql);
  const connect = (provider: ProviderName, status: ConnectionStatus) =>
    seedConnection(sql, seeded, { scope: seeded.newScope(), provider, status });
  await connect('PROVIDER_B', 'SUSPENDED');
  await connect('PROVIDER_B', 'CONNECTED');
  await connect('PROVIDER_A', 'SUSPENDED');
  await connect('PROVIDER_A', 'CONNECTED');
  await connect('PROVIDER_A', 'CONNECTED');
  await moveConnection(sql, await connect('PROVIDER_C', 'CONNECTED'), 'SUSPENDED');
  expect(await withoutSorting(asApi(sql), countConnections)).toEqual([
    { provider: 'PROVIDER_A', status: 'CONNECTED', count: 2 },
    { provider: 'PROVIDER_A', status: 'SUSPENDED', count: 1 },
    { provider: 'PROVIDER_B', status: 'CONNECTED', count: 1 },
    { provider: 'PROVIDER_B', status: 'SUSPENDED', count: 1 },
    { provider: 'PROVIDER_C', status: 'SUSPENDED', count: 1 },
  ]);
});

test('the totals count what is open, stuck or waits, each with its oldest', async () => {
  const { sql, now, ago } = await createDatabase();
  const seeded = await seedApp(sql);
  const { expiresAt } = await seedAttempt(sql, seeded);
  const { attemptId } = await seedAttempt(sql, seeded);
  await moveAttemptToEnd(sql, attemptId, { status: 'CANCELED', resultCode: 'CANCELED' });
  const connectionId = await seedConnection(sql, seeded, { scope: seeded.newScope() });
  const read = { connectionId, kind: 'LOOKUP' } as const;
  await insertJob(sql, seeded, { ...read, createdAt: ago(HOUR_MS) }); // Nothing happens to it.
  await insertJob(sql, seeded, { ...read, status: 'RUNNING', createdAt: now });
  const failed = { status: 'FAILED', errorCode: 'PROVIDER_UNAVAILABLE', finishedAt: now } as const;
  await insertJob(sql, seeded, { ...read, ...failed, createdAt: ago(DAY_MS) });
  const revoke = { ...failed, createdAt: ago(20 * MINUTE_MS) };
  await insertJob(sql, seeded, { ...revoke, sealedTokens: 'sealed' }); // An operator can retry it.
  await insertJob(sql, seeded, revoke);
  const running = { status: 'RUNNING', tries: 1, lastFailure: 'INTERNAL', nextRetryAt: now, createdAt: ago(DAY_MS) };
  const compensation = { kind: 'COMPENSATION', ...running, firstFailedAt: ago(40 * MINUTE_MS) } as const;
  const compensationId = await insertJob(sql, seeded, compensation);
  await insertJob(sql, seeded, { createdAt: now });
  for (const minutes of [2, 3])
    await insertRow(sql, 'outbox', {
      workflowId: 'a',
      workflowType: 'scan',
      input: {},
      createdAt: ago(minutes * MINUTE_MS),
    });
  const totals = {
    openAttempts: 1,
    stuckRevokes: 2,
    oldestStuckRevokeAt: ago(40 * MINUTE_MS),
    stuckJobs: 3,
    oldestStuckJobAt: ago(HOUR_MS),
    outboxWaiting: 2,
    outboxOldestAt: ago(3 * MINUTE_MS),
  };
  expect(await at(sql, now, 0, () => getTotals(asApi(sql)))).toEqual({ at: now, ...totals });
  const count = async (ms: number) => (await at(sql, expiresAt, ms, () => getTotals(asApi(sql)))).openAttempts;
  expect([await count(-1), await count(0)]).toEqual([1, 0]);
  expect(await withoutSorting(asApi(sql), countJobs)).toEqual([
    { kind: 'COMPENSATION', status: 'RUNNING', count: 1 },
    { kind: 'LOOKUP', status: 'FAILED', count: 1 },
    { kind: 'LOOKUP', status: 'QUEUED', count: 1 },
    { kind: 'LOOKUP', status: 'RUNNING', count: 1 },
    { kind: 'REVOKE', status: 'FAILED', count: 2 },
    { kind: 'REVOKE', status: 'QUEUED', count: 1 },
  ]);
  await moveDisconnectJobToEnd(sql, compensationId, { status: 'SUCCEEDED', creatorAction: null });
  expect(await at(sql, now, 0, () => getTotals(asApi(sql)))).toMatchObject({
    ...{ stuckRevokes: 1, oldestStuckRevokeAt: ago(20 * MINUTE_MS) },
    ...{ stuckJobs: 2, oldestStuckJobAt: ago(HOUR_MS) },
  });
});

test('failures of open jobs are counted by code, until a try succeeds', async () => {
  const { sql, now } = await createDatabase();
  const seeded = await seedApp(sql);
  const fail = async (provider: 'PROVIDER_A' | 'PROVIDER_B', code: 'RATE_LIMITED' | 'INTERNAL', seconds: number) => {
    const jobId = await seedDisconnectJob(sql, seeded, { provider });
    const setback = { code, waitSeconds: 60, answer: null } as Parameters<typeof recordDisconnectSetback>[2];
    await at(sql, now, seconds * SECOND_MS, () => recordDisconnectSetback(sql, jobId, setback));
    return jobId;
  };
  await fail('PROVIDER_B', 'INTERNAL', 5);
  await fail('PROVIDER_B', 'RATE_LIMITED', 4);
  await fail('PROVIDER_B', 'RATE_LIMITED', 3);
  await fail('PROVIDER_A', 'INTERNAL', 2);
  await clearDisconnectSetback(sql, await fail('PROVIDER_A', 'RATE_LIMITED', 1));
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
  await holdDowngrades(sql, seeded.registrations.PROVIDER_C);
  await at(sql, now, 0, () => updateQuotaSpent(sql, seeded.registrations.PROVIDER_A, 60));
  const [a, b, c] = well;
  expect(await list()).toEqual([
    { ...a, spentRegistrations: 1 },
    { ...b, succeededLastHour: 1, failedLastHour: 1 },
    { ...c, doubtedRegistrations: 1 },
  ]);
  expect((await list(MINUTE_MS))[0]).toEqual(a);
});

test('credentials are listed from the first instant within the days to a week after their end', async () => {
  const { sql, now } = await createDatabase();
  const [seeded, other] = [await seedApp(sql), await seedApp(sql, { issuer: 'https://other.example' })];
  const expiresAt = new Date(now.getTime() + DAY_MS);
  const ids: string[] = [];
  const insertToken = async (openidSub: string | null) =>
    (await insertAdminToken(sql, { label: 'Operator', role: 'ADMIN', expiresAt, openidSub })).tokenId;
  ids.push((await issueKey(sql, seeded.app.appId, expiresAt)).keyId);
  ids.push(await insertToken(null));
  for (const issuerId of [seeded.issuerId, other.issuerId]) {
    await updateIssuerSecretExpiry(sql, issuerId, expiresAt);
    ids.push(issuerId);
  }
  await revokeKey(sql, (await issueKey(sql, other.app.appId, expiresAt)).keyId);
  await revokeAdminToken(sql, await insertToken(null));
  await insertToken('of a session');
  const list = (ms: number, days = 0) => at(sql, expiresAt, ms, () => listExpiring(asApi(sql), days));
  expect((await list(0)).map(({ id, expired }) => [id, expired])).toEqual(ids.sort().map((id) => [id, true]));
  expect((await list(-2 * DAY_MS, 2)).map(({ id, expired }) => [id, expired])).toEqual(ids.map((id) => [id, false]));
  expect(await list(-2 * DAY_MS - 1, 2)).toEqual([]);
  expect((await list(7 * DAY_MS - 1)).map(({ id }) => id)).toEqual(ids);
  expect((await list(7 * DAY_MS)).map(({ id }) => id)).toEqual([seeded.issuerId, other.issuerId].sort());
});

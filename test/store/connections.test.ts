import { describe, expect } from 'vitest';
import type { ConnectionStatus } from '../../src/basics/codes.ts';
import { type ConnectionId, type CorrelationId, type JobId, newId } from '../../src/basics/ids.ts';
import { findAdminConnection } from '../../src/store/connections/admin-connections.ts';
import {
  findConnectionOfReadJob,
  findConnectionOfRunningJob,
  listConnections,
  moveConnection,
  updateCapability,
  updateProfile,
  withdrawCapabilities,
} from '../../src/store/connections/connections.ts';
import { purgeContent } from '../../src/store/connections/disconnects.ts';
import { type Database, inTransaction } from '../../src/store/driver/sql.ts';
import { moveGrantToDead } from '../../src/store/grants/grant-end.ts';
import { findGrantOfConnection } from '../../src/store/grants/grants.ts';
import { insertMetricsJob, insertScan } from '../../src/store/jobs/new-reads.ts';
import { moveReadJobToEnd } from '../../src/store/jobs/read-jobs.ts';
import { moveReadJobToRunning } from '../../src/store/jobs/running-reads.ts';
import { recordReadSetback } from '../../src/store/jobs/setbacks.ts';
import { businessNow, DAY_MS, MINUTE_MS, SECOND_MS } from '../kit/clock.ts';
import { asWorker, test } from '../kit/postgres.ts';
import { at, available, type SeedConnection, seedApp, seedConnection, seedContent, seedScope } from '../kit/seed.ts';

/** Connections of one subject, of new accounts. */
async function openSubject(sql: Database) {
  const seeded = await seedApp(sql);
  const scope = seeded.newScope();
  const connect = (options: Partial<SeedConnection> = {}) => seedConnection(sql, seeded, { scope, ...options });
  const list = async () => await listConnections(sql, await seedScope(sql, seeded, scope), { limit: 9, after: null });
  const show = async (connectionId: ConnectionId) =>
    (await list()).find((one) => one.connectionId === connectionId) ?? expect.fail('It is not listed.');
  return { seeded, scope, connect, list, show };
}

describe('a subject’s connections', () => {
  test('are listed oldest first, page by page', async ({ sql }) => {
    const { seeded, scope, connect } = await openSubject(sql);
    const now = await businessNow(sql);
    const make = (ms: number) => at(sql, now, ms, () => connect());
    const [second, first, third] = [await make(2), await make(1), await make(3)];
    const scopeId = await seedScope(sql, seeded, scope);
    const list = async (after: { createdAt: Date; connectionId: ConnectionId } | null) =>
      await listConnections(sql, scopeId, { limit: 2, after });
    const page = await list(null);
    expect(page.map(({ connectionId }) => connectionId)).toEqual([first, second]);
    const rest = await list(page[1] ?? null);
    expect(rest.map(({ connectionId }) => connectionId)).toEqual([third]);
  });

  test('are READY without posts, and STALE a day after their last success', async ({ sql }) => {
    const { connect, show } = await openSubject(sql);
    const now = await businessNow(sql);
    const connectionId = await connect();
    const without = await connect({ capabilities: available('PROFILE') });
    expect(await show(connectionId)).toMatchObject({ syncStatus: 'PENDING' });
    expect(await show(without)).toMatchObject({ syncStatus: 'READY' });
    const shown = async (status: string, ms: number) => {
      await sql`
        update connection set sync_status = ${status}, last_successful_sync_at = ${now}
        where connection_id = ${connectionId}
      `;
      return await at(sql, now, ms, async () => (await show(connectionId)).syncStatus);
    };
    expect(await shown('READY', DAY_MS - 1)).toBe('READY');
    for (const status of ['READY', 'PARTIAL']) expect(await shown(status, DAY_MS)).toBe('STALE');
    for (const status of ['PENDING', 'RUNNING', 'FAILED']) expect(await shown(status, DAY_MS)).toBe(status);
  });
});

test('a connection tells since when it has its status', async ({ sql }) => {
  const { connect } = await openSubject(sql);
  const now = await businessNow(sql);
  const [own, other] = [await at(sql, now, 0, connect), await at(sql, now, 0, connect)];
  const move = (ms: number, to: ConnectionStatus) => at(sql, now, ms, () => moveConnection(sql, own, to));
  const shown = async (connectionId: ConnectionId) => {
    const found = await findAdminConnection(sql, connectionId);
    return { status: found?.status, sinceMs: Number(found?.changedAt) - now.getTime() };
  };
  expect(await move(1, 'SUSPENDED')).toBe(true);
  expect(await move(2, 'SUSPENDED')).toBe(false);
  expect(await shown(own)).toEqual({ status: 'SUSPENDED', sinceMs: 1 });
  expect(await move(3, 'DISCONNECTED')).toBe(true);
  for (const to of ['CONNECTED', 'SUSPENDED', 'RECONNECT_REQUIRED'] as const) expect(await move(4, to)).toBe(false);
  expect(await shown(own)).toEqual({ status: 'DISCONNECTED', sinceMs: 3 });
  expect(await shown(other)).toEqual({ status: 'CONNECTED', sinceMs: 0 });
});

describe('a scan of a connection', () => {
  test('shows when it is tried again, while it waits for that', async ({ sql }) => {
    const { seeded, connect, show } = await openSubject(sql);
    const [connectionId, other] = [await connect(), await connect()];
    const now = await businessNow(sql);
    const job = (of: ConnectionId) => ({
      ...{ connectionId: of, appId: seeded.app.appId, provider: 'PROVIDER_B' as const, requestedBy: 'CALLER' as const },
      correlationId: newId<CorrelationId>(),
    });
    const start = (of: ConnectionId) => insertScan(sql, { ...job(of), window: null, maxItems: 10, continues: null });
    const fail = ({ jobId }: { jobId: JobId }, waitSeconds: number) => {
      const setback = {
        type: 'RetryLater',
        code: 'PROVIDER_UNAVAILABLE',
        answer: null,
        inARow: 1,
        waitSeconds,
      } as const;
      return at(sql, now, 0, () => recordReadSetback(asWorker(sql), jobId, setback));
    };
    const shown = (ms = 0) => at(sql, now, ms, async () => (await show(connectionId)).nextRetryAt);
    const ended = await start(connectionId);
    await fail(ended, 30);
    await moveReadJobToEnd(sql, ended.jobId, { status: 'CANCELED' });
    await fail(await start(other), 40);
    await fail(await insertMetricsJob(sql, { ...job(connectionId), providerContentId: 'post-1' }), 50);
    expect(await shown()).toBeNull();
    const scan = await start(connectionId);
    expect(await shown()).toBeNull();
    await fail(scan, 60); // Before its first step.
    expect(await shown()).toEqual(new Date(now.getTime() + MINUTE_MS));
    await at(sql, now, 0, () => moveReadJobToRunning(sql, scan.jobId));
    expect(await shown()).toBeNull();
    await fail(scan, 61);
    expect(await shown()).toEqual(new Date(now.getTime() + 61 * SECOND_MS));
    expect(await shown(61 * SECOND_MS)).toBeNull();
  });

  test('is found with its connection, and for a call only while it runs', async ({ sql }) => {
    const { seeded, connect } = await openSubject(sql);
    const [connectionId, other] = [await connect(), await connect()];
    const start = (of: ConnectionId) =>
      insertScan(sql, {
        ...{ connectionId: of, appId: seeded.app.appId, provider: 'PROVIDER_B', requestedBy: 'CALLER' },
        ...{ correlationId: newId<CorrelationId>(), window: null, maxItems: 10, continues: null },
      });
    const [{ jobId }, others] = [await start(connectionId), await start(other)];
    await moveReadJobToRunning(sql, others.jobId);
    expect(await findConnectionOfReadJob(sql, jobId)).toMatchObject({ connectionId });
    expect(await findConnectionOfRunningJob(sql, jobId)).toBeUndefined();
    await moveReadJobToRunning(sql, jobId);
    expect(await findConnectionOfRunningJob(sql, jobId)).toMatchObject({ connectionId });
    expect(await findConnectionOfRunningJob(sql, others.jobId)).toMatchObject({ connectionId: other });
  });
});

describe('what a grant showed', () => {
  const PROFILE = { displayName: 'New', handle: 'new', avatarUrl: null, profileUrl: null, description: null };

  test('is shown for 30 days', async ({ sql }) => {
    const { connect, show } = await openSubject(sql);
    const now = await businessNow(sql);
    const connectionId = await connect();
    await at(sql, now, 0, () => updateProfile(asWorker(sql), connectionId, PROFILE));
    const shown = (ms: number) => at(sql, now, ms, async () => (await show(connectionId)).profile);
    expect(await shown(30 * DAY_MS - 1)).toEqual(PROFILE);
    expect(await shown(30 * DAY_MS)).toBeNull();
  });

  test('is stored as the profile of a connection in use, of one on hold, and of one to reconnect', async ({ sql }) => {
    const { connect, list } = await openSubject(sql);
    const statuses = ['CONNECTED', 'SUSPENDED', 'RECONNECT_REQUIRED', 'DISCONNECTED', 'DELETING'] as const;
    for (const status of statuses) await updateProfile(asWorker(sql), await connect({ status }), PROFILE);
    await connect();
    expect(new Map((await list()).map((one) => [one.status, one.profile?.displayName]).slice(0, -1) as never)).toEqual(
      new Map([
        ['CONNECTED', 'New'],
        ['SUSPENDED', 'New'],
        ['RECONNECT_REQUIRED', 'New'],
        ['DISCONNECTED', 'Harbour'],
        ['DELETING', 'Harbour'],
      ]),
    );
    expect((await list()).at(-1)?.profile?.displayName).toBe('Harbour');
  });

  test('changes the capability of its own connection, and no other', async ({ sql }) => {
    const { connect, show } = await openSubject(sql);
    const capabilities = available('PROFILE', 'CONTENT_LIST');
    const [own, other] = [await connect({ capabilities }), await connect({ capabilities })];
    const grant = (await findGrantOfConnection(sql, own)) ?? expect.fail('There is no grant.');
    const state = { capability: 'CONTENT_LIST', availability: 'UNAVAILABLE', reason: 'NO_CHANNEL' } as const;
    await updateCapability(asWorker(sql), grant.grantId, state as never);
    expect((await show(own)).capabilities).toEqual([capabilities[0], state]);
    await withdrawCapabilities(asWorker(sql), grant.grantId, ['PROFILE', 'CONTENT_LIST']);
    expect((await show(own)).capabilities).toEqual([
      { capability: 'PROFILE', availability: 'NOT_GRANTED', reason: 'PERMISSION_WITHDRAWN' },
      state,
    ]);
    expect((await show(other)).capabilities).toEqual(capabilities);
    await sql`update account_grant set status = 'PENDING', connection_id = null where grant_id = ${grant.grantId}`;
    await updateCapability(asWorker(sql), grant.grantId, { ...state, reason: null } as never);
    expect((await show(own)).capabilities[1]).toEqual(state);
  });

  test('changes nothing once the grant has ended', async ({ sql }) => {
    const { connect, show } = await openSubject(sql);
    const capabilities = available('PROFILE', 'CONTENT_LIST');
    const connectionId = await connect({ capabilities });
    const { grantId } = (await findGrantOfConnection(sql, connectionId)) ?? expect.fail('There is no grant.');
    await inTransaction(sql, (tx) => moveGrantToDead(tx, grantId));
    const state = { capability: 'CONTENT_LIST', availability: 'UNAVAILABLE', reason: 'NO_CHANNEL' } as const;
    await updateCapability(asWorker(sql), grantId, state);
    await withdrawCapabilities(asWorker(sql), grantId, ['PROFILE', 'CONTENT_LIST']);
    expect((await show(connectionId)).capabilities).toEqual(capabilities);
  });
});

describe('a purge', () => {
  test('deletes what was read from a disconnected account, and from no other', async ({ sql }) => {
    const { connect } = await openSubject(sql);
    const left = async (status: 'CONNECTED' | 'DISCONNECTED' | 'DELETING') => {
      const connectionId = await connect({ status });
      await seedContent(sql, connectionId, { publishedAt: new Date() });
      await purgeContent(asWorker(sql), connectionId);
      const [row] = await sql`
        select (select count(*)::int from content_item i where i.connection_id = c.connection_id) as posts,
          profile ->> 'handle' as handle, profile_observed_at is not null as is_observed
        from connection c where connection_id = ${connectionId}
      `;
      return row;
    };
    const all = { posts: 1, handle: 'harbour', isObserved: true };
    const nothing = { posts: 0, handle: null, isObserved: false };
    expect(await left('CONNECTED')).toEqual(all);
    expect(await left('DISCONNECTED')).toEqual(nothing);
    expect(await left('DELETING')).toEqual(nothing);
  });
});

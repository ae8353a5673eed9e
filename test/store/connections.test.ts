import { describe, expect } from 'vitest';
import type { ConnectionId } from '../../src/basics/ids.ts';
import {
  listConnections,
  updateCapability,
  updateProfile,
  withdrawCapabilities,
} from '../../src/store/connections/connections.ts';
import { purgeContent } from '../../src/store/connections/disconnects.ts';
import { postponeUpkeep, takeDueUpkeep } from '../../src/store/connections/upkeep.ts';
import { type Database, inTransaction } from '../../src/store/driver/sql.ts';
import { findGrantOfConnection } from '../../src/store/grants/grants.ts';
import { businessNow, DAY_MS, HOUR_MS, MINUTE_MS } from '../kit/clock.ts';
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

describe('what a grant showed', () => {
  const PROFILE = { displayName: 'New', handle: 'new', avatarUrl: null, profileUrl: null, description: null };

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

describe('upkeep that is taken', () => {
  test('is due, of a connection in use, and not due again for an hour', async ({ sql }) => {
    const { seeded, connect } = await openSubject(sql);
    const now = await businessNow(sql);
    const [own, other, held] = [await connect(), await connect(), await connect({ status: 'SUSPENDED' })];
    await at(sql, now, 0, async () => {
      for (const id of [own, held]) await postponeUpkeep(asWorker(sql), id, 60);
      await postponeUpkeep(asWorker(sql), other, 61);
    });
    const rows = [own, other, held].map((id) => ({ id, dueAt: now }));
    const take = (ms: number) => at(sql, now, ms, () => inTransaction(asWorker(sql), (tx) => takeDueUpkeep(tx, rows)));
    const due = { connectionId: own, appId: seeded.app.appId, provider: 'PROVIDER_B', isUrgent: false };
    expect(await take(MINUTE_MS - 1)).toEqual([]);
    expect(await take(MINUTE_MS)).toEqual([due]);
    expect(await take(MINUTE_MS + 1000)).toEqual([{ ...due, connectionId: other }]);
    expect(await take(MINUTE_MS + HOUR_MS - 1)).toEqual([]);
    expect(await take(MINUTE_MS + HOUR_MS)).toEqual([due]);
  });

  test('is urgent if a profile is 28 days old, or a grant expires within seven days', async ({ sql }) => {
    const { connect } = await openSubject(sql);
    const now = await businessNow(sql);
    const isUrgent = async (profileAgeMs: number | null, expiresInMs: number | null) => {
      const connectionId = await connect();
      await sql`
        update connection set profile = ${profileAgeMs === null ? null : sql`profile`},
          profile_observed_at = ${new Date(now.getTime() - (profileAgeMs ?? 90 * DAY_MS))}
        where connection_id = ${connectionId}
      `;
      await sql`
        update account_grant set refresh_expires_at = ${expiresInMs === null ? null : new Date(now.getTime() + expiresInMs)}
        where connection_id = ${connectionId}
      `;
      await at(sql, now, -MINUTE_MS, () => postponeUpkeep(sql, connectionId, 60));
      const rows = [{ id: connectionId, dueAt: now }];
      const [taken] = await at(sql, now, 0, () => inTransaction(asWorker(sql), (tx) => takeDueUpkeep(tx, rows)));
      return taken?.isUrgent;
    };
    expect(await isUrgent(28 * DAY_MS, null)).toBe(true);
    expect(await isUrgent(28 * DAY_MS - 1, null)).toBe(false);
    expect(await isUrgent(null, null)).toBe(false);
    expect(await isUrgent(0, 7 * DAY_MS)).toBe(true);
    expect(await isUrgent(0, 7 * DAY_MS + 1)).toBe(false);
  });
});

import { describe, expect } from 'vitest';
import type { ConnectionId } from '../../src/basics/ids.ts';
import { moveConnection } from '../../src/store/connections/connections.ts';
import { postponeUpkeep, takeDueUpkeep } from '../../src/store/connections/upkeep.ts';
import { type Database, inTransaction } from '../../src/store/driver/sql.ts';
import { moveGrantToDead } from '../../src/store/grants/grant-end.ts';
import { findGrantOfConnection } from '../../src/store/grants/grants.ts';
import { businessNow, DAY_MS, HOUR_MS, MINUTE_MS } from '../kit/clock.ts';
import { asWorker, test } from '../kit/postgres.ts';
import { at, type SeedConnection, seedApp, seedConnection } from '../kit/seed.ts';

/** Connections of one app, and a clock that stands at `now`, or so much later. */
async function openApp(sql: Database) {
  const seeded = await seedApp(sql);
  const connect = (options: Partial<SeedConnection> = {}) =>
    seedConnection(sql, seeded, { scope: seeded.newScope(), ...options });
  const now = await businessNow(sql);
  const read = async (connectionId: ConnectionId) => {
    const [row] = await sql`
      select upkeep_due_at, upkeep_failing_since from connection where connection_id = ${connectionId}
    `;
    const since = (instant: Date | null) => instant && instant.getTime() - now.getTime();
    return { dueMs: since(row?.upkeepDueAt), failingSinceMs: since(row?.upkeepFailingSince) };
  };
  /** Gives the connection a grant that expires so much later. */
  const expire = (connectionId: ConnectionId, ms: number) => sql`
    update account_grant set refresh_expires_at = ${new Date(now.getTime() + ms)} where connection_id = ${connectionId}
  `;
  /** Ends the grant of a connection that stays in use. */
  const endGrant = async (connectionId: ConnectionId) => {
    const grant = (await findGrantOfConnection(sql, connectionId)) ?? expect.fail('There is no grant.');
    await inTransaction(sql, (tx) => moveGrantToDead(tx, grant.grantId));
    await moveConnection(sql, connectionId, 'CONNECTED');
  };
  return { seeded, connect, now, read, expire, endGrant };
}

describe('upkeep that is taken', () => {
  test('is due, of a connection in use, and not due again for an hour', async ({ sql }) => {
    const { seeded, connect, now, read } = await openApp(sql);
    const [own, other, held] = [await connect(), await connect(), await connect({ status: 'SUSPENDED' })];
    await at(sql, now, 0, async () => {
      for (const id of [own, held]) await postponeUpkeep(asWorker(sql), id, 60);
      await postponeUpkeep(asWorker(sql), other, 61, { hasFailed: false });
    });
    const unasked = await connect();
    await at(sql, now, 0, () => postponeUpkeep(sql, unasked, 60));
    const rows = [own, other, held].map((id) => ({ id, dueAt: now }));
    const take = (ms: number) => at(sql, now, ms, () => inTransaction(asWorker(sql), (tx) => takeDueUpkeep(tx, rows)));
    const due = { connectionId: own, appId: seeded.app.appId, provider: 'PROVIDER_B', isUrgent: false };
    expect(await take(MINUTE_MS - 1)).toEqual([]);
    expect(await take(MINUTE_MS)).toEqual([due]);
    expect(await take(MINUTE_MS + 1000)).toEqual([{ ...due, connectionId: other }]);
    expect(await take(MINUTE_MS + HOUR_MS - 1)).toEqual([]);
    expect(await take(MINUTE_MS + HOUR_MS)).toEqual([due]);
    // It counts as failing until it succeeds.
    expect(await read(own)).toEqual({ dueMs: MINUTE_MS + 2 * HOUR_MS, failingSinceMs: 0 });
    expect(await read(other)).toMatchObject({ failingSinceMs: MINUTE_MS + 1000 });
    expect(await read(unasked)).toEqual({ dueMs: MINUTE_MS, failingSinceMs: 0 });
  });

  test('is urgent if a profile is 28 days old, or a grant expires within seven days', async ({ sql }) => {
    const { connect, now, expire, endGrant } = await openApp(sql);
    const isUrgent = async (profileAgeMs: number | null, expiresInMs: number | null, hasEnded = false) => {
      const connectionId = await connect();
      await sql`
        update connection set profile = ${profileAgeMs === null ? null : sql`profile`},
          profile_observed_at = ${new Date(now.getTime() - (profileAgeMs ?? 90 * DAY_MS))}
        where connection_id = ${connectionId}
      `;
      if (expiresInMs !== null) await expire(connectionId, expiresInMs);
      if (hasEnded) await endGrant(connectionId);
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
    expect(await isUrgent(0, 7 * DAY_MS, true)).toBe(false);
  });
});

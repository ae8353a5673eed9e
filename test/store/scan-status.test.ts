import { describe, expect } from 'vitest';
import type { ConnectionId } from '../../src/basics/ids.ts';
import { findConnection } from '../../src/store/connections/connections.ts';
import { type Database, inTransaction } from '../../src/store/driver/sql.ts';
import type { ReadJob } from '../../src/store/jobs/read-jobs.ts';
import { cancelSync, moveSyncToEnd, moveSyncToPending, moveSyncToRunning } from '../../src/store/jobs/scans.ts';
import { businessNow, HOUR_MS, MINUTE_MS } from '../kit/clock.ts';
import { asApi, asWorker, test } from '../kit/postgres.ts';
import { at, type SeedConnection, seedApp, seedConnection } from '../kit/seed.ts';

/** Connections of one app, and what each shows of its scans. */
async function openApp(sql: Database) {
  const seeded = await seedApp(sql);
  const connect = (options: Partial<SeedConnection> = {}) =>
    seedConnection(sql, seeded, { scope: seeded.newScope(), ...options });
  const now = await businessNow(sql);
  const from = (ms: number) => new Date(now.getTime() + ms);
  const later = <T>(ms: number, work: () => Promise<T>) => at(sql, now, ms, work);
  const run = (connectionId: ConnectionId) => moveSyncToRunning(asWorker(sql), { connectionId } as ReadJob);
  const end = (connectionId: ConnectionId, to: 'READY' | 'PARTIAL' | 'FAILED', chainStartedAt: Date | null = now) =>
    moveSyncToEnd(asWorker(sql), { connectionId, chainStartedAt }, to);
  const shown = (connectionId: ConnectionId) =>
    later(0, async () => {
      const found = await findConnection(sql, connectionId);
      return [found?.syncStatus, found?.lastSuccessfulSyncAt];
    });
  return { connect, now, from, later, run, end, shown };
}

describe('the scan of a connection', () => {
  test('is shown as running, of one that is not disconnected', async ({ sql }) => {
    const { connect, run, shown } = await openApp(sql);
    const other = await connect();
    for (const [status, expected] of [
      ['CONNECTED', 'RUNNING'],
      ['SUSPENDED', 'RUNNING'],
      ['RECONNECT_REQUIRED', 'RUNNING'],
      ['DISCONNECTED', 'PENDING'],
      ['DELETING', 'PENDING'],
    ] as const) {
      const connectionId = await connect({ status });
      await run(connectionId);
      expect(await shown(connectionId), status).toEqual([expected, null]);
    }
    expect(await shown(other)).toEqual(['PENDING', null]);
  });

  test('is canceled by a disconnect while it runs, and no other', async ({ sql }) => {
    const { connect, now, run, end, shown } = await openApp(sql);
    const [running, ready, other] = [await connect(), await connect(), await connect()];
    for (const id of [running, ready, other]) await run(id);
    await end(ready, 'READY');
    for (const id of [running, ready]) await inTransaction(asApi(sql), (tx) => cancelSync(tx, id));
    expect(await shown(running)).toEqual(['FAILED', null]);
    expect(await shown(ready)).toEqual(['READY', now]);
    expect(await shown(other)).toEqual(['RUNNING', null]);
  });

  test('that failed is shown as pending once the connection is back', async ({ sql }) => {
    const { connect, now, run, end, shown } = await openApp(sql);
    const [failed, ready] = [await connect(), await connect()];
    for (const id of [failed, ready]) await run(id);
    await end(failed, 'FAILED');
    await end(ready, 'READY');
    for (const id of [failed, ready]) await moveSyncToPending(asWorker(sql), id);
    expect(await shown(failed)).toEqual(['PENDING', null]);
    expect(await shown(ready)).toEqual(['READY', now]);
  });

  test('moves the last success to its beginning, never back, but by a clock that was set back', async ({ sql }) => {
    const { connect, now, from, later, run, end, shown } = await openApp(sql);
    const [own, other] = [await connect(), await connect()];
    const finish = (to: 'READY' | 'PARTIAL' | 'FAILED', startedMs: number) =>
      later(0, async () => {
        await run(own);
        await end(own, to, from(startedMs));
      });
    await finish('READY', -HOUR_MS);
    expect(await shown(own)).toEqual(['READY', from(-HOUR_MS)]);
    for (const to of ['PARTIAL', 'FAILED'] as const) {
      await finish(to, -MINUTE_MS);
      expect(await shown(own)).toEqual([to, from(-HOUR_MS)]);
    }
    await finish('READY', -2 * HOUR_MS); // Its chain began before the other one.
    expect(await shown(own)).toEqual(['READY', from(-HOUR_MS)]);
    await finish('READY', 5 * MINUTE_MS);
    await finish('READY', 0);
    expect(await shown(own)).toEqual(['READY', from(5 * MINUTE_MS)]);
    await finish('READY', 5 * MINUTE_MS + 1);
    await finish('READY', 0);
    expect(await shown(own)).toEqual(['READY', now]);
    expect(await shown(other)).toEqual(['PENDING', null]);
  });
});

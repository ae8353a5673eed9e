import { randomUUID } from 'node:crypto';
import { expect, onTestFinished } from 'vitest';
import type { ProviderName } from '../../src/basics/codes.ts';
import { type BulkDisconnectId, type ConnectionId, type CorrelationId, newId } from '../../src/basics/ids.ts';
import { type Database, inTransaction, type Transaction } from '../../src/store/driver/sql.ts';
import {
  type BulkTarget,
  countLiveConnections,
  findBulkDisconnect,
  finishBulkDisconnect,
  insertBulkDisconnect,
  listBulkDisconnects,
  listConnectionsOfScope,
  listLiveConnections,
} from '../../src/store/jobs/bulk-disconnects.ts';
import { businessNow, HOUR_MS, MINUTE_MS } from '../kit/clock.ts';
import { createTestDatabase, test } from '../kit/postgres.ts';
import { at, type SeedConnection, type SeededApp, seedApp, seedConnection, seedScope } from '../kit/seed.ts';
import { insertJob } from '../kit/seed-jobs.ts';

const insert = (sql: Database, target: BulkTarget) =>
  inTransaction(sql, (tx) => insertBulkDisconnect(tx, target, 7, newId<CorrelationId>()));
const tenantOf = ({ app, tenantKey }: SeededApp) => ({ appId: app.appId, tenantKey });

test('a bulk disconnect counts its own open erases and failed revokes', async ({ sql }) => {
  const [seeded, other] = [await seedApp(sql, { name: 'Quay' }), await seedApp(sql, { name: 'Pier' })];
  const now = await businessNow(sql);
  const jobs: readonly [SeededApp, string, string, number][] = [
    [seeded, 'ERASE', 'QUEUED', 1],
    [seeded, 'ERASE', 'RUNNING', 2],
    [seeded, 'ERASE', 'SUCCEEDED', 4],
    [seeded, 'ERASE', 'FAILED', 1],
    [seeded, 'REVOKE', 'FAILED', 2],
    [seeded, 'REVOKE', 'RUNNING', 5],
    [seeded, 'REVOKE', 'SUCCEEDED', 1],
    [other, 'ERASE', 'QUEUED', 7],
    [other, 'REVOKE', 'FAILED', 8],
  ];
  const own = await insert(sql, tenantOf(seeded));
  const foreign = await insert(sql, tenantOf(other));
  for (const [app, kind, status, count] of jobs)
    for (let n = 0; n < count; n += 1)
      await insertJob(sql, app, {
        ...{ kind: kind as 'ERASE', status, connectionId: randomUUID() },
        bulkDisconnectId: (app === seeded ? own : foreign).bulkDisconnectId,
        finishedAt: status === 'QUEUED' || status === 'RUNNING' ? null : now,
      });
  const find = ({ bulkDisconnectId }: typeof own) => findBulkDisconnect(sql, bulkDisconnectId);
  const base = { registrationId: null, total: 7, disconnected: 0, finishedAt: null };
  const isOwn = { ...base, ...tenantOf(seeded), appName: 'Quay', unsettled: 3, revokesFailed: 2 };
  expect(await find(own)).toMatchObject(isOwn);
  expect(await find(foreign)).toMatchObject({ ...base, ...tenantOf(other), unsettled: 7, revokesFailed: 8 });
});

test('the same connections have one bulk disconnect in progress', async ({ sql }) => {
  const [seeded, other] = [await seedApp(sql, { tenantKey: 'one' }), await seedApp(sql, { tenantKey: 'one' })];
  await sql`insert into tenant (app_id, tenant_key) values (${seeded.app.appId}, 'two')`;
  const targets: readonly BulkTarget[] = [
    { registrationId: seeded.registrations.PROVIDER_A },
    { appId: other.app.appId, tenantKey: 'one' },
    { appId: seeded.app.appId, tenantKey: 'two' },
    { registrationId: seeded.registrations.PROVIDER_B },
    { appId: seeded.app.appId, tenantKey: 'one' },
  ];
  const now = await businessNow(sql);
  for (const target of targets) {
    const { bulkDisconnectId, isNew } = await insert(sql, target);
    expect(isNew).toBe(true);
    await at(sql, now, 0, () => finishBulkDisconnect(sql, bulkDisconnectId));
    await at(sql, now, HOUR_MS, () => finishBulkDisconnect(sql, bulkDisconnectId));
    expect((await findBulkDisconnect(sql, bulkDisconnectId))?.finishedAt).toEqual(now);
  }
  const begun = [];
  for (const target of targets) begun.push(await insert(sql, target));
  expect(begun.map(({ isNew }) => isNew)).toEqual(targets.map(() => true));
  const again = [];
  for (const target of targets) again.push(await insert(sql, target));
  expect(again).toEqual(begun.map(({ bulkDisconnectId }) => ({ bulkDisconnectId, isNew: false })));
});

test('the newest 50 are listed, newest first, then by id', async () => {
  const { sql, drop } = await createTestDatabase(); // It lists those of everybody.
  onTestFinished(drop);
  const seeded = await seedApp(sql);
  const now = await businessNow(sql);
  const ids = Array.from({ length: 54 }, () => newId<BulkDisconnectId>()).sort();
  // Three of each minute.
  for (const [place, id] of [...ids.entries()].toReversed())
    await sql`
      insert into bulk_disconnect (bulk_disconnect_id, app_id, tenant_key, total, correlation_id, started_at, finished_at)
      values (${id}, ${seeded.app.appId}, ${seeded.tenantKey}, 1, ${randomUUID()},
        ${new Date(now.getTime() - (place % 18) * MINUTE_MS)}, ${now})
    `;
  const listed = (await listBulkDisconnects(sql)).map(({ bulkDisconnectId }) => ids.indexOf(bulkDisconnectId));
  const wanted = Array.from({ length: 18 }, (_, place) => [place, place + 18, place + 36]).flat();
  expect(listed).toEqual(wanted.slice(0, 50));
});

test('the connections of a target or a person are listed in the order in which they were made', async ({ sql }) => {
  const [seeded, other] = [await seedApp(sql), await seedApp(sql)];
  const scope = seeded.newScope();
  const now = await businessNow(sql);
  const make = async (minutesAgo: number, options: Partial<SeedConnection> = {}, app = seeded) => {
    const id = await seedConnection(sql, app, { scope: app.newScope(), ...options });
    const createdAt = new Date(now.getTime() - minutesAgo * MINUTE_MS);
    await sql`update connection set created_at = ${createdAt} where connection_id = ${id}`;
    return id;
  };
  const atA = { provider: 'PROVIDER_A' as ProviderName };
  const newest = await make(1, { scope });
  const middle = await make(5, { ...atA, scope, status: 'RECONNECT_REQUIRED' });
  const twins = [await make(9, { scope }), await make(9, { scope }), await make(9, { scope })].sort();
  const ended = await make(20, { scope, status: 'DISCONNECTED' });
  const deleting = await make(21, { ...atA, scope, status: 'DELETING' });
  const suspended = await make(12, { ...atA, status: 'SUSPENDED' });
  await make(11, atA, other);
  const target = tenantOf(seeded);
  const idsOf = (found: readonly { connectionId: ConnectionId }[]) => found.map(({ connectionId }) => connectionId);
  /** Without an index, whose order could hide that of the query. */
  const withoutIndex = <T>(read: (tx: Transaction) => Promise<T>) =>
    inTransaction(sql, async (tx) => {
      await tx`set local enable_indexscan = off`;
      await tx`set local enable_bitmapscan = off`;
      return await read(tx);
    });
  const list = async (of: BulkTarget, limit: number) =>
    idsOf(await withoutIndex((tx) => listLiveConnections(tx, of, limit)));
  const live = [suspended, ...twins, middle, newest];
  expect(await list(target, 10)).toEqual(live);
  expect(await list(target, 3)).toEqual(live.slice(0, 3));
  expect(await countLiveConnections(sql, target)).toBe(6);
  expect(await list({ registrationId: seeded.registrations.PROVIDER_A }, 10)).toEqual([suspended, middle]);
  const scopeId = await seedScope(sql, seeded, scope);
  const ofPerson = await withoutIndex((tx) => listConnectionsOfScope(tx, scopeId));
  expect(idsOf(ofPerson)).toEqual([deleting, ended, ...twins, middle, newest]);
});

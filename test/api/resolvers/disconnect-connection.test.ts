import { randomBytes, randomUUID } from 'node:crypto';
import postgres from 'postgres';
import { describe, expect, vi } from 'vitest';
import type { ConnectionId } from '../../../src/basics/ids.ts';
import { settleWindow } from '../../../src/domain/reading/settle-window.ts';
import type { Content } from '../../../src/providers/provider.ts';
import { moveConnection } from '../../../src/store/connections/connections.ts';
import type { Database, Transaction } from '../../../src/store/driver/sql.ts';
import { moveReadJobToRunning } from '../../../src/store/jobs/running-reads.ts';
import { insertPage, moveSyncToRunning } from '../../../src/store/jobs/scans.ts';
import { lockExistingScope } from '../../../src/store/scopes.ts';
import { beside } from '../../kit/beside.ts';
import { callerOf, createDeps } from '../../kit/caller.ts';
import { PERMIT } from '../../kit/permit.ts';
import { test } from '../../kit/postgres.ts';
import { seedApp, seedConnection } from '../../kit/seed.ts';

async function start(sql: Database, options: { suspendSiblings?: boolean } = {}) {
  const seeded = await seedApp(sql);
  const kit = await createDeps(sql, options);
  const call = callerOf(kit, seeded);
  const scope = seeded.newScope();
  const disconnect = (connectionId: string) => call('disconnectConnection', { scope, connectionId });
  return { seeded, kit, call, scope, disconnect };
}

const statusOf = async (sql: Database, connectionId: ConnectionId) => {
  const [row] = await sql`select status from connection where connection_id = ${connectionId}`;
  return row?.status;
};

describe('disconnectConnection against a worker', () => {
  test('shows no running scan afterwards, even if one starts late', async ({ sql }) => {
    const { seeded, scope, call, disconnect } = await start(sql);
    const connectionId = await seedConnection(sql, seeded, { scope });
    const { id } = await call('requestRefresh', { scope, connectionId });
    const job = await moveReadJobToRunning(sql, id);
    if (!job) throw new Error('The scan did not start.');
    const syncStatus = async () => (await call('connection', { scope, id: connectionId })).syncStatus;
    await moveSyncToRunning(sql, job);
    expect(await syncStatus()).toBe('RUNNING');
    await disconnect(connectionId);
    expect(await syncStatus()).toBe('FAILED');
    await moveSyncToRunning(sql, job);
    expect(await syncStatus()).toBe('FAILED');
  });

  test('completes while a page of a scan is being stored', async ({ sql }) => {
    const { seeded, scope, call, disconnect } = await start(sql);
    const connectionId = await seedConnection(sql, seeded, { scope });
    const { id } = await call('requestRefresh', { scope, connectionId });
    const job = await moveReadJobToRunning(sql, id);
    if (!job) throw new Error('The scan did not start.');
    const waiting = async () => {
      const [row] = await sql`
        select count(*)::int as count from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'
      `;
      return row?.count;
    };
    const outcomes = await sql.begin(async (tx) => {
      await tx`select from connection where connection_id = ${connectionId} for update`;
      const disconnected = disconnect(connectionId);
      await vi.waitUntil(async () => (await waiting()) === 1);
      const items = [aPost()];
      const read = { window: settleWindow(job, new Date()), page: { items, cursor: null, reachedEnd: true } };
      const stored = insertPage(sql, job, read, { withMetrics: false, permit: async () => PERMIT });
      await vi.waitUntil(async () => (await waiting()) === 2);
      return { disconnected, stored };
    });
    expect(await outcomes.disconnected).toMatchObject({ accepted: true });
    await outcomes.stored;
    expect(await call('syncJob', { scope, connectionId, id })).toMatchObject({ status: 'CANCELED' });
  });
});

test('disconnectConnection leaves no job or renewal behind that was requested at the same time', async ({
  database,
}) => {
  const { sql } = database;
  const { seeded, scope, call, disconnect } = await start(sql);
  for (let round = 0; round < 5; round += 1) {
    const connectionId = await seedConnection(sql, seeded, { scope });
    const input = { scope, provider: 'PROVIDER_B', capabilities: ['PROFILE'], returnUrl: seeded.returnUrl };
    const asks = [
      () => call('requestRefresh', { scope, connectionId }),
      () => call('requestContentLookup', { scope, connectionId, url: `https://platform.example/${randomUUID()}` }),
      () => call('createConnectSession', { input: { ...input, reconnectConnectionId: connectionId } }),
    ];
    const answers = [...asks, () => disconnect(connectionId), ...asks].map((ask) => ask());
    for (const [index, outcome] of (await Promise.allSettled(answers)).entries()) {
      if (index === asks.length) expect(outcome.status).toBe('fulfilled');
      else if (outcome.status === 'rejected') expect(outcome.reason.code).toBe('DISCONNECT_IN_PROGRESS');
    }
    const open = ['QUEUED', 'RUNNING', 'CREATED'];
    expect(await sql`select from read_job where connection_id = ${connectionId} and status = any(${open})`).toEqual([]);
    const renewals = sql`select from connect_attempt where reconnect_connection_id = ${connectionId} and status = any(${open})`;
    expect(await renewals).toEqual([]);
  }
});

const aPost = (): Content => ({
  providerContentId: randomUUID(),
  kind: 'VIDEO',
  canonicalUrl: null,
  thumbnailUrl: null,
  title: null,
  description: null,
  publishedAt: new Date(),
  metrics: [],
});

describe('disconnectConnection with suspended siblings', () => {
  test('suspends those of the same principal also in another app, and none again that was verified meanwhile', async ({
    sql,
  }) => {
    const { seeded, scope, disconnect } = await start(sql, { suspendSiblings: true });
    const elsewhere = await seedApp(sql);
    const principalMac = randomBytes(32);
    const leaving = await seedConnection(sql, seeded, { scope, principalMac });
    const samePrincipal = await seedConnection(sql, elsewhere, { scope: elsewhere.newScope(), principalMac });
    const other = await seedConnection(sql, elsewhere, { scope: elsewhere.newScope() });
    await disconnect(leaving);
    expect([await statusOf(sql, samePrincipal), await statusOf(sql, other)]).toEqual(['SUSPENDED', 'CONNECTED']);
    await sql`update connection set status = 'CONNECTED' where connection_id = ${samePrincipal}`;
    await disconnect(leaving);
    expect(await statusOf(sql, samePrincipal)).toBe('CONNECTED');
  });

  test('waits for its scope before it locks the principal, and suspends a connection that an attempt creates meanwhile', async ({
    sql,
  }) => {
    const { seeded, scope, disconnect } = await start(sql, { suspendSiblings: true });
    const principalMac = randomBytes(32);
    const leaving = await seedConnection(sql, seeded, { scope, principalMac });
    const returning = await seedConnection(sql, seeded, { scope, principalMac, status: 'RECONNECT_REQUIRED' });
    // As the completion of an attempt: the scope, the principal, then the connection.
    const lockScope = (tx: Transaction) => lockExistingScope(tx, seeded.app.appId, scope);
    const complete = async (tx: Transaction) => {
      const key = `principal:${principalMac.toString('hex')}`;
      const [row] = await tx`select pg_try_advisory_xact_lock(hashtextextended(${key}, 0)) as is_free`;
      expect(row).toEqual({ isFree: true });
      await moveConnection(tx, returning, 'CONNECTED');
    };
    const { waited, result } = await beside(sql, lockScope, () => disconnect(leaving), complete);
    expect([waited, result.accepted]).toEqual([true, true]);
    expect([await statusOf(sql, leaving), await statusOf(sql, returning)]).toEqual(['DISCONNECTED', 'SUSPENDED']);
  });

  test('cuts access although a login of accounts_readonly holds the lock of the account', async ({
    database: { sql, url },
  }) => {
    const { seeded, scope, disconnect } = await start(sql, { suspendSiblings: true });
    const principalMac = randomBytes(32);
    const leaving = await seedConnection(sql, seeded, { scope, principalMac });
    const samePrincipal = await seedConnection(sql, seeded, { scope: seeded.newScope(), principalMac });
    const other = await seedConnection(sql, seeded, { scope: seeded.newScope() });
    const reader = postgres(url, { max: 1, onnotice: () => undefined });
    try {
      await reader`set role accounts_readonly`;
      const key = `principal:${principalMac.toString('hex')}`;
      await reader`select pg_advisory_lock(hashtextextended(${key}, 0))`;
      expect(await disconnect(leaving)).toMatchObject({ accepted: true });
      expect(await statusOf(sql, leaving)).toBe('DISCONNECTED');
      expect(await statusOf(sql, samePrincipal)).toBe('SUSPENDED');
      expect(await statusOf(sql, other)).toBe('CONNECTED');
    } finally {
      await reader.end();
    }
  });

  test('lets two connections that suspend each other disconnect at the same time', async ({ sql }) => {
    const kit = await createDeps(sql, { suspendSiblings: true });
    const seeded = await seedApp(sql);
    const call = callerOf(kit, seeded);
    for (let round = 0; round < 10; round += 1) {
      const principalMac = randomBytes(32);
      const scopes = Array.from({ length: 4 }, () => seeded.newScope());
      const connections = await Promise.all(
        [...scopes, ...scopes].map(async (scope) => ({
          scope,
          id: await seedConnection(sql, seeded, { scope, principalMac }),
        })),
      );
      await Promise.all(connections.map(({ scope, id }) => call('disconnectConnection', { scope, connectionId: id })));
      for (const { id } of connections) expect(await statusOf(sql, id)).toBe('DISCONNECTED');
    }
  });
});

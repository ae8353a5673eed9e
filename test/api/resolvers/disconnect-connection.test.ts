import { randomBytes, randomUUID } from 'node:crypto';
import postgres from 'postgres';
import { describe, expect, vi } from 'vitest';
import type { ConnectionId } from '../../../src/basics/ids.ts';
import { settleWindow } from '../../../src/domain/reading/settle-window.ts';
import type { Content } from '../../../src/providers/provider.ts';
import type { Database } from '../../../src/store/driver/sql.ts';
import { moveReadJobToRunning } from '../../../src/store/jobs/read-jobs.ts';
import { insertPage, moveSyncToRunning } from '../../../src/store/jobs/scans.ts';
import { callerOf, createDeps, refusalOf } from '../../kit/caller.ts';
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

describe('disconnectConnection', () => {
  test('ends access at once, and creates two receipts and a dispatch', async ({ sql }) => {
    const { seeded, kit, call, scope, disconnect } = await start(sql);
    const connectionId = await seedConnection(sql, seeded, { scope });
    const refresh = await call('requestRefresh', { scope, connectionId });
    const input = { scope, provider: 'PROVIDER_B', capabilities: ['PROFILE'], returnUrl: seeded.returnUrl };
    const renewal = await call('createConnectSession', { input: { ...input, reconnectConnectionId: connectionId } });
    const requestsBefore = kit.deliveryRequests();

    const result = await disconnect(connectionId);
    expect(result).toMatchObject({ accepted: true, connectionId, upstreamRevocationPending: true });
    expect(result.revokeJobId).not.toBe(result.eraseJobId);
    expect(await call('connection', { scope, id: connectionId })).toMatchObject({
      status: 'DISCONNECTED',
      profile: null,
    });
    expect((await refusalOf(call('requestRefresh', { scope, connectionId }))).code).toBe('DISCONNECT_IN_PROGRESS');
    expect(await call('syncJob', { scope, connectionId, id: refresh.id })).toMatchObject({
      status: 'CANCELED',
      errorCode: 'CONNECTION_DISCONNECTED',
    });
    expect(await call('connectSessionResult', { scope, id: renewal.id })).toMatchObject({
      status: 'CANCELED',
      resultCode: 'CANCELED',
    });
    for (const id of [result.revokeJobId, result.eraseJobId]) {
      expect(await call('syncJob', { scope, connectionId, id })).toMatchObject({
        id,
        status: 'QUEUED',
        creatorAction: null,
      });
    }
    const entries =
      await sql`select workflow_type, input from outbox where workflow_id = ${`disconnect/${connectionId}`}`;
    expect(entries).toEqual([
      {
        workflowType: 'disconnect',
        input: {
          connectionId,
          provider: 'PROVIDER_B',
          revokeJobId: result.revokeJobId,
          eraseJobId: result.eraseJobId,
        },
      },
    ]);
    expect(kit.deliveryRequests()).toBe(requestsBefore + 1);
  });

  test('returns the same jobs again, also to many at once, until it is erased', async ({ sql }) => {
    const { seeded, scope, disconnect } = await start(sql);
    const connectionId = await seedConnection(sql, seeded, { scope });
    const results = await Promise.all(Array.from({ length: 12 }, () => disconnect(connectionId)));
    expect(new Set(results.map((result) => JSON.stringify(result))).size).toBe(1);
    expect(await sql`select from disconnect_job where connection_id = ${connectionId}`).toHaveLength(2);
    expect(await sql`select from outbox where workflow_id = ${`disconnect/${connectionId}`}`).toHaveLength(1);

    await sql`
      update disconnect_job set status = 'SUCCEEDED', finished_at = business_now() where job_id = ${results[0].revokeJobId}
    `;
    await sql`update connection set status = 'DELETING' where connection_id = ${connectionId}`;
    expect(await disconnect(connectionId)).toEqual({ ...results[0], upstreamRevocationPending: false });
    await sql`delete from connection where connection_id = ${connectionId}`;
    expect((await refusalOf(disconnect(connectionId))).code).toBe('NOT_FOUND');
  });

  test('remains pending when the revoke has failed', async ({ sql }) => {
    const { seeded, scope, disconnect } = await start(sql);
    const connectionId = await seedConnection(sql, seeded, { scope });
    const { revokeJobId } = await disconnect(connectionId);
    await sql`update disconnect_job set status = 'FAILED', finished_at = business_now() where job_id = ${revokeJobId}`;
    expect(await disconnect(connectionId)).toMatchObject({ upstreamRevocationPending: true });
  });

  test('works in every live status and for every policy and registration', async ({ sql }) => {
    const { seeded, scope, disconnect } = await start(sql);
    await sql`update registration set paused_at = business_now() where registration_id = ${seeded.registrations.PROVIDER_B}`;
    await sql`delete from app_policy where app_id = ${seeded.app.appId}`;
    for (const status of ['CONNECTED', 'SUSPENDED', 'RECONNECT_REQUIRED'] as const) {
      const connectionId = await seedConnection(sql, seeded, { scope, status });
      expect(await disconnect(connectionId)).toMatchObject({ accepted: true });
      expect(await statusOf(sql, connectionId)).toBe('DISCONNECTED');
    }
  });

  test('answers NOT_FOUND for connections of another scope, and creates no rows', async ({ sql }) => {
    const { seeded, scope, call, disconnect } = await start(sql);
    const connectionId = await seedConnection(sql, seeded, { scope });
    const stranger = seeded.newScope();
    for (const id of [connectionId, 'nonsense']) {
      expect((await refusalOf(call('disconnectConnection', { scope: stranger, connectionId: id }))).code).toBe(
        'NOT_FOUND',
      );
    }
    const foreign = { ...scope, tenantKey: 'unregistered' };
    expect((await refusalOf(call('disconnectConnection', { scope: foreign, connectionId }))).code).toBe('FORBIDDEN');
    expect(await sql`select from scope where external_subject_id = ${stranger.externalSubjectId}`).toHaveLength(0);
    expect(await statusOf(sql, connectionId)).toBe('CONNECTED');
    await expect(disconnect(connectionId)).resolves.toBeDefined();
  });
});

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
      await vi.waitUntil(async () => (await waiting()) === 1, { timeout: 20_000 });
      const items = [aPost()];
      const read = { window: settleWindow(job, new Date()), page: { items, cursor: null, reachedEnd: true } };
      const stored = insertPage(sql, job, read, { withMetrics: false, permit: async () => PERMIT });
      await vi.waitUntil(async () => (await waiting()) === 2, { timeout: 20_000 });
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
  test('suspends the scope’s others at the provider, and those of the same principal in every scope', async ({
    sql,
  }) => {
    const { seeded, scope, disconnect } = await start(sql, { suspendSiblings: true });
    const elsewhere = await seedApp(sql);
    const principalMac = randomBytes(32);
    const leaving = await seedConnection(sql, seeded, { scope, principalMac });
    const sameProvider = await seedConnection(sql, seeded, { scope });
    const samePrincipal = await seedConnection(sql, elsewhere, { scope: elsewhere.newScope(), principalMac });
    const reconnecting = await seedConnection(sql, seeded, { scope, status: 'RECONNECT_REQUIRED' });
    const otherProvider = await seedConnection(sql, seeded, { scope, provider: 'PROVIDER_A' });
    const otherScope = await seedConnection(sql, seeded, { scope: seeded.newScope() });

    await disconnect(leaving);
    expect(await statusOf(sql, leaving)).toBe('DISCONNECTED');
    expect(await statusOf(sql, sameProvider)).toBe('SUSPENDED');
    expect(await statusOf(sql, samePrincipal)).toBe('SUSPENDED');
    expect(await statusOf(sql, reconnecting)).toBe('RECONNECT_REQUIRED');
    expect(await statusOf(sql, otherProvider)).toBe('CONNECTED');
    expect(await statusOf(sql, otherScope)).toBe('CONNECTED');

    // It was verified meanwhile: a second request must not suspend it again.
    await sql`update connection set status = 'CONNECTED' where connection_id = ${sameProvider}`;
    await disconnect(leaving);
    expect(await statusOf(sql, sameProvider)).toBe('CONNECTED');
  });

  test('suspends no siblings at a provider whose revoke ends only one grant, nor if it is switched off', async ({
    sql,
  }) => {
    const holding = await start(sql, { suspendSiblings: true });
    const [leavingC, stayingC] = [
      await seedConnection(sql, holding.seeded, { scope: holding.scope, provider: 'PROVIDER_C' }),
      await seedConnection(sql, holding.seeded, { scope: holding.scope, provider: 'PROVIDER_C' }),
    ];
    await holding.disconnect(leavingC);
    expect(await statusOf(sql, stayingC)).toBe('CONNECTED');
    const free = await start(sql);
    const leaving = await seedConnection(sql, free.seeded, { scope: free.scope });
    const staying = await seedConnection(sql, free.seeded, { scope: free.scope });
    await free.disconnect(leaving);
    expect(await statusOf(sql, staying)).toBe('CONNECTED');
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

import { expect } from 'vitest';
import { type ConnectionId, type CorrelationId, newId } from '../../src/basics/ids.ts';
import { openStage, type Stage } from '../kit/activity-stage.ts';
import { runActivity } from '../kit/deps.ts';
import { inTransaction, test } from '../kit/postgres.ts';
import { insertTenant } from '../kit/seed.ts';
import { type BulkTarget, findBulkDisconnect, insertBulkDisconnect } from '../kit/seed-jobs.ts';

const begin = (stage: Stage, target: BulkTarget, total: number) =>
  inTransaction(stage.sql, (tx) => insertBulkDisconnect(tx, target, total, newId<CorrelationId>()));

const tenantOf = ({ seeded }: Stage, tenantKey = seeded.tenantKey) => ({ appId: seeded.app.appId, tenantKey });

const jobsOf = async ({ sql }: Stage, connectionId: ConnectionId) =>
  await sql`select kind, bulk_disconnect_id from disconnect_job where connection_id = ${connectionId} order by kind`;

test('a bulk disconnect disconnects every live connection of its tenant and no other', async ({ sql }) => {
  const stage = await openStage(sql);
  const other = { tenantKey: `${stage.seeded.tenantKey}-other`, externalSubjectId: 'someone' };
  await insertTenant(sql, stage.seeded.app.appId, other.tenantKey);
  const connected = await stage.newConnection();
  const suspended = await stage.newConnection({ status: 'SUSPENDED' });
  const foreign = await stage.newConnection({ scope: other });
  const { bulkDisconnectId } = await begin(stage, tenantOf(stage), 2);
  const requestsBefore = stage.deliveryRequests();

  const first = await runActivity(stage.activities.disconnectBatch, { bulkDisconnectId });
  expect(first).toEqual({ disconnected: 2, total: 2, done: false });
  expect(stage.deliveryRequests() - requestsBefore).toBe(2);
  for (const { connectionId } of [connected, suspended]) {
    expect(await stage.connectionStatus(connectionId)).toBe('DISCONNECTED');
    expect(await jobsOf(stage, connectionId)).toEqual([
      { kind: 'ERASE', bulkDisconnectId },
      { kind: 'REVOKE', bulkDisconnectId },
    ]);
  }
  expect(await stage.connectionStatus(foreign.connectionId)).toBe('CONNECTED');
  expect(await findBulkDisconnect(sql, bulkDisconnectId)).toMatchObject({ finishedAt: null, unsettled: 2 });

  const second = await runActivity(stage.activities.disconnectBatch, { bulkDisconnectId });
  expect(second).toEqual({ disconnected: 2, total: 2, done: true });
  expect((await findBulkDisconnect(sql, bulkDisconnectId))?.finishedAt).toBeInstanceOf(Date);
});

test('a bulk disconnect of a registration covers its provider only, and includes connections created meanwhile', async ({
  sql,
}) => {
  const stage = await openStage(sql);
  const members = [await stage.newConnection(), await stage.newConnection()];
  await stage.newConnection({ status: 'DISCONNECTED' });
  const elsewhere = await stage.newConnection({ provider: 'PROVIDER_C' });
  const { bulkDisconnectId } = await begin(stage, { registrationId: stage.seeded.registrations.PROVIDER_B }, 1);
  const step = await runActivity(stage.activities.disconnectBatch, { bulkDisconnectId });
  expect(step).toEqual({ disconnected: 2, total: 2, done: false });
  for (const { connectionId } of members) expect(await stage.connectionStatus(connectionId)).toBe('DISCONNECTED');
  expect(await stage.connectionStatus(elsewhere.connectionId)).toBe('CONNECTED');
});

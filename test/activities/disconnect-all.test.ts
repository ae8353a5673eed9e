import { randomBytes } from 'node:crypto';
import { expect } from 'vitest';
import { type CorrelationId, newId } from '../../src/basics/ids.ts';
import { openStage, type Stage } from '../kit/activity-stage.ts';
import { runActivity } from '../kit/deps.ts';
import { inTransaction, test } from '../kit/postgres.ts';
import { insertTenant, seedApp, seedConnection } from '../kit/seed.ts';
import { type BulkTarget, findBulkDisconnect, insertBulkDisconnect } from '../kit/seed-jobs.ts';

test.for<[string, (seeded: Stage['seeded']) => BulkTarget, string[]]>([
  ['a tenant', ({ app, tenantKey }) => ({ appId: app.appId, tenantKey }), ['connected', 'suspended', 'elsewhere']],
  [
    'a registration',
    ({ registrations }) => ({ registrationId: registrations.PROVIDER_B }),
    ['connected', 'suspended', 'ofAnother'],
  ],
])('a bulk disconnect of %s disconnects each of its live connections, and no other', async ([, find, own], { sql }) => {
  const stage = await openStage(sql);
  const other = { tenantKey: `${stage.seeded.tenantKey}-other`, externalSubjectId: 'someone' };
  await insertTenant(sql, stage.seeded.app.appId, other.tenantKey);
  const connections = {
    connected: await stage.newConnection(),
    suspended: await stage.newConnection({ status: 'SUSPENDED' }),
    ofAnother: await stage.newConnection({ scope: other }),
    elsewhere: await stage.newConnection({ provider: 'PROVIDER_C' }),
  };
  await stage.newConnection({ status: 'DISCONNECTED' });
  const bulkDisconnectId = await inTransaction(sql, async (tx) => {
    const begun = await insertBulkDisconnect(tx, find(stage.seeded), 2, newId<CorrelationId>());
    return begun.bulkDisconnectId;
  });
  const step = () => runActivity(stage.activities.disconnectBatch, { bulkDisconnectId });
  expect(await step()).toEqual({ disconnected: 3, total: 3, done: false });
  for (const [name, { connectionId }] of Object.entries(connections)) {
    const isOwn = own.includes(name);
    expect((await stage.connectionStatus(connectionId)) === 'DISCONNECTED', name).toBe(isOwn);
    const jobs = await sql`select bulk_disconnect_id from disconnect_job where connection_id = ${connectionId}`;
    expect(jobs).toEqual(isOwn ? [{ bulkDisconnectId }, { bulkDisconnectId }] : []);
  }
  expect(await findBulkDisconnect(sql, bulkDisconnectId)).toMatchObject({ finishedAt: null, unsettled: 3 });
  expect(await step()).toEqual({ disconnected: 3, total: 3, done: true });
  expect((await findBulkDisconnect(sql, bulkDisconnectId))?.finishedAt).toBeInstanceOf(Date);
});

test('spares a grant that the same person uses in another app, also under the same tenant key', async ({ sql }) => {
  const stage = await openStage(sql);
  const [{ seeded }, other] = [stage, await seedApp(sql)];
  const principalMac = randomBytes(32);
  const scope = seeded.newScope();
  const own = await seedConnection(sql, seeded, { scope, principalMac });
  await seedConnection(sql, other, { scope, principalMac });
  const target = { appId: seeded.app.appId, tenantKey: scope.tenantKey };
  const { bulkDisconnectId } = await inTransaction(sql, (tx) =>
    insertBulkDisconnect(tx, target, 1, newId<CorrelationId>()),
  );
  await runActivity(stage.activities.disconnectBatch, { bulkDisconnectId });
  const [revoke] = await sql`select job_id from disconnect_job where connection_id = ${own} and kind = 'REVOKE'`;
  await runActivity(stage.activities.tryRevoke, { jobId: revoke?.jobId });
  const left = { status: 'SUCCEEDED', creatorAction: 'REMOVE_APP_AT_PROVIDER' };
  expect(await stage.job('disconnect_job', revoke?.jobId)).toMatchObject(left);
  expect(stage.provider.revoke).not.toHaveBeenCalled();
});

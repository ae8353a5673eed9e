import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { type CorrelationId, newId } from '../../src/basics/ids.ts';
import { findWork } from '../../src/domain/work-state/find-work.ts';
import { moveAttemptToEnd } from '../../src/store/attempts/attempts.ts';
import { inTransaction } from '../../src/store/driver/sql.ts';
import { finishBulkDisconnect, insertBulkDisconnect } from '../../src/store/jobs/bulk-disconnects.ts';
import { insertScan } from '../../src/store/jobs/new-reads.ts';
import { addTwins } from '../kit/bystanders.ts';
import { businessNow, MINUTE_MS } from '../kit/clock.ts';
import { asApi, test } from '../kit/postgres.ts';
import { at, seedApp, seedConnection, seedScope } from '../kit/seed.ts';
import { seedAttempt } from '../kit/seed-attempts.ts';
import { seedDisconnectJob } from '../kit/seed-jobs.ts';

test('the work of a job shares its workflow if that is the disconnect of its connection', async ({ sql }) => {
  const seeded = await seedApp(sql);
  const scope = seeded.newScope();
  const connectionId = await seedConnection(sql, seeded, { scope });
  const { jobId, createdAt } = await insertScan(sql, {
    ...{ connectionId, appId: seeded.app.appId, provider: 'PROVIDER_B', requestedBy: 'CALLER' },
    ...{ window: null, maxItems: 10, continues: null, correlationId: newId<CorrelationId>() },
  });
  const row = { open: true, beganAt: createdAt, finishedAt: null, nextRetryAt: null, sharesWorkflow: false };
  expect(await findWork(asApi(sql), jobId)).toEqual({ workflowId: `scan/${jobId}`, row });
  const [grant] = await sql`select grant_id from account_grant where connection_id = ${connectionId}`;
  const job = { connectionId, scopeId: await seedScope(sql, seeded, scope), grantId: grant?.grantId };
  const ofDisconnect = await seedDisconnectJob(sql, seeded, { ...job, run: 0 });
  expect(await findWork(asApi(sql), ofDisconnect)).toMatchObject({
    workflowId: `disconnect/${connectionId}`,
    row: { open: true, sharesWorkflow: true },
  });
  const repeated = await seedDisconnectJob(sql, seeded, { ...job, kind: 'COMPENSATION' });
  expect(await findWork(asApi(sql), repeated)).toMatchObject({ row: { open: true, sharesWorkflow: false } });
  expect(await findWork(asApi(sql), randomUUID())).toBeUndefined();
});

test('the work of an attempt ends with it, or at its deadline', async ({ sql }) => {
  const seeded = await seedApp(sql);
  const { attemptId, expiresAt } = await seedAttempt(sql, seeded);
  const { attemptId: canceledId } = await seedAttempt(sql, seeded);
  const find = async (ms: number, id = attemptId) =>
    (await at(sql, expiresAt, ms, () => findWork(asApi(sql), id))) ?? expect.fail('There is no such work.');
  const row = { open: true, beganAt: null, finishedAt: null, nextRetryAt: null, sharesWorkflow: false };
  expect(await find(-MINUTE_MS)).toEqual({ workflowId: `connect/${attemptId}`, row });
  const ended = { ...row, open: false };
  expect((await find(0)).row).toEqual({ ...ended, finishedAt: expiresAt });
  const end = { status: 'CANCELED', resultCode: 'CANCELED' } as const;
  await at(sql, expiresAt, -MINUTE_MS, () => inTransaction(sql, (tx) => moveAttemptToEnd(tx, canceledId, end)));
  const canceledAt = new Date(expiresAt.getTime() - MINUTE_MS);
  expect((await find(MINUTE_MS, canceledId)).row).toEqual({ ...ended, finishedAt: canceledAt });
});

test('the work of a bulk disconnect ends with it', async ({ sql }) => {
  const seeded = await seedApp(sql);
  const target = { appId: seeded.app.appId, tenantKey: seeded.tenantKey };
  const now = await businessNow(sql);
  const { bulkDisconnectId: id } = await at(sql, now, 0, () =>
    inTransaction(sql, (tx) => insertBulkDisconnect(tx, target, 3, newId<CorrelationId>())),
  );
  await addTwins(sql, [['bulk_disconnect', 'bulk_disconnect_id', id]]);
  const row = { open: true, beganAt: now, finishedAt: null, nextRetryAt: null, sharesWorkflow: false };
  expect(await findWork(asApi(sql), id)).toEqual({ workflowId: `disconnect-all/${id}`, row });
  await at(sql, now, MINUTE_MS, () => finishBulkDisconnect(sql, id));
  const finishedAt = new Date(now.getTime() + MINUTE_MS);
  expect((await findWork(asApi(sql), id))?.row).toEqual({ ...row, open: false, finishedAt });
});

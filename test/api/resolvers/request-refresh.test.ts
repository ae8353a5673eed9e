import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'vitest';
import { startRefreshes } from '../../../src/domain/reading/start-refreshes.ts';
import { updateRefreshPolicy } from '../../../src/store/connections/automatic-refresh.ts';
import { lockConnectionById } from '../../../src/store/connections/connections.ts';
import { callerOf, createDeps, refusalOf } from '../../kit/caller.ts';
import { inTransaction, test } from '../../kit/postgres.ts';
import { seedApp, seedConnection } from '../../kit/seed.ts';

test('requestRefresh sees the changes of another transaction that it waited for', async ({ sql }) => {
  const seeded = await seedApp(sql);
  const call = callerOf(await createDeps(sql), seeded);
  const scope = seeded.newScope();
  const connectionId = await seedConnection(sql, seeded, { scope });
  let asked: Promise<unknown> | undefined;
  await inTransaction(sql, async (tx) => {
    await lockConnectionById(tx, connectionId);
    asked = refusalOf(call('requestRefresh', { scope, connectionId }));
    await expect(Promise.race([asked, delay(300)])).resolves.toBeUndefined();
    await tx`update account_grant set status = 'REVOKING' where connection_id = ${connectionId}`;
  });
  expect(await asked).toMatchObject({ code: 'RECONNECT_REQUIRED' });
});

test('requestRefresh takes over an automatic refresh that waits behind all others, and wakes it once', async ({
  sql,
}) => {
  const seeded = await seedApp(sql);
  const call = callerOf(await createDeps(sql), seeded);
  const [scope, other] = [seeded.newScope(), seeded.newScope()];
  const [connectionId, beside] = [
    await seedConnection(sql, seeded, { scope }),
    await seedConnection(sql, seeded, { scope: other }),
  ];
  await updateRefreshPolicy(sql, seeded.app.appId, 'PROVIDER_B', {
    refreshMinutes: 60,
    refreshDays: 7,
    refreshPosts: 20,
  });
  const dueAt = new Date();
  await sql`update connection set refresh_due_at = ${dueAt} where connection_id in (${connectionId}, ${beside})`;
  expect(
    await inTransaction(sql, (tx) =>
      startRefreshes(
        tx,
        [connectionId, beside].map((id) => ({ id, dueAt })),
      ),
    ),
  ).toBe(2);
  const { id } = await call('requestRefresh', { scope, connectionId });
  await call('requestRefresh', { scope, connectionId });
  const jobs = await sql`
    select connection_id, requested_by, (
      select jsonb_agg(signal_name order by outbox_id) from outbox where workflow_id = 'scan/' || job_id
    ) as signals
    from read_job where connection_id in (${connectionId}, ${beside}) order by connection_id = ${beside}
  `;
  expect(jobs).toEqual([
    { connectionId, requestedBy: 'CALLER', signals: [null, 'retryNow'] },
    { connectionId: beside, requestedBy: 'SERVICE', signals: [null] },
  ]);
  expect(id).toEqual(expect.any(String));
});

import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'vitest';
import { lockConnectionById } from '../../../src/store/connections/connections.ts';
import { inTransaction } from '../../../src/store/driver/sql.ts';
import { callerOf, createDeps, refusalOf } from '../../kit/caller.ts';
import { test } from '../../kit/postgres.ts';
import { seedApp, seedConnection } from '../../kit/seed.ts';

test('requestRefresh sees what another transaction did while it waited for the connection', async ({ sql }) => {
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

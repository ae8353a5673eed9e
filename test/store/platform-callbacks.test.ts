import { randomBytes } from 'node:crypto';
import { expect } from 'vitest';
import { type CorrelationId, newId } from '../../src/ids.ts';
import {
  insertDeletionRequest,
  insertDeletionRequestConnections,
  listConnectionsToDelete,
  listNamedConnections,
} from '../../src/store/platform-callbacks.ts';
import { inTransaction } from '../../src/store/sql.ts';
import { businessNow, DAY_MS, moveClock } from '../kit/clock.ts';
import { asWorker, test } from '../kit/postgres.ts';
import { seedApp, seedConnection } from '../kit/seed.ts';
import { applyRetention } from '../kit/sweeping.ts';

test('a platform’s callback finds an account as long as its connection exists, even if its grant is dead', async ({
  database: { sql },
}) => {
  const seeded = await seedApp(sql);
  const accountMac = randomBytes(32);
  const connectionId = await seedConnection(sql, seeded, { scope: seeded.newScope(), status: 'RECONNECT_REQUIRED' });
  await sql`
    update account_grant set status = 'DEAD', sealed_tokens = null, account_macs = array[${accountMac}::bytea]
    where connection_id = ${connectionId}
  `;
  await sql`
    insert into account_grant (grant_id, attempt_id, scope_id, provider, registration_id, connection_id, status, permissions,
      obtained_at)
    select gen_random_uuid(), gen_random_uuid(), scope_id, provider, registration_id, null, 'DEAD', permissions,
      obtained_at - interval '1 day'
    from account_grant where connection_id = ${connectionId}
  `;
  await moveClock(sql, 200 * DAY_MS);
  expect(await applyRetention(asWorker(sql), { keepsJournal: true })).toMatchObject({ oldGrants: 1 });
  const named = {
    registrationId: seeded.registrations.PROVIDER_B,
    accountMacs: [randomBytes(32), accountMac],
    happenedAt: await businessNow(sql),
  };
  const live = [];
  for await (const page of listNamedConnections(sql, named)) live.push(...page);
  expect(live).toEqual([]);
  const deletion = await inTransaction(sql, async (tx) => {
    const code = await insertDeletionRequest(tx, [randomBytes(16).toString('hex')]);
    return await insertDeletionRequestConnections(tx, code, named, newId<CorrelationId>());
  });
  expect(deletion).toBe(1);
  expect(await listConnectionsToDelete(sql, { after: null, limit: 10 })).toMatchObject([{ connectionId }]);
});

import { expect } from 'vitest';
import { checkBystanders } from '../kit/bystanders.ts';
import { asWorker, test } from '../kit/postgres.ts';
import { seedApp, seedConnection } from '../kit/seed.ts';

/** The tables in which each test has rows of others. */
const FILLED = [
  'account_grant',
  'app',
  'app_identity',
  'app_key',
  'app_policy',
  'bulk_disconnect',
  'connect_attempt',
  'connection',
  'content_item',
  'coverage',
  'disconnect_job',
  'ended_work',
  'erasure',
  'identity_attempt',
  'identity_issuer',
  'read_job',
  'registration',
  'registration_app',
  'registration_usage',
  'return_url',
  'scope',
  'tenant',
  'webhook_delivery',
  'webhook_endpoint',
  'webhook_event',
  'webhook_secret',
];

test('others have rows in each of these tables, and each is watched', async ({ sql }) => {
  await seedApp(sql);
  const watched = (await sql`select of_table, is_twin from bystander.watched`).map(({ ofTable, isTwin }) => ({
    ofTable: String(ofTable),
    isTwin: String(isTwin).replaceAll('{row}', String(ofTable)),
  }));
  const filled: string[] = [];
  for (const { ofTable, isTwin } of watched) {
    if ((await sql.unsafe(`select from ${ofTable} where ${isTwin} limit 1`)).length > 0) filled.push(ofTable);
  }
  expect(filled).toEqual(expect.arrayContaining(FILLED));
});

test('a test fails that leaves a change of a twin, with the statement that made it', async ({ sql }) => {
  const seeded = await seedApp(sql);
  const connectionId = await seedConnection(sql, seeded, { scope: seeded.newScope() });
  await asWorker(sql)`update connection set sync_status = 'READY' where connection_id = ${connectionId}`;
  await checkBystanders(sql);
  // The fault of a statement that forgets whose connection it is.
  await asWorker(sql)`
      update connection set sync_status = 'FAILED'
      where provider_account_id = (select provider_account_id from connection where connection_id = ${connectionId})
    `;
  const told = / in connection: [\s\S]*sync_status: "PENDING" -> "FAILED"[\s\S]*by update connection set/;
  await expect(checkBystanders(sql)).rejects.toThrow(told);
  await checkBystanders(sql);
});

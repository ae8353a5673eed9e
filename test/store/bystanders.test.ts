import { expect } from 'vitest';
import { checkBystanders } from '../kit/bystanders.ts';
import { asWorker, test } from '../kit/postgres.ts';
import { seedConnection } from '../kit/seed.ts';

test('a test fails that leaves a change of a twin, with the statement that made it', async ({ sql, seeded }) => {
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

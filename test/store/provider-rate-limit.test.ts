import { expect } from 'vitest';
import { takeTurn } from '../../src/store/provider-rate-limit.ts';
import { asWorker, test } from '../kit/postgres.ts';

test('a turn commits without waiting for the disk, and later statements wait for it again', async ({ database }) => {
  const [setting, later] = await asWorker(database.sql)
    .reserve()
    .then(async (sql) => {
      await sql`set synchronous_commit = on`;
      await sql`begin`;
      await takeTurn(sql, 'PROVIDER_B', { callsPerSecond: 10, patienceSeconds: null });
      const [within] = await sql`show synchronous_commit`;
      await sql`commit`;
      const [after] = await sql`show synchronous_commit`;
      sql.release();
      return [within?.synchronousCommit, after?.synchronousCommit];
    });
  expect([setting, later]).toEqual(['off', 'on']);
});

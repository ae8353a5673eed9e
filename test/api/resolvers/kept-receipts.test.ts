import { afterEach, expect } from 'vitest';
import { moveConnection } from '../../../src/store/connections/connections.ts';
import { eraseConnection } from '../../../src/store/connections/disconnects.ts';
import { type Database, inTransaction } from '../../../src/store/driver/sql.ts';
import { DAY_MS } from '../../kit/clock.ts';
import { runActivity } from '../../kit/deps.ts';
import { test } from '../../kit/postgres.ts';
import { openReader } from '../../kit/reader.ts';
import { releaseClock } from '../../kit/seed.ts';

afterEach<{ sql: Database }>(({ sql }) => releaseClock(sql));

const NOW = Date.parse('2030-06-01T00:00:00.000Z');
const NOT_FOUND = { code: 'NOT_FOUND' };

test('receipts are readable for 7 days from their creation, before and after the erase', async ({ sql }) => {
  for (const isErased of [false, true]) {
    const reader = await openReader(sql, NOW);
    const connectionId = await reader.connect(['CONTENT_LIST']);
    const { revokeJobId, eraseJobId } = await reader.ask('disconnectConnection', { connectionId });
    await runActivity(reader.stage.activities.tryRevoke, { jobId: revokeJobId });
    if (isErased) {
      await inTransaction(sql, async (tx) => {
        await moveConnection(tx, connectionId, 'DELETING');
        await eraseConnection(tx, connectionId);
      });
      await expect(reader.ask('disconnectConnection', { connectionId })).rejects.toMatchObject(NOT_FOUND);
    }
    const read = (id: string) => reader.ask('syncJob', { connectionId, id });
    await reader.move(7 * DAY_MS - 1);
    expect(await read(revokeJobId)).toMatchObject({ id: revokeJobId, status: 'SUCCEEDED' });
    expect(await read(eraseJobId)).toMatchObject({ id: eraseJobId });
    await reader.move(1);
    for (const id of [revokeJobId, eraseJobId]) await expect(read(id)).rejects.toMatchObject(NOT_FOUND);
  }
});

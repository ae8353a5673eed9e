import { expect, onTestFinished } from 'vitest';
import { moveConnection } from '../../src/store/connections/connections.ts';
import type { Database } from '../../src/store/driver/sql.ts';
import { writeCorrections } from '../../src/store/failovers.ts';
import { RETENTION } from '../../src/store/retention.ts';
import { businessNow, DAY_MS } from '../kit/clock.ts';
import { asWorker, createTestDatabase, test } from '../kit/postgres.ts';
import { at, seedApp, seedConnection } from '../kit/seed.ts';
import { seedEndpoint } from '../kit/seed-endpoint.ts';

const PAGE = { after: null, limit: 10 };

/** A database of its own: retention acts on all rows. */
async function createDatabase(): Promise<{ sql: Database; now: Date }> {
  const { sql, drop } = await createTestDatabase();
  onTestFinished(drop);
  return { sql, now: await businessNow(sql) };
}

test('with the last event of a connection its number ends, and that of no other', async () => {
  const { sql, now } = await createDatabase();
  const seeded = await seedApp(sql);
  const endpointId = await seedEndpoint(sql, seeded.app.appId);
  const connect = () => at(sql, now, 0, () => seedConnection(sql, seeded, { scope: seeded.newScope() }));
  const [ended, going] = [await connect(), await connect()];
  for (const connectionId of [ended, going])
    await at(sql, now, 0, () => moveConnection(asWorker(sql), connectionId, 'SUSPENDED'));
  const ahead = (now.getTime() + 365 * DAY_MS) * 1_000; // A server whose clock was ahead gave it.
  await at(sql, now, 0, () => writeCorrections(asWorker(sql), endpointId, [[ended, ahead]]));
  await at(sql, now, DAY_MS, () => moveConnection(asWorker(sql), going, 'CONNECTED'));
  await at(sql, now, 30 * DAY_MS, async () => {
    const due = await RETENTION.oldWebhookEvents.list(asWorker(sql), PAGE);
    expect(await RETENTION.oldWebhookEvents.take(asWorker(sql), due)).toBe(due.length);
  });
  expect(await sql`select connection_id from webhook_sequence`).toEqual([{ connectionId: going }]);
});

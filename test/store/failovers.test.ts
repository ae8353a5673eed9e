import { randomBytes } from 'node:crypto';
import { expect, onTestFinished } from 'vitest';
import { type ConnectionId, type CorrelationId, newId } from '../../src/basics/ids.ts';
import { moveConnection } from '../../src/store/connections/connections.ts';
import { startDisconnect } from '../../src/store/connections/disconnects.ts';
import { type Database, inTransaction } from '../../src/store/driver/sql.ts';
import {
  finishFailover,
  listConnectionsWithoutReceipts,
  listLostEvents,
  takeFailover,
} from '../../src/store/failovers.ts';
import { listWebhookDeliveries, listWebhookEvents } from '../../src/store/webhooks/webhook-deliveries.ts';
import { businessNow, MINUTE_MS } from '../kit/clock.ts';
import { asApi, asWorker, createTestDatabase, test } from '../kit/postgres.ts';
import { at, seedApp, seedConnection, seedScope } from '../kit/seed.ts';
import { addTwinsOfEvents, seedEndpoint } from '../kit/seed-endpoint.ts';
import { seedDisconnectJob } from '../kit/seed-jobs.ts';

const EVERY_DELIVERY = { appId: null, endpointId: null, status: null, eventType: null, since: null } as const;

/** Sets the timeline that the server returns; null for a server that does not expose it. */
const setTimeline = (sql: Database, timeline: string | null) =>
  sql.unsafe(`
    create or replace function current_timeline() returns text language sql stable parallel safe
    return ${timeline === null ? 'null::text' : `'${timeline}'`}
  `);

test('one worker looks at a new timeline, and a later one is looked at as soon as it has begun', async () => {
  const { sql, drop } = await createTestDatabase(); // It changes the timeline for all tests.
  onTestFinished(drop);
  const take = () => takeFailover(asWorker(sql));
  expect(await take()).toBeUndefined();
  await setTimeline(sql, null);
  expect(await take()).toBeUndefined();
  await setTimeline(sql, '00000098');
  expect(await take()).toBe('00000098');
  expect(await take()).toBeUndefined();
  await finishFailover(asWorker(sql), '00000098');
  expect(await take()).toBeUndefined();
  await setTimeline(sql, '00000099');
  expect(await take()).toBe('00000099');
});

test('an event is lost if its connection has none of its number', async ({ sql }) => {
  const seeded = await seedApp(sql);
  await seedEndpoint(sql, seeded.app.appId);
  const now = await businessNow(sql);
  const suspend = async (ms: number) => {
    const connectionId = await seedConnection(sql, seeded, { scope: seeded.newScope() });
    await at(sql, now, ms, () => moveConnection(asWorker(sql), connectionId, 'SUSPENDED')); // The clock numbers its event.
    await addTwinsOfEvents(sql, seeded.app.appId);
    const page = { limit: 10, after: null };
    const [newest] = await listWebhookDeliveries(asApi(sql), { ...EVERY_DELIVERY, connectionId }, page);
    const [event] = await listWebhookEvents(asApi(sql), newest ? [newest.eventId] : []);
    return { connectionId, sequence: event?.sequence ?? expect.fail('There is no event.') };
  };
  const [first, second] = [await suspend(MINUTE_MS), await suspend(2 * MINUTE_MS)];
  const lost = await listLostEvents(asWorker(sql), [
    [first.connectionId, first.sequence],
    [first.connectionId, first.sequence + 1],
    [second.connectionId, first.sequence],
    [second.connectionId, second.sequence],
  ]);
  expect(new Set(lost)).toEqual(
    new Set([
      [first.connectionId, first.sequence + 1],
      [second.connectionId, first.sequence],
    ]),
  );
  expect(lost).toHaveLength(2);
});

test('a connection without the receipt of its erase has lost its disconnect, if it was asked about', async ({
  sql,
}) => {
  const seeded = await seedApp(sql);
  const connect = async () => {
    const scope = seeded.newScope();
    const connectionId = await seedConnection(sql, seeded, { scope });
    return { connectionId, scopeId: await seedScope(sql, seeded, scope) };
  };
  const [disconnected, lost, revoked] = [await connect(), await connect(), await connect()];
  await connect(); // No one asks about this one.
  await inTransaction(sql, (tx) =>
    startDisconnect(
      tx,
      { scopeId: disconnected.scopeId, scopeMac: randomBytes(32) },
      disconnected.connectionId,
      { reason: 'APP', correlationId: newId<CorrelationId>() },
      { spares: false, listAccountMacs: () => [] },
    ),
  );
  await seedDisconnectJob(sql, seeded, { kind: 'REVOKE', ...revoked }); // Of an earlier grant.
  const asked = [disconnected, lost, revoked].map(({ connectionId }) => connectionId);
  const found = await listConnectionsWithoutReceipts(asWorker(sql), [...asked, newId<ConnectionId>()]);
  expect(found.sort()).toEqual([lost.connectionId, revoked.connectionId].sort());
});

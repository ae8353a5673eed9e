import { describe, expect } from 'vitest';
import { newId, type WebhookSecretId } from '../../src/basics/ids.ts';
import { type Database, inTransaction } from '../../src/store/driver/sql.ts';
import { writeCorrections } from '../../src/store/failovers.ts';
import { takeDueDeliveries, updateTriedDeliveries } from '../../src/store/webhooks/due-deliveries.ts';
import { requestRedeliveries } from '../../src/store/webhooks/redeliveries.ts';
import {
  findWebhookDelivery,
  insertTestEvent,
  listWebhookDeliveries,
} from '../../src/store/webhooks/webhook-deliveries.ts';
import {
  addEndpointFailures,
  findSendingEndpoint,
  findWebhookEndpoint,
  listEndpointUrls,
  listOverdueEndpoints,
} from '../../src/store/webhooks/webhook-endpoints.ts';
import { MINUTE_MS, moveClock } from '../kit/clock.ts';
import { asApi, asWorker, test } from '../kit/postgres.ts';
import { freezeClock, seedApp, seedConnection } from '../kit/seed.ts';
import { seedEndpoint, seedEndpointSecret } from '../kit/seed-endpoint.ts';

const ALL = { appId: null, status: null, eventType: null, connectionId: null, since: null } as const;

/** Two endpoints of one app, and a connection. */
async function open(sql: Database) {
  const seeded = await seedApp(sql);
  const connectionId = await seedConnection(sql, seeded, { scope: seeded.newScope() }); // Before there is an endpoint.
  const [endpointId, otherId] = [await seedEndpoint(sql, seeded.app.appId), await seedEndpoint(sql, seeded.app.appId)];
  const request = (id = endpointId, options = {}) =>
    inTransaction(asApi(sql), (tx) => requestRedeliveries(tx, id, new Date(0), { failedOnly: false, ...options }));
  const deliveries = (id = endpointId) =>
    listWebhookDeliveries(asApi(sql), { ...ALL, endpointId: id }, { limit: 10, after: null });
  const sendTest = async (id = endpointId) => {
    const deliveryId = await inTransaction(asApi(sql), (tx) => insertTestEvent(tx, id));
    return deliveryId ?? expect.fail('There is no such endpoint.');
  };
  const record = async (id: typeof endpointId, outcome: 'DELIVERED' | 'FAILED' | 'POSTPONED', tries = 1) => {
    const [taken] = await takeDueDeliveries(asWorker(sql), id, 1);
    const deliveryId = taken?.deliveryId ?? expect.fail('Nothing is due.');
    const result = { deliveryId, tries, outcome, status: 200, failure: null, durationMs: 5, pauseSeconds: null };
    await updateTriedDeliveries(asWorker(sql), [{ ...result, pauseSeconds: outcome === 'POSTPONED' ? 60 : null }]);
    return result;
  };
  return { seeded, connectionId, endpointId, otherId, request, deliveries, sendTest, record };
}

describe('deliveries asked for again', () => {
  test('end the pause of their endpoint alone, and a count ends none', async ({ sql }) => {
    const { endpointId, otherId, request } = await open(sql);
    for (const id of [endpointId, otherId]) {
      await addEndpointFailures(asWorker(sql), id, { failures: 1, pauseSeconds: 3_600 });
    }
    const isPaused = async (id: typeof endpointId) => (await findWebhookEndpoint(sql, id))?.pausedUntil !== null;
    await request(endpointId, { dryRun: true });
    expect(await isPaused(endpointId)).toBe(true);
    await request();
    expect([await isPaused(endpointId), await isPaused(otherId)]).toEqual([false, true]);
  });

  test('include a correction at the endpoint that it was for, and at no other', async ({ sql }) => {
    const { connectionId, endpointId, otherId, request, deliveries, record } = await open(sql);
    const before = (await deliveries(otherId)).length;
    await writeCorrections(asWorker(sql), endpointId, [[connectionId, 5]]);
    await record(endpointId, 'DELIVERED');
    const wanted = (await deliveries()).length;
    expect(await request()).toMatchObject({ count: 1 });
    expect(await request(otherId)).toMatchObject({ count: 0 });
    expect((await deliveries()).length).toBe(wanted);
    expect((await deliveries(otherId)).length).toBe(before);
  });
});

describe('a try', () => {
  test('that is postponed does not count, and one that is recorded late changes nothing', async ({ sql }) => {
    const { endpointId, sendTest, record } = await open(sql);
    const deliveryId = await sendTest();
    await record(endpointId, 'POSTPONED');
    expect(await findWebhookDelivery(sql, deliveryId)).toMatchObject({ status: 'PENDING', tries: 0 });
    await moveClock(sql, 2 * MINUTE_MS);
    const result = await record(endpointId, 'DELIVERED');
    const delivered = await findWebhookDelivery(sql, deliveryId);
    expect(delivered).toMatchObject({ status: 'DELIVERED', tries: 1 });
    await updateTriedDeliveries(asWorker(sql), [{ ...result, outcome: 'FAILED', status: 500 }]);
    expect(await findWebhookDelivery(sql, deliveryId)).toEqual(delivered);
  });
});

describe('endpoints', () => {
  test('with several overdue deliveries are listed once, by the one that is due longest', async ({ sql }) => {
    const { connectionId, endpointId, otherId, deliveries } = await open(sql);
    const correct = (id: typeof endpointId) => writeCorrections(asWorker(sql), id, [[connectionId, 5]]);
    await correct(endpointId);
    const [first] = await deliveries();
    await moveClock(sql, MINUTE_MS);
    await correct(endpointId);
    await correct(otherId);
    await moveClock(sql, MINUTE_MS);
    const listed = await listOverdueEndpoints(asWorker(sql), { after: null, limit: 1_000 });
    const own = listed.filter((one) => one.endpointId === endpointId || one.endpointId === otherId);
    expect(own.map((one) => one.endpointId)).toEqual([endpointId, otherId]);
    expect(own[0]?.dueAt).toEqual(first?.nextTryAt);
  });

  test('are found with the URL of each', async ({ sql }) => {
    const { endpointId, otherId, seeded } = await open(sql);
    await seedEndpoint(sql, seeded.app.appId);
    const urls = await listEndpointUrls(asApi(sql), [endpointId, otherId]);
    const url = async (id: typeof endpointId) => (await findWebhookEndpoint(sql, id))?.url;
    expect(urls).toEqual(
      new Map([
        [endpointId, await url(endpointId)],
        [otherId, await url(otherId)],
      ]),
    );
  });

  test('keep two secrets of one moment in one order', async ({ sql }) => {
    const { endpointId } = await open(sql);
    const ids = [newId<WebhookSecretId>(), newId<WebhookSecretId>()].sort();
    try {
      await freezeClock(sql, new Date('2026-07-01T00:00:00Z'));
      for (const secretId of ids.toReversed())
        await seedEndpointSecret(sql, endpointId, { secretId, sealedSecret: 's' });
      expect((await findWebhookEndpoint(sql, endpointId))?.secrets.map(({ secretId }) => secretId)).toEqual(ids);
      expect((await findSendingEndpoint(sql, endpointId))?.secrets.map(({ secretId }) => secretId)).toEqual(ids);
    } finally {
      await moveClock(sql, 0);
    }
  });
});

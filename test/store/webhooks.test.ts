import { describe, expect, vi } from 'vitest';
import {
  type AppId,
  newId,
  type WebhookDeliveryId,
  type WebhookEndpointId,
  type WebhookSecretId,
} from '../../src/basics/ids.ts';
import { type Database, inTransaction } from '../../src/store/driver/sql.ts';
import { requestRedeliveries, requestRedelivery } from '../../src/store/webhooks/redeliveries.ts';
import {
  findWebhookDelivery,
  insertTestEvent,
  listWebhookDeliveries,
} from '../../src/store/webhooks/webhook-deliveries.ts';
import {
  deleteWebhookEndpoint,
  disableWebhookEndpoint,
  enableWebhookEndpoint,
  findWebhookEndpoint,
  insertWebhookEndpoint,
  insertWebhookSecret,
  listWebhookEndpoints,
  retireWebhookSecret,
  updateWebhookEndpoint,
} from '../../src/store/webhooks/webhook-endpoints.ts';
import { addTwins } from '../kit/bystanders.ts';
import { asApi, test } from '../kit/postgres.ts';
import { seedApp } from '../kit/seed.ts';
import { addTwinsOfEvents } from '../kit/seed-endpoint.ts';

const ALL = { appId: null, endpointId: null, status: null, eventType: null, connectionId: null, since: null } as const;
const FIRST_PAGE = { limit: 50, after: null } as const;

/** An endpoint of a new app, inserted with the rights of the api. */
async function insertEndpoint(sql: Database, appId?: AppId) {
  const endpointId = newId<WebhookEndpointId>();
  const owner = appId ?? (await seedApp(sql)).app.appId;
  const inserted = await inTransaction(asApi(sql), (tx) =>
    insertWebhookEndpoint(tx, {
      endpointId,
      appId: owner,
      url: 'https://caller.example/hooks',
      eventTypes: ['job.finished'],
    }),
  );
  await addTwins(sql, [['webhook_endpoint', 'endpoint_id', endpointId]]);
  return { endpointId, appId: owner, inserted };
}
const addSecret = (sql: Database, endpointId: WebhookEndpointId) => {
  const secretId = newId<WebhookSecretId>();
  const inserted = inTransaction(asApi(sql), (tx) =>
    insertWebhookSecret(tx, { secretId, endpointId, sealedSecret: 'sealed' }),
  );
  return inserted.then((outcome) => ({ secretId, outcome }));
};
const retire = (sql: Database, endpointId: WebhookEndpointId, secretId: WebhookSecretId, seconds: number) =>
  inTransaction(asApi(sql), (tx) => retireWebhookSecret(tx, endpointId, secretId, seconds));

describe('webhook endpoints', () => {
  test('an app has ten at most, also when they are added at the same time', async ({ sql }) => {
    const { appId } = await insertEndpoint(sql);
    const outcomes = await Promise.all(Array.from({ length: 12 }, () => insertEndpoint(sql, appId)));
    expect(outcomes.filter(({ inserted }) => inserted === 'INSERTED')).toHaveLength(9);
    expect(await listWebhookEndpoints(asApi(sql), appId)).toHaveLength(10);
  });

  test('are refused for an app that does not exist', async ({ sql }) => {
    expect((await insertEndpoint(sql, newId<AppId>())).inserted).toBe('MISSING');
  });

  test('keep what a change does not name', async ({ sql }) => {
    const { endpointId } = await insertEndpoint(sql);
    expect(await updateWebhookEndpoint(asApi(sql), endpointId, { url: null, eventTypes: ['content.changed'] })).toBe(
      true,
    );
    expect(await findWebhookEndpoint(asApi(sql), endpointId)).toMatchObject({
      url: 'https://caller.example/hooks',
      eventTypes: ['content.changed'],
      enabled: true,
      secrets: [],
    });
  });

  test('keep the first reason for which they were disabled, until they are enabled', async ({ sql }) => {
    const { endpointId } = await insertEndpoint(sql);
    expect(await disableWebhookEndpoint(sql, endpointId, 'GONE')).toBe(true);
    expect(await disableWebhookEndpoint(asApi(sql), endpointId, 'OPERATOR')).toBe(false);
    expect(await findWebhookEndpoint(sql, endpointId)).toMatchObject({ enabled: false, disabledReason: 'GONE' });
    await inTransaction(asApi(sql), (tx) => enableWebhookEndpoint(tx, endpointId));
    expect(await findWebhookEndpoint(sql, endpointId)).toMatchObject({
      enabled: true,
      disabledReason: null,
      disabledAt: null,
    });
  });

  test('have two active secrets at most, and always one that stays', async ({ sql }) => {
    const { endpointId } = await insertEndpoint(sql);
    const outcomes = await Promise.all([1, 2, 3].map(() => addSecret(sql, endpointId)));
    expect(outcomes.map(({ outcome }) => outcome).sort()).toEqual(['INSERTED', 'INSERTED', 'TOO_MANY']);
    const secrets = (await findWebhookEndpoint(sql, endpointId))?.secrets ?? [];
    const [first, second] = secrets.map(({ secretId }) => secretId) as [WebhookSecretId, WebhookSecretId];
    expect(await retire(sql, endpointId, first, 3_600)).toBe('RETIRED');
    expect(await retire(sql, endpointId, second, 0)).toBe('LAST'); // The other one signs for an hour only.
    expect((await addSecret(sql, endpointId)).outcome).toBe('TOO_MANY'); // Until then both sign.
    expect(await retire(sql, endpointId, first, 0)).toBe('RETIRED');
    expect(await retire(sql, endpointId, first, 0)).toBe('MISSING');
    expect((await addSecret(sql, endpointId)).outcome).toBe('INSERTED');
  });
});

describe('webhook deliveries', () => {
  test('a test event goes to the endpoint that it is for, whatever types it wants', async ({ sql }) => {
    const { endpointId, appId } = await insertEndpoint(sql);
    await insertEndpoint(sql, appId);
    const deliveryId = await inTransaction(asApi(sql), (tx) => insertTestEvent(tx, endpointId));
    expect(await listWebhookDeliveries(asApi(sql), { ...ALL, appId }, FIRST_PAGE)).toMatchObject([
      { deliveryId, endpointId, eventType: 'webhook.test', status: 'PENDING', tries: 0, connectionId: null },
    ]);
    expect(await inTransaction(asApi(sql), (tx) => insertTestEvent(tx, newId<WebhookEndpointId>()))).toBeUndefined();
  });

  test('are listed newest first, page by page, by every filter', async ({ sql }) => {
    const { endpointId, appId } = await insertEndpoint(sql);
    const ids = [];
    for (let i = 0; i < 5; i += 1) ids.unshift(await inTransaction(sql, (tx) => insertTestEvent(tx, endpointId)));
    await addTwinsOfEvents(sql, appId);
    const filter = { ...ALL, endpointId, status: 'PENDING', eventType: 'webhook.test' } as const;
    const first = await listWebhookDeliveries(asApi(sql), filter, { limit: 3, after: null });
    const last = first.at(-1);
    if (last === undefined) throw new Error('An empty page.');
    const rest = await listWebhookDeliveries(asApi(sql), filter, {
      limit: 3,
      after: { at: last.occurredAt, id: last.deliveryId },
    });
    expect([...first, ...rest].map(({ deliveryId }) => deliveryId).sort()).toEqual([...ids].sort());
    const instants = [...first, ...rest].map(({ occurredAt }) => occurredAt.getTime());
    expect(instants).toEqual([...instants].sort((a, b) => b - a));
    for (const other of [
      { status: 'DELIVERED' as const },
      { eventType: 'job.finished' as const },
      { since: new Date(Date.now() + 3_600_000) },
    ]) {
      expect(await listWebhookDeliveries(asApi(sql), { ...ALL, appId, ...other }, FIRST_PAGE)).toEqual([]);
    }
  });

  test('of one event at several endpoints are listed page by page, each once', async ({ sql }) => {
    const { endpointId, appId } = await insertEndpoint(sql);
    const endpointIds = [endpointId];
    for (let i = 0; i < 4; i += 1) endpointIds.push((await insertEndpoint(sql, appId)).endpointId);
    await sql`insert into webhook_event (app_id, type, data) values (${appId}, 'job.finished', '{}')`;
    await addTwinsOfEvents(sql, appId);
    const since = new Date(Date.now() - 60_000);
    for (const id of endpointIds) {
      await inTransaction(asApi(sql), (tx) => requestRedeliveries(tx, id, since, { failedOnly: true }));
    }
    const listed: WebhookEndpointId[] = [];
    let after = null;
    for (let page = 0; page < endpointIds.length; page += 1) {
      const filter = { ...ALL, appId, status: 'PENDING' } as const;
      const deliveries = await listWebhookDeliveries(asApi(sql), filter, { limit: 2, after });
      listed.push(...deliveries.map((delivery) => delivery.endpointId));
      const last = deliveries.at(-1);
      if (last === undefined) break;
      after = { at: last.occurredAt, id: last.deliveryId };
    }
    expect(listed.sort()).toEqual(endpointIds.sort());
  });

  test('a redelivery and a worker that records a try take their locks in one order', async ({ sql }) => {
    const { endpointId, appId } = await insertEndpoint(sql);
    const deliveryId = (await inTransaction(sql, (tx) => insertTestEvent(tx, endpointId))) as WebhookDeliveryId;
    await addTwinsOfEvents(sql, appId);
    await sql`update webhook_endpoint set paused_until = business_now() + interval '1 hour'
      where endpoint_id = ${endpointId}`;
    let runs = 0;
    let redelivery: Promise<unknown> = Promise.resolve();
    // The worker's transaction: its endpoint first, then its deliveries.
    await sql.begin(async (tx) => {
      await tx`update webhook_endpoint set failures = failures + 1 where endpoint_id = ${endpointId}`;
      redelivery = inTransaction(asApi(sql), (own) => {
        runs += 1;
        return requestRedelivery(own, deliveryId);
      });
      await vi.waitUntil(
        async () =>
          (await sql`select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`)
            .length > 0,
      );
      await tx`update webhook_delivery set tries = tries + 1 where delivery_id = ${deliveryId}`;
    });
    expect(await redelivery).toBe(endpointId);
    expect(runs).toBe(1); // A deadlock would have repeated it.
  });

  test('can be asked for again, one or all since an instant', async ({ sql }) => {
    const { endpointId, appId } = await insertEndpoint(sql);
    const [event] = await sql`
      insert into webhook_event (app_id, type, data) values (${appId}, 'job.finished', '{}'), (${appId}, 'connection.connected', '{}')
      returning event_id
    `;
    await addTwinsOfEvents(sql, appId);
    // The event came while the endpoint was disabled: there is no delivery yet.
    const since = new Date(Date.now() - 60_000);
    const request = (failedOnly: boolean, from = since) =>
      inTransaction(asApi(sql), (tx) => requestRedeliveries(tx, endpointId, from, { failedOnly }));
    expect(await request(true)).toEqual({ count: 1, continueAt: null });
    const [delivery] = await listWebhookDeliveries(sql, { ...ALL, endpointId }, FIRST_PAGE);
    if (delivery === undefined) throw new Error('No delivery.');
    expect(delivery).toMatchObject({ eventId: event?.eventId, eventType: 'job.finished', status: 'PENDING' });
    await sql`
      update webhook_delivery set status = 'DELIVERED', tries = 3, next_try_at = null, finished_at = now()
      where delivery_id = ${delivery.deliveryId}
    `;
    expect(await request(true)).toEqual({ count: 0, continueAt: null });
    expect(await request(false, new Date(Date.now() + 60_000))).toEqual({ count: 0, continueAt: null });
    expect(await request(false)).toEqual({ count: 1, continueAt: null });
    const again = { status: 'PENDING', tries: 0, finishedAt: null, nextTryAt: expect.any(Date) };
    expect(await findWebhookDelivery(sql, delivery.deliveryId)).toMatchObject(again);
    await sql`update webhook_delivery set status = 'FAILED', next_try_at = null where delivery_id = ${delivery.deliveryId}`;
    expect(await inTransaction(asApi(sql), (tx) => requestRedelivery(tx, delivery.deliveryId))).toBe(endpointId);
    expect(await findWebhookDelivery(sql, delivery.deliveryId)).toMatchObject(again);
    await deleteWebhookEndpoint(asApi(sql), endpointId);
    expect(await inTransaction(asApi(sql), (tx) => requestRedelivery(tx, delivery.deliveryId))).toBeUndefined();
    expect(await request(false)).toBeUndefined();
  });
});

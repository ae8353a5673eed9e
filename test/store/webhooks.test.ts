import { describe, expect, vi } from 'vitest';
import { type AppId, newId, type WebhookDeliveryId, type WebhookEndpointId } from '../../src/basics/ids.ts';
import { type Database, inTransaction } from '../../src/store/driver/sql.ts';
import { requestRedelivery } from '../../src/store/webhooks/redeliveries.ts';
import { insertTestEvent } from '../../src/store/webhooks/webhook-deliveries.ts';
import { insertWebhookEndpoint, listWebhookEndpoints } from '../../src/store/webhooks/webhook-endpoints.ts';
import { addTwins } from '../kit/bystanders.ts';
import { asApi, test } from '../kit/postgres.ts';
import { seedApp } from '../kit/seed.ts';
import { addTwinsOfEvents } from '../kit/seed-endpoint.ts';

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

describe('webhook endpoints', () => {
  test('an app has ten at most, also when they are added at the same time', async ({ sql }) => {
    const { appId } = await insertEndpoint(sql);
    const outcomes = await Promise.all(Array.from({ length: 12 }, () => insertEndpoint(sql, appId)));
    expect(outcomes.filter(({ inserted }) => inserted === 'INSERTED')).toHaveLength(9);
    expect(await listWebhookEndpoints(asApi(sql), appId)).toHaveLength(10);
  });
});

describe('webhook deliveries', () => {
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
});

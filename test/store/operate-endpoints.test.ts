import { randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import { makeKeys } from '../../local/src/development-keys.ts';
import type { AppId, WebhookDeliveryId, WebhookEndpointId } from '../../src/basics/ids.ts';
import {
  addWebhookEndpoint,
  changeWebhookEndpoint,
  redeliverWebhook,
  redeliverWebhooks,
  resumeWebhooks,
  rotateWebhookSecret,
  sendTestWebhook,
} from '../../src/domain/webhooks/operate-endpoints.ts';
import { moveConnection } from '../../src/store/connections/connections.ts';
import { type Database, inTransaction, type Transaction } from '../../src/store/driver/sql.ts';
import { insertTestEvent } from '../../src/store/webhooks/webhook-deliveries.ts';
import { disableWebhookEndpoint, findWebhookEndpoint } from '../../src/store/webhooks/webhook-endpoints.ts';
import { createSeal } from '../../src/vault/seal.ts';
import type { WebhookEgress } from '../../src/webhooks/endpoint-url.ts';
import { asApi, test } from '../kit/postgres.ts';
import { seedApp, seedConnection } from '../kit/seed.ts';
import { addTwinsOfEvents, seedEndpoint } from '../kit/seed-endpoint.ts';

const EGRESS: WebhookEgress = { production: true, privateNetworks: [] };
const sealEdge = await createSeal(JSON.parse((await makeKeys()).VAULT_EDGE_KEYS));

type Act = (tx: Transaction, endpointId: WebhookEndpointId) => Promise<unknown>;
const act = (sql: Database, endpointId: WebhookEndpointId, act: Act) =>
  inTransaction(asApi(sql), (tx) => act(tx, endpointId));

/** How many starts of its workflow wait for their delivery. */
async function countDispatches(sql: Database, endpointId: WebhookEndpointId): Promise<number> {
  const [row] = await sql`select count(*)::int as count from outbox where workflow_id = ${`webhooks/${endpointId}`}`;
  return row?.count as number;
}

const since = new Date(0);
const redeliver =
  (how: { dryRun?: boolean } = {}): Act =>
  (tx, endpointId) =>
    redeliverWebhooks(tx, { endpointId, since, failedOnly: false, dryRun: false, ...how }, null);

describe('an act on the webhooks of an endpoint', () => {
  test.for<[string, number, Act, number]>([
    ['to enable it', 0, (tx, id) => resumeWebhooks(tx, id, null), 1],
    ['to test it', 0, (tx, id) => sendTestWebhook(tx, id, null), 1],
    ['to send one again', 0, async (tx, id) => redeliverWebhook(tx, await newDelivery(tx, id), null), 1],
    ['to send all again', 1, redeliver(), 1],
    ['to send all again, of which there are two', 2, redeliver(), 1],
    ['to send all again, of which there is none', 0, redeliver(), 0],
    ['to ask how many would be sent again', 1, redeliver({ dryRun: true }), 0],
    ['to ask the same without any', 0, redeliver({ dryRun: true }), 0],
  ])('%s starts its workflow if there may be something to send', async ([_name, events, run, started], { sql }) => {
    const seeded = await seedApp(sql);
    const { appId } = seeded.app;
    const connectionId = await seedConnection(sql, seeded, { scope: seeded.newScope() });
    const otherId = await seedEndpoint(sql, appId);
    const statuses = (['SUSPENDED', 'CONNECTED'] as const).slice(0, events);
    for (const status of statuses) await moveConnection(asApi(sql), connectionId, status);
    const endpointId = await seedEndpoint(sql, appId); // It has missed them.
    await addTwinsOfEvents(sql, appId);
    await act(sql, endpointId, run);
    expect(await countDispatches(sql, endpointId)).toBe(started);
    expect(await countDispatches(sql, otherId)).toBe(0);
  });

  test.for<[string, Act]>([
    ['to enable it', (tx, id) => resumeWebhooks(tx, id, null)],
    ['to test it', (tx, id) => sendTestWebhook(tx, id, null)],
    ['to change it', (tx, id) => changeWebhookEndpoint(tx, id, { field: 'url' }, EGRESS)],
    ['to give it a secret', (tx, id) => rotateWebhookSecret(tx, id, sealEdge)],
    ['to send all again', redeliver()],
    ['to send one again', (tx) => redeliverWebhook(tx, randomUUID() as WebhookDeliveryId, null)],
  ])('%s is refused if it is unknown', async ([_name, run], { sql }) => {
    const refused = act(sql, randomUUID() as WebhookEndpointId, run);
    await expect(refused).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  test('to enable it enables it', async ({ sql }) => {
    const endpointId = await seedEndpoint(sql, (await seedApp(sql)).app.appId);
    const isEnabled = async () => (await findWebhookEndpoint(sql, endpointId))?.enabled;
    await disableWebhookEndpoint(asApi(sql), endpointId, 'OPERATOR');
    expect(await isEnabled()).toBe(false);
    await act(sql, endpointId, (tx) => resumeWebhooks(tx, endpointId, null));
    expect(await isEnabled()).toBe(true);
  });

  test('to add one is refused if its app is unknown', async ({ sql }) => {
    const endpoint = { appId: randomUUID() as AppId, url: 'https://caller.example/', eventTypes: [], field: 'url' };
    const added = inTransaction(asApi(sql), (tx) => addWebhookEndpoint(tx, endpoint, { egress: EGRESS, sealEdge }));
    await expect(added).rejects.toMatchObject({ code: 'NOT_FOUND', message: 'There is no such app.' });
  });
});

async function newDelivery(tx: Transaction, endpointId: WebhookEndpointId): Promise<WebhookDeliveryId> {
  return (await insertTestEvent(tx, endpointId)) ?? expect.fail('There is no such endpoint.');
}

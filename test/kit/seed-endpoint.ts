import { randomUUID } from 'node:crypto';
import { WEBHOOK_EVENT_TYPES, type WebhookEventType } from '../../src/basics/codes.ts';
import { type AppId, newId, type WebhookEndpointId, type WebhookSecretId } from '../../src/basics/ids.ts';
import { type Database, inTransaction } from '../../src/store/driver/sql.ts';
import { insertWebhookEndpoint, insertWebhookSecret } from '../../src/store/webhooks/webhook-endpoints.ts';
import { addTwins } from './bystanders.ts';
import { asApi } from './postgres.ts';

// What tests of other folders need of the store.
export { requestRedeliveries } from '../../src/store/webhooks/redeliveries.ts';
export { insertTestEvent } from '../../src/store/webhooks/webhook-deliveries.ts';
export {
  disableWebhookEndpoint,
  enableWebhookEndpoint,
  findWebhookEndpoint,
  retireWebhookSecret,
} from '../../src/store/webhooks/webhook-endpoints.ts';

/** An endpoint of an app, inserted with the rights of the api, without a secret. */
export async function seedEndpoint(
  sql: Database,
  appId: AppId,
  {
    url = `https://caller.example/${randomUUID()}`,
    eventTypes = WEBHOOK_EVENT_TYPES,
  }: { url?: string; eventTypes?: readonly WebhookEventType[] } = {},
): Promise<WebhookEndpointId> {
  const endpointId = newId<WebhookEndpointId>();
  await inTransaction(asApi(sql), (tx) => insertWebhookEndpoint(tx, { endpointId, appId, url, eventTypes }));
  await addTwins(sql, [['webhook_endpoint', 'endpoint_id', endpointId]]);
  return endpointId;
}

/** A secret of an endpoint. */
export async function seedEndpointSecret(
  sql: Database,
  endpointId: WebhookEndpointId,
  secret: { secretId?: WebhookSecretId; sealedSecret: string } = { sealedSecret: 'sealed' },
): Promise<WebhookSecretId> {
  const { secretId = newId<WebhookSecretId>(), sealedSecret } = secret;
  await inTransaction(asApi(sql), (tx) => insertWebhookSecret(tx, { secretId, endpointId, sealedSecret }));
  await addTwins(sql, [['webhook_secret', 'endpoint_id', endpointId]]);
  return secretId;
}

/** Gives the events of an app up to now, and their deliveries, twins. */
export const addTwinsOfEvents = (sql: Database, appId: AppId): Promise<void> =>
  addTwins(sql, [
    ['webhook_event', 'app_id', appId],
    ['webhook_delivery', 'app_id', appId],
  ]);

import { z } from 'zod';
import { DELIVERY_STATUSES, SENT_EVENT_TYPES, WEBHOOK_EVENT_TYPES } from '../basics/codes.ts';
import { ServiceError } from '../basics/errors.ts';
import type { AppId, ConnectionId, WebhookDeliveryId, WebhookEndpointId, WebhookSecretId } from '../basics/ids.ts';
import * as rules from '../domain/rules/input-rules.ts';
import { describeDeliveryFailure } from '../domain/texts/webhook-texts.ts';
import * as operate from '../domain/webhooks/operate-endpoints.ts';
import { inTransaction } from '../store/driver/sql.ts';
import { listWebhookDeliveries } from '../store/webhooks/webhook-deliveries.ts';
import {
  deleteWebhookEndpoint,
  disableWebhookEndpoint,
  listTroubledWebhookEndpoints,
  listWebhookEndpoints,
  type WebhookEndpoint,
} from '../store/webhooks/webhook-endpoints.ts';
import type { Seal } from '../vault/seal.ts';
import { flag, id, instant, type Row } from './command.ts';
import { at, MAX_ROWS, NOT_YET, type Operation, type OperationDeps, operation } from './operation.ts';

const SECONDS_PER_HOUR = 3_600;

const endpoint = { endpoint: id<WebhookEndpointId>() };

const endpointRow = (row: WebhookEndpoint): Row => ({
  webhookEndpointId: row.endpointId,
  appId: row.appId,
  url: row.url,
  eventTypes: row.eventTypes,
  enabled: row.enabled,
  disabledReason: row.disabledReason,
  disabledAt: at(row.disabledAt),
  failingSince: at(row.failingSince),
  failures: row.failures,
  pausedUntil: at(row.pausedUntil),
  secretIds: row.secrets.map(({ secretId }) => secretId),
});

function requireSealEdge({ sealEdge }: OperationDeps): Seal {
  if (!sealEdge) throw new ServiceError('BAD_USER_INPUT', 'VAULT_EDGE_KEYS is not set: it seals this secret.');
  return sealEdge;
}

/** Sends what was just committed; if Temporal cannot be reached, the worker does it later. */
async function deliverNow({ deliver }: OperationDeps): Promise<Row> {
  const delivered = await deliver().catch(() => false);
  return { delivered, note: delivered ? null : NOT_YET };
}

/** The commands for webhooks; the admin API offers the same. */
export const WEBHOOK_COMMANDS: Readonly<Record<string, Operation>> = {
  'webhook-endpoint create': operation(
    'webhook-endpoint create --app APP_ID --url URL [--event-type TYPE …]',
    'Add a webhook endpoint to an app, for all types of events unless you name some; this shows its secret once',
    { app: id<AppId>(), url: rules.text, 'event-type': rules.webhookEventTypes.default([...WEBHOOK_EVENT_TYPES]) },
    async ({ app, url, 'event-type': eventTypes }, deps) => {
      const sealEdge = requireSealEdge(deps);
      const { endpointId, secret } = await inTransaction(deps.sql, (tx) =>
        operate.addWebhookEndpoint(
          tx,
          { appId: app, url, eventTypes, field: '--url' },
          { egress: deps.webhookEgress, sealEdge },
        ),
      );
      return { webhookEndpointId: endpointId, secret: secret.reveal() };
    },
  ),
  'webhook-endpoint list': operation(
    'webhook-endpoint list [--app APP_ID]',
    "List an app's webhook endpoints, or those of all apps that are disabled or failing",
    { app: id<AppId>().optional() },
    async ({ app }, { sql, warn }) => {
      if (app !== undefined) return (await listWebhookEndpoints(sql, app)).map(endpointRow);
      const rows = await listTroubledWebhookEndpoints(sql, { limit: MAX_ROWS + 1, after: null });
      if (rows.length > MAX_ROWS) warn(`There are more: these are the ${MAX_ROWS} newest.`);
      return rows.slice(0, MAX_ROWS).map(endpointRow);
    },
  ),
  'webhook-endpoint change': operation(
    'webhook-endpoint change --endpoint ENDPOINT_ID [--url URL] [--event-type TYPE …]',
    'Change the URL of a webhook endpoint, or the types of events it receives',
    { ...endpoint, url: rules.text.optional(), 'event-type': rules.webhookEventTypes.optional() },
    async ({ endpoint: endpointId, url = null, 'event-type': eventTypes = null }, { sql, webhookEgress }) => {
      if (url === null && eventTypes === null) {
        throw new ServiceError('BAD_USER_INPUT', 'Give --url, --event-type, or both.');
      }
      return await inTransaction(sql, async (tx) => {
        await operate.changeWebhookEndpoint(tx, endpointId, { url, eventTypes, field: '--url' }, webhookEgress);
        return endpointRow(await operate.getWebhookEndpoint(tx, endpointId));
      });
    },
  ),
  'webhook-endpoint disable': operation(
    'webhook-endpoint disable --endpoint ENDPOINT_ID',
    'Stop sending to a webhook endpoint; events from now on are not kept for it',
    endpoint,
    async ({ endpoint: endpointId }, { sql }) =>
      await inTransaction(sql, async (tx) => {
        await disableWebhookEndpoint(tx, endpointId, 'OPERATOR');
        return endpointRow(await operate.getWebhookEndpoint(tx, endpointId));
      }),
  ),
  'webhook-endpoint enable': operation(
    'webhook-endpoint enable --endpoint ENDPOINT_ID',
    'Send to a webhook endpoint again, the waiting deliveries first',
    endpoint,
    async ({ endpoint: endpointId }, deps) => {
      await inTransaction(deps.sql, (tx) => operate.resumeWebhooks(tx, endpointId, null));
      return { webhookEndpointId: endpointId, ...(await deliverNow(deps)) };
    },
  ),
  'webhook-endpoint remove': operation(
    'webhook-endpoint remove --endpoint ENDPOINT_ID',
    'Remove a webhook endpoint and its secrets',
    endpoint,
    async ({ endpoint: endpointId }, { sql }) => {
      if (!(await deleteWebhookEndpoint(sql, endpointId))) {
        throw new ServiceError('NOT_FOUND', 'There is no such webhook endpoint.');
      }
      return { webhookEndpointId: endpointId };
    },
  ),
  'webhook-secret rotate': operation(
    'webhook-secret rotate --endpoint ENDPOINT_ID',
    'Add a second secret to a webhook endpoint; this shows it once, and both sign until you retire one',
    endpoint,
    async ({ endpoint: endpointId }, deps) => {
      const sealEdge = requireSealEdge(deps);
      const { secretId, secret } = await inTransaction(deps.sql, (tx) =>
        operate.rotateWebhookSecret(tx, endpointId, sealEdge),
      );
      return { webhookSecretId: secretId, secret: secret.reveal() };
    },
  ),
  'webhook-secret retire': operation(
    'webhook-secret retire --endpoint ENDPOINT_ID --secret SECRET_ID [--after-hours HOURS]',
    'End the use of a webhook secret, now or after some hours',
    {
      ...endpoint,
      secret: id<WebhookSecretId>(),
      'after-hours': z.string().transform(Number).pipe(rules.retireAfterHours).default(0),
    },
    async ({ endpoint: endpointId, secret, 'after-hours': hours }, { sql }) => {
      await inTransaction(sql, (tx) => operate.endWebhookSecret(tx, endpointId, secret, hours * SECONDS_PER_HOUR));
      return { webhookSecretId: secret };
    },
  ),
  'webhook test': operation(
    'webhook test --endpoint ENDPOINT_ID',
    'Send a test event to a webhook endpoint',
    endpoint,
    async ({ endpoint: endpointId }, deps) => {
      const deliveryId = await inTransaction(deps.sql, (tx) => operate.sendTestWebhook(tx, endpointId, null));
      return { webhookDeliveryId: deliveryId, ...(await deliverNow(deps)) };
    },
  ),
  'webhook deliveries': operation(
    'webhook deliveries [--app APP_ID] [--endpoint ENDPOINT_ID] [--status PENDING|DELIVERED|FAILED] [--event-type TYPE] [--connection CONNECTION_ID] [--since ISO_8601]',
    'List the deliveries of webhooks, the newest event first',
    {
      app: id<AppId>().optional(),
      endpoint: id<WebhookEndpointId>().optional(),
      status: z.enum(DELIVERY_STATUSES).optional(),
      'event-type': z.enum(SENT_EVENT_TYPES).optional(),
      connection: id<ConnectionId>().optional(),
      since: instant.optional(),
    },
    async (options, { sql, warn }) => {
      const filter = {
        appId: options.app ?? null,
        endpointId: options.endpoint ?? null,
        status: options.status ?? null,
        eventType: options['event-type'] ?? null,
        connectionId: options.connection ?? null,
        since: options.since ?? null,
      };
      const rows = await listWebhookDeliveries(sql, filter, { limit: MAX_ROWS + 1, after: null });
      if (rows.length > MAX_ROWS) warn(`There are more: these are the ${MAX_ROWS} newest.`);
      return rows.slice(0, MAX_ROWS).map((row) => ({
        webhookDeliveryId: row.deliveryId,
        eventId: row.eventId,
        eventType: row.eventType,
        occurredAt: at(row.occurredAt),
        webhookEndpointId: row.endpointId,
        connectionId: row.connectionId,
        status: row.status,
        tries: row.tries,
        lastHttpStatus: row.lastHttpStatus,
        lastFailure: describeDeliveryFailure(row)?.code ?? null,
        lastTriedAt: at(row.lastTriedAt),
        nextTryAt: at(row.nextTryAt),
      }));
    },
  ),
  'webhook redeliver': operation(
    'webhook redeliver --delivery DELIVERY_ID | --endpoint ENDPOINT_ID --since ISO_8601 [--all]',
    'Send one event again, or the undelivered events since an instant; --all includes the delivered ones',
    {
      delivery: id<WebhookDeliveryId>().optional(),
      endpoint: id<WebhookEndpointId>().optional(),
      since: instant.optional(),
      all: flag,
    },
    async ({ delivery, endpoint: endpointId, since, all }, deps) => {
      if (delivery !== undefined && endpointId === undefined && since === undefined && !all) {
        await inTransaction(deps.sql, (tx) => operate.redeliverWebhook(tx, delivery, null));
        return { webhookDeliveryId: delivery, count: 1, continueAt: null, ...(await deliverNow(deps)) };
      }
      if (delivery !== undefined || endpointId === undefined || since === undefined) {
        throw new ServiceError('BAD_USER_INPUT', 'Give either --delivery, or --endpoint and --since.');
      }
      const { count, continueAt } = await inTransaction(deps.sql, (tx) =>
        operate.redeliverWebhooks(tx, { endpointId, since, failedOnly: !all }, null),
      );
      return { webhookEndpointId: endpointId, count, continueAt: at(continueAt), ...(await deliverNow(deps)) };
    },
  ),
};

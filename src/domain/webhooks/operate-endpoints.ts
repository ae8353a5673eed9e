import type { WebhookEventType } from '../../basics/codes.ts';
import { badInput, ServiceError } from '../../basics/errors.ts';
import {
  type AppId,
  type CorrelationId,
  newId,
  type WebhookDeliveryId,
  type WebhookEndpointId,
  type WebhookSecretId,
} from '../../basics/ids.ts';
import type { Secret } from '../../basics/secret.ts';
import type { Transaction } from '../../store/driver/sql.ts';
import { insertDispatches } from '../../store/outbox.ts';
import { releaseWaiting } from '../../store/webhooks/due-deliveries.ts';
import { requestRedeliveries, requestRedelivery } from '../../store/webhooks/redeliveries.ts';
import { insertTestEvent } from '../../store/webhooks/webhook-deliveries.ts';
import {
  enableWebhookEndpoint,
  findWebhookEndpoint,
  insertWebhookEndpoint,
  insertWebhookSecret,
  retireWebhookSecret,
  updateWebhookEndpoint,
  type WebhookEndpoint,
} from '../../store/webhooks/webhook-endpoints.ts';
import type { Seal } from '../../vault/seal.ts';
import { findEndpointUrlFault, type WebhookEgress } from '../../webhooks/endpoint-url.ts';
import { buildDispatch } from '../../workflows/dispatches.ts';
import { createWebhookSecret } from './create-webhook-secret.ts';

/** The acts of an operator on webhook endpoints, by the admin API or the command line. Wake the outbox after the commit. */

const createNotFoundError = (what: string) => new ServiceError('NOT_FOUND', `There is no such ${what}.`);

/** @throws ServiceError `NOT_FOUND` */
async function getWebhookEndpoint(
  sql: Parameters<typeof findWebhookEndpoint>[0],
  endpointId: WebhookEndpointId,
): Promise<WebhookEndpoint> {
  const endpoint = await findWebhookEndpoint(sql, endpointId);
  if (endpoint === undefined) throw createNotFoundError('webhook endpoint');
  return endpoint;
}

/** @param field the name of the URL's argument, for the error. @throws ServiceError `BAD_USER_INPUT` */
function requireEndpointUrl(url: string, egress: WebhookEgress, field: string): void {
  const fault = findEndpointUrlFault(url, egress);
  if (fault !== undefined) throw badInput(field, fault);
}

/** Adds an endpoint with its first secret. @throws ServiceError `BAD_USER_INPUT` | `NOT_FOUND` */
export async function addWebhookEndpoint(
  tx: Transaction,
  { field, ...endpoint }: { appId: AppId; url: string; eventTypes: readonly WebhookEventType[]; field: string },
  { egress, sealEdge }: { egress: WebhookEgress; sealEdge: Seal },
): Promise<{ endpointId: WebhookEndpointId; secret: Secret }> {
  requireEndpointUrl(endpoint.url, egress, field);
  const endpointId = newId<WebhookEndpointId>();
  const outcome = await insertWebhookEndpoint(tx, { endpointId, ...endpoint });
  if (outcome === 'MISSING') throw createNotFoundError('app');
  if (outcome === 'TOO_MANY')
    throw new ServiceError('BAD_USER_INPUT', 'The app has ten endpoints already. Remove one.');
  const { secret } = await rotateWebhookSecret(tx, endpointId, sealEdge);
  return { endpointId, secret };
}

/** Null leaves a setting unchanged. @throws ServiceError `BAD_USER_INPUT` | `NOT_FOUND` */
export async function changeWebhookEndpoint(
  tx: Transaction,
  endpointId: WebhookEndpointId,
  {
    field,
    ...changes
  }: { url?: string | undefined; eventTypes?: readonly WebhookEventType[] | undefined; field: string },
  egress: WebhookEgress,
): Promise<void> {
  if (changes.url !== undefined) requireEndpointUrl(changes.url, egress, field);
  if (!(await updateWebhookEndpoint(tx, endpointId, changes))) throw createNotFoundError('webhook endpoint');
}

/** Adds a secret. Both sign until one is retired. @throws ServiceError `BAD_USER_INPUT` | `NOT_FOUND` */
export async function rotateWebhookSecret(
  tx: Transaction,
  endpointId: WebhookEndpointId,
  sealEdge: Seal,
): Promise<{ secretId: WebhookSecretId; secret: Secret }> {
  const { secret, ...stored } = await createWebhookSecret(sealEdge);
  const outcome = await insertWebhookSecret(tx, { endpointId, ...stored });
  if (outcome === 'MISSING') throw createNotFoundError('webhook endpoint');
  if (outcome === 'TOO_MANY') {
    throw new ServiceError(
      'BAD_USER_INPUT',
      'Two secrets already sign. Retire one, or wait until one of them expires.',
    );
  }
  return { secretId: stored.secretId, secret };
}

/** @param seconds for which the secret continues to sign. @throws ServiceError `BAD_USER_INPUT` | `NOT_FOUND` */
export async function endWebhookSecret(
  tx: Transaction,
  endpointId: WebhookEndpointId,
  secretId: WebhookSecretId,
  seconds: number,
): Promise<void> {
  const outcome = await retireWebhookSecret(tx, endpointId, secretId, seconds);
  if (outcome === 'MISSING') throw createNotFoundError('webhook secret in use');
  if (outcome === 'LAST') {
    throw new ServiceError('BAD_USER_INPUT', 'This is the only secret that stays. Rotate the secret first.');
  }
}

/** Enables an endpoint and sends its waiting events. @throws ServiceError `NOT_FOUND` */
export async function resumeWebhooks(
  tx: Transaction,
  endpointId: WebhookEndpointId,
  correlationId: CorrelationId | null,
): Promise<void> {
  await enableWebhookEndpoint(tx, endpointId);
  await releaseWaiting(tx, endpointId);
  await dispatchWebhooks(tx, endpointId, correlationId);
}

/** @throws ServiceError `BAD_USER_INPUT` | `NOT_FOUND` */
export async function sendTestWebhook(
  tx: Transaction,
  endpointId: WebhookEndpointId,
  correlationId: CorrelationId | null,
): Promise<WebhookDeliveryId> {
  const { enabled } = await getWebhookEndpoint(tx, endpointId);
  if (!enabled) throw new ServiceError('BAD_USER_INPUT', 'The endpoint is disabled. Enable it first.');
  const deliveryId = await insertTestEvent(tx, endpointId);
  if (deliveryId === undefined) throw createNotFoundError('webhook endpoint');
  await dispatchWebhooks(tx, endpointId, correlationId);
  return deliveryId;
}

/** Sends one event again. @throws ServiceError `NOT_FOUND` */
export async function redeliverWebhook(
  tx: Transaction,
  deliveryId: WebhookDeliveryId,
  correlationId: CorrelationId | null,
): Promise<void> {
  const endpointId = await requestRedelivery(tx, deliveryId);
  if (endpointId === undefined) throw createNotFoundError('delivery, or its endpoint is gone');
  await dispatchWebhooks(tx, endpointId, correlationId);
}

/**
 * Sends the events since an instant again.
 * @returns the instant to continue from, if there may be more.
 * @throws ServiceError `NOT_FOUND`
 */
export async function redeliverWebhooks(
  tx: Transaction,
  { endpointId, since, ...how }: { endpointId: WebhookEndpointId; since: Date; failedOnly: boolean; dryRun: boolean },
  correlationId: CorrelationId | null,
): Promise<{ count: number; continueAt: Date | null }> {
  const requested = await requestRedeliveries(tx, endpointId, since, how);
  if (requested === undefined) throw createNotFoundError('webhook endpoint');
  if (requested.count > 0 && !how.dryRun) await dispatchWebhooks(tx, endpointId, correlationId);
  return requested;
}

/** @throws ServiceError `NOT_FOUND` */
async function dispatchWebhooks(
  tx: Transaction,
  endpointId: WebhookEndpointId,
  correlationId: CorrelationId | null,
): Promise<void> {
  const { appId } = await getWebhookEndpoint(tx, endpointId);
  await insertDispatches(tx, [buildDispatch('sendWebhooks', { endpointId, appId, correlationId })]);
}

import type { WebhookEventType } from '../../src/basics/codes.ts';
import type { AppId, WebhookEndpointId } from '../../src/basics/ids.ts';
import { addWebhookEndpoint } from '../../src/domain/webhooks/operate-endpoints.ts';
import { createSeal } from '../../src/vault/seal.ts';
import { inTransaction } from '../kit/postgres.ts';
import type { TestService } from '../kit/service.ts';

/** Adds an endpoint to the service's app, as an operator does. */
export async function addEndpoint(
  { app, database, settings }: TestService,
  url: string,
  eventTypes: readonly WebhookEventType[],
): Promise<{ endpointId: WebhookEndpointId; secret: string }> {
  const sealEdge = await createSeal(JSON.parse(settings.keys.VAULT_EDGE_KEYS));
  const { endpointId, secret } = await inTransaction(database.sql, (tx) =>
    addWebhookEndpoint(
      tx,
      { appId: app.appId as AppId, url, eventTypes, field: 'url' },
      { egress: { production: false, privateNetworks: [] }, sealEdge },
    ),
  );
  return { endpointId, secret: secret.reveal() };
}

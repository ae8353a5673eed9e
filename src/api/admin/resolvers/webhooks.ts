import { WEBHOOK_EVENT_TYPES } from '../../../basics/codes.ts';
import type { WebhookDeliveryId, WebhookEndpointId } from '../../../basics/ids.ts';
import { EVENT_DESCRIPTIONS } from '../../../domain/texts/webhook-texts.ts';
import * as operate from '../../../domain/webhooks/operate-endpoints.ts';
import type { MutationResolvers, QueryResolvers, WebhookEndpoint } from '../../../generated/admin-schema.ts';
import { listAppNames } from '../../../store/apps/apps.ts';
import { findWebhookDelivery, listWebhookDeliveries } from '../../../store/webhooks/webhook-deliveries.ts';
import type * as store from '../../../store/webhooks/webhook-endpoints.ts';
import {
  deleteWebhookEndpoint,
  disableWebhookEndpoint as disable,
  findWebhookEndpoint,
  listTroubledWebhookEndpoints,
  listWebhookEndpoints,
} from '../../../store/webhooks/webhook-endpoints.ts';
import type { WebhookEgress } from '../../../webhooks/endpoint-url.ts';
import { parseArgs } from '../../inputs.ts';
import type { AdminContext, AnyContext, MutationContext } from '../context.ts';
import { runOnce } from '../idempotency.ts';
import * as args from '../inputs.ts';
import { bindListing, buildPage, readPageCursor } from '../pages.ts';
import { toWebhookDelivery, toWebhookEndpoint } from '../to-graphql.ts';
import { createNotFoundError, getApp, getExisting, requireApp } from './lookups.ts';

type Queries = QueryResolvers<AdminContext>;
type Mutations = MutationResolvers<MutationContext>;

const SECONDS_PER_HOUR = 3_600;

const egressOf = ({ config }: AnyContext): WebhookEgress => ({
  production: config.DEPLOYMENT === 'production',
  privateNetworks: config.WEBHOOK_PRIVATE_NETWORKS ?? [],
});

async function toEndpoints(context: AnyContext, rows: readonly store.WebhookEndpoint[]): Promise<WebhookEndpoint[]> {
  const names = await listAppNames(context.sql, [...new Set(rows.map(({ appId }) => appId))]);
  return rows.map((row) => toWebhookEndpoint(context, row, names.get(row.appId) ?? ''));
}

const getEndpoint = (context: AnyContext, id: WebhookEndpointId | undefined): Promise<WebhookEndpoint> =>
  getExisting('webhook endpoint', id, async (endpointId) => {
    const row = await findWebhookEndpoint(context.sql, endpointId);
    return row && (await toEndpoints(context, [row]))[0];
  });

/** The endpoint that a mutation changes. The audit log also names its app. */
async function requireEndpoint({ sql, touched }: MutationContext, id: WebhookEndpointId | undefined) {
  const found = await getExisting('webhook endpoint', id, (endpointId) => findWebhookEndpoint(sql, endpointId));
  touched([found.appId]);
  return found;
}

const getDelivery = async ({ sql }: AnyContext, id: WebhookDeliveryId | undefined) =>
  toWebhookDelivery(await getExisting('delivery', id, (deliveryId) => findWebhookDelivery(sql, deliveryId)));

export const webhookEventTypes: Queries['webhookEventTypes'] = () =>
  WEBHOOK_EVENT_TYPES.map((name) => ({ name, description: EVENT_DESCRIPTIONS[name] }));

export const webhookEndpoints: Queries['webhookEndpoints'] = async (_root, given, context) => {
  const appId = await requireApp(context, parseArgs(args.WebhookEndpointsArgs, given).appId);
  return await toEndpoints(context, await listWebhookEndpoints(context.sql, appId));
};

export const troubledWebhookEndpoints: Queries['troubledWebhookEndpoints'] = async (_root, given, context) => {
  const { first, after } = parseArgs(args.TroubledWebhookEndpointsArgs, given);
  const listing = bindListing('troubledWebhookEndpoints');
  const place = readPageCursor(context.mac, listing, after);
  const rows = await listTroubledWebhookEndpoints(context.sql, { limit: first + 1, after: place });
  const page = buildPage(
    context.mac,
    listing,
    { rows, first },
    (row) => [row.createdAt.toISOString(), row.endpointId],
    (row) => row,
  );
  return { ...page, items: await toEndpoints(context, page.items) };
};

export const webhookEndpoint: Queries['webhookEndpoint'] = async (_root, given, context) =>
  await getEndpoint(context, parseArgs(args.WebhookEndpointArgs, given).id);

export const webhookDeliveries: Queries['webhookDeliveries'] = async (_root, given, { mac, sql }) => {
  const { filter, first, after } = parseArgs(args.WebhookDeliveriesArgs, given);
  const listing = bindListing('webhookDeliveries', filter);
  const rows = await listWebhookDeliveries(sql, filter, {
    limit: first + 1,
    after: readPageCursor(mac, listing, after),
  });
  return buildPage(
    mac,
    listing,
    { rows, first },
    (row) => [row.occurredAt.toISOString(), row.deliveryId],
    toWebhookDelivery,
  );
};

export const webhookDelivery: Queries['webhookDelivery'] = async (_root, given, context) =>
  await getDelivery(context, parseArgs(args.WebhookDeliveryArgs, given).id);

export const createWebhookEndpoint: Mutations['createWebhookEndpoint'] = async (_root, given, context) => {
  const { input } = parseArgs(args.CreateWebhookEndpointArgs, given);
  const appId = await requireApp(context, input.appId);
  let secret: string | null = null;
  const { id } = await runOnce<WebhookEndpointId>(context, 'createWebhookEndpoint', input, async () => {
    const endpoint = { appId, url: input.url, eventTypes: input.eventTypes, field: 'input.url' };
    const added = await operate.addWebhookEndpoint(context.sql, endpoint, {
      egress: egressOf(context),
      sealEdge: context.sealEdge,
    });
    secret = added.secret.reveal();
    return added.endpointId;
  });
  context.touched([id]);
  return { endpoint: await getEndpoint(context, id), secret };
};

export const changeWebhookEndpoint: Mutations['changeWebhookEndpoint'] = async (_root, given, context) => {
  const { id, ...changes } = parseArgs(args.ChangeWebhookEndpointArgs, given);
  const { endpointId } = await requireEndpoint(context, id);
  await operate.changeWebhookEndpoint(context.sql, endpointId, { ...changes, field: 'url' }, egressOf(context));
  return await getEndpoint(context, endpointId);
};

export const disableWebhookEndpoint: Mutations['disableWebhookEndpoint'] = async (_root, given, context) => {
  const { endpointId } = await requireEndpoint(context, parseArgs(args.WebhookEndpointArgs, given).id);
  await disable(context.sql, endpointId, 'OPERATOR');
  return await getEndpoint(context, endpointId);
};

export const enableWebhookEndpoint: Mutations['enableWebhookEndpoint'] = async (_root, given, context) => {
  const { endpointId } = await requireEndpoint(context, parseArgs(args.WebhookEndpointArgs, given).id);
  await operate.resumeWebhooks(context.sql, endpointId, context.correlationId);
  return await getEndpoint(context, endpointId);
};

export const removeWebhookEndpoint: Mutations['removeWebhookEndpoint'] = async (_root, given, context) => {
  const { endpointId, appId } = await requireEndpoint(context, parseArgs(args.WebhookEndpointArgs, given).id);
  await deleteWebhookEndpoint(context.sql, endpointId);
  return await getApp(context, appId);
};

export const rotateWebhookSecret: Mutations['rotateWebhookSecret'] = async (_root, given, context) => {
  const input = parseArgs(args.RotateWebhookSecretArgs, given);
  const { endpointId } = await requireEndpoint(context, input.id);
  let secret: string | null = null;
  const make = async () => {
    const added = await operate.rotateWebhookSecret(context.sql, endpointId, context.sealEdge);
    secret = added.secret.reveal();
    return added.secretId;
  };
  const { id: secretId } = await runOnce(context, 'rotateWebhookSecret', input, make, 'idempotencyKey');
  context.touched([secretId]);
  return { endpoint: await getEndpoint(context, endpointId), secret };
};

export const retireWebhookSecret: Mutations['retireWebhookSecret'] = async (_root, given, context) => {
  const { id, secretId, afterHours } = parseArgs(args.RetireWebhookSecretArgs, given);
  const { endpointId } = await requireEndpoint(context, id);
  if (secretId === undefined) throw createNotFoundError('webhook secret in use');
  await operate.endWebhookSecret(context.sql, endpointId, secretId, afterHours * SECONDS_PER_HOUR);
  return await getEndpoint(context, endpointId);
};

export const sendTestWebhook: Mutations['sendTestWebhook'] = async (_root, given, context) => {
  const { endpointId } = await requireEndpoint(context, parseArgs(args.WebhookEndpointArgs, given).id);
  const deliveryId = await operate.sendTestWebhook(context.sql, endpointId, context.correlationId);
  context.touched([deliveryId]);
  return await getDelivery(context, deliveryId);
};

export const redeliverWebhook: Mutations['redeliverWebhook'] = async (_root, given, context) => {
  const { id } = parseArgs(args.WebhookDeliveryArgs, given);
  const { deliveryId, endpointId, appId } = await getExisting('delivery', id, (known) =>
    findWebhookDelivery(context.sql, known),
  );
  await operate.redeliverWebhook(context.sql, deliveryId, context.correlationId);
  context.touched([endpointId, appId]);
  return await getDelivery(context, deliveryId);
};

export const redeliverWebhooks: Mutations['redeliverWebhooks'] = async (_root, given, context) => {
  const { id, ...asked } = parseArgs(args.RedeliverWebhooksArgs, given);
  const { endpointId } = await requireEndpoint(context, id);
  return await operate.redeliverWebhooks(context.sql, { endpointId, ...asked }, context.correlationId);
};

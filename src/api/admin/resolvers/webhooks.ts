import { WEBHOOK_EVENT_TYPES } from '../../../basics/codes.ts';
import type { WebhookDeliveryId, WebhookEndpointId } from '../../../basics/ids.ts';
import { EVENT_DESCRIPTIONS } from '../../../domain/texts/webhook-texts.ts';
import * as operate from '../../../domain/webhooks/operate-endpoints.ts';
import type { WebhookEndpoint } from '../../../generated/admin-schema.ts';
import { listAppNames } from '../../../store/apps/apps.ts';
import { findWebhookDelivery, listWebhookDeliveries } from '../../../store/webhooks/webhook-deliveries.ts';
import type * as store from '../../../store/webhooks/webhook-endpoints.ts';
import {
  deleteWebhookEndpoint,
  disableWebhookEndpoint,
  findWebhookEndpoint,
  listTroubledWebhookEndpoints,
  listWebhookEndpoints,
} from '../../../store/webhooks/webhook-endpoints.ts';
import type { WebhookEgress } from '../../../webhooks/endpoint-url.ts';
import { readEndpointSettings } from '../audit-changes.ts';
import type { AnyContext, MutationContext } from '../context.ts';
import type { Mutations, Queries } from '../contract.ts';
import { runOnce } from '../idempotency.ts';
import { readPage } from '../pages.ts';
import { toWebhookDeliveries, toWebhookEndpoint } from '../to-graphql.ts';
import { getApp, getExisting, requireApp } from './lookups.ts';

const SECONDS_PER_HOUR = 3_600;

const egressOf = ({ config }: AnyContext): WebhookEgress => ({
  production: config.DEPLOYMENT === 'production',
  privateNetworks: config.WEBHOOK_PRIVATE_NETWORKS ?? [],
});

export async function toEndpoints(
  context: AnyContext,
  rows: readonly store.WebhookEndpoint[],
): Promise<WebhookEndpoint[]> {
  const names = await listAppNames(context.sql, [...new Set(rows.map(({ appId }) => appId))]);
  return rows.map((row) => toWebhookEndpoint(context, row, names.get(row.appId) ?? ''));
}

const getEndpoint = (context: AnyContext, id: WebhookEndpointId): Promise<WebhookEndpoint> =>
  getExisting('webhook endpoint', id, async (endpointId) => {
    const row = await findWebhookEndpoint(context.sql, endpointId);
    return row && (await toEndpoints(context, [row]))[0];
  });

/** The endpoint that a mutation changes. The audit log also names its app. */
async function touchEndpoint({ sql, touched }: MutationContext, id: WebhookEndpointId) {
  const found = await getExisting('webhook endpoint', id, (endpointId) => findWebhookEndpoint(sql, endpointId));
  touched([found.appId]);
  return found;
}

/** A mutation of an endpoint, which answers with it. */
const onEndpoint =
  <Given extends { readonly id: WebhookEndpointId }>(
    act: (given: Given, context: MutationContext) => Promise<unknown>,
  ) =>
  async (given: Given, context: MutationContext) => {
    await touchEndpoint(context, given.id);
    const before = await getEndpoint(context, given.id);
    await act(given, context);
    const after = await getEndpoint(context, given.id);
    context.changed(readEndpointSettings(before), readEndpointSettings(after));
    return after;
  };

const getDelivery = (context: AnyContext, id: WebhookDeliveryId) =>
  getExisting('delivery', id, async (deliveryId) => {
    const row = await findWebhookDelivery(context.sql, deliveryId);
    return row && (await toWebhookDeliveries(context, [row]))[0];
  });

export const Query = {
  webhookEventTypes: () => WEBHOOK_EVENT_TYPES.map((name) => ({ name, description: EVENT_DESCRIPTIONS[name] })),

  webhookEndpoints: async ({ appId }, context) => {
    await requireApp(context, appId);
    return await toEndpoints(context, await listWebhookEndpoints(context.sql, appId));
  },

  troubledWebhookEndpoints: async (page, context) =>
    await readPage(context.mac, 'troubledWebhookEndpoints', page, {
      list: (asked) => listTroubledWebhookEndpoints(context.sql, asked),
      place: (row) => [row.createdAt, row.endpointId],
      show: (rows) => toEndpoints(context, rows),
    }),

  webhookEndpoint: async ({ id }, context) => await getEndpoint(context, id),

  webhookDeliveries: async ({ filter, ...page }, context) =>
    await readPage(
      context.mac,
      'webhookDeliveries',
      { ...page, filter },
      {
        list: (asked) => listWebhookDeliveries(context.sql, filter, asked),
        place: (row) => [row.occurredAt, row.deliveryId],
        show: (rows) => toWebhookDeliveries(context, rows),
      },
    ),

  webhookDelivery: async ({ id }, context) => await getDelivery(context, id),
} satisfies Partial<Queries>;

export const Mutation = {
  createWebhookEndpoint: async ({ input }, context) => {
    const { appId } = input;
    await requireApp(context, appId);
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
  },

  changeWebhookEndpoint: onEndpoint(({ id, ...changes }, context) =>
    operate.changeWebhookEndpoint(context.sql, id, { ...changes, field: 'url' }, egressOf(context)),
  ),

  disableWebhookEndpoint: onEndpoint(({ id }, { sql }) => disableWebhookEndpoint(sql, id, 'OPERATOR')),

  enableWebhookEndpoint: onEndpoint(({ id }, { sql, correlationId }) => operate.resumeWebhooks(sql, id, correlationId)),

  removeWebhookEndpoint: async ({ id }, context) => {
    const { appId } = await touchEndpoint(context, id);
    await deleteWebhookEndpoint(context.sql, id);
    return await getApp(context, appId);
  },

  rotateWebhookSecret: async (input, context) => {
    await touchEndpoint(context, input.id);
    let secret: string | null = null;
    const make = async () => {
      const added = await operate.rotateWebhookSecret(context.sql, input.id, context.sealEdge);
      secret = added.secret.reveal();
      return added.secretId;
    };
    const { id: secretId } = await runOnce(context, 'rotateWebhookSecret', input, make, 'idempotencyKey');
    context.touched([secretId]);
    return { endpoint: await getEndpoint(context, input.id), secret };
  },

  retireWebhookSecret: onEndpoint(({ id, secretId, afterHours }, { sql }) =>
    operate.endWebhookSecret(sql, id, secretId, afterHours * SECONDS_PER_HOUR),
  ),

  sendTestWebhook: async ({ id }, context) => {
    await touchEndpoint(context, id);
    const deliveryId = await operate.sendTestWebhook(context.sql, id, context.correlationId);
    context.touched([deliveryId]);
    return await getDelivery(context, deliveryId);
  },

  redeliverWebhook: async ({ id }, context) => {
    const { deliveryId, endpointId, appId } = await getExisting('delivery', id, (known) =>
      findWebhookDelivery(context.sql, known),
    );
    await operate.redeliverWebhook(context.sql, deliveryId, context.correlationId);
    context.touched([endpointId, appId]);
    return await getDelivery(context, deliveryId);
  },

  redeliverWebhooks: async ({ id, ...asked }, context) => {
    await touchEndpoint(context, id);
    const { dryRun } = asked;
    return {
      dryRun,
      ...(await operate.redeliverWebhooks(context.sql, { endpointId: id, ...asked }, context.correlationId)),
    };
  },
} satisfies Partial<Mutations>;

import { z } from 'zod';
import {
  DELIVERY_FAILURES,
  DELIVERY_STATUSES,
  type DeliveryStatus,
  SENT_EVENT_TYPES,
  type SentEventType,
  WEBHOOK_TEST,
} from '../../basics/codes.ts';
import { AppId, ConnectionId, newId, WebhookDeliveryId, WebhookEndpointId, WebhookEventId } from '../../basics/ids.ts';
import type { Fragment, Sql, Transaction } from '../driver/sql.ts';
import type { NewestKey } from '../newest-key.ts';
import { columnsOf, findRow, findValue, getValue, listRows } from '../rows.ts';
import { endPause } from './redeliveries.ts';

/** Days for which events and deliveries are kept. */
export const WEBHOOK_RETENTION_DAYS = 30;

/** More tries of one delivery are not kept. */
export const KEPT_TRIES = 20;

/** One try to deliver an event. */
const Try = z.object({
  /** When its answer was recorded. */
  at: z.coerce.date(),
  durationMs: z.number().nullable(),
  httpStatus: z.number().nullable(),
  failure: z.enum(DELIVERY_FAILURES).nullable(),
});
const Delivery = z.object({
  deliveryId: WebhookDeliveryId,
  /** The `webhook-id` that the endpoint receives. */
  eventId: WebhookEventId,
  endpointId: WebhookEndpointId,
  appId: AppId,
  eventType: z.enum(SENT_EVENT_TYPES),
  connectionId: ConnectionId.nullable(),
  status: z.enum(DELIVERY_STATUSES),
  /** Tries since the delivery was last asked for. */
  tries: z.number(),
  /** Of a PENDING delivery. It waits longer while its endpoint is paused or disabled. */
  nextRetryAt: z.date().nullable(),
  /** The HTTP status of the last answer; null if the last try got none. */
  lastHttpStatus: z.number().nullable(),
  lastFailure: z.enum(DELIVERY_FAILURES).nullable(),
  lastTriedAt: z.date().nullable(),
  finishedAt: z.date().nullable(),
  /** When the event occurred. */
  occurredAt: z.date(),
  /** The last tries, oldest first, also those from before it was sent again. */
  history: z.array(Try),
});
/** An event on its way to one endpoint. */
export type WebhookDelivery = z.infer<typeof Delivery>;

const columns = columnsOf('webhook_delivery', Delivery);

/** Null matches all. */
export interface DeliveryFilter {
  readonly appId: AppId | null;
  readonly endpointId: WebhookEndpointId | null;
  readonly status: DeliveryStatus | null;
  readonly eventType: SentEventType | null;
  readonly connectionId: ConnectionId | null;
  /** Of events that occurred at this instant or later. */
  readonly since: Date | null;
  /** Of events that occurred before this instant. */
  readonly before?: Date | null;
  /** The code of the last try's failure: a name, or `HTTP_` and the status of the answer. */
  readonly lastFailure?: string | null;
}

/** Newest event first. */
export async function listWebhookDeliveries(
  sql: Sql,
  filter: DeliveryFilter,
  { limit, after }: { limit: number; after: NewestKey | null },
): Promise<WebhookDelivery[]> {
  const { appId, endpointId, status, eventType, connectionId, since, before = null, lastFailure = null } = filter;
  const list = (ofEndpoint: Fragment) => sql`
    select ${columns(sql)} from webhook_delivery
    where ${ofEndpoint}
      ${appId === null ? sql`` : sql`and app_id = ${appId}`}
      ${status === null ? sql`` : sql`and status = ${status}`}
      ${eventType === null ? sql`` : sql`and event_type = ${eventType}`}
      ${connectionId === null ? sql`` : sql`and connection_id = ${connectionId}`}
      ${since === null ? sql`` : sql`and occurred_at >= ${since}`}
      ${before === null ? sql`` : sql`and occurred_at < ${before}`}
      ${lastFailure === null ? sql`` : sql`and coalesce(last_failure, 'HTTP_' || last_http_status::text) = ${lastFailure}`}
      ${after === null ? sql`` : sql`and (occurred_at, delivery_id) < (${after.at}, ${after.id})`}
    order by occurred_at desc, delivery_id desc limit ${limit}
  `;
  if (endpointId !== null) return await listRows(sql, Delivery)`${list(sql`endpoint_id = ${endpointId}`)}`;
  if (status === null) return await listRows(sql, Delivery)`${list(sql`true`)}`;
  // Skips in an index from one endpoint to the next, also of deleted ones. Before Postgres 18, no plan does it.
  const next = (where: Fragment) =>
    sql`select endpoint_id from webhook_delivery where ${where} order by endpoint_id limit 1`;
  return await listRows(sql, Delivery)`
    with recursive endpoint (id) as (
      (${next(sql`true`)}) union all select (${next(sql`endpoint_id > id`)}) from endpoint where id is not null
    )
    select found.* from endpoint, lateral (${list(sql`endpoint_id = id`)}) as found
    order by occurred_at desc, delivery_id desc limit ${limit}
  `;
}

export async function findWebhookDelivery(
  sql: Sql,
  deliveryId: WebhookDeliveryId,
): Promise<WebhookDelivery | undefined> {
  return await findRow(sql, Delivery)`select ${columns(sql)} from webhook_delivery where delivery_id = ${deliveryId}`;
}

export const StoredEvent = z.object({
  eventId: WebhookEventId,
  type: z.enum(SENT_EVENT_TYPES),
  connectionId: ConnectionId.nullable(),
  /** Orders the events of one connection; null of an event without a connection. */
  sequence: z.coerce.number().nullable(),
  data: z.record(z.string(), z.unknown()),
  occurredAt: z.date(),
  scope: z.object({ tenantKey: z.string(), externalSubjectId: z.string() }).nullable(),
});

/**
 * The scope of an event `e`. It is looked up when the event is read and never stored with it, so it ends with the erase of the
 * connection or of the person.
 */
export const scopeOfEvent = (sql: Sql) => sql`(
  select jsonb_build_object('tenantKey', s.tenant_key, 'externalSubjectId', s.external_subject_id) from scope s
  where s.erasure_id is null and s.scope_id = case
    when e.connection_id is not null then (select c.scope_id from connection c where c.connection_id = e.connection_id)
    else (select a.scope_id from connect_attempt a where a.attempt_id = (e.data ->> 'sessionId')::uuid)
  end
) as scope`;

/** Lists events with their scopes, without those that are deleted. */
export async function listWebhookEvents(
  sql: Sql,
  eventIds: readonly WebhookEventId[],
): Promise<z.infer<typeof StoredEvent>[]> {
  if (eventIds.length === 0) return [];
  return await listRows(sql, StoredEvent)`
    select event_id, type, connection_id, sequence, data, occurred_at, ${scopeOfEvent(sql)} from webhook_event e
    where event_id = any(${[...eventIds]}::uuid[])
  `;
}

/** When the last event of a connection is deleted; null if there is none. */
export async function findEventsUntil(sql: Sql, connectionId: ConnectionId): Promise<Date | null> {
  return await getValue(sql, z.date().nullable())`
    select max(occurred_at) + make_interval(days => ${WEBHOOK_RETENTION_DAYS})
    from webhook_event where connection_id = ${connectionId}
  `;
}

/**
 * Inserts a `webhook.test` event for one endpoint, regardless of its types. The caller dispatches the endpoint's workflow.
 * @returns undefined if the endpoint is missing.
 */
export async function insertTestEvent(
  tx: Transaction,
  endpointId: WebhookEndpointId,
): Promise<WebhookDeliveryId | undefined> {
  const eventId = newId<WebhookEventId>();
  const deliveryId = await findValue(tx, WebhookDeliveryId)`
    with endpoint as (
      select endpoint_id, app_id from webhook_endpoint where endpoint_id = ${endpointId}
    ), event as (
      insert into webhook_event (event_id, app_id, type, data)
      select ${eventId}, app_id, ${WEBHOOK_TEST}, '{}' from endpoint
      returning event_id, app_id, type, occurred_at
    )
    insert into webhook_delivery (event_id, endpoint_id, app_id, event_type, occurred_at, next_retry_at)
    select event_id, ${endpointId}, app_id, type, occurred_at,
      -- Before those that wait: whoever tests looks at this one.
      least(business_now(), (select min(next_retry_at) - interval '1 millisecond' from webhook_delivery
        where endpoint_id = ${endpointId} and status = 'PENDING'))
    from event
    returning delivery_id
  `;
  await endPause(tx, endpointId);
  return deliveryId;
}

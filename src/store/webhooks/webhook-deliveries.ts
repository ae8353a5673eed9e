import { z } from 'zod';
import {
  DELIVERY_FAILURES,
  DELIVERY_STATUSES,
  type DeliveryFailure,
  type DeliveryStatus,
  SENT_EVENT_TYPES,
  type SentEventType,
  WEBHOOK_CORRECTION,
  WEBHOOK_TEST,
} from '../../basics/codes.ts';
import { AppId, ConnectionId, newId, WebhookDeliveryId, WebhookEndpointId, WebhookEventId } from '../../basics/ids.ts';
import type { Fragment, Sql, Transaction } from '../driver/sql.ts';
import type { NewestKey } from '../newest-key.ts';
import { columnsOf, findRow, findValue, getValue, listRows } from '../rows.ts';

/** Days for which events and deliveries are kept. */
export const WEBHOOK_RETENTION_DAYS = 30;

/** More tries of one delivery are not kept. */
const KEPT_TRIES = 20;

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
  nextTryAt: z.date().nullable(),
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
  // Skips in an index from one endpoint to the next, also of deleted ones. Before Postgres 18, no plan does it by itself.
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

const StoredEvent = z.object({
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
const scopeOfEvent = (sql: Sql) => sql`(
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
 * Inserts a `webhook.test` event for one endpoint, whatever types it wants. The caller dispatches the endpoint's workflow.
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
    insert into webhook_delivery (event_id, endpoint_id, app_id, event_type, occurred_at, next_try_at)
    select event_id, ${endpointId}, app_id, type, occurred_at,
      -- Before those that wait: whoever tests looks at this one.
      least(business_now(), (select min(next_try_at) - interval '1 millisecond' from webhook_delivery
        where endpoint_id = ${endpointId} and status = 'PENDING'))
    from event
    returning delivery_id
  `;
  await endPause(tx, endpointId);
  return deliveryId;
}

/**
 * Asks for a delivery again, whatever came of it; its schedule starts over. The caller dispatches the endpoint's workflow.
 * @returns the endpoint; undefined if the delivery, or its endpoint, is missing.
 */
export async function requestRedelivery(
  tx: Transaction,
  deliveryId: WebhookDeliveryId,
): Promise<WebhookEndpointId | undefined> {
  // The endpoint before the delivery, as a worker does that records a try.
  const [endpoint] = await tx`
    update webhook_endpoint set paused_until = null
    where endpoint_id = (select endpoint_id from webhook_delivery where delivery_id = ${deliveryId})
    returning endpoint_id
  `;
  if (!endpoint) return undefined;
  await tx`
    update webhook_delivery set ${startOver(tx)} where delivery_id = ${deliveryId}
  `;
  return WebhookEndpointId.parse(endpoint.endpointId);
}

/** A delivery that is sent again has not been tried; its history keeps what came before. */
const startOver = (sql: Sql) => sql`status = 'PENDING', tries = 0, next_try_at = business_now(), finished_at = null,
  last_http_status = null, last_failure = null, last_tried_at = null`;

/** The deliveries that a request for many starts over. */
const isRepeatable = (sql: Sql, failedOnly: boolean) =>
  failedOnly
    ? sql`webhook_delivery.status = 'FAILED'`
    : sql`(webhook_delivery.status <> 'PENDING' or webhook_delivery.tries > 0)`;

/** Lets an endpoint get deliveries at once: an operator asks for them. */
async function endPause(tx: Transaction, endpointId: WebhookEndpointId): Promise<void> {
  await tx`update webhook_endpoint set paused_until = null where endpoint_id = ${endpointId} and paused_until is not null`;
}

/** Most deliveries that one request asks for again, to bound its transaction. @internal */
const MOST_REDELIVERIES = 20_000;

/**
 * Asks for all deliveries of an endpoint again whose events occurred at `since` or later, oldest first, at most 20,000: a
 * repeated call continues where the events of the last one end. Also for events that the endpoint wants and got no delivery
 * of, because it was disabled or did not exist. The caller dispatches the endpoint's workflow.
 * @param options.failedOnly leaves out those that the endpoint accepted.
 * @param options.dryRun only counts.
 * @returns the number of deliveries, and the instant of the last event if there may be more; undefined without an endpoint.
 */
export async function requestRedeliveries(
  tx: Transaction,
  endpointId: WebhookEndpointId,
  since: Date,
  { failedOnly, dryRun = false }: { failedOnly: boolean; dryRun?: boolean },
): Promise<{ count: number; continueAt: Date | null } | undefined> {
  const [endpoint] = await tx`
    select app_id, event_types from webhook_endpoint where endpoint_id = ${endpointId} for no key update
  `;
  if (!endpoint) return undefined;
  const requested = dryRun
    ? tx`
      select from event left join webhook_delivery
        on webhook_delivery.event_id = event.event_id and webhook_delivery.endpoint_id = ${endpointId}
      where webhook_delivery.delivery_id is null or ${isRepeatable(tx, failedOnly)}`
    : tx`
      insert into webhook_delivery (event_id, endpoint_id, app_id, event_type, connection_id, occurred_at)
      select event_id, ${endpointId}, app_id, type, connection_id, occurred_at from event
      on conflict (event_id, endpoint_id) do update
        set ${startOver(tx)} where ${isRepeatable(tx, failedOnly)}
      returning 1`;
  const [row] = await tx`
    with event as (
      select event_id, app_id, type, connection_id, occurred_at from webhook_event
      where app_id = ${endpoint.appId} and occurred_at >= ${since} and (type = any(${endpoint.eventTypes})
        or type = ${WEBHOOK_CORRECTION} and exists (
          select from webhook_delivery d where d.event_id = webhook_event.event_id and d.endpoint_id = ${endpointId}
          offset 0 -- Otherwise Postgres may read all deliveries of the endpoint once, to look events up among them.
        ))
      order by occurred_at, event_id limit ${MOST_REDELIVERIES}
    ), requested as (${requested})
    select (select count(*)::int from requested) as count, (select count(*)::int from event) as seen,
      (select max(occurred_at) from event) as last
  `;
  if (!dryRun) await endPause(tx, endpointId);
  const full = Number(row?.seen) === MOST_REDELIVERIES;
  return { count: Number(row?.count), continueAt: full ? (row?.last as Date) : null };
}

/** How long a worker may take for deliveries before another one tries them. Longer than a time-out. */
const LEASE = '45 seconds';

const DueDelivery = StoredEvent.extend({ deliveryId: WebhookDeliveryId, tries: z.number() });
/** A delivery that is being tried, with its event. `tries` counts this one. */
export type DueDelivery = z.infer<typeof DueDelivery>;

/** Leases due deliveries of an endpoint, longest due first, and counts a try of each. */
export async function takeDueDeliveries(
  sql: Sql,
  endpointId: WebhookEndpointId,
  limit: number,
): Promise<DueDelivery[]> {
  const deliveries = await listRows(sql, DueDelivery)`
    with due as materialized ( -- As a subquery, a plan may run it again for each row, and exceed the limit.
      select delivery_id, event_id from webhook_delivery
      where endpoint_id = ${endpointId} and status = 'PENDING' and next_try_at <= business_now()
      order by next_try_at, delivery_id limit ${limit}
      for update skip locked
    )
    update webhook_delivery d set tries = tries + 1, last_tried_at = business_now(),
      next_try_at = business_now() + ${LEASE}::interval
    from due, webhook_event e
    where d.delivery_id = due.delivery_id and e.event_id = due.event_id
      -- The lists besides: with wrong estimates, Postgres would read both tables completely.
      and d.delivery_id = any(array(select delivery_id from due)::uuid[])
      and e.event_id = any(array(select event_id from due)::uuid[])
    returning d.delivery_id, d.tries, e.event_id, e.type, e.connection_id, e.sequence, e.data, e.occurred_at,
      ${scopeOfEvent(sql)}
  `;
  return deliveries.sort(
    (a, b) => a.occurredAt.getTime() - b.occurredAt.getTime() || (a.sequence ?? 0) - (b.sequence ?? 0),
  );
}

/** The result of one try. */
export interface DeliveryResult {
  readonly deliveryId: WebhookDeliveryId;
  /** As taken. A delivery that was asked for again in the meantime keeps its new state. */
  readonly tries: number;
  readonly outcome: 'DELIVERED' | 'FAILED' | 'RETRY' | 'POSTPONED';
  /** Of RETRY, and of POSTPONED, which does not count as a try. Null if there is none. */
  readonly pauseSeconds: number | null;
  readonly status: number | null;
  readonly failure: DeliveryFailure | null;
  /** Until the answer; null if the try was broken off. */
  readonly durationMs: number | null;
}

export async function updateTriedDeliveries(sql: Sql, results: readonly DeliveryResult[]): Promise<void> {
  await sql`
    update webhook_delivery d set
      status = case r.outcome when 'DELIVERED' then 'DELIVERED' when 'FAILED' then 'FAILED' else 'PENDING' end,
      next_try_at = business_now() + make_interval(secs => r."pauseSeconds"),
      finished_at = case when r.outcome in ('DELIVERED', 'FAILED') then business_now() end,
      tries = d.tries - case r.outcome when 'POSTPONED' then 1 else 0 end,
      last_http_status = r.status, last_failure = r.failure,
      history = case when r."durationMs" is null then d.history else jsonb_path_query_array(
        d.history || jsonb_build_object('at', business_now(), 'durationMs', r."durationMs", 'httpStatus', r.status,
          'failure', r.failure), ${`$[last-${KEPT_TRIES - 1} to last]`}::jsonpath) end
    from jsonb_to_recordset(${sql.json(results as never)}) as r ("deliveryId" uuid, tries integer, outcome text,
      "pauseSeconds" float8, status integer, failure text, "durationMs" integer)
    -- The list besides: Postgres expects a hundred rows of any JSON, and would read a table that is not much larger.
    where d.delivery_id = any(${results.map(({ deliveryId }) => deliveryId)}::uuid[])
      and d.delivery_id = r."deliveryId" and d.status = 'PENDING' and d.tries = r.tries
  `;
}

/** The instant of an endpoint's next try, not regarding its pause. @returns undefined if nothing waits. */
export async function findNextTry(sql: Sql, endpointId: WebhookEndpointId): Promise<Date | undefined> {
  return await findValue(sql, z.date())`
    select next_try_at from webhook_delivery where endpoint_id = ${endpointId} and status = 'PENDING'
    order by next_try_at, delivery_id limit 1
  `;
}

import { WEBHOOK_CORRECTION } from '../../basics/codes.ts';
import { type WebhookDeliveryId, WebhookEndpointId } from '../../basics/ids.ts';
import type { Sql, Transaction } from '../driver/sql.ts';

/**
 * Asks for a delivery again, regardless of its result; its schedule starts over. The caller dispatches the endpoint's workflow.
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

/** A delivery that is sent again has not been tried; its history keeps the earlier tries. */
const startOver = (sql: Sql) => sql`status = 'PENDING', tries = 0, next_retry_at = business_now(), finished_at = null,
  last_http_status = null, last_failure = null, last_tried_at = null`;

/** The deliveries that a request for many starts over. */
const isRepeatable = (sql: Sql, failedOnly: boolean) =>
  failedOnly ? sql`webhook_delivery.status = 'FAILED'` : sql`webhook_delivery.tries > 0`; // Also those that have ended: a try has ended them.

/** Lets an endpoint get deliveries at once: an operator asks for them. */
export async function endPause(tx: Transaction, endpointId: WebhookEndpointId): Promise<void> {
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

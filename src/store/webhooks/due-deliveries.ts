import { z } from 'zod';
import type { DeliveryFailure } from '../../basics/codes.ts';
import { ENDED_DELIVERY } from '../../basics/codes.ts';
import { WebhookDeliveryId, type WebhookEndpointId } from '../../basics/ids.ts';
import type { Sql } from '../driver/sql.ts';
import { findRow, listOf, listRows } from '../rows.ts';
import { KEPT_TRIES, StoredEvent, scopeOfEvent } from './webhook-deliveries.ts';

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
      where endpoint_id = ${endpointId} and status = 'PENDING' and next_retry_at <= business_now()
      order by next_retry_at, delivery_id limit ${limit}
      for no key update skip locked
    )
    update webhook_delivery d set tries = tries + 1, last_tried_at = business_now(),
      next_retry_at = business_now() + ${LEASE}::interval
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
  /** Until the answer. Null if the try was broken off: then the answer of the one before it stays. */
  readonly durationMs: number | null;
}

export async function updateTriedDeliveries(sql: Sql, results: readonly DeliveryResult[]): Promise<void> {
  await sql`
    update webhook_delivery d set
      status = case r.outcome when 'DELIVERED' then 'DELIVERED' when 'FAILED' then 'FAILED' else 'PENDING' end,
      next_retry_at = business_now() + make_interval(secs => r."pauseSeconds"),
      finished_at = case when r.outcome in ${listOf(sql, ENDED_DELIVERY)} then business_now() end,
      tries = d.tries - case r.outcome when 'POSTPONED' then 1 else 0 end,
      last_http_status = case when r."durationMs" is null then d.last_http_status else r.status end,
      last_failure = case when r."durationMs" is null then d.last_failure else r.failure end,
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

/**
 * Makes all waiting deliveries due, oldest first and before their own schedules, because the endpoint is known to work again. Those that
 * are being tried keep their leases.
 */
export async function releaseWaiting(sql: Sql, endpointId: WebhookEndpointId): Promise<void> {
  await sql`
    update webhook_delivery set next_retry_at = occurred_at
    where endpoint_id = ${endpointId} and status = 'PENDING' and next_retry_at > business_now()
      and next_retry_at is distinct from last_tried_at + ${LEASE}::interval
  `;
}

const Waiting = z.object({
  /** The instant of the next try, not regarding the endpoint's pause. */
  nextRetryAt: z.date(),
  /** Counted up to `MOST_COUNTED`. */
  count: z.number(),
  since: z.date(),
  /** Of the delivery that was tried last. */
  tries: z.number(),
  lastAnswer: z.string().nullable(),
});

const MOST_COUNTED = 10;

/** The deliveries that wait at an endpoint. @returns undefined if none does. */
export async function findWaiting(
  sql: Sql,
  endpointId: WebhookEndpointId,
): Promise<z.infer<typeof Waiting> | undefined> {
  return await findRow(sql, Waiting)`
    with waiting as (
      select next_retry_at from webhook_delivery
      where endpoint_id = ${endpointId} and status = 'PENDING' order by next_retry_at, delivery_id limit ${MOST_COUNTED}
    ),
    oldest as (
      select occurred_at from webhook_delivery
      where endpoint_id = ${endpointId} and status = 'PENDING' order by occurred_at limit 1
    ),
    -- Not among those that are due first: while the endpoint is paused, these may all be new.
    failed as (
      select tries, coalesce('HTTP_' || last_http_status, last_failure) as answer from webhook_delivery
      where endpoint_id = ${endpointId} and status = 'PENDING' and ${hasFailed(sql)}
      order by last_tried_at desc limit 1
    )
    select min(next_retry_at) as next_retry_at, count(*)::int as count, (select occurred_at from oldest) as since,
      coalesce((select tries from failed), 0) as tries, (select answer from failed) as last_answer
    from waiting having count(*) > 0
  `;
}

/** As in the index `webhook_delivery_failed`. */
const hasFailed = (sql: Sql) => sql`(last_http_status is not null or last_failure is not null)`;

import { z } from 'zod';
import { AppId, WebhookEndpointId } from '../../basics/ids.ts';
import type { Sql, Transaction } from '../driver/sql.ts';
import { hasRows } from '../rows.ts';

/** Rows of one transaction, deleted in some 50 ms. */
const WAKES = 10_000;

const WokenEndpoint = z.object({ endpointId: WebhookEndpointId, appId: AppId });

/** Whether an event waits for a wake of its endpoint's workflow. */
export async function hasWebhookWakes(sql: Sql): Promise<boolean> {
  return await hasRows(sql)`select from webhook_wake limit 1`;
}

/**
 * Deletes the wakes that events have left, oldest first. The caller dispatches the endpoints' workflows in the same
 * transaction. Events that are not committed yet are not seen, so they wake the endpoint once more.
 */
export async function takeWebhookWakes(
  tx: Transaction,
): Promise<{ count: number; isFull: boolean; endpoints: z.infer<typeof WokenEndpoint>[] }> {
  const [row] = await tx`
    with woken as materialized (
      select wake_id, endpoint_id from webhook_wake order by wake_id limit ${WAKES} for no key update skip locked
    ), deleted as (
      delete from webhook_wake where wake_id = any(array(select wake_id from woken))
    )
    select (select count(*)::int from woken) as count, coalesce((
      select jsonb_agg(jsonb_build_object('endpointId', endpoint_id, 'appId', app_id)) from webhook_endpoint
      where endpoint_id = any(array(select distinct endpoint_id from woken))
    ), '[]') as endpoints
  `;
  const count = Number(row?.count);
  return { count, isFull: count === WAKES, endpoints: z.array(WokenEndpoint).parse(row?.endpoints) };
}

import { z } from 'zod';
import { PROVIDER_NAMES, type ProviderName } from '../../basics/codes.ts';
import { AppId, ConnectionId } from '../../basics/ids.ts';
import type { Sql, Transaction } from '../driver/sql.ts';
import { Due, type DuePage, idsOf, pageClause } from '../due.ts';
import { listRows } from '../rows.ts';

/** A number from 0 to 1, fixed for each connection, which spreads upkeep over days. */
const spread = (sql: Sql) => sql`(abs(hashtext(connection_id::text)::bigint) % 10000) / 10000.0`;

/** No upkeep is due sooner after a success. */
const SHORTEST_UPKEEP_DAYS = 1;

/**
 * Sets when upkeep of a connection is due after its grant was checked, or made: 22 to 27 days later, before the profile is
 * 30 days old; in the first half of the days after which an unproven grant is disconnected, so that the other half is left
 * to reconnect; or 30 to 25 days before its refresh token expires, to leave time for retries. Never sooner than a day later.
 * @param options.isFixed whether a refresh has just shown that it does not extend the refresh token: then no upkeep can.
 */
export async function scheduleUpkeep(
  sql: Sql,
  connectionId: ConnectionId,
  { isFixed = false }: { isFixed?: boolean } = {},
): Promise<void> {
  await sql`
    update connection c set upkeep_failing_since = null, upkeep_due_at = greatest(
      business_now() + make_interval(days => ${SHORTEST_UPKEEP_DAYS}),
      least(
        business_now() + interval '22 days' + ${spread(sql)} * interval '5 days',
        (select business_now() + floor(days / 2.0) * (0.85 + 0.15 * ${spread(sql)}) * interval '1 day' from ${daysOf(sql)}),
        (select refresh_expires_at - interval '30 days' + ${spread(sql)} * interval '5 days'
          from account_grant g
          where g.connection_id = c.connection_id and g.status = 'LIVE' and not ${isFixed}::boolean)
      )
    )
    where connection_id = ${connectionId}
  `;
}

/** After how many days the service disconnects a `connection c`; null for never. */
const daysOf = (sql: Sql) => sql`(
  select nullif(disconnect_days(provider, disconnect_after_days), 0) as days
  from registration where registration_id = c.registration_id
) setting`;

const SHORTEST_PAUSE_SECONDS = 60;

/** Postpones upkeep. @param options.hasFailed whether a failure is the reason. */
export async function postponeUpkeep(
  sql: Sql,
  connectionId: ConnectionId,
  seconds: number,
  { hasFailed = true }: { hasFailed?: boolean } = {},
): Promise<void> {
  await sql`
    update connection set upkeep_due_at = business_now() + make_interval(secs => ${Math.max(SHORTEST_PAUSE_SECONDS, seconds)}),
      upkeep_failing_since = case when ${hasFailed} then coalesce(upkeep_failing_since, business_now()) end
    where connection_id = ${connectionId}
  `;
}

const DueUpkeep = z.object({
  connectionId: ConnectionId,
  appId: AppId,
  provider: z.enum(PROVIDER_NAMES),
  /** Whether its grant expires within a week, or its profile is blanked within two days. */
  isUrgent: z.boolean(),
});
export type DueUpkeep = z.infer<typeof DueUpkeep>;

/** Lists connections of a provider that are due for upkeep. */
export async function listDueUpkeep(sql: Sql, provider: ProviderName, page: DuePage): Promise<Due[]> {
  return await listRows(sql, Due)`
    select connection_id as id, upkeep_due_at as due_at from connection
    where provider = ${provider} and status = 'CONNECTED' and upkeep_due_at <= business_now()
      ${pageClause(sql, sql`upkeep_due_at`, sql`connection_id`, page)}
  `;
}

/**
 * Leases due connections for an hour, so that other rounds skip them; successful upkeep sets the next time. Until then it counts
 * as failing: an upkeep that waits in a queue for days is never late by the lease. Skips rows that other transactions lock.
 */
export async function takeDueUpkeep(tx: Transaction, rows: readonly Due[]): Promise<DueUpkeep[]> {
  return await listRows(tx, DueUpkeep)`
    with due as (
      select connection_id from connection
      where connection_id = any(${idsOf(rows)}::uuid[]) and status = 'CONNECTED' and upkeep_due_at <= business_now()
      for no key update skip locked
    )
    update connection c set upkeep_due_at = business_now() + interval '1 hour',
      upkeep_failing_since = coalesce(c.upkeep_failing_since, business_now())
    from due where c.connection_id = due.connection_id
    returning c.connection_id, c.app_id, c.provider,
      coalesce(c.profile is not null and c.profile_observed_at <= business_now() - interval '28 days', false) or exists (
        select from account_grant g where g.connection_id = c.connection_id and g.status = 'LIVE'
          and g.refresh_expires_at <= business_now() + interval '7 days'
      ) as is_urgent
  `;
}

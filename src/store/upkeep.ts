import { z } from 'zod';
import { AppId, ConnectionId } from '../ids.ts';
import { PROVIDER_NAMES, type ProviderName } from '../providers/provider.ts';
import { type Due, type DuePage, idsOf, pageClause, parseDue } from './due.ts';
import type { Sql, Transaction } from './sql.ts';

/** A number from 0 to 1, fixed for each connection, which spreads upkeep over days. */
const spread = (sql: Sql) => sql`(abs(hashtext(connection_id::text)::bigint) % 10000) / 10000.0`;

/**
 * Sets when upkeep of a connection is due: 22 to 27 days after its profile was read, before the profile is 30 days old,
 * or 30 to 25 days before its refresh token expires, to leave time for retries.
 */
export async function scheduleUpkeep(sql: Sql, connectionId: ConnectionId): Promise<void> {
  await sql`
    update connection c set upkeep_due_at = least(
      coalesce(profile_observed_at, business_now()) + interval '22 days' + ${spread(sql)} * interval '5 days',
      (select greatest(refresh_expires_at - interval '30 days' + ${spread(sql)} * interval '5 days',
          business_now() + interval '1 day')
        from account_grant g
        where g.connection_id = c.connection_id and g.status = 'LIVE' and refresh_expires_at is not null)
    )
    where connection_id = ${connectionId}
  `;
}

/** Postpones upkeep after a failure. */
export async function postponeUpkeep(sql: Sql, connectionId: ConnectionId, seconds: number): Promise<void> {
  await sql`
    update connection set upkeep_due_at = business_now() + make_interval(secs => ${seconds})
    where connection_id = ${connectionId}
  `;
}

const DueUpkeep = z.object({
  connectionId: ConnectionId,
  appId: AppId,
  provider: z.enum(PROVIDER_NAMES),
  dueAt: z.date(),
});
export type DueUpkeep = z.infer<typeof DueUpkeep>;

/** Lists connections of a provider that are due for upkeep. */
export async function listDueUpkeep(sql: Sql, provider: ProviderName, page: DuePage): Promise<Due[]> {
  return parseDue(
    await sql`
    select connection_id as id, upkeep_due_at as due_at from connection
    where status = 'CONNECTED' and provider = ${provider} and upkeep_due_at <= business_now()
      ${pageClause(sql, sql`upkeep_due_at`, sql`connection_id`, page)}
  `,
  );
}

/**
 * Leases due connections for an hour, so that other rounds skip them; successful upkeep sets the next time. Skips rows
 * that other transactions lock.
 */
export async function takeDueUpkeep(tx: Transaction, rows: readonly Due[]): Promise<DueUpkeep[]> {
  const taken = await tx`
    with due as (
      select connection_id, upkeep_due_at from connection
      where connection_id = any(${idsOf(rows)}::uuid[]) and status = 'CONNECTED' and upkeep_due_at <= business_now()
      for update skip locked
    )
    update connection c set upkeep_due_at = business_now() + interval '1 hour'
    from due where c.connection_id = due.connection_id
    returning c.connection_id, c.app_id, c.provider, due.upkeep_due_at as due_at
  `;
  return taken.map((row) => DueUpkeep.parse(row));
}

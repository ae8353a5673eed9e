import { z } from 'zod';
import { GrantId, type RegistrationId } from '../../basics/ids.ts';
import type { Sql } from '../driver/sql.ts';
import type { Grant } from '../grants/grants.ts';
import { findValue, hasRows } from '../rows.ts';

/** Of a registration's connections, this part may change for the worse within an hour, and always a few. */
const FEW = 5;
const ONE_OF = 33;
/** Between two looks at whether a registration's connections work again. */
const CHECK_EVERY_SECONDS = 600;

/**
 * Counts one more change for the worse.
 * @returns `HELD` if the registration makes none now, `NOW_HELD` if this one is the first too many
 */
export async function countDowngrade(
  sql: Sql,
  registrationId: RegistrationId,
): Promise<'ALLOWED' | 'HELD' | 'NOW_HELD'> {
  const count = await findValue(sql, z.number())`
    update registration set
      downgrades = case when downgrades_since > business_now() - interval '1 hour' then downgrades else 0 end + 1,
      downgrades_since = case when downgrades_since > business_now() - interval '1 hour' then downgrades_since
        else business_now() end
    where registration_id = ${registrationId} and downgrades_held_at is null
    returning downgrades
  `;
  if (count === undefined) return 'HELD';
  if (count <= FEW || (await hasConnections(sql, registrationId, count * ONE_OF))) return 'ALLOWED';
  return (await holdDowngrades(sql, registrationId)) ? 'NOW_HELD' : 'HELD';
}

/** Lets the registration make no more changes for the worse. @returns false if it made none already */
export async function holdDowngrades(sql: Sql, registrationId: RegistrationId): Promise<boolean> {
  return await hasRows(sql)`
    update registration set downgrades_held_at = business_now(), downgrades_checked_at = business_now()
    where registration_id = ${registrationId} and downgrades_held_at is null
  `;
}

/** Whether the registration has at least so many connections in use. Reads no more of them. */
async function hasConnections(sql: Sql, registrationId: RegistrationId, count: number): Promise<boolean> {
  return await hasRows(sql)`
    select from connection where registration_id = ${registrationId} and status in ('CONNECTED', 'SUSPENDED')
    offset ${count - 1} limit 1
  `;
}

/** Whether the registration has so few connections that all of them together are not many. */
export const hasFewConnections = async (sql: Sql, registrationId: RegistrationId): Promise<boolean> =>
  !(await hasConnections(sql, registrationId, FEW + 1));

export async function areDowngradesHeld(sql: Sql, registrationId: RegistrationId): Promise<boolean> {
  return await hasRows(sql)`
    select from registration where registration_id = ${registrationId} and downgrades_held_at is not null
  `;
}

/** Reserves a look at whether connections of a held registration work again. @returns false if the last one is recent */
export async function claimDowngradeCheck(sql: Sql, registrationId: RegistrationId): Promise<boolean> {
  return await hasRows(sql)`
    update registration set downgrades_checked_at = business_now()
    where registration_id = ${registrationId} and downgrades_held_at is not null
      and downgrades_checked_at <= business_now() - make_interval(secs => ${CHECK_EVERY_SECONDS})
  `;
}

/** Connections work again. @returns false if nothing was held */
export async function releaseDowngrades(sql: Sql, registrationId: RegistrationId): Promise<boolean> {
  return await hasRows(sql)`
    update registration set downgrades_since = null, downgrades_held_at = null
    where registration_id = ${registrationId} and downgrades_held_at is not null
  `;
}

/** An operator says that the platform means its refusals. @returns false if nothing was held */
export async function believePlatform(sql: Sql, registrationId: RegistrationId): Promise<boolean> {
  return await hasRows(sql)`
    update registration set downgrades_since = null, downgrades_held_at = null, downgrades_believed_at = business_now()
    where registration_id = ${registrationId} and downgrades_held_at is not null
  `;
}

/** Whether an operator has said so within the last day. */
export async function isPlatformBelieved(sql: Sql, registrationId: RegistrationId): Promise<boolean> {
  return await hasRows(sql)`
    select from registration
    where registration_id = ${registrationId} and downgrades_believed_at > business_now() - interval '1 day'
  `;
}

/** More than are asked, so that those that the platform refuses already come last. */
const CANDIDATES = 8;

/** A live grant of another account of the same registration. */
export interface Neighbour {
  readonly grantId: GrantId;
  readonly providerAccountId: string;
}

/**
 * Lists live grants of other accounts of the registration, from a random place on: those that the platform does not refuse
 * first. They show whether the platform refuses one grant or all.
 */
export async function listNeighbours(
  sql: Sql,
  of: Pick<Grant, 'connectionId' | 'registrationId' | 'principalMac'>,
  { limit, withPosts }: { limit: number; withPosts: boolean },
): Promise<Neighbour[]> {
  const place = Math.random();
  const from = sql`(
    select min(created_at) + ${place} * (max(created_at) - min(created_at)) from connection
    where registration_id = ${of.registrationId}
  )`;
  const select = (isAfter: boolean) => sql`
    select g.grant_id, near.provider_account_id, g.refused_at is not null as is_refused
    from (
      select connection_id, provider_account_id from connection
      where registration_id = ${of.registrationId} and status = 'CONNECTED'
        and created_at ${isAfter ? sql`>=` : sql`<`} ${from}
        ${withPosts ? sql`and capabilities @> '[{ "capability": "CONTENT_LIST" }]'` : sql``}
      order by created_at limit ${CANDIDATES}
    ) as near
    join account_grant g on g.connection_id = near.connection_id and g.status = 'LIVE'
    where g.connection_id is distinct from ${of.connectionId} and g.sealed_tokens is not null
      and (g.principal_mac is distinct from ${of.principalMac} or g.principal_mac is null)
  `;
  const rows = await sql`${select(true)} union all ${select(false)}`;
  return rows
    .toSorted((one, other) => Number(one.isRefused) - Number(other.isRefused))
    .slice(0, limit)
    .map((row) => ({ grantId: GrantId.parse(row.grantId), providerAccountId: String(row.providerAccountId) }));
}

/** Whether a connection waits for the revoke of another one, which may end it too. */
export async function isSuspended(sql: Sql, connectionId: Grant['connectionId']): Promise<boolean> {
  return await hasRows(sql)`select from connection where connection_id = ${connectionId} and status = 'SUSPENDED'`;
}

/** Notes that the platform refuses a grant, without a second proof. @returns for how many seconds it has done so */
export async function noteRefusal(sql: Sql, grantId: GrantId): Promise<number> {
  const seconds = await findValue(sql, z.number())`
    update account_grant set refused_at = coalesce(refused_at, business_now()) where grant_id = ${grantId}
    returning extract(epoch from business_now() - refused_at)::float8
  `;
  return seconds ?? 0;
}

export async function forgetRefusal(sql: Sql, grantId: GrantId): Promise<void> {
  await sql`update account_grant set refused_at = null where grant_id = ${grantId} and refused_at is not null`;
}

import { z } from 'zod';
import { GRANTED_CONNECTION } from '../../basics/codes.ts';
import type { ConnectionId, GrantId, RegistrationId } from '../../basics/ids.ts';
import type { Sql } from '../driver/sql.ts';
import { findValue, hasRows, listOf } from '../rows.ts';

/**
 * Of a registration's connections, this part may change for the worse within an hour, and always a few. People who leave are far
 * fewer: 5 percent of them in a month are one of 14,000 an hour.
 */
const FEW = 5;
const ONE_OF = 1_000;
/** A registration that holds changes for the worse begins anew after this time, also if nothing has worked. */
const HELD_FOR = '1 day';

/** Whether a `registration` holds changes for the worse. */
export const isHeld = (sql: Sql) => sql`
  coalesce(downgrades_held_at > business_now() - ${HELD_FOR}::interval, false)
`;

/**
 * Counts one more change for the worse. The connections are counted once an hour.
 * @returns `HELD` if this change is not to be made now, `NOW_HELD` if it is the first too many
 */
export async function countDowngrade(
  sql: Sql,
  registrationId: RegistrationId,
): Promise<'ALLOWED' | 'HELD' | 'NOW_HELD'> {
  const begins = sql`(
    downgrades_held_at is not null or coalesce(downgrades_since <= business_now() - interval '1 hour', true)
  )`;
  const isAllowed = await findValue(sql, z.boolean())`
    update registration r set
      downgrades = case when ${begins} then 1 else downgrades + 1 end,
      downgrades_since = case when ${begins} then business_now() else downgrades_since end,
      downgrades_allowed = case when ${begins} then greatest(${FEW}, (
        select count(*) / ${ONE_OF} from connection c
        where c.registration_id = r.registration_id and c.status in ${listOf(sql, GRANTED_CONNECTION)}
      )) else downgrades_allowed end,
      downgrades_held_at = case when not ${begins} and downgrades >= downgrades_allowed then business_now() end
    where registration_id = ${registrationId} and not ${isHeld(sql)}
    returning downgrades_held_at is null
  `;
  if (isAllowed === undefined) return 'HELD';
  return isAllowed ? 'ALLOWED' : 'NOW_HELD';
}

/** Records an operator's confirmation that the platform means its refusals. @returns false if nothing was held */
export async function believePlatform(sql: Sql, registrationId: RegistrationId): Promise<boolean> {
  return await hasRows(sql)`
    update registration set downgrades_since = null, downgrades_held_at = null, downgrades_believed_at = business_now()
    where registration_id = ${registrationId} and downgrades_held_at is not null
  `;
}

/** Whether an operator has confirmed the refusals within the last day. */
export async function isPlatformBelieved(sql: Sql, registrationId: RegistrationId): Promise<boolean> {
  return await hasRows(sql)`
    select from registration
    where registration_id = ${registrationId} and downgrades_believed_at > business_now() - interval '1 day'
  `;
}

/** Whether a connection waits for the revoke of another one, which may end it too. */
export async function isSuspended(sql: Sql, connectionId: ConnectionId | null): Promise<boolean> {
  return await hasRows(sql)`select from connection where connection_id = ${connectionId} and status = 'SUSPENDED'`;
}

/** Notes that the platform refuses a grant. @returns for how many seconds it has done so */
export async function noteRefusal(sql: Sql, grantId: GrantId): Promise<number> {
  const seconds = await findValue(sql, z.number())`
    update account_grant set refused_at = coalesce(refused_at, business_now()) where grant_id = ${grantId}
    returning extract(epoch from business_now() - refused_at)::float8
  `;
  return seconds ?? 0;
}

/** The platform accepts a grant that it refused: it works again, and its registration holds nothing any more. */
export async function forgetRefusal(sql: Sql, grantId: GrantId): Promise<void> {
  await sql`
    with accepted as (
      update account_grant set refused_at = null where grant_id = ${grantId} and refused_at is not null
      returning registration_id
    )
    update registration r set downgrades_since = null, downgrades_held_at = null
    from accepted where r.registration_id = accepted.registration_id and r.downgrades_held_at is not null
  `;
}

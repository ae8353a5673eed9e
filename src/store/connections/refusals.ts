import { z } from 'zod';
import { GRANTED_CONNECTION } from '../../basics/codes.ts';
import type { ConnectionId, GrantId, RegistrationId } from '../../basics/ids.ts';
import type { Sql } from '../driver/sql.ts';
import { findRow, findValue, hasRows, listOf } from '../rows.ts';

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

const Explanation = z.enum(['OUR_REVOKE', 'REPORTED']);

/**
 * Why the grant of a connection may have ended: the connection waits for the revoke of another one, which may end it too, or the
 * platform has reported after its last proof that the person removed the app.
 */
export async function findExplanation(
  sql: Sql,
  connectionId: ConnectionId | null,
): Promise<z.infer<typeof Explanation> | null> {
  const explanation = await findValue(sql, Explanation.nullable())`
    select case when status = 'SUSPENDED' then 'OUR_REVOKE'
      when removal_reported_at >= coalesce(proven_at, created_at) then 'REPORTED' end
    from connection where connection_id = ${connectionId}
  `;
  return explanation ?? null;
}

const Refusal = z.object({ seconds: z.number(), isNew: z.boolean() });

/**
 * Notes that the platform refuses a grant.
 * @param grant as its call began: a refresh that worked in the meantime does not end a refusal that the call gets again
 * @returns for how many seconds it has done so, and whether that was not noted
 */
export async function noteRefusal(
  sql: Sql,
  { grantId, refusedAt }: { readonly grantId: GrantId; readonly refusedAt: Date | null },
): Promise<z.infer<typeof Refusal>> {
  const refusal = await findRow(sql, Refusal)`
    with seen as (select grant_id, refused_at from account_grant where grant_id = ${grantId} for no key update)
    update account_grant g set refused_at = coalesce(seen.refused_at, ${refusedAt}, business_now())
    from seen where g.grant_id = seen.grant_id
    returning extract(epoch from business_now() - g.refused_at)::float8 as seconds, seen.refused_at is null as is_new
  `;
  return refusal ?? { seconds: 0, isNew: false };
}

/** A refusal is noted just before it is counted, which may begin an hour. */
const NOTED_BEFORE = '10 seconds';

/** Whether the refusal of a grant was counted, as a downgrade, in the running hour of its registration, which holds nothing. */
export async function isRefusalCounted(sql: Sql, grantId: GrantId): Promise<boolean> {
  return await hasRows(sql)`
    select from account_grant g join registration r using (registration_id)
    where g.grant_id = ${grantId} and g.refused_at >= r.downgrades_since - ${NOTED_BEFORE}::interval
      and r.downgrades_held_at is null
  `;
}

/**
 * The platform accepts a grant that it refused: its refusal does not count any more. Its registration holds nothing any more either,
 * unless the platform still refuses too many others: while an outage ends, some grants work before others.
 */
export async function forgetRefusal(sql: Sql, grantId: GrantId): Promise<void> {
  await sql`
    with refused as (
      select grant_id, registration_id, refused_at from account_grant
      where grant_id = ${grantId} and refused_at is not null for no key update
    ), accepted as (
      update account_grant g set refused_at = null from refused where g.grant_id = refused.grant_id
    )
    update registration r set downgrades_held_at = null,
      downgrades = case when downgrades_held_at is null then greatest(0, downgrades - 1) else downgrades end,
      downgrades_since = case when downgrades_held_at is null then downgrades_since end
    from refused where r.registration_id = refused.registration_id
      and case when downgrades_held_at is null then refused.refused_at >= downgrades_since - ${NOTED_BEFORE}::interval else (
        select count(*) <= r.downgrades_allowed from (
          select from account_grant other
          where other.registration_id = r.registration_id and other.status = 'LIVE' and other.refused_at is not null
            and other.grant_id <> refused.grant_id
          limit r.downgrades_allowed + 1
        ) others
      ) end
  `;
}

import { z } from 'zod';
import { GRANT_STATUSES } from '../../basics/codes.ts';
import type { AttemptId, GrantId } from '../../basics/ids.ts';
import type { Sql } from '../driver/sql.ts';
import { findRow, findValue } from '../rows.ts';

/** The facts about one row that decide whether a call to a platform may be sent for it now: each read in one statement. */

const AttemptFacts = z.object({
  /** Whether the attempt still waits for the result. */
  isWanted: z.boolean(),
  /** Whether app, tenant, policy and registration allow it. */
  isAllowed: z.boolean(),
  isPaused: z.boolean(),
});
type AttemptFacts = z.infer<typeof AttemptFacts>;

const NOTHING: AttemptFacts = { isWanted: false, isAllowed: false, isPaused: false };

/** The facts that an exchange and the read of its account depend on. */
export async function findAttemptFacts(sql: Sql, attemptId: AttemptId): Promise<AttemptFacts> {
  const facts = await findRow(sql, AttemptFacts)`
    select a.status = 'EXCHANGING' and a.expires_at > business_now() as is_wanted,
      app.enabled and r.registration_id is not null
        and exists (select from tenant t where t.app_id = a.app_id and t.tenant_key = s.tenant_key)
        and exists (
          select from app_policy p where p.app_id = a.app_id and p.provider = a.provider and p.capabilities @> a.capabilities
        ) as is_allowed,
      r.paused_at is not null as is_paused
    from connect_attempt a join scope s using (scope_id) join app on app.app_id = a.app_id
      left join registration_app ra on ra.app_id = a.app_id and ra.registration_id = a.registration_id
      left join registration r on r.registration_id = ra.registration_id
    where a.attempt_id = ${attemptId}
  `;
  return facts ?? NOTHING;
}

/** The facts that the exchange of a sign-in depends on. */
export async function findSignInFacts(
  sql: Sql,
  attemptId: AttemptId,
): Promise<Pick<AttemptFacts, 'isWanted' | 'isAllowed'>> {
  const facts = await findRow(sql, AttemptFacts)`
    select a.status = 'PENDING' and a.stage = 'EXCHANGING' and a.expires_at > business_now() as is_wanted,
      exists (
        select from app join app_identity i using (app_id) join tenant t using (app_id)
        where app_id = a.app_id and app.enabled and i.enabled and i.issuer_id = a.issuer_id and i.return_url = a.return_url
          and t.tenant_key = a.tenant_key
      ) as is_allowed, false as is_paused
    from identity_attempt a where a.attempt_id = ${attemptId}
  `;
  return facts ?? NOTHING;
}

const GrantStatus = z.enum(GRANT_STATUSES);
type GrantStatus = z.infer<typeof GrantStatus>;

/** The status of a grant; undefined if it is gone. */
export async function findGrantStatus(sql: Sql, grantId: GrantId): Promise<GrantStatus | undefined> {
  return await findValue(sql, GrantStatus)`select status from account_grant where grant_id = ${grantId}`;
}

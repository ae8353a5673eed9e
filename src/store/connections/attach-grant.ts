import type { Capability } from '../../basics/codes.ts';
import { LIVE_CONNECTION } from '../../basics/codes.ts';
import { ConnectionId } from '../../basics/ids.ts';
import type { Attempt } from '../attempts/attempts.ts';
import type { Transaction } from '../driver/sql.ts';
import { findGrant, type Grant } from '../grants/grants.ts';
import { findValue } from '../rows.ts';
import { sourcesOf } from '../transitions.ts';

/** Locks the scope's live connection to the grant's account. Exact while the caller holds the scope's lock. */
export async function lockConnectionByAccount(
  tx: Transaction,
  attempt: Attempt,
  grant: Grant,
): Promise<ConnectionId | undefined> {
  return await findValue(tx, ConnectionId)`
    select connection_id from connection
    where scope_id = ${attempt.scopeId} and provider = ${attempt.provider}
      and provider_account_id = ${grant.providerAccountId} and status = any(${[...LIVE_CONNECTION]})
    for no key update
  `;
}

/**
 * Makes the grant the current one of the connection, which becomes CONNECTED with these capabilities.
 * @returns the superseded grants, which the caller revokes.
 */
export async function attachGrant(
  tx: Transaction,
  attach: {
    attempt: Attempt;
    grant: Grant;
    connectionId: ConnectionId;
    capabilities: readonly Capability[];
    isNew: boolean;
  },
): Promise<Grant[]> {
  const { attempt, grant, connectionId } = attach;
  const capabilities = tx.json(
    attach.capabilities.map((capability) => ({ capability, availability: 'AVAILABLE', reason: null })),
  );
  // Keep a profile only if the connection may show it.
  const profile = attach.capabilities.includes('PROFILE') && grant.profile !== null ? tx.json(grant.profile) : null;
  const connect = attach.isNew
    ? tx`
        insert into connection (connection_id, scope_id, app_id, provider, registration_id, provider_account_id, status,
          capabilities, profile, profile_observed_at)
        values (${connectionId}, ${attempt.scopeId}, ${attempt.appId}, ${attempt.provider}, ${attempt.registrationId},
          ${grant.providerAccountId}, 'CONNECTED', ${capabilities}, ${profile}, business_now())
      `
    : tx`
        update connection set status = 'CONNECTED', registration_id = ${attempt.registrationId},
          capabilities = ${capabilities}, profile = ${profile}, profile_observed_at = business_now(),
          changed_at = business_now()
        where connection_id = ${connectionId} and status = any(${[...sourcesOf('connection', 'CONNECTED')]})
      `;
  const [, old] = await Promise.all([
    connect,
    tx`select grant_id from account_grant where connection_id = ${connectionId} and status = 'LIVE' for no key update`,
    // Detach dead grants from before a reconnect, so that retention deletes them.
    tx`update account_grant set connection_id = null where connection_id = ${connectionId} and status = 'DEAD'`,
  ]);
  const superseded: Grant[] = [];
  for (const row of old) {
    await tx`update account_grant set status = 'PENDING', connection_id = null where grant_id = ${row.grantId}`;
    const found = await findGrant(tx, row.grantId);
    if (found) superseded.push(found);
  }
  await tx`
    update account_grant set status = 'LIVE', connection_id = ${connectionId}, provider_account_id = null, profile = null,
      profile_observed_at = null
    where grant_id = ${grant.grantId}
  `;
  return superseded;
}

import { type AttemptId, type GrantId, newId, type ScopeId } from '../../src/basics/ids.ts';
import type { Database } from '../../src/store/driver/sql.ts';
import { insertGrant, updateGrantAccount } from '../../src/store/grants/grants.ts';
import type { SeededApp } from '../kit/seed.ts';

/** A pending grant of PROVIDER_B as an exchange stores it, with the account behind it: no connection uses it yet. */
export async function seedGrant(sql: Database, seeded: SeededApp, scopeId: ScopeId): Promise<GrantId> {
  const grantId = newId<GrantId>();
  await insertGrant(sql, {
    grantId,
    attemptId: newId<AttemptId>(),
    scopeId,
    provider: 'PROVIDER_B',
    registrationId: seeded.registrations.PROVIDER_B,
    principalMacs: [],
    permissions: ['read'],
    sealedTokens: 'sealed',
    accessExpiresAt: null,
    refreshExpiresAt: null,
  });
  await updateGrantAccount(sql, grantId, {
    providerAccountId: 'account',
    accountMacs: [],
    profile: { displayName: 'Harbour', handle: 'harbour', avatarUrl: null, profileUrl: null, description: null },
  });
  return grantId;
}

import type { ProviderName } from '../../basics/codes.ts';
import type { ScopeId } from '../../basics/ids.ts';
import type { ProviderFacts } from '../../providers/facts.ts';
import { byteaArray } from '../../store/driver/bytea-array.ts';
import type { Sql } from '../../store/driver/sql.ts';
import { listAheadOfRevoke } from '../../store/erasures/erasures.ts';
import type { Mac } from '../../vault/mac.ts';
import { isDenial } from '../access/denial.ts';
import { mayRevoke } from '../access/may-call.ts';
import { listReached, listReachedAccountMacs } from '../reach.ts';

/** Why a disconnect sends no revoke: the platform has none, the grant has ended or may have, or another one may depend on it. */
export type Unsent = 'NO_REVOKE' | 'ENDED' | 'MAY_HAVE_ENDED' | 'IN_USE';

/** Foresees, for each connection of a subject, whether its erasure sends no revoke. Until then, another connect or disconnect can change it. */
export async function foreseeUnsentRevokes(
  rules: { readonly facts: Readonly<Record<ProviderName, ProviderFacts>>; readonly mac: Mac },
  sql: Sql,
  scopeId: ScopeId,
): Promise<{ readonly provider: ProviderName; readonly unsent: Unsent | undefined }[]> {
  const found: { provider: ProviderName; unsent: Unsent | undefined }[] = [];
  for (const { provider, registrationId, providerAccountId, grantEnd, ...grant } of await listAheadOfRevoke(
    sql,
    scopeId,
  )) {
    const foresee = async (): Promise<Unsent | undefined> => {
      if (!rules.facts[provider].canRevoke) return 'NO_REVOKE';
      if (grantEnd !== null) return grantEnd;
      const reached = await listReached(rules, sql, registrationId);
      const accountMacs = byteaArray(sql, listReachedAccountMacs(rules, reached, providerAccountId));
      const revocable = { ...grant, accountMacs, reached, bulkDisconnectId: null, leavingScopeId: scopeId };
      return isDenial(await mayRevoke(sql, revocable)) ? 'IN_USE' : undefined;
    };
    found.push({ provider, unsent: await foresee() });
  }
  return found;
}

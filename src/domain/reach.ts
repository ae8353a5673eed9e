import type { ProviderName } from '../basics/codes.ts';
import type { RegistrationId } from '../basics/ids.ts';
import type { ProviderFacts } from '../providers/facts.ts';
import type { Sql } from '../store/driver/sql.ts';
import { findRegistration } from '../store/registrations/registrations.ts';
import type { Mac } from '../vault/mac.ts';

/**
 * The keyed hashes of what one revoke ends at the platform: this person's grants to all that a revoke with the registration's
 * client reaches. Grants with a common hash live and die together, in any scope, app or registration.
 * @param principal the person, as the provider knows them.
 */
export async function listPrincipalMacs(
  { facts, mac }: { readonly facts: Readonly<Record<ProviderName, ProviderFacts>>; readonly mac: Mac },
  sql: Sql,
  registrationId: RegistrationId,
  principal: string,
): Promise<Buffer[]> {
  const registration = await findRegistration(sql, registrationId);
  const reach = registration && facts[registration.provider].reachOf(registration.clientId);
  return mac.allOf('principal', reach ?? registrationId, principal);
}

import type { ProviderName } from '../basics/codes.ts';
import type { RegistrationId } from '../basics/ids.ts';
import type { ProviderFacts } from '../providers/facts.ts';
import type { Sql } from '../store/driver/sql.ts';
import { findRegistration, listClientsBeside } from '../store/registrations/registrations.ts';
import type { Mac } from '../vault/mac.ts';

/**
 * The keyed hashes of all that one revoke ends at the platform: this person's grants to all that a revoke with the registration's
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

interface ReachRules {
  readonly facts: Readonly<Record<ProviderName, Pick<ProviderFacts, 'reachOf'>>>;
  readonly mac: Mac;
}

/** Lists the registrations whose grants a revoke with this one's client can end: itself, and all of the same reach. */
export async function listReached(
  { facts }: Pick<ReachRules, 'facts'>,
  sql: Sql,
  registrationId: RegistrationId,
): Promise<RegistrationId[]> {
  const clients = await listClientsBeside(sql, registrationId);
  const reach = ({ provider, clientId }: (typeof clients)[number]) => facts[provider].reachOf(clientId);
  const own = clients.find((one) => one.registrationId === registrationId);
  const shared = own && reach(own);
  const reached = clients.filter((one) => shared != null && reach(one) === shared);
  return [...new Set([registrationId, ...reached.map((one) => one.registrationId)])];
}

/**
 * The keyed hashes of an account, under each registration that a revoke reaches. Grants with a common hash are of one account, and so
 * of one person, also if the platform has not named the person.
 */
export const listReachedAccountMacs = (
  { mac }: Pick<ReachRules, 'mac'>,
  reached: readonly RegistrationId[],
  providerAccountId: string,
): Buffer[] => reached.flatMap((registrationId) => mac.allOf('account', registrationId, providerAccountId));

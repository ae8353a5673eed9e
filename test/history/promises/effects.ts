import { broken, type Promised, STOPS, type View } from '../view.ts';

/** Faults of a token call after which the code may be sent again: the platform has reported that it did nothing. */
const REFUSING_FAULTS = ['status', 'quota', 'answer'];

/** No effect at a platform more often than it was asked for, and no request that the platform would refuse. */
export const effects: Promised = function* (view) {
  const [consents, owners] = [new Map<string, number>(), new Map<string, string>()];
  for (const entry of view.entries) {
    if (entry.type !== 'browser' || entry.step !== 'allowed' || entry.account === undefined) continue;
    consents.set(entry.account, (consents.get(entry.account) ?? 0) + 1);
    owners.set(entry.account, entry.flow);
  }
  const causes = accountsToRevoke(view);
  const isOperators = view.acts(...STOPS).length > 0;
  const exchanges = new Map<string, number>();
  for (const { account, route, grantType, fault, violations } of view.platform.calls) {
    const flow = owners.get(account ?? '') ?? 'run';
    if (violations.length > 0) yield broken(flow, `a call of ${route} broke a rule: ${violations.join('; ')}`);
    if (account === null || !owners.has(account)) continue;
    if (route === 'revoke' && !causes.has(account) && !isOperators)
      yield broken(flow, `the grant of ${account} was revoked, and nobody had asked for it`);
    if (route !== 'token' || grantType !== 'authorization_code') continue;
    if (fault !== null && REFUSING_FAULTS.includes(fault)) continue;
    exchanges.set(account, (exchanges.get(account) ?? 0) + 1);
  }
  for (const [account, count] of exchanges) {
    const allowed = consents.get(account) ?? 0;
    if (count > allowed)
      yield broken(owners.get(account) ?? 'run', `${count} exchanges of ${allowed} consents of ${account}`);
  }
};

/** Accounts with a reason for a revoke: a disconnect, an erasure, or an attempt whose grant was not used. */
function accountsToRevoke(view: View): Set<string> {
  const accounts = new Set<string>();
  for (const { entry } of view.asked.values()) {
    const account = view.accountOf.get(String(entry.variables.connectionId));
    if (entry.field === 'disconnectConnection' && account !== undefined) accounts.add(account);
  }
  for (const [id, account] of view.chosen) {
    const flow = view.accepted.get(id)?.flow ?? '';
    if (view.last(id)?.value.status !== 'COMPLETED' || view.isErased(flow)) accounts.add(account);
  }
  return accounts;
}

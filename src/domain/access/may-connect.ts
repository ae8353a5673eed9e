import type { Capability, ProviderName, ResultCode } from '../../basics/codes.ts';
import { ServiceError } from '../../basics/errors.ts';
import type { FailureType } from '../../basics/failures.ts';
import type { AppId, ConnectionId, RegistrationId, ScopeId } from '../../basics/ids.ts';
import type { ProviderFacts } from '../../providers/facts.ts';
import { type ConnectRequest, getConnectFacts } from '../../store/access/connect-facts.ts';
import { countRecentAttempts, countUnfinishedAttempts } from '../../store/attempts/attempt-counts.ts';
import type { Attempt, AttemptEnd } from '../../store/attempts/attempts.ts';
import { isDisconnecting, lockConnection } from '../../store/connections/connections.ts';
import { type GrantOwner, isPrincipalDisconnecting } from '../../store/connections/siblings.ts';
import type { Sql, Transaction } from '../../store/driver/sql.ts';
import type { Grant } from '../../store/grants/grants.ts';
import { hasUnsettledRevoke } from '../../store/jobs/disconnect-jobs.ts';
import { findScopeById, type SubjectScope } from '../../store/scopes.ts';
import type { Mac } from '../../vault/mac.ts';
import { buildReceiptParts } from '../disconnecting/receipts.ts';
import { listReached } from '../reach.ts';
import type { Denied } from './denied.ts';
import { createTenantError } from './may-read.ts';

/** The facts and settings that decide whether an attempt is permitted, from its creation to its completion. */
export interface AttemptRules {
  readonly facts: Readonly<Record<ProviderName, ProviderFacts>>;
  /** True if a disconnect suspends the subject's other accounts at the provider until its revoke has settled. */
  readonly suspendSiblings: boolean;
  readonly mac: Mac;
}

/** The most unfinished attempts of one subject at one provider. */
const MAX_UNFINISHED = 5;

/** An end without a connection. */
export type UnsuccessfulEnd = Exclude<AttemptEnd, { status: 'COMPLETED' }>;

/** Why an attempt that exists is no longer permitted. */
export type AttemptDenial = Extract<
  ResultCode & FailureType,
  'POLICY_CHANGED' | 'REGISTRATION_PAUSED' | 'ACCOUNT_DISCONNECTING'
>;

/** The first rule that a request breaks. A later step of an attempt ends it with the failure as its result code. */
type DeniedAttempt = Denied<'FORBIDDEN' | 'BAD_USER_INPUT', Exclude<AttemptDenial, 'ACCOUNT_DISCONNECTING'>>;

/**
 * The one rule of app, tenant, policy, return URL and registration. Every step of an attempt applies it. Later steps apply
 * it to the registration that the attempt was created with.
 * @returns the registration that serves the attempt, or the denial.
 */
async function findRegistration(
  sql: Sql,
  asked: ConnectRequest & { readonly capabilities: readonly Capability[] },
): Promise<
  { denied: DeniedAttempt } | { denied: undefined; registrationId: RegistrationId; allowed: readonly Capability[] }
> {
  const { provider, capabilities } = asked;
  const facts = await getConnectFacts(sql, asked);
  const allowed = facts.allowedCapabilities;
  const excess = capabilities.filter((capability) => !allowed?.includes(capability));
  const deny = (code: DeniedAttempt['code'], message: string) =>
    ({ denied: { code, message, failure: 'POLICY_CHANGED' } }) as const;
  const forbid = (message: string) => deny('FORBIDDEN', message);
  if (!facts.appEnabled) return forbid('The app is disabled.');
  if (!facts.tenantRegistered) return forbid(createTenantError().message);
  if (allowed === null) return forbid(`The app may not connect accounts at ${provider}.`);
  if (excess.length > 0) return forbid(`The app may not ask ${provider} for ${excess.join(', ')}.`);
  if (!facts.returnUrlRegistered) {
    return deny('BAD_USER_INPUT', "input.returnUrl must be exactly one of the app's registered return URLs.");
  }
  if (facts.registrationId === null) return forbid(`No provider registration serves the app at ${provider} now.`);
  if (facts.registrationPaused) {
    const message = `The provider registration at ${provider} is paused.`;
    return { denied: { code: 'FORBIDDEN', message, failure: 'REGISTRATION_PAUSED' } };
  }
  return { denied: undefined, registrationId: facts.registrationId, allowed };
}

/** The scope and provider of a connection. */
interface Place {
  readonly scopeId: ScopeId;
  readonly provider: ProviderName;
  /** The subject of the scope, if the caller knows it. */
  readonly subject?: SubjectScope & { readonly appId: AppId };
}

/** True while a disconnect may still end a grant of the scope or the principal. Exact under the locks of both. */
async function isHeldByDisconnect(
  { facts, mac, suspendSiblings }: AttemptRules,
  sql: Sql,
  { scopeId, provider, subject }: Place,
  owner?: GrantOwner,
): Promise<boolean> {
  if (!suspendSiblings || !facts[provider].holdsSiblingsOnDisconnect) return false;
  const isRevoked = (scope: SubjectScope & { readonly appId: AppId }) =>
    hasUnsettledRevoke(sql, mac.allOf(...buildReceiptParts(scope.appId, scope)), provider);
  const found = await Promise.all([
    isDisconnecting(sql, scopeId, provider),
    // This includes a revoke from before an erasure, which has renamed the subject's scope.
    subject === undefined
      ? findScopeById(sql, scopeId).then((scope) => scope !== undefined && isRevoked(scope))
      : isRevoked(subject),
    owner !== undefined && isPrincipalDisconnecting(sql, owner),
  ]);
  return found.includes(true);
}

/**
 * Permits the creation of an attempt as far as no lock is needed; `permitUnderLock` checks the rest.
 * @returns the registration that will serve the attempt.
 * @throws ServiceError `FORBIDDEN` | `BAD_USER_INPUT`
 */
export async function permitNewAttempt(
  sql: Sql,
  appId: AppId,
  { scope, ...asked }: { scope: SubjectScope; provider: ProviderName; capabilities: Capability[]; returnUrl: string },
): Promise<RegistrationId> {
  const found = await findRegistration(sql, { ...asked, appId, tenantKey: scope.tenantKey });
  if (found.denied !== undefined) throw new ServiceError(found.denied.code, found.denied.message);
  return found.registrationId;
}

/**
 * Permits the import of a grant that another system obtained, as far as no lock is needed; its completion checks the rest.
 * @returns the capabilities of the new connection (those asked for, or all that the app may ask for), or the denial.
 */
export async function permitImport(
  { facts }: AttemptRules,
  sql: Sql,
  asked: {
    appId: AppId;
    tenantKey: string;
    provider: ProviderName;
    registrationId: RegistrationId;
    capabilities: readonly Capability[] | null;
  },
): Promise<{ denied: DeniedAttempt } | { denied: undefined; capabilities: readonly Capability[] }> {
  const { registrationId, capabilities, ...request } = asked;
  const found = await findRegistration(sql, {
    ...request,
    importsFrom: registrationId,
    capabilities: capabilities ?? [],
    returnUrl: null,
  });
  if (found.denied !== undefined) return found;
  const all = found.allowed.filter((one) => facts[asked.provider].capabilities.includes(one));
  return { denied: undefined, capabilities: capabilities ?? all };
}

/**
 * Permits the creation of an attempt while the caller holds the scope's lock.
 * @param target the connection to reconnect, undefined if it cannot exist; null to connect a new account.
 * @param most the most attempts of the subject at the provider in ten minutes.
 * @returns the connection to reconnect, or null.
 * @throws ServiceError `NOT_FOUND` | `DISCONNECT_IN_PROGRESS` | `FORBIDDEN` | `RATE_LIMITED`, in this order.
 */
export async function permitUnderLock(
  rules: AttemptRules,
  tx: Transaction,
  place: Place,
  target: ConnectionId | undefined | null,
  most: number,
): Promise<ConnectionId | null> {
  const { scopeId, provider } = place;
  const reconnectConnectionId = target === null ? null : await requireTarget(tx, place, target);
  const [isHeld, unfinished, recent] = await Promise.all([
    isHeldByDisconnect(rules, tx, place),
    countUnfinishedAttempts(tx, scopeId, provider),
    countRecentAttempts(tx, scopeId, provider),
  ]);
  if (isHeld) {
    throw new ServiceError(
      'FORBIDDEN',
      `An account at ${provider} is being disconnected. Try again once its revoke has settled.`,
    );
  }
  if (unfinished.count >= MAX_UNFINISHED) {
    throw new ServiceError(
      'RATE_LIMITED',
      `The subject has ${MAX_UNFINISHED} unfinished Connect sessions at ${provider}.`,
      { retryAfterSeconds: unfinished.oldestExpiresInSeconds },
    );
  }
  if (recent.count < most) return reconnectConnectionId;
  throw new ServiceError(
    'RATE_LIMITED',
    `The subject has had ${most} Connect sessions at ${provider} in ten minutes.`,
    {
      retryAfterSeconds: recent.oldestLeavesInSeconds,
    },
  );
}

/** Locks the connection, so that a later disconnect also finds and cancels the new attempt. */
async function requireTarget(
  tx: Transaction,
  { scopeId, provider }: Place,
  connectionId: ConnectionId | undefined,
): Promise<ConnectionId> {
  const target = await lockConnection(tx, scopeId, connectionId);
  if (target?.provider !== provider) throw new ServiceError('NOT_FOUND', `There is no such connection at ${provider}.`);
  if (target.status === 'DISCONNECTED' || target.status === 'DELETING') {
    throw new ServiceError(
      'DISCONNECT_IN_PROGRESS',
      'The connection to reconnect is being disconnected. Connect without reconnectConnectionId.',
    );
  }
  return target.connectionId;
}

/** A step of an attempt after its creation. */
type Step = 'launch' | 'callback' | 'exchange' | 'completion';

/**
 * Whether an attempt is still permitted at a later step.
 *
 * The return URL counts only while the browser still has to come back. The exchange ignores disconnects in progress,
 * because it holds no lock; the completion checks them exactly.
 * @param owner the owner of the grant, once it is known.
 */
export async function mayConnect(
  rules: AttemptRules,
  sql: Sql,
  attempt: Attempt,
  step: Step,
  owner?: GrantOwner,
): Promise<AttemptDenial | undefined> {
  const { returnUrl, ...asked } = attempt;
  const browserReturns = step === 'launch' || step === 'callback';
  const [{ denied }, isHeld] = await Promise.all([
    findRegistration(sql, { ...asked, returnUrl: browserReturns ? returnUrl : null }),
    step !== 'exchange' && isHeldByDisconnect(rules, sql, attempt, owner),
  ]);
  return denied?.failure ?? (isHeld ? 'ACCOUNT_DISCONNECTING' : undefined);
}

const failed = (resultCode: ResultCode): UnsuccessfulEnd => ({ status: 'FAILED', resultCode });

/** @returns why this grant may not become a connection now, or null. Hold the scope's lock. */
export async function mayComplete(
  rules: AttemptRules,
  tx: Transaction,
  attempt: Attempt,
  grant: Grant,
): Promise<UnsuccessfulEnd | null> {
  const reached = await listReached(rules, tx, grant.registrationId);
  const denial = await mayConnect(rules, tx, attempt, 'completion', { ...grant, reached });
  if (denial !== undefined) return failed(denial);
  if (grant.providerAccountId === null || listGrantedCapabilities(rules, attempt, grant).length === 0) {
    return failed('MISSING_PERMISSION');
  }
  if (attempt.reconnectConnectionId === null) return null;
  const target = await lockConnection(tx, attempt.scopeId, attempt.reconnectConnectionId);
  if (!target || target.status === 'DISCONNECTED' || target.status === 'DELETING') {
    return { status: 'CANCELED', resultCode: 'CANCELED' };
  }
  return target.providerAccountId === grant.providerAccountId ? null : failed('ACCOUNT_MISMATCH');
}

/** @returns the requested capabilities that the person has granted. */
export const listGrantedCapabilities = (rules: AttemptRules, attempt: Attempt, grant: Grant): Capability[] =>
  attempt.capabilities.filter((capability) => rules.facts[attempt.provider].isGranted(capability, grant.permissions));

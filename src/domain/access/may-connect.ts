import { type Capability, isLiveConnection, type ProviderName } from '../../basics/codes.ts';
import { ServiceError } from '../../basics/errors.ts';
import type { ResultCode } from '../../basics/failure-codes.ts';
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
import { type CallerDenial, type Denial, isDenial, toServiceError } from './denial.ts';
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

/** Why an attempt is not, or no longer, permitted. A later step ends it with the reason as its result code. */
export type AttemptDenial = CallerDenial<
  Extract<ResultCode & FailureType, 'POLICY_CHANGED' | 'REGISTRATION_PAUSED' | 'ACCOUNT_DISCONNECTING'>,
  'FORBIDDEN' | 'BAD_USER_INPUT'
>;

interface Serving {
  readonly registrationId: RegistrationId;
  /** All capabilities that the app may request. */
  readonly allowed: readonly Capability[];
}

/**
 * The one rule of app, tenant, policy, return URL and registration. Every step of an attempt applies it. Later steps apply
 * it to the registration that the attempt was created with.
 */
export async function mayUseRegistration(
  sql: Sql,
  asked: ConnectRequest & { readonly capabilities: readonly Capability[] },
): Promise<Serving | (AttemptDenial & { readonly reason: 'POLICY_CHANGED' | 'REGISTRATION_PAUSED' })> {
  const { provider, capabilities } = asked;
  const facts = await getConnectFacts(sql, asked);
  const allowed = facts.allowedCapabilities;
  const excess = capabilities.filter((capability) => !allowed?.includes(capability));
  const forbid = (message: string) => ({ reason: 'POLICY_CHANGED', code: 'FORBIDDEN', message }) as const;
  if (!facts.appEnabled) return forbid('The app is disabled.');
  if (!facts.tenantRegistered) return forbid(createTenantError().message);
  if (allowed === null) return forbid(`The app may not connect accounts at ${provider}.`);
  if (excess.length > 0) return forbid(`The app may not ask ${provider} for ${excess.join(', ')}.`);
  if (!facts.returnUrlRegistered) {
    const message = "input.returnUrl must be exactly one of the app's registered return URLs.";
    return { reason: 'POLICY_CHANGED', code: 'BAD_USER_INPUT', message };
  }
  if (facts.registrationId === null) return forbid(`No provider registration serves the app at ${provider} now.`);
  if (facts.registrationPaused) {
    const message = `The provider registration at ${provider} is paused.`;
    return { reason: 'REGISTRATION_PAUSED', code: 'FORBIDDEN', message };
  }
  return { registrationId: facts.registrationId, allowed };
}

/** The scope and provider of a connection. */
interface Place {
  readonly scopeId: ScopeId;
  readonly provider: ProviderName;
  /** The subject of the scope, if the caller knows it. */
  readonly subject?: SubjectScope & { readonly appId: AppId };
}

/** Whether a disconnect may still end a grant of the scope or the principal. Exact under the locks of both. */
async function mayConnectBesideDisconnects(
  { facts, mac, suspendSiblings }: AttemptRules,
  sql: Sql,
  { scopeId, provider, subject }: Place,
  owner?: GrantOwner,
): Promise<AttemptDenial | undefined> {
  if (!suspendSiblings || !facts[provider].holdsSiblingsOnDisconnect) return undefined;
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
  const message = `An account at ${provider} is being disconnected. Try again once its revoke has settled.`;
  return found.includes(true) ? { reason: 'ACCOUNT_DISCONNECTING', code: 'FORBIDDEN', message } : undefined;
}

/**
 * Permits the creation of an attempt as far as no lock is needed; `requireNewAttemptUnderLock` checks the rest.
 * @returns the registration that will serve the attempt.
 * @throws ServiceError `FORBIDDEN` | `BAD_USER_INPUT`
 */
export async function requireNewAttempt(
  sql: Sql,
  appId: AppId,
  { scope, ...asked }: { scope: SubjectScope; provider: ProviderName; capabilities: Capability[]; returnUrl: string },
): Promise<RegistrationId> {
  const serving = await mayUseRegistration(sql, { ...asked, appId, tenantKey: scope.tenantKey });
  if (isDenial(serving)) throw toServiceError(serving);
  return serving.registrationId;
}

/**
 * Whether a grant that another system obtained may be imported, as far as no lock is needed; its completion checks the rest.
 * @returns the capabilities of the new connection (those asked for, or all that the app may ask for), or the denial.
 */
export async function mayImport(
  { facts }: AttemptRules,
  sql: Sql,
  asked: {
    appId: AppId;
    tenantKey: string;
    provider: ProviderName;
    registrationId: RegistrationId;
    capabilities: readonly Capability[] | null;
  },
): Promise<{ readonly capabilities: readonly Capability[] } | AttemptDenial> {
  const { registrationId, capabilities, ...request } = asked;
  const serving = await mayUseRegistration(sql, {
    ...request,
    importsFrom: registrationId,
    capabilities: capabilities ?? [],
    returnUrl: null,
  });
  if (isDenial(serving)) return serving;
  const all = serving.allowed.filter((one) => facts[asked.provider].capabilities.includes(one));
  return { capabilities: capabilities ?? all };
}

/**
 * Permits the creation of an attempt while the caller holds the scope's lock.
 * @param target the connection to reconnect, undefined if it cannot exist; null to connect a new account.
 * @param most the most attempts of the subject at the provider in ten minutes.
 * @returns the connection to reconnect, or null.
 * @throws ServiceError `NOT_FOUND` | `DISCONNECT_IN_PROGRESS` | `FORBIDDEN` | `RATE_LIMITED`, in this order.
 */
export async function requireNewAttemptUnderLock(
  rules: AttemptRules,
  tx: Transaction,
  place: Place,
  target: ConnectionId | undefined | null,
  most: number,
): Promise<ConnectionId | null> {
  const { scopeId, provider } = place;
  const reconnectConnectionId = target === null ? null : await requireTarget(tx, place, target);
  const [denial, unfinished, recent] = await Promise.all([
    mayConnectBesideDisconnects(rules, tx, place),
    countUnfinishedAttempts(tx, scopeId, provider),
    countRecentAttempts(tx, scopeId, provider),
  ]);
  if (denial !== undefined) throw toServiceError(denial);
  const limit = (message: string, retryAfterSeconds: number) =>
    new ServiceError('RATE_LIMITED', `The subject has ${message}.`, { retryAfterSeconds });
  if (unfinished.count >= MAX_UNFINISHED) {
    const message = `${MAX_UNFINISHED} unfinished Connect sessions at ${provider}`;
    throw limit(message, unfinished.oldestExpiresInSeconds);
  }
  if (recent.count < most) return reconnectConnectionId;
  throw limit(`had ${most} Connect sessions at ${provider} in ten minutes`, recent.oldestLeavesInSeconds);
}

/** Locks the connection, so that a later disconnect also finds and cancels the new attempt. */
async function requireTarget(
  tx: Transaction,
  { scopeId, provider }: Place,
  connectionId: ConnectionId | undefined,
): Promise<ConnectionId> {
  const target = await lockConnection(tx, scopeId, connectionId);
  if (target?.provider !== provider) throw new ServiceError('NOT_FOUND', `There is no such connection at ${provider}.`);
  if (!isLiveConnection(target.status)) {
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
  const [serving, besideDisconnects] = await Promise.all([
    mayUseRegistration(sql, { ...asked, returnUrl: browserReturns ? returnUrl : null }),
    step === 'exchange' ? undefined : mayConnectBesideDisconnects(rules, sql, attempt, owner),
  ]);
  return isDenial(serving) ? serving : besideDisconnects;
}

/** Whether this grant may become a connection now. Hold the scope's lock. */
export async function mayComplete(
  rules: AttemptRules,
  tx: Transaction,
  attempt: Attempt,
  grant: Grant,
): Promise<Denial<ResultCode> | undefined> {
  const reached = await listReached(rules, tx, grant.registrationId);
  const denial = await mayConnect(rules, tx, attempt, 'completion', { ...grant, reached });
  if (denial !== undefined) return denial;
  if (grant.providerAccountId === null || listGrantedCapabilities(rules, attempt, grant).length === 0) {
    return { reason: 'MISSING_PERMISSION' };
  }
  if (attempt.reconnectConnectionId === null) return undefined;
  const target = await lockConnection(tx, attempt.scopeId, attempt.reconnectConnectionId);
  if (target === undefined || !isLiveConnection(target.status)) return { reason: 'CANCELED' };
  return target.providerAccountId === grant.providerAccountId ? undefined : { reason: 'ACCOUNT_MISMATCH' };
}

/** @returns the requested capabilities that the person has granted. */
export const listGrantedCapabilities = (rules: AttemptRules, attempt: Attempt, grant: Grant): Capability[] =>
  attempt.capabilities.filter((capability) => rules.facts[attempt.provider].isGranted(capability, grant.permissions));

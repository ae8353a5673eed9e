import { badInput, ServiceError } from '../../errors.ts';
import type { AppId, ConnectionId, RegistrationId, ScopeId } from '../../ids.ts';
import type { ProviderFacts } from '../../providers/facts.ts';
import type { Capability, ProviderName } from '../../providers/provider.ts';
import { getAllowance } from '../../store/apps.ts';
import { mayAttach } from '../../store/attachments.ts';
import { type Attempt, type AttemptEnd, countUnfinishedAttempts, type ResultCode } from '../../store/attempts.ts';
import { isLettingGo, lockConnection } from '../../store/connections.ts';
import type { Grant } from '../../store/grants.ts';
import { isReturnUrl } from '../../store/return-urls.ts';
import type { SubjectScope } from '../../store/scopes.ts';
import { isPrincipalLettingGo } from '../../store/siblings.ts';
import type { Sql, Transaction } from '../../store/sql.ts';
import { tenantNotRegistered } from '../reading/usable.ts';

/** What an attempt may do, and may not do any more: when it is made, when it is launched, when it would complete. */
export interface AttemptRules {
  readonly facts: Readonly<Record<ProviderName, ProviderFacts>>;
  /** Whether a disconnect holds the subject's other accounts at the provider until its revoke has settled. */
  readonly suspendSiblings: boolean;
}

const holdsSiblings = ({ facts, suspendSiblings }: AttemptRules, provider: ProviderName) =>
  suspendSiblings && facts[provider].holdsSiblingsOnDisconnect;

/** Per subject and provider. */
const MAX_UNFINISHED = 5;

interface Asked {
  readonly scope: SubjectScope;
  readonly provider: ProviderName;
  readonly capabilities: readonly Capability[];
  readonly returnUrl: string;
}

/**
 * @returns the registration that will serve the attempt.
 * @throws ServiceError `FORBIDDEN` | `BAD_USER_INPUT`
 */
export async function permitAttempt(sql: Sql, appId: AppId, asked: Asked): Promise<RegistrationId> {
  const { provider, capabilities, returnUrl } = asked;
  const may = await getAllowance(sql, appId, { provider, tenantKey: asked.scope.tenantKey, returnUrl });
  if (!may.tenantRegistered) throw tenantNotRegistered();
  const allowed = may.capabilities;
  if (allowed === null) throw new ServiceError('FORBIDDEN', `The app may not connect accounts at ${provider}.`);
  const excess = capabilities.filter((capability) => !allowed.includes(capability));
  if (excess.length > 0)
    throw new ServiceError('FORBIDDEN', `The app may not ask ${provider} for ${excess.join(', ')}.`);
  if (!may.returnUrlRegistered)
    throw badInput('input.returnUrl', "must be exactly one of the app's registered return URLs");
  if (may.registrationId === null) {
    throw new ServiceError('FORBIDDEN', `No provider registration serves the app at ${provider} now.`);
  }
  return may.registrationId;
}

/** @throws ServiceError `NOT_FOUND` | `DISCONNECT_IN_PROGRESS` */
export async function requireTarget(
  tx: Transaction,
  scopeId: ScopeId,
  provider: ProviderName,
  connectionId: ConnectionId | undefined,
): Promise<ConnectionId> {
  // Under the lock: what it is now, it still is when the attempt is there to be canceled with it.
  const target = await lockConnection(tx, scopeId, connectionId);
  if (target?.provider !== provider) throw new ServiceError('NOT_FOUND', `There is no such connection at ${provider}.`);
  if (target.status === 'DISCONNECTED' || target.status === 'DELETING') {
    throw new ServiceError(
      'DISCONNECT_IN_PROGRESS',
      'The connection to renew is being disconnected. Connect anew without it.',
    );
  }
  return target.connectionId;
}

/** @throws ServiceError `FORBIDDEN` while a disconnect there may still end a grant that would only now be made. */
export async function requireNotHeld(
  rules: AttemptRules,
  sql: Sql,
  scopeId: ScopeId,
  provider: ProviderName,
): Promise<void> {
  if (!holdsSiblings(rules, provider)) return;
  if (await isLettingGo(sql, scopeId, provider)) {
    throw new ServiceError(
      'FORBIDDEN',
      `An account at ${provider} is being disconnected. Try again once its revoke has settled.`,
    );
  }
}

/** @throws ServiceError `RATE_LIMITED` */
export async function requireRoom(tx: Transaction, scopeId: ScopeId, provider: ProviderName): Promise<void> {
  const unfinished = await countUnfinishedAttempts(tx, scopeId, provider);
  if (unfinished.count < MAX_UNFINISHED) return;
  throw new ServiceError(
    'RATE_LIMITED',
    `The subject has ${MAX_UNFINISHED} unfinished Connect sessions at ${provider}.`,
    {
      retryAfterSeconds: unfinished.oldestExpiresInSeconds,
    },
  );
}

/** What can come in the way of an attempt after it was made. */
export type Hindrance = 'POLICY_CHANGED' | 'REGISTRATION_PAUSED' | 'ACCOUNT_DISCONNECTING';

/** Whether app, tenant, policy and registration still allow the attempt. */
export async function findPolicyHindrance(sql: Sql, attempt: Attempt): Promise<Hindrance | undefined> {
  const { allowed, paused } = await mayAttach(sql, attempt);
  if (!allowed) return 'POLICY_CHANGED';
  return paused ? 'REGISTRATION_PAUSED' : undefined;
}

/**
 * What has come in the attempt's way since it was made. Exact while the scope's lock is held.
 * @param principalMac whose grant it is, once that is known.
 */
async function findHindrance(
  rules: AttemptRules,
  tx: Transaction,
  attempt: Attempt,
  principalMac: Buffer | null,
): Promise<Hindrance | undefined> {
  const { scopeId, provider } = attempt;
  const hindrance = await findPolicyHindrance(tx, attempt);
  if (hindrance !== undefined || !holdsSiblings(rules, provider)) return hindrance;
  const held = (await isLettingGo(tx, scopeId, provider)) || (await isPrincipalLettingGo(tx, principalMac));
  return held ? 'ACCOUNT_DISCONNECTING' : undefined;
}

/** The same while a browser is on its way, which also has to come back: at the launch and the callback. */
export async function findBrowserHindrance(
  rules: AttemptRules,
  tx: Transaction,
  attempt: Attempt,
): Promise<Hindrance | undefined> {
  if (!(await isReturnUrl(tx, attempt.appId, attempt.returnUrl))) return 'POLICY_CHANGED';
  return await findHindrance(rules, tx, attempt, null);
}

type Refusal = Exclude<AttemptEnd, { status: 'COMPLETED' }>;
const failed = (resultCode: ResultCode): Refusal => ({ status: 'FAILED', resultCode });

/** Why this grant may not become a connection now, or null. */
export async function findCompletionHindrance(
  rules: AttemptRules,
  tx: Transaction,
  attempt: Attempt,
  grant: Grant,
): Promise<Refusal | null> {
  const hindrance = await findHindrance(rules, tx, attempt, grant.principalMac);
  if (hindrance !== undefined) return failed(hindrance);
  if (grant.providerAccountId === null || grantedCapabilities(rules, attempt, grant).length === 0) {
    return failed('MISSING_PERMISSION');
  }
  if (attempt.reconnectConnectionId === null) return null;
  const target = await lockConnection(tx, attempt.scopeId, attempt.reconnectConnectionId);
  if (!target || target.status === 'DISCONNECTED' || target.status === 'DELETING') {
    return { status: 'CANCELED', resultCode: 'CANCELED' };
  }
  return target.providerAccountId === grant.providerAccountId ? null : failed('ACCOUNT_MISMATCH');
}

/** Those of the capabilities asked for that the person has granted. */
export const grantedCapabilities = (rules: AttemptRules, attempt: Attempt, grant: Grant) =>
  attempt.capabilities.filter((capability) => rules.facts[attempt.provider].isGranted(capability, grant.permissions));

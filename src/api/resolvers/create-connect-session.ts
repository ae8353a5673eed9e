import { ServiceError } from '../../errors.ts';
import type { MutationResolvers } from '../../generated/schema.ts';
import { type AttemptId, type ConnectionId, newId, type RegistrationId, type ScopeId } from '../../ids.ts';
import type { Capability, ProviderName } from '../../providers/provider.ts';
import { getAllowance } from '../../store/apps.ts';
import { countUnfinishedAttempts, insertAttempt } from '../../store/attempts.ts';
import { isLettingGo, lockConnection } from '../../store/connections.ts';
import { insertDispatch } from '../../store/outbox.ts';
import { lockScope, type SubjectScope } from '../../store/scopes.ts';
import { inTransaction, type Sql, type Transaction } from '../../store/sql.ts';
import { connectAttemptDispatch } from '../../workflows/contract.ts';
import type { Context } from '../context.ts';
import { badInput, CreateConnectSessionArgs, parse } from '../inputs.ts';
import { tenantNotRegistered } from '../policy.ts';
import { newToken } from '../tokens.ts';

/** Per subject and provider. */
const MAX_UNFINISHED = 5;

export const createConnectSession: MutationResolvers['createConnectSession'] = async (_root, args, context) => {
  const { app, config, correlationId, outbox, sql } = context;
  const { input } = parse(CreateConnectSessionArgs, args);
  const { scope, provider, capabilities, returnUrl, reconnectConnectionId: target } = input;
  const registrationId = await permitAttempt(context, input);
  const launchToken = newToken();
  const attempt = await inTransaction(sql, async (tx) => {
    const scopeId = await lockScope(tx, app.appId, scope);
    const reconnectConnectionId = target === null ? null : await requireTarget(tx, scopeId, provider, target);
    await requireNotHeld(context, tx, scopeId, provider);
    await requireRoom(tx, scopeId, provider);
    const inserted = await insertAttempt(tx, {
      attemptId: newId<AttemptId>(),
      scopeId,
      appId: app.appId,
      provider,
      registrationId,
      capabilities,
      returnUrl,
      reconnectConnectionId,
      launchTokenSha256: launchToken.sha256,
      correlationId,
    });
    await insertDispatch(tx, connectAttemptDispatch(inserted));
    return inserted;
  });
  outbox.nudge();
  return {
    id: attempt.attemptId,
    launchUrl: `${config.CONNECT_URL}/api/connect/redeem`,
    launchToken: launchToken.text,
    expiresAt: attempt.expiresAt,
    resultExpiresAt: attempt.resultExpiresAt,
  };
};

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
async function permitAttempt({ app, sql }: Context, asked: Asked): Promise<RegistrationId> {
  const { provider, capabilities, returnUrl } = asked;
  const may = await getAllowance(sql, app.appId, { provider, tenantKey: asked.scope.tenantKey, returnUrl });
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
async function requireTarget(
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
async function requireNotHeld({ facts, suspendSiblings }: Context, sql: Sql, scopeId: ScopeId, provider: ProviderName) {
  if (!suspendSiblings || !facts[provider].holdsSiblingsOnDisconnect) return;
  if (await isLettingGo(sql, scopeId, provider)) {
    throw new ServiceError(
      'FORBIDDEN',
      `An account at ${provider} is being disconnected. Try again once its revoke has settled.`,
    );
  }
}

/** @throws ServiceError `RATE_LIMITED` */
async function requireRoom(tx: Transaction, scopeId: ScopeId, provider: ProviderName): Promise<void> {
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

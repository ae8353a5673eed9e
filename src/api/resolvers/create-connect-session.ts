import { type AttemptId, newId } from '../../basics/ids.ts';
import { requireNewAttempt, requireNewAttemptUnderLock } from '../../domain/access/may-connect.ts';
import { AppLimitReached, admitAttempt } from '../../domain/connecting/admit-attempt.ts';
import { requireHttpsInProduction } from '../../domain/rules/input-rules.ts';
import type { MutationResolvers } from '../../generated/schema.ts';
import { insertAttempt } from '../../store/attempts/attempts.ts';
import { type Transaction, withCommit } from '../../store/driver/sql.ts';
import { lockScope } from '../../store/scopes.ts';
import { CreateConnectSessionArgs, parseArgs } from '../inputs.ts';
import { createToken } from '../tokens.ts';

const isLasting = (error: unknown) => error instanceof AppLimitReached;

export const createConnectSession: MutationResolvers['createConnectSession'] = async (_root, args, context) => {
  const { app, attemptRefusals, config, correlationId, sql } = context;
  const { input } = parseArgs(CreateConnectSessionArgs, args);
  const { scope, provider, capabilities, returnUrl, reconnectConnectionId: target } = input;
  requireHttpsInProduction(config.DEPLOYMENT, 'input.returnUrl', returnUrl);
  const launchToken = createToken();
  const ofApp = { appId: app.appId, most: config.CONNECT_ATTEMPTS_PER_APP };
  const insert = async (tx: Transaction) => {
    const [registrationId, scopeId] = await Promise.all([
      requireNewAttempt(tx, app.appId, input),
      lockScope(tx, app.appId, scope),
    ]);
    const place = { scopeId, provider, subject: { ...scope, appId: app.appId } };
    const mostOfSubject = config.CONNECT_ATTEMPTS_PER_SUBJECT;
    const reconnectConnectionId = await requireNewAttemptUnderLock(context, tx, place, target, mostOfSubject);
    const inserted = insertAttempt(tx, {
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
    await withCommit(tx, inserted);
    return { inserted };
  };
  const { inserted } = await attemptRefusals.run(app.appId, isLasting, () => admitAttempt(sql, ofApp, insert));
  const attempt = await inserted;
  return {
    id: attempt.attemptId,
    launchUrl: `${config.CONNECT_URL}/api/connect/redeem`,
    launchToken: launchToken.text,
    expiresAt: attempt.expiresAt,
    resultExpiresAt: attempt.resultExpiresAt,
  };
};

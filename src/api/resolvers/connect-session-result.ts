import { ServiceError } from '../../basics/errors.ts';
import { createTenantError } from '../../domain/access/may-read.ts';
import type { QueryResolvers } from '../../generated/schema.ts';
import { findAttemptResult } from '../../store/attempts/attempts.ts';
import { ConnectSessionResultArgs, parseArgs } from '../inputs.ts';

export const connectSessionResult: QueryResolvers['connectSessionResult'] = async (_root, args, { app, sql }) => {
  const { scope, id } = parseArgs(ConnectSessionResultArgs, args);
  const { tenantRegistered, attempt } = await findAttemptResult(sql, { appId: app.appId, scope, id });
  if (!tenantRegistered) throw createTenantError();
  if (!attempt)
    throw new ServiceError('NOT_FOUND', 'There is no such Connect session, or its result is no longer kept.');
  const { provider, connectionId, creatorAction, expiresAt, resultExpiresAt } = attempt;
  // The clock decides, even if the row is not updated yet.
  const end = attempt.expired ? ({ status: 'EXPIRED', resultCode: 'EXPIRED' } as const) : attempt;
  return {
    id: attempt.attemptId,
    provider,
    status: end.status,
    resultCode: end.resultCode,
    connectionId,
    creatorAction,
    expiresAt,
    resultExpiresAt,
  };
};

import { ServiceError } from '../../basics/errors.ts';
import { requireFound } from '../../domain/access/may-read.ts';
import { disconnect } from '../../domain/disconnecting/disconnect.ts';
import type { MutationResolvers } from '../../generated/schema.ts';
import { findConnectionOfScope } from '../../store/connections/connections.ts';
import { inTransaction } from '../../store/driver/sql.ts';
import { DisconnectConnectionArgs, parseArgs } from '../inputs.ts';

export const disconnectConnection: MutationResolvers['disconnectConnection'] = async (_root, args, context) => {
  const { app, correlationId, outbox, sql } = context;
  const { scope, connectionId: asked } = parseArgs(DisconnectConnectionArgs, args);
  const found = requireFound(await findConnectionOfScope(sql, { appId: app.appId, scope, id: asked }));
  const cause = { reason: 'APP', correlationId } as const;
  const result = await inTransaction(sql, (tx) => disconnect(context, tx, found, scope, cause));
  if (!result) throw new ServiceError('NOT_FOUND', 'There is no such connection.');
  outbox.deliverSoon();
  const { revokeJobId, eraseJobId, revokeSettledWell } = result;
  return {
    accepted: true,
    connectionId: found.connectionId,
    upstreamRevocationPending: !revokeSettledWell,
    revokeJobId,
    eraseJobId,
  };
};

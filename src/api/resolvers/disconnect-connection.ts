import { disconnect } from '../../domain/disconnecting/disconnect.ts';
import { permitScope } from '../../domain/reading/usable.ts';
import { ServiceError } from '../../errors.ts';
import type { MutationResolvers } from '../../generated/schema.ts';
import { getConnection } from '../../store/connections.ts';
import { inTransaction } from '../../store/sql.ts';
import { DisconnectConnectionArgs, parseArgs } from '../inputs.ts';

export const disconnectConnection: MutationResolvers['disconnectConnection'] = async (_root, args, context) => {
  const { app, correlationId, outbox, sql } = context;
  const { scope, connectionId: asked } = parseArgs(DisconnectConnectionArgs, args);
  const found = await getConnection(sql, await permitScope(sql, app.appId, scope), asked);
  const result = await inTransaction(sql, (tx) => disconnect(context, tx, found, scope, correlationId));
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

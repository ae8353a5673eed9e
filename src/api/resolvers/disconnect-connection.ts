import { ServiceError } from '../../errors.ts';
import type { MutationResolvers } from '../../generated/schema.ts';
import { getConnection } from '../../store/connections.ts';
import { startDisconnect } from '../../store/disconnects.ts';
import { insertDispatch } from '../../store/outbox.ts';
import { lockScopeById } from '../../store/scopes.ts';
import { lockWithSiblings, suspendConnections } from '../../store/siblings.ts';
import { inTransaction } from '../../store/sql.ts';
import { disconnectDispatch } from '../../workflows/contract.ts';
import { DisconnectConnectionArgs, parse } from '../inputs.ts';
import { permitScope } from '../policy.ts';
import { receiptParts } from './sync-job.ts';

export const disconnectConnection: MutationResolvers['disconnectConnection'] = async (_root, args, context) => {
  const { app, correlationId, facts, mac, outbox, sql, suspendSiblings } = context;
  const { scope, connectionId: asked } = parse(DisconnectConnectionArgs, args);
  const found = await getConnection(sql, await permitScope(sql, app.appId, scope), asked);
  const { scopeId, provider, connectionId } = found;
  const scopeMac = mac.of(...receiptParts(app.appId, scope));
  const { revokeJobId, eraseJobId, revokeSettledWell } = await inTransaction(sql, async (tx) => {
    await lockScopeById(tx, scopeId);
    const holds = suspendSiblings && facts[provider].holdsSiblingsOnDisconnect;
    const siblings = holds ? await lockWithSiblings(tx, { connectionId, scopeId, provider }) : [];
    const disconnect = await startDisconnect(tx, { scopeId, scopeMac }, connectionId, correlationId);
    if (!disconnect) throw new ServiceError('NOT_FOUND', 'There is no such connection.');
    if (disconnect.started) {
      await suspendConnections(tx, siblings);
      const { revokeJobId, eraseJobId } = disconnect;
      await insertDispatch(
        tx,
        disconnectDispatch({ connectionId, provider, revokeJobId, eraseJobId, appId: app.appId, correlationId }),
      );
    }
    return disconnect;
  });
  outbox.nudge();
  return { accepted: true, connectionId, upstreamRevocationPending: !revokeSettledWell, revokeJobId, eraseJobId };
};

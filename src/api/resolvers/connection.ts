import { isAvailable, requireFound, requireReadable } from '../../domain/access/may-read.ts';
import type { Connection, QueryResolvers } from '../../generated/schema.ts';
import { type ConnectionWithFacts, findConnectionOfScope } from '../../store/connections/connections.ts';
import { ConnectionArgs, parseArgs } from '../inputs.ts';

export const connection: QueryResolvers['connection'] = async (_root, args, { app, sql }) => {
  const { scope, id } = parseArgs(ConnectionArgs, args);
  const found = await findConnectionOfScope(sql, { appId: app.appId, scope, id });
  return toCallerConnection(requireFound(found));
};

/**
 * Converts a connection for callers. One that is not CONNECTED has neither profile nor sync times.
 * @throws ServiceError if it is CONNECTED and fails the check of every read.
 */
export function toCallerConnection(found: ConnectionWithFacts): Connection {
  requireReadable(found);
  const { connectionId, provider, providerAccountId, status, syncStatus, capabilities } = found;
  const connected = status === 'CONNECTED';
  return {
    id: connectionId,
    provider,
    providerAccountId,
    status,
    syncStatus,
    capabilities,
    profile: connected ? showProfile(found) : null,
    lastSuccessfulSyncAt: connected ? found.lastSuccessfulSyncAt : null,
    nextRetryAt: connected ? found.nextRetryAt : null,
  };
}

function showProfile(found: ConnectionWithFacts): Connection['profile'] {
  const { profile, profileObservedAt: observedAt, providerAccountId } = found;
  if (profile === null || observedAt === null || !isAvailable(found, 'PROFILE')) return null;
  return { providerAccountId, ...profile, observedAt };
}

import type { ConnectionId } from '../../basics/ids.ts';
import { requireTenant } from '../../domain/access/may-read.ts';
import type { QueryResolvers } from '../../generated/schema.ts';
import { type ConnectionKey, listConnections } from '../../store/connections/connections.ts';
import type { SubjectScope } from '../../store/scopes.ts';
import type { Context } from '../context.ts';
import { type CursorBinding, readCursor, writeCursor } from '../cursors.ts';
import { ConnectionsArgs, parseArgs } from '../inputs.ts';
import { toCallerConnection } from './connection.ts';

export const connections: QueryResolvers['connections'] = async (_root, args, context) => {
  const { app, mac, sql } = context;
  const { scope, first, after } = parseArgs(ConnectionsArgs, args);
  const listing = listingOf(context, scope);
  const scopeId = await requireTenant(sql, app.appId, scope);
  const place = after === null ? null : readPlace(context, listing, after);
  const found = await listConnections(sql, scopeId, { limit: first + 1, after: place });
  const page = found.slice(0, first);
  const last = page.at(-1);
  return {
    items: page.map(toCallerConnection),
    pageInfo: {
      endCursor: last ? writeCursor(mac, listing, [last.createdAt.toISOString(), last.connectionId]) : null,
      hasNextPage: found.length > first,
    },
  };
};

const listingOf = ({ app }: Context, { tenantKey, externalSubjectId }: SubjectScope): CursorBinding => ({
  kind: 'connections',
  of: [app.appId, tenantKey, externalSubjectId],
});

function readPlace({ mac }: Context, listing: CursorBinding, after: string): ConnectionKey {
  const [createdAt = '', connectionId = ''] = readCursor(mac, listing, after, 'after');
  return { createdAt: new Date(createdAt), connectionId: connectionId as ConnectionId };
}

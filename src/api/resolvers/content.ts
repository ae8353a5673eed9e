import { permitScope, requireUsable } from '../../domain/reading/usable.ts';
import type { QueryResolvers } from '../../generated/schema.ts';
import type { ConnectionId, ContentItemId } from '../../ids.ts';
import { getConnection } from '../../store/connections.ts';
import { type ContentKey, listContent, type ContentItem as StoredItem } from '../../store/content.ts';
import { getCoverage } from '../../store/coverage.ts';
import { inSnapshot } from '../../store/sql.ts';
import type { Context } from '../context.ts';
import { type CursorBinding, readCursor, writeCursor } from '../cursors.ts';
import { ContentArgs, parseArgs } from '../inputs.ts';
import { toContentItem } from './content-item.ts';

export const content: QueryResolvers['content'] = async (_root, args, context) => {
  const { app, mac, sql } = context;
  const { scope, connectionId, window } = parseArgs(ContentArgs, args);
  const scopeId = await permitScope(sql, app.appId, scope);
  // Reads one snapshot, so that no scan ends and no disconnect starts between the rows and the page's facts.
  const { connection, listing, found, coverage } = await inSnapshot(sql, async (tx) => {
    const connection = await getConnection(tx, scopeId, connectionId);
    requireUsable(connection, ['CONTENT_LIST']);
    const listing = listingOf(connection.connectionId, window);
    const after = window.after === null ? null : readPlace(context, listing, window.after);
    const [found, coverage] = await Promise.all([
      listContent(tx, connection.connectionId, { ...window, limit: window.first + 1, after }),
      getCoverage(tx, connection.connectionId, window),
    ]);
    return { connection, listing, found, coverage };
  });
  const page = found.slice(0, window.first);
  const end = placeOf(page.at(-1));
  return {
    items: page.map((item) => toContentItem(connection, item)),
    pageInfo: {
      endCursor: end && writeCursor(mac, listing, end),
      hasNextPage: found.length > window.first,
      completeForWindow: coverage.complete,
      incompleteReason: coverage.complete ? null : coverage.reason,
    },
    lastSuccessfulSyncAt: connection.lastSuccessfulSyncAt,
  };
};

const listingOf = (
  connectionId: ConnectionId,
  { publishedAfter, publishedBefore }: { publishedAfter: Date; publishedBefore: Date },
): CursorBinding => ({
  kind: 'content',
  of: [connectionId, publishedAfter.toISOString(), publishedBefore.toISOString()],
});

/** Posts without an instant of publication belong to no window, so every listed post has one. */
const placeOf = (last: StoredItem | undefined) =>
  last?.publishedAt ? [last.publishedAt.toISOString(), last.contentItemId] : null;

function readPlace({ mac }: Context, listing: CursorBinding, after: string): ContentKey {
  const [publishedAt = '', contentItemId = ''] = readCursor(mac, listing, after, 'window.after');
  return { publishedAt: new Date(publishedAt), contentItemId: contentItemId as ContentItemId };
}

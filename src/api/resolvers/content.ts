import { ServiceError } from '../../basics/errors.ts';
import type { ConnectionId, ContentItemId } from '../../basics/ids.ts';
import { requireFound, requireUsable } from '../../domain/access/may-read.ts';
import type { QueryResolvers } from '../../generated/schema.ts';
import { type ContentKey, type ListedItem, readContentListing } from '../../store/content/listing.ts';
import type { Instant } from '../../store/driver/instant.ts';
import type { Context } from '../context.ts';
import { type CursorBinding, readCursor, writeCursor } from '../cursors.ts';
import { ContentArgs, parseArgs } from '../inputs.ts';
import { toListedItem } from './content-item.ts';

export const content: QueryResolvers['content'] = async (_root, args, context) => {
  const { app, mac, sql } = context;
  const { scope, connectionId, window } = parseArgs(ContentArgs, args);
  const listing = listingOf(connectionId, window);
  const place = readPlace(context, listing, window.after);
  const after = place instanceof ServiceError ? null : place;
  const { publishedAfter, publishedBefore } = window;
  const range = { publishedAfter, publishedBefore, limit: window.first + 1, after };
  const read = await readContentListing(sql, { appId: app.appId, scope, id: connectionId, ...range });
  const connection = requireFound(read);
  requireUsable(connection, ['CONTENT_LIST']);
  if (place instanceof ServiceError) throw place;
  const { items: found, coverage } = read;
  const page = found.slice(0, window.first);
  const end = placeOf(page.at(-1));
  return {
    items: page.map((item) => toListedItem(connection, item)),
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
  connectionId: ConnectionId | undefined,
  { publishedAfter, publishedBefore }: { publishedAfter: Date; publishedBefore: Date },
): CursorBinding => ({
  kind: 'content',
  of: [connectionId ?? '', publishedAfter.toISOString(), publishedBefore.toISOString()],
});

/** Posts without an instant of publication belong to no window, so every listed post has one. */
const placeOf = (last: ListedItem | undefined) => (last?.publishedAt ? [last.publishedAt, last.contentItemId] : null);

/** @returns a ServiceError for a cursor of another listing: a missing right to read this one is reported first. */
function readPlace({ mac }: Context, listing: CursorBinding, after: string | null): ContentKey | ServiceError | null {
  if (after === null) return null;
  try {
    const [publishedAt = '', contentItemId = ''] = readCursor(mac, listing, after, 'window.after');
    return { publishedAt: publishedAt as Instant, contentItemId: contentItemId as ContentItemId };
  } catch (error) {
    if (error instanceof ServiceError) return error;
    throw error;
  }
}

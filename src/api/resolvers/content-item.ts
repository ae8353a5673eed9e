import { POST_CAPABILITIES } from '../../basics/codes.ts';
import { mapDetails, NO_DETAILS } from '../../basics/post-details.ts';
import { isAvailable, requireFound, requireUsable } from '../../domain/access/may-read.ts';
import type { ContentItem, QueryResolvers } from '../../generated/schema.ts';
import { type ConnectionWithFacts, findConnectionOfScope } from '../../store/connections/connections.ts';
import { findContent, findKnownContent, type ContentItem as StoredItem } from '../../store/content/content.ts';
import type { ListedItem } from '../../store/content/listing.ts';
import { ContentItemArgs, parseArgs } from '../inputs.ts';

export const contentItem: QueryResolvers['contentItem'] = async (_root, args, { app, mac, sql }) => {
  const { scope, connectionId, providerContentId } = parseArgs(ContentItemArgs, args);
  const connection = requireFound(await findConnectionOfScope(sql, { appId: app.appId, scope, id: connectionId }));
  requireUsable(connection, POST_CAPABILITIES);
  const { connectionId: known } = connection;
  // The second also finds a post of which only a keyed hash is left: most posts need no hash.
  const item =
    (await findContent(sql, known, providerContentId)) ?? (await findKnownContent(sql, mac, known, providerContentId));
  return item ? toContentItem(connection, item) : null;
};

/** The facts of a connection that a post's answer needs. */
type Owner = Pick<ConnectionWithFacts, 'provider' | 'capabilities'>;

/** Converts a post for callers. A post last read 30 days ago or longer has only its ids. */
function toContentItem(connection: Owner, item: StoredItem): ContentItem {
  const { contentItemId, providerContentId, observedAt } = item;
  if (!item.expired) return toListedItem(connection, item);
  return { id: contentItemId, providerContentId, provider: connection.provider, ...BLANK, observedAt };
}

/** Converts a post that was read in the last 30 days. */
export function toListedItem(connection: Owner, item: ListedItem): ContentItem {
  return {
    id: item.contentItemId,
    providerContentId: item.providerContentId,
    provider: connection.provider,
    kind: item.kind,
    canonicalUrl: item.canonicalUrl,
    ...mapDetails((name) => item[name]),
    publishedAt: item.publishedAt,
    availability: item.availability,
    reason: item.reason,
    observedAt: item.observedAt,
    metrics: showMetrics(connection, item),
  };
}

const BLANK = {
  kind: 'UNKNOWN',
  canonicalUrl: null,
  ...NO_DETAILS,
  publishedAt: null,
  availability: 'UNAVAILABLE',
  reason: 'EXPIRED',
  metrics: [],
} satisfies Omit<ContentItem, 'id' | 'providerContentId' | 'provider' | 'observedAt'>;

function showMetrics(connection: Owner, item: ListedItem): ContentItem['metrics'] {
  const { metrics, metricsObservedAt: observedAt } = item;
  if (observedAt === null || !isAvailable(connection, 'CONTENT_METRICS')) return [];
  return metrics.map(({ name, value, availability, reason, sourceField }) => ({
    name,
    value,
    availability,
    reason,
    sourceField,
    observedAt,
  }));
}

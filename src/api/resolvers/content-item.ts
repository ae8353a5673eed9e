import { isAvailable, permitScope, requireUsable } from '../../domain/reading/usable.ts';
import type { ContentItem, QueryResolvers } from '../../generated/schema.ts';
import { getConnection, type StandingConnection } from '../../store/connections.ts';
import { findContent, type ContentItem as StoredItem } from '../../store/content.ts';
import { ContentItemArgs, parseArgs } from '../inputs.ts';

export const contentItem: QueryResolvers['contentItem'] = async (_root, args, { app, sql }) => {
  const { scope, connectionId, providerContentId } = parseArgs(ContentItemArgs, args);
  const scopeId = await permitScope(sql, app.appId, scope);
  const connection = await getConnection(sql, scopeId, connectionId);
  requireUsable(connection, ['CONTENT_LIST', 'CONTENT_LOOKUP']);
  const item = await findContent(sql, connection.connectionId, providerContentId);
  return item ? toContentItem(connection, item) : null;
};

/** Converts a post for callers. A post last read 30 days ago or longer has only its ids. */
export function toContentItem(connection: StandingConnection, item: StoredItem): ContentItem {
  const { contentItemId, providerContentId, observedAt } = item;
  const shown = item.expired ? BLANK : { ...item, metrics: showMetrics(connection, item) };
  return {
    id: contentItemId,
    providerContentId,
    provider: connection.provider,
    kind: shown.kind,
    canonicalUrl: shown.canonicalUrl,
    thumbnailUrl: shown.thumbnailUrl,
    title: shown.title,
    description: shown.description,
    publishedAt: shown.publishedAt,
    availability: shown.availability,
    reason: shown.reason,
    observedAt,
    metrics: shown.metrics,
  };
}

const BLANK = {
  kind: 'UNKNOWN',
  canonicalUrl: null,
  thumbnailUrl: null,
  title: null,
  description: null,
  publishedAt: null,
  availability: 'UNAVAILABLE',
  reason: 'EXPIRED',
  metrics: [],
} satisfies Omit<ContentItem, 'id' | 'providerContentId' | 'provider' | 'observedAt'>;

function showMetrics(connection: StandingConnection, item: StoredItem): ContentItem['metrics'] {
  const { metrics, metricsObservedAt: observedAt } = item;
  if (observedAt === null || !isAvailable(connection, 'CONTENT_METRICS')) return [];
  return metrics.map((metric) => ({ ...metric, observedAt }));
}

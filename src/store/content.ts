import { z } from 'zod';
import { type AppId, type ConnectionId, ContentItemId, newId } from '../ids.ts';
import { AVAILABILITIES, CONTENT_KINDS, type Content, METRIC_NAMES } from '../providers/provider.ts';
import { ConnectionJson, connectionOfScope, type StandingConnection } from './connections.ts';
import { type Coverage, CoverageJson, coverageOf, judgeCoverage } from './coverage.ts';
import { type Instant, toInstant } from './instant.ts';
import type { ReadJob } from './read-jobs.ts';
import { type SubjectScope, tenantIsRegistered } from './scopes.ts';
import type { Fragment, Sql } from './sql.ts';

const StoredMetric = z.object({
  name: z.enum(METRIC_NAMES),
  value: z.string().nullable(),
  availability: z.enum(AVAILABILITIES),
  reason: z.string().nullable(),
  sourceField: z.string().nullable(),
});

const ContentItem = z.object({
  contentItemId: ContentItemId,
  providerContentId: z.string(),
  kind: z.enum(CONTENT_KINDS),
  canonicalUrl: z.string().nullable(),
  thumbnailUrl: z.string().nullable(),
  title: z.string().nullable(),
  description: z.string().nullable(),
  publishedAt: z.string().transform(toInstant).nullable(),
  availability: z.enum(AVAILABILITIES),
  reason: z.string().nullable(),
  metrics: z.array(StoredMetric),
  metricsObservedAt: z.string().transform(toInstant).nullable(),
  observedAt: z.string().transform(toInstant),
  /** Last read 30 days ago or earlier: callers may see its id only. */
  expired: z.boolean(),
});
export type ContentItem = z.infer<typeof ContentItem>;

const columns = (sql: Sql) => sql`
  content_item_id, provider_content_id, kind, canonical_url, thumbnail_url, title, description,
  published_at::text as published_at, availability, reason, metrics, metrics_observed_at::text as metrics_observed_at,
  observed_at::text as observed_at,
  observed_at <= business_now() - interval '30 days' as expired
`;

/** How many posts a read stored for the first time, found changed, and no longer found. */
export interface ContentChange {
  readonly added: number;
  readonly changed: number;
  readonly removed: number;
}

/**
 * Stores posts just read, replacing stored values. Metrics that may no longer be read are deleted too; otherwise they
 * could outlive their 30 days on a post that is read again. Items of one call have distinct ids.
 * @returns what changed for a reader. Thumbnails do not count, because some providers sign their URLs anew each time.
 */
export async function insertContent(
  sql: Sql,
  connectionId: ConnectionId,
  items: readonly Content[],
  options: { withMetrics: boolean },
): Promise<ContentChange> {
  if (items.length === 0) return { added: 0, changed: 0, removed: 0 };
  const rows = items.map((item) => ({
    id: newId<ContentItemId>(),
    provider_content_id: item.providerContentId,
    kind: item.kind,
    canonical_url: item.canonicalUrl,
    thumbnail_url: item.thumbnailUrl,
    title: item.title,
    description: item.description,
    published_at: item.publishedAt?.toISOString() ?? null,
    metrics: options.withMetrics ? item.metrics : null,
  }));
  const [counted] = await sql`
    with stored as (
      insert into content_item (content_item_id, connection_id, provider_content_id, kind, canonical_url, thumbnail_url,
        title, description, published_at, availability, reason, metrics, metrics_observed_at, observed_at)
      select id, ${connectionId}, provider_content_id, kind, canonical_url, thumbnail_url, title, description, published_at,
        'AVAILABLE', null, coalesce(metrics, '[]'), case when metrics is not null then business_now() end, business_now()
      from jsonb_to_recordset(${sql.json(rows as never)}) as item (id uuid, provider_content_id text, kind text,
        canonical_url text, thumbnail_url text, title text, description text, published_at timestamptz(3), metrics jsonb)
      on conflict (connection_id, provider_content_id) do update set
        kind = excluded.kind, canonical_url = excluded.canonical_url, thumbnail_url = excluded.thumbnail_url,
        title = excluded.title, description = excluded.description, published_at = excluded.published_at,
        availability = 'AVAILABLE', reason = null,
        metrics = excluded.metrics, metrics_observed_at = excluded.metrics_observed_at,
        observed_at = excluded.observed_at, blanked_at = null
      returning old.content_item_id is null as is_new,
        (old.kind, old.canonical_url, old.title, old.description, old.published_at, old.availability, old.metrics)
          is distinct from
        (new.kind, new.canonical_url, new.title, new.description, new.published_at, new.availability, new.metrics)
          as differs
    )
    select count(*) filter (where is_new)::int as added, count(*) filter (where differs and not is_new)::int as changed
    from stored
  `;
  return { added: Number(counted?.added), changed: Number(counted?.changed), removed: 0 };
}

/**
 * Updates posts that the provider no longer shows: their metrics and thumbnail are deleted. They keep the time of the
 * last read, so that the rest is blanked 30 days after it. @returns how many the provider showed before.
 */
export async function updateMissingContent(
  sql: Sql,
  connectionId: ConnectionId,
  providerContentIds: readonly string[],
): Promise<number> {
  const rows = await sql`
    update content_item set availability = 'UNAVAILABLE', reason = 'CONTENT_NOT_FOUND', thumbnail_url = null,
      metrics = '[]', metrics_observed_at = null
    where connection_id = ${connectionId} and provider_content_id = any(${[...providerContentIds]})
    returning old.availability <> 'UNAVAILABLE' as is_new
  `;
  return rows.filter((row) => row.isNew === true).length;
}

export async function findContent(
  sql: Sql,
  connectionId: ConnectionId,
  providerContentId: string,
): Promise<ContentItem | undefined> {
  const [row] = await sql`
    select ${columns(sql)} from content_item
    where connection_id = ${connectionId} and provider_content_id = ${providerContentId}
  `;
  return row && ContentItem.parse(row);
}

/** Finds a post by the last segment of its URL path. If several match, returns the one read last. */
export async function findContentByCode(
  sql: Sql,
  connectionId: ConnectionId,
  code: string,
): Promise<string | undefined> {
  const [row] = await sql`
    select provider_content_id from content_item
    where connection_id = ${connectionId} and last_path_segment(canonical_url) = ${code}
    order by observed_at desc limit 1
  `;
  return row && String(row.providerContentId);
}

/** The last row of the page before. */
export interface ContentKey {
  readonly publishedAt: Instant;
  readonly contentItemId: ContentItemId;
}

/** A stretch of the posts published in a window, newest first. Ask for one more than a page. */
export interface ContentRange {
  readonly publishedAfter: Date;
  readonly publishedBefore: Date;
  readonly limit: number;
  readonly after: ContentKey | null;
}

/** Posts of the window that were read in the last 30 days. @param connectionId an expression that gives it. */
const ofRange = (
  sql: Sql,
  connectionId: Fragment,
  { publishedAfter, publishedBefore, limit, after }: ContentRange,
) => sql`
  from content_item
  where connection_id = ${connectionId} and published_at >= ${publishedAfter} and published_at < ${publishedBefore}
    and observed_at > business_now() - interval '30 days'
    ${after === null ? sql`` : sql`and (content_item.published_at, content_item_id) < (${after.publishedAt}, ${after.contentItemId})`}
  order by content_item.published_at desc, content_item_id desc
  limit ${limit}
`;

/** The posts of `readContentListing` alone. @internal */
export async function listContent(sql: Sql, connectionId: ConnectionId, range: ContentRange): Promise<ContentItem[]> {
  const rows = await sql`select ${columns(sql)} ${ofRange(sql, sql`${connectionId}`, range)}`;
  return rows.map((row) => ContentItem.parse(row));
}

/** Everything that an answer to `content` says of a connection and a window. */
export interface ContentListing {
  readonly tenantRegistered: boolean;
  /** Undefined also for another scope's. */
  readonly connection: StandingConnection | undefined;
  readonly coverage: Coverage;
  readonly items: readonly ContentItem[];
}

const Listing = z.object({
  tenantRegistered: z.boolean(),
  connection: ConnectionJson.nullable(),
  coverage: CoverageJson,
});

/**
 * Reads it all in one statement, and so from one state of the database: no scan ends, and no disconnect begins, between
 * what is listed and what is said of it. The first row is about the connection; the others are the posts.
 */
export async function readContentListing(
  sql: Sql,
  { appId, scope, connectionId }: { appId: AppId; scope: SubjectScope; connectionId: ConnectionId | undefined },
  range: ContentRange,
): Promise<ContentListing> {
  const id = connectionId ?? null;
  const [first, ...rows] = await sql`
    with found as (${connectionOfScope(sql, appId, scope, id)})
    select json_build_object(
        'tenantRegistered', ${tenantIsRegistered(sql, appId, scope)},
        'connection', (select to_json(found) from found),
        'coverage', (select to_json(covered) from (${coverageOf(sql, id, range)}) as covered)
      ) as listing,
      null as content_item_id, null as provider_content_id, null as kind, null as canonical_url, null as thumbnail_url,
      null as title, null as description, null as published_at, null as availability, null as reason, null as metrics,
      null as metrics_observed_at, null as observed_at, null as expired
    union all (
      select null, ${columns(sql)} ${ofRange(sql, sql`(select connection_id from found)`, range)}
    )
  `;
  const { tenantRegistered, connection, coverage } = Listing.parse(first?.listing);
  return {
    tenantRegistered,
    connection: connection ?? undefined,
    coverage: judgeCoverage(coverage),
    // GraphQL checks the type of each field it sends; checking hundreds of them here too would take longer than reading them.
    items: rows.map((row) => ({
      ...(row as unknown as ContentItem),
      publishedAt: row.publishedAt === null ? null : toInstant(row.publishedAt),
      metricsObservedAt: row.metricsObservedAt === null ? null : toInstant(row.metricsObservedAt),
      observedAt: toInstant(row.observedAt),
    })),
  };
}

/**
 * Lists stored posts in a scan's window that no page of its chain has shown, because the provider may have deleted
 * them.
 */
export async function listUnseenContent(sql: Sql, job: ReadJob, limit: number): Promise<string[]> {
  const rows = await sql`
    select provider_content_id from content_item
    where connection_id = ${job.connectionId} and published_at >= ${job.publishedAfter}
      and published_at < ${job.readBefore} and observed_at < ${job.chainStartedAt}
      and availability = 'AVAILABLE' and blanked_at is null
    order by published_at desc limit ${limit}
  `;
  return rows.map((row) => String(row.providerContentId));
}

import { z } from 'zod';
import { AVAILABILITIES, CONTENT_KINDS, METRIC_NAMES } from '../../basics/codes.ts';
import { type ConnectionId, ContentItemId, newId } from '../../basics/ids.ts';
import type { MissingReason } from '../../providers/metric.ts';
import type { Content } from '../../providers/provider.ts';
import { askedUsedConnection, UsedConnection } from '../connections/connections.ts';
import { askTogether } from '../driver/batches.ts';
import { type Instant, toInstant } from '../driver/instant.ts';
import type { Fragment, Json, Row, Sql } from '../driver/sql.ts';
import { createStatement } from '../driver/statement.ts';
import type { ReadJob } from '../jobs/read-jobs.ts';
import { findRow, findValue, hasRows, listRows, listValues } from '../rows.ts';
import { type AskedOfScope, askedRows, askedTenantIsRegistered, toAskedRows } from '../scope-reads.ts';
import { type Coverage, CoverageJson, coverageOf, judgeCoverage } from './coverage.ts';

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

const listedColumns = (sql: Sql) => sql`
  content_item_id, provider_content_id, kind, canonical_url, thumbnail_url, title, description,
  published_at::text as published_at, availability, reason, metrics, metrics_observed_at::text as metrics_observed_at,
  observed_at::text as observed_at
`;

const columns = (sql: Sql) => sql`${listedColumns(sql)}, observed_at <= business_now() - interval '30 days' as expired`;

/** How many posts a read stored for the first time, found changed, and no longer found. */
export interface ContentChange {
  readonly added: number;
  readonly changed: number;
  readonly removed: number;
}

interface ReadOptions {
  readonly withMetrics: boolean;
  /** The number of the job that has read them. Without one, a scan in progress does not know that they were read. */
  readonly readNumber?: string;
}

/**
 * Stores posts just read, replacing stored values. Metrics that may no longer be read are deleted too; otherwise they
 * could outlive their 30 days on a post that is read again. Items of one call have distinct ids. Hold the connection's lock, as
 * for `updateMissingContent`: both compare with the rows as the statement first saw them.
 * @returns what changed for a reader. Thumbnails do not count, because some providers sign their URLs anew each time.
 */
export async function insertContent(
  sql: Sql,
  connectionId: ConnectionId,
  items: readonly Content[],
  options: ReadOptions,
): Promise<ContentChange> {
  if (items.length === 0) return { added: 0, changed: 0, removed: 0 };
  const [counted] =
    await sql`with ${countInserted(sql, connectionId, items, options)} select added, changed from counted`;
  return { added: Number(counted?.added), changed: Number(counted?.changed), removed: 0 };
}

/** Why a metric can be missing that the post had before, unless the platform is wrong about it. */
const DOUBTFUL = [
  'NOT_SHOWN',
  'PERMISSION_NOT_GRANTED',
  'NO_DATA_YET',
  'NOT_OFFERED_FOR_POST',
] satisfies MissingReason[];

/**
 * Whether the stored metrics stay: the platform refuses a metric now that it gave within the last days. It may be wrong about
 * that; if it goes on, the refusal replaces them.
 */
const keepsMetrics = (sql: Sql) => sql`(
  jsonb_path_query_array(excluded.metrics, '$[*].reason') ?| ${DOUBTFUL}
  and content_item.metrics_observed_at > business_now() - interval '3 days'
  and exists (
    select from jsonb_array_elements(excluded.metrics) as given, jsonb_array_elements(content_item.metrics) as kept
    where given ->> 'name' = kept ->> 'name' and kept ->> 'value' is not null
      and given ->> 'reason' = any(${DOUBTFUL})
  )
)`;

/**
 * The common tables that store posts as `insertContent` does. One row of `counted` has how many were `read` that the job had not read
 * before, and how many of them `added` and `changed`.
 */
export function countInserted(
  sql: Sql,
  connectionId: ConnectionId,
  items: readonly Content[],
  options: ReadOptions,
): Fragment {
  const { readNumber = '0' } = options;
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
  const ids = items.map(({ providerContentId }) => providerContentId);
  return sql`
    stored as (
      insert into content_item (content_item_id, connection_id, provider_content_id, kind, canonical_url, thumbnail_url,
        title, description, published_at, availability, reason, metrics, metrics_observed_at, observed_at, read_number)
      select id, ${connectionId}, provider_content_id, kind, canonical_url, thumbnail_url, title, description, published_at,
        'AVAILABLE', null, coalesce(metrics, '[]'), case when metrics is not null then business_now() end, business_now(),
        ${readNumber}::bigint
      from jsonb_to_recordset(${sql.json(rows as never)}) as item (id uuid, provider_content_id text, kind text,
        canonical_url text, thumbnail_url text, title text, description text, published_at timestamptz(3), metrics jsonb)
      on conflict (connection_id, provider_content_id) do update set
        kind = excluded.kind, canonical_url = excluded.canonical_url, thumbnail_url = excluded.thumbnail_url,
        title = excluded.title, description = excluded.description, published_at = excluded.published_at,
        availability = 'AVAILABLE', reason = null,
        metrics = case when ${keepsMetrics(sql)} then content_item.metrics else excluded.metrics end,
        metrics_observed_at = case when ${keepsMetrics(sql)} then content_item.metrics_observed_at
          else excluded.metrics_observed_at end,
        observed_at = excluded.observed_at, blanked_at = null, missing_since = null,
        read_number = greatest(content_item.read_number, excluded.read_number)
      returning content_item_id, kind, canonical_url, title, description, published_at, availability, metrics
    ), old as ( -- As they were before the statement; by their keys, for a plan that was made for few rows reads all rows otherwise.
      select * from content_item where connection_id = ${connectionId} and provider_content_id = any(${ids}::text[])
    ), counted as (
      select count(*) filter (where old.read_number is distinct from ${readNumber}::bigint)::int as read,
        count(*) filter (where old.content_item_id is null)::int as added,
        count(*) filter (where (old.kind, old.canonical_url, old.title, old.description, old.published_at, old.availability, old.metrics)
          is distinct from
          (stored.kind, stored.canonical_url, stored.title, stored.description, stored.published_at, stored.availability, stored.metrics)
          and old.content_item_id is not null)::int as changed
      from stored left join old using (content_item_id)
    )
  `;
}

/**
 * For how long reads must have missed a post before it is gone. `WITH_NEIGHBOUR`: the platform shows another post of the account.
 * `ALONE`: we know of no other. `AMONG_OTHERS`: it shows none, as in an outage.
 */
const GONE_AFTER_HOURS = { WITH_NEIGHBOUR: 1, ALONE: 48, AMONG_OTHERS: 7 * 24 } as const;
export type MissingProof = keyof typeof GONE_AFTER_HOURS;

/**
 * Updates posts that a read did not show. The first time only the time is noted, since a platform can be wrong. Once reads have
 * missed a post for long enough, its metrics and thumbnail are deleted. It keeps the time of the last read, so that the rest is
 * blanked 30 days after it. @returns how many posts are gone that were not before.
 */
export async function updateMissingContent(
  sql: Sql,
  connectionId: ConnectionId,
  providerContentIds: readonly string[],
  proof: MissingProof,
  readNumber = '0',
): Promise<number> {
  const isGone = sql`
    missing_since <= business_now() - make_interval(hours => ${GONE_AFTER_HOURS[proof]}) or availability = 'UNAVAILABLE'
  `;
  const { count } = await sql`
    with missed as (update content_item set missing_since = coalesce(missing_since, business_now()),
      read_number = greatest(read_number, ${readNumber}::bigint),
      availability = case when ${isGone} then 'UNAVAILABLE' else availability end,
      reason = case when ${isGone} then 'CONTENT_NOT_FOUND' else reason end,
      thumbnail_url = case when ${isGone} then null else thumbnail_url end,
      metrics = case when ${isGone} then '[]' else metrics end,
      metrics_observed_at = case when ${isGone} then null else metrics_observed_at end
    where connection_id = ${connectionId} and provider_content_id = any(${[...providerContentIds]})
    returning content_item_id, availability)
    select from missed join content_item old using (content_item_id)
    where old.availability <> 'UNAVAILABLE' and missed.availability = 'UNAVAILABLE'
  `;
  return count;
}

/** Finds another post of the account: the one that a read showed last, and that the platform should show again. */
export async function findShownContent(
  sql: Sql,
  connectionId: ConnectionId,
  except: readonly string[],
): Promise<string | undefined> {
  return await findValue(sql, z.string())`
    select provider_content_id from content_item
    where connection_id = ${connectionId} and availability = 'AVAILABLE' and blanked_at is null and missing_since is null
      and provider_content_id <> all(${[...except]})
    order by published_at desc limit 1
  `;
}

export async function findContent(
  sql: Sql,
  connectionId: ConnectionId,
  providerContentId: string,
): Promise<ContentItem | undefined> {
  return await findRow(sql, ContentItem)`
    select ${columns(sql)} from content_item
    where connection_id = ${connectionId} and provider_content_id = ${providerContentId}
  `;
}

export async function existsContent(sql: Sql, connectionId: ConnectionId, providerContentId: string): Promise<boolean> {
  return await hasRows(sql)`
    select from content_item where connection_id = ${connectionId} and provider_content_id = ${providerContentId}
  `;
}

/** Finds a post by the last segment of its URL path. If several match, returns the one read last. */
export async function findContentByCode(
  sql: Sql,
  connectionId: ConnectionId,
  code: string,
): Promise<string | undefined> {
  return await findValue(sql, z.string())`
    select provider_content_id from content_item
    where connection_id = ${connectionId} and code_in_url(canonical_url) = ${code}
    order by observed_at desc limit 1
  `;
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

/** Sorts before every id of a post: a page without a cursor begins at the end of its window, which is not part of it. */
const FIRST_PAGE = '00000000-0000-0000-0000-000000000000';

/** A range as members and columns of an `asked` row. */
const RANGE_COLUMNS =
  'published_after timestamptz, published_before timestamptz, key_published_at timestamptz, key_id uuid';
const rangeMembers = ({ publishedAfter, publishedBefore, after }: ContentRange) => ({
  published_after: publishedAfter.toISOString(),
  published_before: publishedBefore.toISOString(),
  key_published_at: after?.publishedAt ?? publishedBefore.toISOString(),
  key_id: after?.contentItemId ?? FIRST_PAGE,
});

/** Posts of an `asked` range that were read in the last 30 days. @param connectionId an expression that gives it. */
const ofPage = (sql: Sql, connectionId: Fragment, limit: number) => sql`
  from content_item i
  where i.connection_id = ${connectionId} and i.published_at >= asked.published_after and i.published_at < asked.published_before
    and (i.published_at, i.content_item_id) < (asked.key_published_at, asked.key_id)
    and i.observed_at > business_now() - interval '30 days'
  order by i.published_at desc, i.content_item_id desc
  limit ${limit}
`;

/** The posts of `readContentListing` alone. @internal */
export async function listContent(sql: Sql, connectionId: ConnectionId, range: ContentRange): Promise<ContentItem[]> {
  return await listRows(sql, ContentItem)`
    select post.* from jsonb_to_record(${sql.json(rangeMembers(range))}) as asked (${sql.unsafe(RANGE_COLUMNS)}), lateral (
      select ${columns(sql)} ${ofPage(sql, sql`${connectionId}`, range.limit)}
    ) as post
  `;
}

/** Everything that an answer to `content` says of a connection and a window. */
export interface ContentListing {
  readonly tenantRegistered: boolean;
  /** Undefined also for another scope's. */
  readonly connection: UsedConnection | undefined;
  readonly coverage: Coverage;
  readonly items: readonly ListedItem[];
}

const Listing = z.object({
  place: z.number(),
  tenantRegistered: z.boolean(),
  connection: UsedConnection.nullable(),
  coverage: CoverageJson,
});

/** A post of a page. */
export type ListedItem = Omit<ContentItem, 'expired'>;

interface AskedPage extends AskedOfScope, ContentRange {}

/** The most pages of one statement: a larger one would make its first page wait for its last. Two run side by side. */
const MAX_PAGES = 8;

/**
 * Reads it all in one statement, and so from one state of the database: no scan ends, and no disconnect begins, between
 * what is listed and what is said of it. A statement has one limit for all of its pages.
 */
export const readContentListing = askTogether(
  async (sql, asked: readonly AskedPage[]): Promise<ContentListing[]> => {
    const limits = [...new Set(asked.map(({ limit }) => limit))];
    const found = await Promise.all(
      limits.map((limit) => {
        const pages = asked.filter((page) => page.limit === limit);
        return listPages(sql, pages, limit);
      }),
    );
    const listings = new Map(found.flat());
    return asked.map((page) => listings.get(page) as ContentListing);
  },
  { largest: MAX_PAGES },
);

/**
 * The rows of one page after those of another. In a page, the first has a `listing`, which says what there is to say of its
 * connection and window, and no post; each of the others has a post, newest first, and no `listing`.
 */
const selectPages = createStatement(
  (sql, rows: Json, limit: number) => sql`
    select row.* from ${askedRows(sql, rows, sql.unsafe(`, ${RANGE_COLUMNS}`))} cross join lateral (
      with found as (${askedUsedConnection(sql)})
      select json_build_object(
          'place', asked.place,
          'tenantRegistered', ${askedTenantIsRegistered(sql)},
          'connection', (select used from found),
          'coverage', (select to_json(covered) from (
            ${coverageOf(sql, sql`asked.id`, sql`tstzrange(asked.published_after, asked.published_before)`)}
          ) as covered)
        ) as listing,
        null as content_item_id, null as provider_content_id, null as kind, null as canonical_url, null as thumbnail_url,
        null as title, null as description, null as published_at, null as availability, null as reason, null as metrics,
        null as metrics_observed_at, null as observed_at
      union all (
        select null, ${listedColumns(sql)} ${ofPage(sql, sql`(select connection_id from found)`, limit)}
      )
    ) as row
  `,
);

/** @returns each page with its listing. */
async function listPages(
  sql: Sql,
  asked: readonly AskedPage[],
  limit: number,
): Promise<(readonly [AskedPage, ContentListing])[]> {
  const listings: (readonly [AskedPage, ContentListing])[] = [];
  let items: ListedItem[] = [];
  for (const row of await selectPages(sql, toAskedRows(sql, asked, rangeMembers), limit)) {
    if (row.listing === null) {
      items.push(toListedItem(row));
    } else {
      const { place, tenantRegistered, connection, coverage } = Listing.parse(row.listing);
      items = []; // The rows that follow add to it.
      const listing = {
        tenantRegistered,
        connection: connection ?? undefined,
        coverage: judgeCoverage(coverage),
        items,
      };
      listings.push([asked[place - 1] as AskedPage, listing]);
    }
  }
  return listings;
}

/** GraphQL checks the type of each field it sends; checking hundreds of them here too would take longer than reading them. */
function toListedItem(row: Row): ListedItem {
  row.publishedAt = row.publishedAt === null ? null : toInstant(row.publishedAt);
  row.metricsObservedAt = row.metricsObservedAt === null ? null : toInstant(row.metricsObservedAt);
  row.observedAt = toInstant(row.observedAt);
  return row as unknown as ListedItem;
}

/**
 * Lists stored posts in a scan's window that no page of its chain has shown, because the provider may have deleted
 * them.
 */
export async function listUnseenContent(sql: Sql, job: ReadJob, limit: number): Promise<string[]> {
  return await listValues(sql, z.string())`
    select provider_content_id from content_item
    where connection_id = ${job.connectionId} and published_at >= ${job.publishedAfter}
      and published_at < ${job.readBefore} and read_number < ${job.chainNumber}::bigint
      and availability = 'AVAILABLE' and blanked_at is null
    order by published_at desc limit ${limit}
  `;
}

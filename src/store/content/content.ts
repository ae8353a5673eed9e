import { z } from 'zod';
import { AVAILABILITIES, CONTENT_KINDS, METRIC_NAMES } from '../../basics/codes.ts';
import { type ConnectionId, ContentItemId } from '../../basics/ids.ts';
import { DETAIL_NAMES, mapDetails } from '../../basics/post-details.ts';
import type { Mac } from '../../vault/mac.ts';
import { byteaArray } from '../driver/bytea-array.ts';
import { toInstant } from '../driver/instant.ts';
import type { Fragment, Sql } from '../driver/sql.ts';
import type { ReadJob } from '../jobs/read-jobs.ts';
import { findRow, findValue, hasRows, listValues } from '../rows.ts';
import { listPostMacs } from './forgotten-content.ts';

const StoredMetric = z.object({
  name: z.enum(METRIC_NAMES),
  value: z.string().nullable(),
  availability: z.enum(AVAILABILITIES),
  reason: z.string().nullable(),
  sourceField: z.string().nullable(),
});

export const ContentItem = z.object({
  contentItemId: ContentItemId,
  providerContentId: z.string(),
  kind: z.enum(CONTENT_KINDS),
  canonicalUrl: z.string().nullable(),
  ...mapDetails(() => z.string().nullable()),
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

/** As columns, of which the driver need not parse JSON. */
const detailColumns = DETAIL_NAMES.map((name) => `details ->> '${name}' as "${name}"`).join(', ');
/** The same of no post. */
export const noDetailColumns = DETAIL_NAMES.map((name) => `null as "${name}"`).join(', ');

export const listedContentColumns = (sql: Sql, providerContentId = sql`provider_content_id`) => sql`
  content_item_id, ${providerContentId}, kind, canonical_url, ${sql.unsafe(detailColumns)},
  published_at::text as published_at, availability, reason, metrics, metrics_observed_at::text as metrics_observed_at,
  observed_at::text as observed_at
`;

const contentColumns = (sql: Sql, providerContentId = sql`provider_content_id`) =>
  sql`${listedContentColumns(sql, providerContentId)}, observed_at <= business_now() - interval '30 days' as expired`;

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
    select ${contentColumns(sql)} from content_item
    where connection_id = ${connectionId} and provider_content_id = ${providerContentId}
  `;
}

/** Finds a post, also one that is known by a keyed hash of its id only. */
export async function findKnownContent(
  sql: Sql,
  mac: Mac,
  connectionId: ConnectionId,
  providerContentId: string,
): Promise<ContentItem | undefined> {
  const columns = contentColumns(sql, sql`${providerContentId}::text as provider_content_id`);
  return await findRow(sql, ContentItem)`${selectPost(sql, columns, mac, connectionId, providerContentId)}`;
}

/** Whether a post is stored, also as a keyed hash of its id only. */
export async function existsContent(
  sql: Sql,
  mac: Mac,
  connectionId: ConnectionId,
  providerContentId: string,
): Promise<boolean> {
  return await hasRows(sql)`${selectPost(sql, sql``, mac, connectionId, providerContentId)}`;
}

/** Two searches, since Postgres may answer an `or` by reading all posts of the connection. */
const selectPost = (
  sql: Sql,
  columns: Fragment,
  mac: Mac,
  connectionId: ConnectionId,
  providerContentId: string,
): Fragment => sql`
  select ${columns} from content_item
  where connection_id = ${connectionId} and provider_content_id = ${providerContentId}
  union all
  select ${columns} from content_item
  where connection_id = ${connectionId}
    and content_mac = any(${byteaArray(sql, listPostMacs(mac, connectionId, providerContentId))})
  limit 1
`;

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

import { type ConnectionId, type ContentItemId, newId } from '../../basics/ids.ts';
import { DETAIL_NAMES, PICTURES, type PostDetails } from '../../basics/post-details.ts';
import type { MissingReason } from '../../providers/metric.ts';
import type { Content } from '../../providers/provider.ts';
import type { Fragment, Sql } from '../driver/sql.ts';

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
 * for `updateMissingContent`: both rely on the rows as the statement first saw them.
 * @returns the changes for a reader. Pictures do not count.
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
 * that; if it continues, the refusal replaces them.
 */
const keepsMetrics = (sql: Sql) => sql`(
  jsonb_path_query_array(given.metrics, '$[*].reason') ?| ${DOUBTFUL}
  and old.metrics_observed_at > business_now() - interval '3 days'
  and exists (
    select from jsonb_array_elements(given.metrics) as refused, jsonb_array_elements(old.metrics) as kept
    where refused ->> 'name' = kept ->> 'name' and kept ->> 'value' is not null
      and refused ->> 'reason' = any(${DOUBTFUL})
  )
)`;

/** The details of a post that are not null. */
const toDetails = (item: Content): Partial<PostDetails> =>
  Object.fromEntries(DETAIL_NAMES.filter((name) => item[name] !== null).map((name) => [name, item[name]]));

/** The details of a row but its pictures. */
const withoutPictures = (sql: Sql, row: Fragment) =>
  sql`${row}.details - ${sql.unsafe(`'{${PICTURES.join(',')}}'`)}::text[]`;

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
    details: toDetails(item),
    published_at: item.publishedAt?.toISOString() ?? null,
    metrics: options.withMetrics ? item.metrics : null,
  }));
  const ids = items.map(({ providerContentId }) => providerContentId);
  return sql`
    given as materialized (
      select id, provider_content_id, kind, canonical_url, details, published_at,
        coalesce(metrics, '[]') as metrics, case when metrics is not null then business_now() end as metrics_observed_at
      from jsonb_to_recordset(${sql.json(rows as never)}) as item (id uuid, provider_content_id text, kind text,
        canonical_url text, details jsonb, published_at timestamptz(3), metrics jsonb)
    ), known as ( -- With the columns as they were: by their keys, for a plan that was made for few rows reads all rows otherwise.
      update content_item c set
        kind = given.kind, canonical_url = given.canonical_url, details = given.details,
        published_at = coalesce(given.published_at, old.published_at),
        availability = 'AVAILABLE', reason = null,
        metrics = case when ${keepsMetrics(sql)} then old.metrics else given.metrics end,
        metrics_observed_at = case when ${keepsMetrics(sql)} then old.metrics_observed_at else given.metrics_observed_at end,
        observed_at = business_now(), blanked_at = null, missing_since = null,
        read_number = greatest(old.read_number, ${readNumber}::bigint)
      from given, (
        select * from content_item where connection_id = ${connectionId} and provider_content_id = any(${ids}::text[])
      ) old
      where old.provider_content_id = given.provider_content_id and c.content_item_id = old.content_item_id
      returning c.provider_content_id, old.read_number <> ${readNumber}::bigint as is_first_read,
        (old.kind, old.canonical_url, ${withoutPictures(sql, sql`old`)}, old.published_at, old.availability, old.metrics)
          is distinct from
          (c.kind, c.canonical_url, ${withoutPictures(sql, sql`c`)}, c.published_at, c.availability, c.metrics) as is_changed
    ), added as (
      insert into content_item (content_item_id, connection_id, provider_content_id, kind, canonical_url, details,
        published_at, availability, reason, metrics, metrics_observed_at, observed_at, read_number)
      select id, ${connectionId}, provider_content_id, kind, canonical_url, details, published_at,
        'AVAILABLE', null, metrics, metrics_observed_at, business_now(), ${readNumber}::bigint
      from given where not exists (select from known where known.provider_content_id = given.provider_content_id)
      returning 1
    ), kept as ( -- Retention finds the posts by this column.
      update connection set posts_read_since = business_now() where connection_id = ${connectionId} and posts_read_since is null
    ), counted as (
      select ((select count(*) from added) + count(*) filter (where is_first_read))::int as read,
        (select count(*) from added)::int as added, count(*) filter (where is_changed)::int as changed
      from known
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
 * missed a post for long enough, its metrics and pictures are deleted. It keeps the time of the last read, so that the rest is
 * blanked 30 days after it. @returns how many posts are gone that were not before.
 */
export async function updateMissingContent(
  sql: Sql,
  connectionId: ConnectionId,
  providerContentIds: readonly string[],
  proof: MissingProof,
  readNumber = '0',
): Promise<number> {
  const isGone = sql`missing_since <= business_now() - make_interval(hours => ${GONE_AFTER_HOURS[proof]})`;
  const { count } = await sql`
    with missed as (update content_item set missing_since = coalesce(missing_since, business_now()),
      read_number = greatest(read_number, ${readNumber}::bigint),
      availability = case when ${isGone} then 'UNAVAILABLE' else availability end,
      reason = case when ${isGone} then 'CONTENT_NOT_FOUND' else reason end,
      details = case when ${isGone} then ${withoutPictures(sql, sql`content_item`)} else details end,
      metrics = case when ${isGone} then '[]' else metrics end,
      metrics_observed_at = case when ${isGone} then null else metrics_observed_at end
    where connection_id = ${connectionId} and provider_content_id = any(${[...providerContentIds]})
    returning content_item_id, availability)
    select from missed join content_item old using (content_item_id)
    where old.availability <> 'UNAVAILABLE' and missed.availability = 'UNAVAILABLE'
  `;
  return count;
}

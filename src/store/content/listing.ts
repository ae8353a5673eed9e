import { z } from 'zod';
import type { ContentItemId } from '../../basics/ids.ts';
import { askedUsedConnection, UsedConnection } from '../connections/connections.ts';
import { askTogether } from '../driver/batches.ts';
import { type Instant, toInstant } from '../driver/instant.ts';
import type { Fragment, Json, Row, Sql } from '../driver/sql.ts';
import { createStatement } from '../driver/statement.ts';
import { type AskedOfScope, askedRows, askedTenantIsRegistered, toAskedRows } from '../scope-reads.ts';
import { type ContentItem, listedContentColumns, noDetailColumns } from './content.ts';
import { type Coverage, CoverageJson, coverageOf, judgeCoverage } from './coverage.ts';

/** The last row of the page before. */
export interface ContentKey {
  readonly publishedAt: Instant;
  readonly contentItemId: ContentItemId;
}

/** A part of the posts published in a window, newest first. Ask for one more than a page. */
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

/** Everything in an answer to `content` about a connection and a window. */
export interface ContentListing {
  readonly tenantRegistered: boolean;
  /** Undefined also for another scope's. */
  readonly connection: UsedConnection | undefined;
  readonly coverage: Coverage;
  readonly items: readonly ListedItem[];
}

const Listing = z.object({
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
 * the posts and the facts about them. A statement has one limit for all of its pages.
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
 * The rows of several pages. Each row has the `place` of its page in the request. In a page, one row has a `listing`, which
 * describes its connection and window, and no post; each of the others has a post, newest first, and no `listing`.
 */
const selectPages = createStatement(
  (sql, rows: Json, limit: number) => sql`
    select asked.place, row.* from ${askedRows(sql, rows, sql.unsafe(`, ${RANGE_COLUMNS}`))} cross join lateral (
      with found as (${askedUsedConnection(sql)})
      select json_build_object(
          'tenantRegistered', ${askedTenantIsRegistered(sql)},
          'connection', (select used from found),
          'coverage', (select to_json(covered) from (
            ${coverageOf(sql, sql`asked.id`, sql`tstzrange(asked.published_after, asked.published_before)`)}
          ) as covered)
        ) as listing,
        null as content_item_id, null as provider_content_id, null as kind, null as canonical_url,
        ${sql.unsafe(noDetailColumns)}, null as published_at, null as availability, null as reason, null as metrics,
        null as metrics_observed_at, null as observed_at
      union all (
        select null, ${listedContentColumns(sql)} ${ofPage(sql, sql`(select connection_id from found)`, limit)}
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
  const found = asked.map(() => ({
    listing: undefined as z.infer<typeof Listing> | undefined,
    items: [] as ListedItem[],
  }));
  for (const { place, listing, ...item } of await selectPages(sql, toAskedRows(sql, asked, rangeMembers), limit)) {
    const page = found[place - 1];
    if (page === undefined) throw new Error('A row of no page.');
    if (listing === null) page.items.push(toListedItem(item));
    else page.listing = Listing.parse(listing);
  }
  return found.map(({ listing, items }, index) => {
    if (listing === undefined) throw new Error('A page without its listing.');
    const { tenantRegistered, connection, coverage } = listing;
    const page = { tenantRegistered, connection: connection ?? undefined, coverage: judgeCoverage(coverage), items };
    return [asked[index] as AskedPage, page];
  });
}

/** GraphQL checks the type of each field it sends; checking hundreds of them here too would take longer than reading them. */
function toListedItem(row: Row): ListedItem {
  row.publishedAt = row.publishedAt === null ? null : toInstant(row.publishedAt);
  row.metricsObservedAt = row.metricsObservedAt === null ? null : toInstant(row.metricsObservedAt);
  row.observedAt = toInstant(row.observedAt);
  return row as unknown as ListedItem;
}

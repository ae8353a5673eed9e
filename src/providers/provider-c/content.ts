import { z } from 'zod';
import type { ContentKind, ProviderErrorType } from '../../basics/codes.ts';
import { createFailure, findEntry, isWithin, readAnswer, requireDates } from '../answers.ts';
import { readListingCursor, takeItemsAfter, writeListingCursor } from '../listing-cursor.ts';
import { createMetric } from '../metric.ts';
import { parsePastedUrl } from '../post-urls.ts';
import { type Access, type Call, type Content, type Provider, ProviderError, type Window } from '../provider.ts';
import { followShortLink } from '../short-link.ts';
import { MANAGE_INSIGHTS } from './facts.ts';
import { readFields } from './fields.ts';
import { type Extent, readInsights } from './insights.ts';
import type { AdapterDeps } from './settings.ts';
import { createProviderCWebSide, findPostCode } from './urls.ts';
import { Media, MediaById, MediaList } from './wire.ts';

const PAGE_SIZE = 50;
/** Page size with metrics: views and shares take one call for each post. */
const MEASURED_PAGE_SIZE = 10;
/** One call reads at most this many pages to find a post inside the window. */
const MOST_PAGES = 5;
/** A person can pin this many posts, which come first. */
const MOST_PINNED = 3;
/** The platform lists only the 10,000 most recent posts, so a listing that ends there may be incomplete. */
const LISTING_LIMIT = 10_000;
/** A lookup searches this many posts, in 40 calls. A small account's rate limit can be low. */
const LOOKUP_LIMIT = 2_000;

const LEAST_FIELDS = ['id', 'media_type', 'permalink', 'timestamp', 'like_count', 'comments_count'];
const FIELDS = [...new Set([...LEAST_FIELDS, ...Object.keys(Media.shape)])];

const Page = z.object({
  /** The platform's cursor. Null for the first page. */
  after: z.string().nullable(),
  /** Number of posts on earlier pages. */
  read: z.number().int().nonnegative(),
  /** Whether to request only `LEAST_FIELDS`. */
  isPlain: z.boolean(),
});
type Page = z.infer<typeof Page>;
const FIRST_PAGE: Page = { after: null, read: 0, isPlain: false };

const Place = Page.extend({
  /** The last post on that page that an earlier call returned. */
  lastId: z.string().nullable(),
  /** How often the platform has refused a cursor, and the listing has begun again. */
  restarts: z.number().int().nonnegative(),
});
type Place = z.infer<typeof Place>;
const TOP: Place = { ...FIRST_PAGE, lastId: null, restarts: 0 };
/** A cursor points at a post, and is refused when that post is gone. A list that loses more of them is not read to its end. */
const MOST_RESTARTS = 3;
const Search = Page.extend({ code: z.string() });

export function createProviderCContent(
  deps: AdapterDeps,
): Pick<Provider, 'listContent' | 'readContent' | 'readBatchSize' | 'lookUp'> {
  return {
    readBatchSize: MEASURED_PAGE_SIZE,

    async listContent(access, { window, cursor, limit, withMetrics }, call) {
      const start = cursor === null ? TOP : readListingCursor(Place, cursor, 'PROVIDER_C media');
      const size = withMetrics && access.permissions.includes(MANAGE_INSIGHTS) ? MEASURED_PAGE_SIZE : PAGE_SIZE;
      const found = await findPage(deps, access, start, { size, window }, call);
      if (found === 'LOST') return { items: [], cursor: null, reachedEnd: false };
      const { place, candidates, onward } = found;
      const items = await toContents(deps, access, candidates.slice(0, limit), withMetrics, call, 'partial');
      const last = items.at(-1);
      if (last !== undefined && candidates.length > items.length) {
        const resumeAt = { ...place, lastId: last.providerContentId };
        return { items, cursor: writeListingCursor(resumeAt), reachedEnd: false };
      }
      return { items, cursor: onward.next && writeListingCursor(onward.next), reachedEnd: onward.reachedEnd };
    },

    async readContent(access, { providerContentIds, withMetrics }, call) {
      const media = await readById(deps, access, providerContentIds, call);
      return await toContents(deps, access, media, withMetrics, call);
    },

    /**
     * The API has no lookup by URL or code. Unless the post is stored already, this searches the account's posts, newest
     * first, one page for each call.
     */
    async lookUp(access, { url, cursor, withMetrics, known }, call) {
      const search =
        cursor === null ? await startSearch(deps, url, call) : readListingCursor(Search, cursor, 'PROVIDER_C lookup');
      if (search === null) return { kind: 'absent' };
      const knownId = cursor === null ? await known?.(search.code) : undefined;
      if (knownId !== undefined) {
        const media = await readById(deps, access, [knownId], call);
        const [content] = await toContents(deps, access, media, withMetrics, call);
        return content ? { kind: 'found', content } : { kind: 'absent', providerContentId: knownId };
      }
      const page = await readPage(deps, access, search, { size: PAGE_SIZE, window: null }, call);
      // A short or empty page costs a call too.
      const read = search.read + PAGE_SIZE;
      const searchOn = (onward: Pick<Page, 'after' | 'isPlain'>) =>
        read < LOOKUP_LIMIT
          ? ({ kind: 'searching', cursor: writeListingCursor({ code: search.code, read, ...onward }) } as const)
          : ({ kind: 'beyondSearch' } as const);
      if (page === 'REFUSED') return searchOn({ after: null, isPlain: search.isPlain });
      const { media, next, isPlain } = page;
      const found = media
        .filter(isPublished)
        .find(({ permalink }) => permalink !== null && findPostCode(permalink) === search.code);
      if (found !== undefined) {
        const [content] = await toContents(deps, access, [found], withMetrics, call);
        if (content !== undefined) return { kind: 'found', content };
      }
      if (next === null) return { kind: 'absent' };
      return next === search.after ? { kind: 'beyondSearch' } : searchOn({ after: next, isPlain });
    },
  };
}

interface Onward {
  readonly next: Place | null;
  readonly reachedEnd: boolean;
}

interface Found {
  readonly place: Place;
  /** Posts of the page at `place` that are in the window. Empty only if the listing ends or pauses there. */
  readonly candidates: readonly Media[];
  readonly onward: Onward;
}

/** Walks to the next page with posts in the window. @returns `LOST` if the platform has refused too many cursors */
async function findPage(
  deps: AdapterDeps,
  access: Access,
  start: Place,
  { size, window }: { size: number; window: Window },
  call: Call,
): Promise<Found | 'LOST'> {
  let place = start;
  for (let pages = 1; ; pages += 1) {
    const page = await readPage(deps, access, place, { size, window }, call);
    if (page === 'REFUSED') {
      const restarts = place.restarts + 1;
      if (restarts > MOST_RESTARTS) return 'LOST';
      place = { ...TOP, isPlain: place.isPlain, restarts };
      continue;
    }
    const { media, next, isPlain } = page;
    const read = { ...place, isPlain };
    // Filters every post by its own date: a pinned one can come first, and the API may ignore the window.
    const candidates = takeItemsAfter(media, [place.lastId]).filter(
      (one) => isPublished(one) && isWithin(one.timestamp, window),
    );
    const onward = findNextPlace(read, { media, next }, window);
    if (candidates.length > 0 || onward.next === null || pages >= MOST_PAGES)
      return { place: read, candidates, onward };
    place = onward.next;
  }
}

/** Decides where the listing continues after a page. */
function findNextPlace(
  { read: readBefore, after: before, isPlain, restarts }: Place,
  { media, next }: { media: readonly Media[]; next: string | null },
  { publishedAfter }: Window,
): Onward {
  // A page of few posts may have nothing but pinned ones.
  const dates = media.flatMap(({ timestamp }) => timestamp ?? []);
  if (dates.length > MOST_PINNED && dates.every((date) => date < publishedAfter)) {
    return { next: null, reachedEnd: true };
  }
  const read = readBefore + media.length;
  if (next === null) return { next: null, reachedEnd: read < LISTING_LIMIT };
  // A repeated cursor makes no progress, and past its own limit the platform repeats pages.
  if (next === before || read > LISTING_LIMIT + PAGE_SIZE) return { next: null, reachedEnd: false };
  return { next: { after: next, read, isPlain, lastId: null, restarts }, reachedEnd: false };
}

async function startSearch(deps: AdapterDeps, text: string, call: Call): Promise<z.infer<typeof Search> | null> {
  const code = findPostCode(text) ?? (await findSharedCode(deps, text, call));
  return code === null ? null : { ...FIRST_PAGE, code };
}

/** Finds the code of the post behind a share link, if the operator has allowed it. @returns null for a dead link */
async function findSharedCode(deps: AdapterDeps, text: string, call: Call): Promise<string | null> {
  const where = 'PROVIDER_C lookup';
  const url = parsePastedUrl(text);
  const { PROVIDER_C_SHARE_LINKS: isAllowed, PROVIDER_C_AUTHORIZE_URL: baseUrl } = deps.config;
  if (url === undefined || !isAllowed) throw createFailure('UnsupportedUrl', where);
  return await followShortLink(deps, createProviderCWebSide(baseUrl), { url, where, read: findPostCode }, call);
}

/**
 * Reads one page of the account's posts. Continues by cursor, never by `paging.next`: that URL contains the token.
 * @returns `REFUSED` if the API refuses the page's cursor
 */
async function readPage(
  deps: AdapterDeps,
  { accessToken }: Access,
  page: Page,
  { size, window }: { size: number; window: Window | null },
  call: Call,
): Promise<{ media: Media[]; next: string | null; isPlain: boolean } | 'REFUSED'> {
  const query = { limit: String(size), ...(page.after === null ? {} : { after: page.after }) };
  const hints =
    window === null ? {} : { since: seconds(window.publishedAfter, -1), until: seconds(window.publishedBefore, 1) };
  const request = {
    where: 'PROVIDER_C media',
    path: '/me/media',
    full: { fields: FIELDS, hints },
    least: LEAST_FIELDS,
    query,
    accessToken,
  };
  const answer = await readFields(deps, request, page.isPlain, call).catch((error: unknown): 'REFUSED' => {
    // Its error code stands for any bad parameter. The first page has the others, too.
    if (page.after !== null && error instanceof ProviderError && error.type === 'ContractBroken') return 'REFUSED';
    throw error;
  });
  if (answer === 'REFUSED') return answer;
  const { data, paging } = readAnswer(MediaList, answer.json, answer);
  requireDates(
    data.map(({ timestamp }) => timestamp),
    answer,
  );
  const next = paging?.next === undefined ? null : paging.cursors?.after;
  if (next === undefined) throw createFailure('ContractBroken', request.where, { status: answer.status });
  return { media: data, next, isPlain: answer.isPlain };
}

/** Unix seconds plus `margin`: the API does not define on which side of a hint a post of the same second is. */
const seconds = (at: Date, margin: number) => String(Math.floor(at.getTime() / 1000) + margin);

/** Reads posts in one batch call. One bad id can fail the barely documented batch; then it reads them one by one. */
async function readById(
  deps: AdapterDeps,
  { accessToken }: Access,
  ids: readonly string[],
  call: Call,
): Promise<Media[]> {
  let isPlain = false;
  const read = async (
    path: string,
    query: Readonly<Record<string, string>>,
    tolerated: readonly ProviderErrorType[],
  ) => {
    const where = 'PROVIDER_C media by id';
    const request = { where, path, full: { fields: FIELDS }, least: LEAST_FIELDS, query, accessToken };
    try {
      const answer = await readFields(deps, request, isPlain, call);
      isPlain = answer.isPlain;
      return answer;
    } catch (error) {
      if (error instanceof ProviderError && tolerated.includes(error.type)) return undefined;
      throw error;
    }
  };
  if (ids.length > 1) {
    // A list of its own: the answers of this platform's batch call for one bad id.
    const answer = await read('/', { ids: ids.join(',') }, ['NotFound', 'ContractBroken']);
    if (answer !== undefined) {
      const byId = readAnswer(MediaById, answer.json, answer);
      return ids
        .flatMap((id) => findEntry(byId, id) ?? [])
        .filter((media) => ids.includes(media.id) && isPublished(media));
    }
  }
  const found: Media[] = [];
  for (const id of ids) {
    const answer = await read(`/${encodeURIComponent(id)}`, {}, ['NotFound']);
    const media = answer && readAnswer(Media, answer.json, answer);
    if (media?.id === id && isPublished(media)) found.push(media);
  }
  return found;
}

async function toContents(
  deps: AdapterDeps,
  access: Access,
  media: readonly Media[],
  withMetrics: boolean,
  call: Call,
  extent: Extent = 'all',
): Promise<Content[]> {
  if (!withMetrics) return media.map((one) => ({ ...toContent(one), metrics: [] }));
  const insights = await readInsights(deps, access, media, call, extent);
  return media.slice(0, insights.length).map((one, index) => ({
    ...toContent(one),
    metrics: [
      createMetric('LIKES', 'like_count', one.like_count, 'HIDDEN_BY_OWNER'),
      createMetric('COMMENTS', 'comments_count', one.comments_count),
      ...(insights[index] ?? []),
    ],
  }));
}

/**
 * Whether the public can see a post of each product (https://developers.facebook.com/docs/instagram-platform/reference/instagram-media). The API lists neither
 * drafts and scheduled posts, which are no media yet, nor archived ones. A story ends after a day, and an ad is shown to those whom it addresses.
 */
const PUBLISHED: Readonly<Record<string, boolean>> = { FEED: true, REELS: true, STORY: false, AD: false };
const isPublished = ({ media_product_type: product }: Media): boolean =>
  product === null || (findEntry(PUBLISHED, product) ?? true);

/** A list of its own: the platform's names. */
const KINDS: Readonly<Record<string, ContentKind>> = { IMAGE: 'IMAGE', VIDEO: 'VIDEO', CAROUSEL_ALBUM: 'CAROUSEL' };

const toContent = (media: Media): Omit<Content, 'metrics'> => ({
  providerContentId: media.id,
  ...(media.owner && { ownerId: media.owner.id }),
  kind: findEntry(KINDS, media.media_type ?? '') ?? 'UNKNOWN',
  canonicalUrl: media.permalink,
  thumbnailUrl: media.thumbnail_url ?? (media.media_type === 'VIDEO' ? null : media.media_url),
  title: null,
  description: media.caption,
  publishedAt: media.timestamp,
});

import { z } from 'zod';
import { failure, isWithin, readAs } from '../answers.ts';
import { after, readCursor, writeCursor } from '../cursor.ts';
import type { Deps } from '../deps.ts';
import { metric } from '../metrics.ts';
import {
  type Access,
  type Call,
  type Content,
  type ContentKind,
  type Provider,
  ProviderError,
  type ProviderErrorType,
  type Window,
} from '../provider.ts';
import { followShortLink } from '../short-links.ts';
import { readFields } from './fields.ts';
import { readInsights } from './insights.ts';
import { postCode, webSide } from './urls.ts';
import { Media, MediaById, MediaList } from './wire.ts';

const PAGE_SIZE = 50;
/** The provider lists its 10,000 most recent and no more; an end there need not be the end. */
const LISTING_LIMIT = 10_000;
/** How far back a lookup searches: 40 calls, against a limit that can be small. */
const LOOKUP_LIMIT = 2_000;

const LEAST_FIELDS = ['id', 'media_type', 'permalink', 'timestamp', 'like_count', 'comments_count'];
const FIELDS = [...LEAST_FIELDS, 'caption', 'thumbnail_url', 'media_url'];

const Page = z.object({
  /** The provider's own place; null for the first page. */
  after: z.string().nullable(),
  /** Posts on the pages before. */
  read: z.number().int().nonnegative(),
  /** Whether only the least fields are taken. */
  isPlain: z.boolean(),
});
type Page = z.infer<typeof Page>;
const FIRST_PAGE: Page = { after: null, read: 0, isPlain: false };

/** With the post of that page an earlier call ended with. */
const Place = Page.extend({ lastId: z.string().nullable() });
const Search = Page.extend({ code: z.string() });

export function content(deps: Deps): Pick<Provider, 'listContent' | 'readContent' | 'readBatchSize' | 'lookUp'> {
  return {
    readBatchSize: 50,

    async listContent(access, { window, cursor, limit, withMetrics }, call) {
      const place = cursor === null ? { ...FIRST_PAGE, lastId: null } : readCursor(Place, cursor, 'PROVIDER_C media');
      const { media, next, isPlain } = await readPage(deps, access, place, window, call);
      // Every post is judged by itself: a pinned one may stand first, and the window was only a hint.
      const candidates = after(media, place.lastId).filter(({ timestamp }) => isWithin(timestamp, window));
      const taken = candidates.slice(0, limit);
      const items = await toContents(deps, access, taken, withMetrics, call);
      const last = taken.at(-1);
      if (last !== undefined && candidates.length > limit) {
        return { items, cursor: writeCursor({ ...place, isPlain, lastId: last.id }), reachedEnd: false };
      }
      const isPastWindow = media.length > 0 && media.every(({ timestamp }) => timestamp < window.publishedAfter);
      if (isPastWindow) return { items, cursor: null, reachedEnd: true };
      const read = place.read + media.length;
      if (next === null) return { items, cursor: null, reachedEnd: read < LISTING_LIMIT };
      if (next === place.after) return { items, cursor: null, reachedEnd: false };
      return { items, cursor: writeCursor({ after: next, read, isPlain, lastId: null }), reachedEnd: false };
    },

    async readContent(access, { providerContentIds, withMetrics }, call) {
      const media = await readById(deps, access, providerContentIds, call);
      return await toContents(deps, access, media, withMetrics, call);
    },

    /**
     * No call takes a URL or its code: what is not known from before is searched for among the account's posts, the
     * newest first, a page at a time.
     */
    async lookUp(access, { url, cursor, withMetrics, known }, call) {
      const search = cursor === null ? await begin(deps, url, call) : readCursor(Search, cursor, 'PROVIDER_C lookup');
      if (search === null) return { kind: 'absent' };
      const knownId = cursor === null ? await known?.(search.code) : undefined;
      if (knownId !== undefined) {
        const media = await readById(deps, access, [knownId], call);
        const [content] = await toContents(deps, access, media, withMetrics, call);
        return content ? { kind: 'found', content } : { kind: 'absent', providerContentId: knownId };
      }
      const { media, next, isPlain } = await readPage(deps, access, search, null, call);
      const found = media.find(({ permalink }) => permalink !== null && codeOf(permalink) === search.code);
      if (found !== undefined) {
        const [content] = await toContents(deps, access, [found], withMetrics, call);
        if (content !== undefined) return { kind: 'found', content };
      }
      const read = search.read + media.length;
      if (next === null || next === search.after || read >= LOOKUP_LIMIT) return { kind: 'absent' };
      return { kind: 'searching', cursor: writeCursor({ code: search.code, after: next, read, isPlain }) };
    },
  };
}

const codeOf = (permalink: string) => (URL.canParse(permalink) ? postCode(new URL(permalink)) : undefined);

async function begin(deps: Deps, href: string, call: Call): Promise<z.infer<typeof Search> | null> {
  const where = 'PROVIDER_C lookup';
  if (!URL.canParse(href)) throw failure('UnsupportedUrl', where);
  const url = new URL(href);
  const web = webSide(deps.config.PROVIDER_C_AUTHORIZE_URL);
  const code = postCode(url) ?? (await followShortLink(deps, web, { url, where, read: postCode }, call));
  return code === null ? null : { ...FIRST_PAGE, code };
}

/** One page of the account's posts. The next is asked for by its cursor: `paging.next` is a URL with the token in it. */
async function readPage(
  deps: Deps,
  { accessToken }: Access,
  page: Page,
  window: Window | null,
  call: Call,
): Promise<{ media: Media[]; next: string | null; isPlain: boolean }> {
  const query = { limit: String(PAGE_SIZE), ...(page.after === null ? {} : { after: page.after }) };
  const hints =
    window === null ? {} : { since: seconds(window.publishedAfter), until: seconds(window.publishedBefore, 1) };
  const answer = await readFields(
    deps,
    {
      where: 'PROVIDER_C media',
      path: '/me/media',
      full: { fields: FIELDS, hints },
      least: LEAST_FIELDS,
      query,
      accessToken,
    },
    page.isPlain,
    call,
  );
  const { data, paging } = readAs(MediaList, answer.json, answer);
  const next = paging?.next === undefined ? null : (paging.cursors?.after ?? null);
  return { media: data, next, isPlain: answer.isPlain };
}

/** Unix seconds, rounded outwards by `margin`: the hint may not cut off what the window holds. */
const seconds = (at: Date, margin = 0) => String(Math.floor(at.getTime() / 1000) + margin);

/** In one call where that works: one bad id can fail a batch, whose like is hardly documented; then one by one. */
async function readById(deps: Deps, { accessToken }: Access, ids: readonly string[], call: Call): Promise<Media[]> {
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
    const answer = await read('/', { ids: ids.join(',') }, ['NotFound', 'ContractBroken']);
    if (answer !== undefined) {
      const byId = readAs(MediaById, answer.json, answer);
      return ids.flatMap((id) => byId[id] ?? []);
    }
  }
  const found: Media[] = [];
  for (const id of ids) {
    const answer = await read(`/${encodeURIComponent(id)}`, {}, ['NotFound']);
    if (answer !== undefined) found.push(readAs(Media, answer.json, answer));
  }
  return found;
}

async function toContents(
  deps: Deps,
  access: Access,
  media: readonly Media[],
  withMetrics: boolean,
  call: Call,
): Promise<Content[]> {
  if (!withMetrics) return media.map((one) => ({ ...toContent(one), metrics: [] }));
  const ids = media.map(({ id }) => id);
  const insights = await readInsights(deps, access, ids, call);
  return media.map((one, index) => ({
    ...toContent(one),
    metrics: [
      metric('LIKES', 'like_count', one.like_count, 'HIDDEN_BY_OWNER'),
      metric('COMMENTS', 'comments_count', one.comments_count),
      ...(insights[index] ?? []),
    ],
  }));
}

const KINDS: Readonly<Record<string, ContentKind>> = { IMAGE: 'IMAGE', VIDEO: 'VIDEO', CAROUSEL_ALBUM: 'CAROUSEL' };

const toContent = (media: Media): Omit<Content, 'metrics'> => ({
  providerContentId: media.id,
  kind: KINDS[media.media_type ?? ''] ?? 'UNKNOWN',
  canonicalUrl: media.permalink,
  thumbnailUrl: media.thumbnail_url ?? (media.media_type === 'VIDEO' ? null : media.media_url),
  title: null,
  description: media.caption,
  publishedAt: media.timestamp,
});

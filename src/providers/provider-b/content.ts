import { z } from 'zod';
import {
  classifyStatus,
  createFailure,
  isWithin,
  LIMIT_STATUS,
  readAnswer,
  readJson,
  readRetryAfter,
  requireDates,
} from '../answers.ts';
import { readListingCursor, writeListingCursor } from '../listing-cursor.ts';
import { createMetric } from '../metric.ts';
import { parsePastedUrl } from '../post-urls.ts';
import {
  type Access,
  type Call,
  type Content,
  type ContentListing,
  type Provider,
  ProviderError,
} from '../provider.ts';
import { followShortLink, isShortLinkOf, toConfiguredUrl, type WebSide } from '../short-link.ts';
import { callProviderBApi } from './api.ts';
import type { AdapterDeps } from './settings.ts';
import { createProviderBWebSide, findPostId } from './urls.ts';
import { COUNT_FIELDS, EmbedAnswer, type UserVideo, VIDEO_FIELDS, VideoListAnswer, VideoQueryAnswer } from './wire.ts';

const PAGE_SIZE = 20;
const SECOND_MS = 1000;
/** A short or empty page need not be the last one. One call reads at most this many pages to find an item. */
const MAX_PAGES = 5;

const fieldsFor = (withMetrics: boolean) => (withMetrics ? [...VIDEO_FIELDS, ...COUNT_FIELDS] : VIDEO_FIELDS);

const Place = z.object({
  /** Milliseconds since the epoch. The next page has the posts before it. */
  before: z.number().int().nonnegative(),
  /** Posts of that page that an earlier call returned. */
  seen: z.array(z.string()),
  /** Whether there may be posts that the platform never shows. */
  hasGap: z.boolean(),
});
type Place = z.infer<typeof Place>;

export function createProviderBContent(
  deps: AdapterDeps,
): Pick<Provider, 'listContent' | 'readContent' | 'readBatchSize' | 'lookUp'> {
  const readContent: Provider['readContent'] = async (access, { providerContentIds, withMetrics }, call) => {
    if (providerContentIds.length === 0) return [];
    const answer = await callProviderBApi(
      deps,
      {
        where: 'PROVIDER_B video query',
        method: 'POST',
        path: '/v2/video/query/',
        fields: fieldsFor(withMetrics),
        json: { filters: { video_ids: providerContentIds } },
        accessToken: access.accessToken,
      },
      call,
    );
    const videos = readAnswer(VideoQueryAnswer, answer.json, answer).data.videos ?? [];
    return videos.filter(({ id }) => providerContentIds.includes(id)).map((video) => toContent(video, withMetrics));
  };

  return {
    readBatchSize: 20,
    readContent,

    async listContent(access, { window, cursor, limit, withMetrics }, call): Promise<ContentListing> {
      let place: Place =
        cursor === null
          ? { before: window.publishedBefore.getTime(), seen: [], hasGap: false }
          : readListingCursor(Place, cursor, 'PROVIDER_B video list');
      for (let pages = 1; ; pages += 1) {
        const { videos, next } = await readPage(deps, access, { before: place.before, withMetrics }, call);
        const fresh = videos.filter(({ id }) => !place.seen.includes(id)).map((video) => toContent(video, withMetrics));
        // Filters every item by its own date: a pinned old post can come before newer ones.
        const candidates = fresh.filter(({ publishedAt }) => isWithin(publishedAt, window));
        const items = candidates.slice(0, limit);
        if (items.length < candidates.length) {
          const seen = [...place.seen, ...items.map(({ providerContentId }) => providerContentId)];
          return { items, cursor: writeListingCursor({ ...place, seen }), reachedEnd: false };
        }
        // The following pages have only posts from `next` or before.
        if (next === null || next < window.publishedAfter.getTime())
          return { items, cursor: null, reachedEnd: !place.hasGap };
        if (next >= place.before) return { items, cursor: null, reachedEnd: false }; // The cursor makes no progress.
        place = continueAt(next, place, videos);
        if (items.length > 0 || pages >= MAX_PAGES)
          return { items, cursor: writeListingCursor(place), reachedEnd: false };
      }
    },

    async lookUp(access, { url, withMetrics }, call) {
      const id = findPostId(url) ?? (await findLinkedId(deps, url, call));
      if (id === null) return { kind: 'absent' };
      // The API returns only the account's own posts.
      const [found] = await readContent(access, { providerContentIds: [id], withMetrics }, call);
      return found === undefined ? { kind: 'absent', providerContentId: id } : { kind: 'found', content: found };
    },
  };
}

/**
 * Finds the post behind a short link: by the platform's oEmbed, which is documented for it, and where that does not know the link, by
 * its redirect.
 * @returns null if the platform reports a dead link
 */
async function findLinkedId(deps: AdapterDeps, text: string, call: Call): Promise<string | null> {
  const where = 'PROVIDER_B lookup';
  const web = createProviderBWebSide(deps.config.PROVIDER_B_AUTHORIZE_URL);
  const url = parsePastedUrl(text);
  if (url === undefined || !isShortLinkOf(web, url)) throw createFailure('UnsupportedUrl', where);
  return (
    (await askEmbed(deps, web, url, call)) ?? (await followShortLink(deps, web, { url, where, read: findPostId }, call))
  );
}

/**
 * Asks oEmbed (https://developers.tiktok.com/doc/embed-videos).
 * @returns undefined if it does not know the link: it then answers with an error of its own form, or with a page
 */
async function askEmbed(deps: AdapterDeps, web: WebSide, link: URL, call: Call): Promise<string | undefined> {
  const where = 'PROVIDER_B oEmbed';
  const url = new URL(`https://${web.hosts[0]}/oembed`);
  url.searchParams.set('url', link.href);
  const request = { where, method: 'GET', url: toConfiguredUrl(web, url), call } as const;
  const answer = await deps.http.request(request).catch((error: unknown) => {
    if (error instanceof ProviderError && error.type === 'ContractBroken') return undefined; // A page, and a long one.
    throw error;
  });
  if (answer === undefined) return undefined;
  const { status } = answer;
  if (status === LIMIT_STATUS || status >= 500)
    throw createFailure(classifyStatus(status), where, { status, ...readRetryAfter(answer, deps.now()) });
  return EmbedAnswer.safeParse(readJson(answer)).data;
}

async function readPage(
  deps: AdapterDeps,
  access: Access,
  { before, withMetrics }: { before: number; withMetrics: boolean },
  call: Call,
): Promise<{ videos: UserVideo[]; next: number | null }> {
  const answer = await callProviderBApi(
    deps,
    {
      where: 'PROVIDER_B video list',
      method: 'POST',
      path: '/v2/video/list/',
      fields: fieldsFor(withMetrics),
      json: { max_count: PAGE_SIZE, cursor: before },
      accessToken: access.accessToken,
    },
    call,
  );
  const { data } = readAnswer(VideoListAnswer, answer.json, answer);
  requireDates(
    (data.videos ?? []).map((video) => video.create_time),
    answer,
  );
  if (!data.has_more) return { videos: data.videos ?? [], next: null };
  if (data.cursor === undefined) throw createFailure('ContractBroken', answer.where, { status: answer.status });
  return { videos: data.videos ?? [], next: data.cursor };
}

/**
 * The platform dates posts in whole seconds, and its cursor is the date of a page's last post: the page before that cursor would lack
 * other posts of this second. So the next page begins with the whole second again. A page that has nothing but posts of
 * one second may not have all of them, and no cursor leads to the others.
 */
function continueAt(next: number, { before, seen, hasGap }: Place, videos: readonly UserVideo[]): Place {
  const isWholeSecond = next % SECOND_MS === 0;
  const again = isWholeSecond ? next + SECOND_MS : next;
  if (again >= before) return { before: next, seen: [], hasGap: hasGap || isWholeSecond };
  const shownAgain = videos.filter((video) => (video.create_time ?? 0) * SECOND_MS < again).map(({ id }) => id);
  // An empty page leaves those of the page before to the next one.
  return { before: again, seen: videos.length === 0 ? seen : shownAgain, hasGap };
}

/** The API has no kind field. A URL with `/photo/` means one picture or several: UNKNOWN. */
function toContent(video: UserVideo, withMetrics: boolean): Content {
  return {
    providerContentId: video.id,
    kind: video.share_url?.includes('/photo/') ? 'UNKNOWN' : 'VIDEO',
    canonicalUrl: video.share_url,
    thumbnailUrl: video.cover_image_url,
    title: video.title,
    description: video.video_description,
    publishedAt: video.create_time === null ? null : new Date(video.create_time * SECOND_MS),
    metrics: withMetrics
      ? [
          createMetric('VIEWS', 'view_count', video.view_count),
          createMetric('LIKES', 'like_count', video.like_count),
          createMetric('COMMENTS', 'comment_count', video.comment_count),
          createMetric('SHARES', 'share_count', video.share_count),
        ]
      : [],
  };
}

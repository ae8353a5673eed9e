import { z } from 'zod';
import { createFailure, isWithin, readAnswer, readJson } from '../answers.ts';
import type { AdapterDeps } from '../deps.ts';
import { readListingCursor, writeListingCursor } from '../listing-cursor.ts';
import { createMetric } from '../metric.ts';
import {
  type Access,
  type Call,
  type Content,
  type ContentListing,
  type Provider,
  ProviderError,
} from '../provider.ts';
import { followShortLink, isPageInstead, toConfiguredUrl } from '../short-link.ts';
import { parseUrl } from '../text.ts';
import { callProviderBApi } from './api.ts';
import { createProviderBWebSide, findPostId, removeTracking } from './urls.ts';
import { EmbedAnswer, type UserVideo, VideoListAnswer, VideoQueryAnswer } from './wire.ts';

const PAGE_SIZE = 20;
/** A short or empty page need not be the last one. One call reads at most this many pages to find an item. */
const MAX_PAGES = 5;

const FIELDS = ['id', 'create_time', 'title', 'video_description', 'share_url', 'cover_image_url'];
const COUNT_FIELDS = ['view_count', 'like_count', 'comment_count', 'share_count'];
const fieldsFor = (withMetrics: boolean) => (withMetrics ? [...FIELDS, ...COUNT_FIELDS] : FIELDS);

/** Milliseconds since the epoch. The next page has the posts before it. */
const Place = z.object({ before: z.number().int().nonnegative() });

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
      const place = cursor === null ? null : readListingCursor(Place, cursor, 'PROVIDER_B video list');
      let before = place?.before ?? window.publishedBefore.getTime();
      for (let page = 0; page < MAX_PAGES; page++) {
        const { videos, next } = await readPage(deps, access, { before, limit, withMetrics }, call);
        // Filters every item by its own date: a pinned old post can come before newer ones.
        const items = videos
          .map((video) => toContent(video, withMetrics))
          .filter(({ publishedAt }) => isWithin(publishedAt, window));
        // The following pages have only posts from before `next`.
        if (next === null || next <= window.publishedAfter.getTime()) return { items, cursor: null, reachedEnd: true };
        if (next >= before) return { items, cursor: null, reachedEnd: false }; // The cursor makes no progress.
        before = next;
        if (items.length > 0) return { items, cursor: writeListingCursor({ before }), reachedEnd: false };
      }
      return { items: [], cursor: writeListingCursor({ before }), reachedEnd: false };
    },

    async lookUp(access, { url: href, withMetrics }, call) {
      const where = 'PROVIDER_B lookup';
      const url = parseUrl(href);
      if (url === undefined) throw createFailure('UnsupportedUrl', where);
      const id = findPostId(url) ?? (await findLinkedId(deps, url, call));
      if (id === null) return { kind: 'absent' };
      // The API returns only the account's own posts.
      const [found] = await readContent(access, { providerContentIds: [id], withMetrics }, call);
      return found === undefined ? { kind: 'absent', providerContentId: id } : { kind: 'found', content: found };
    },
  };
}

/**
 * Finds the post behind a short link. Where the platform shows a page instead of redirecting, its oEmbed knows the post.
 * @returns null if the platform reports a dead link
 */
async function findLinkedId(deps: AdapterDeps, url: URL, call: Call): Promise<string | null> {
  const where = 'PROVIDER_B lookup';
  const web = createProviderBWebSide(deps.config.PROVIDER_B_AUTHORIZE_URL);
  try {
    return await followShortLink(deps, web, { url, where, read: findPostId }, call);
  } catch (refused) {
    if (!isPageInstead(refused)) throw refused;
    const oembed = new URL(`https://${web.hosts[0]}/oembed`);
    oembed.searchParams.set('url', url.href);
    const request = { where, method: 'GET', url: toConfiguredUrl(web, oembed), call } as const;
    const answer = await deps.http.request(request).catch((error: unknown) => {
      if (error instanceof ProviderError && error.type === 'ContractBroken') return undefined; // A page here, too.
      throw error;
    });
    const found = answer && EmbedAnswer.safeParse(readJson(answer)).data;
    if (found === undefined) throw refused;
    return found.embed_product_id;
  }
}

async function readPage(
  deps: AdapterDeps,
  access: Access,
  { before, limit, withMetrics }: { before: number; limit: number; withMetrics: boolean },
  call: Call,
): Promise<{ videos: UserVideo[]; next: number | null }> {
  const answer = await callProviderBApi(
    deps,
    {
      where: 'PROVIDER_B video list',
      method: 'POST',
      path: '/v2/video/list/',
      fields: fieldsFor(withMetrics),
      json: { max_count: Math.min(PAGE_SIZE, limit), cursor: before },
      accessToken: access.accessToken,
    },
    call,
  );
  const { data } = readAnswer(VideoListAnswer, answer.json, answer);
  if (!data.has_more) return { videos: data.videos ?? [], next: null };
  if (data.cursor === undefined) throw createFailure('ContractBroken', answer.where, { status: answer.status });
  return { videos: data.videos ?? [], next: data.cursor };
}

/** The API has no kind field. A URL with `/photo/` means one picture or several: UNKNOWN. */
function toContent(video: UserVideo, withMetrics: boolean): Content {
  return {
    providerContentId: video.id,
    kind: video.share_url?.includes('/photo/') ? 'UNKNOWN' : 'VIDEO',
    canonicalUrl: video.share_url === null ? null : removeTracking(video.share_url),
    thumbnailUrl: video.cover_image_url,
    title: video.title,
    description: video.video_description,
    publishedAt: new Date(video.create_time * 1000),
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

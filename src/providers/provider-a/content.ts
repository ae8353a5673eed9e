import { createFailure, isWithin, readAnswer } from '../answers.ts';
import { readListingCursor, writeListingCursor } from '../listing-cursor.ts';
import { createMetric, createUnsupportedMetric } from '../metric.ts';
import type { Access, Call, Content, ContentListing, Metric, Provider, Window } from '../provider.ts';
import { callProviderAApi } from './api.ts';
import { isPublished, mayBePublished } from './published.ts';
import type { AdapterDeps } from './settings.ts';
import { findTop, type Onward, PAGE_SIZE, Place, readStage, skipOverlap, stopAfter } from './uploads.ts';
import { buildWatchUrl, findVideoId } from './urls.ts';
import { type ChannelVideo, type PlaylistItem, VideoList } from './wire.ts';

const WHERE = 'PROVIDER_A uploads';

/**
 * One call reads at most this many pages, halves included. Private and scheduled videos take up space on a page but are not returned.
 * Collecting the ids of several pages first keeps 100 posts at two calls for their metrics.
 */
const MOST_PAGES = 6;

const DAY_MS = 24 * 60 * 60 * 1000;

export function createProviderAContent(
  deps: AdapterDeps,
): Pick<Provider, 'listContent' | 'readContent' | 'readBatchSize' | 'lookUp'> {
  const marginMs = deps.config.PROVIDER_A_UPLOAD_MARGIN_DAYS * DAY_MS;

  const readContent: Provider['readContent'] = async (access, { providerContentIds, withMetrics }, call) => {
    const videos = await readVideos(deps, access, providerContentIds, withMetrics, call);
    return providerContentIds
      .flatMap((id) => videos.get(id) ?? [])
      .filter(isPublished)
      .map((video) => toContent(video, withMetrics));
  };

  return {
    readBatchSize: PAGE_SIZE,
    readContent,

    async listContent(access, input, call) {
      const walk = (place: Place, proof: Proof) => list(deps, access, { ...input, place, proof, marginMs }, call);
      if (input.cursor !== null) return (await walk(readListingCursor(Place, input.cursor, WHERE), 'OVERLAP')).listing;
      const { top } = await findTop(deps, access, call);
      const counted = await walk(top, 'COUNT');
      return counted.isProven ? counted.listing : (await walk(top, 'OVERLAP')).listing;
    },

    async lookUp(access, { url, withMetrics }, call) {
      const id = findVideoId(url);
      if (id === undefined) throw createFailure('UnsupportedUrl', 'PROVIDER_A lookup');
      const [found] = await readContent(access, { providerContentIds: [id], withMetrics }, call);
      // The API shows the public videos of all channels, and people paste the links of others.
      const isOthers = found?.ownerId != null && found.ownerId !== access.providerAccountId;
      return found === undefined || isOthers
        ? { kind: 'absent', providerContentId: id }
        : { kind: 'found', content: found };
    },
  };
}

/**
 * How a walk knows that no video has slipped between two pages. `COUNT`: it began at the top, and all videos before the last page
 * still exist, so nothing has moved up. It costs nothing, because the videos are read anyway. `OVERLAP`: pages show a video of the page
 * before.
 */
type Proof = 'COUNT' | 'OVERLAP';

type Input = Parameters<Provider['listContent']>[1] & {
  readonly place: Place;
  readonly proof: Proof;
  readonly marginMs: number;
};

/** @returns also whether the proof holds; `OVERLAP` always does, since the walk begins again where pages do not overlap */
async function list(
  deps: AdapterDeps,
  access: Access,
  input: Input,
  call: Call,
): Promise<{ listing: ContentListing; isProven: boolean }> {
  const { window, withMetrics } = input;
  const { taken, counted, next, reachedEnd } = await walkPages(deps, access, input, call);
  const ids = new Set([...taken.map(({ id }) => id), ...counted.flat()]);
  const videos = await readVideos(deps, access, [...ids], withMetrics, call);
  // The list must be the account's own. Otherwise its videos would be missing, and the list would look complete.
  if ([...videos.values()].some(({ channelId }) => channelId !== access.providerAccountId))
    throw createFailure('AccountMismatch', WHERE);
  // Only a video has all states that decide whether it is published.
  const items = taken
    .flatMap(({ id }) => videos.get(id) ?? [])
    .filter((item) => isPublished(item) && isWithin(item.publishedAt, window))
    .map((item) => toContent(item, withMetrics));
  return {
    listing: { items, cursor: next && writeListingCursor(next), reachedEnd },
    isProven: areAllThere(counted, videos),
  };
}

interface Walked extends Onward {
  /** Videos that may be in the window, at most `limit`. */
  readonly taken: readonly PlaylistItem[];
  /** The videos of the pages that the next page did not overlap, page by page. */
  readonly counted: readonly (readonly string[])[];
}

/** Walks down the list until it has enough videos, has read `MOST_PAGES`, or is past the window. */
async function walkPages(
  deps: AdapterDeps,
  access: Access,
  { place: start, proof, marginMs, window, limit }: Input,
  call: Call,
): Promise<Walked> {
  const ageLimit = new Date(window.publishedAfter.getTime() - marginMs);
  const taken: PlaylistItem[] = [];
  const counted: string[][] = [];
  let place = start;
  let isCounted = false;
  for (let pages = 1; ; pages += 1) {
    const stage = await readStage(deps, access, { place, ageLimit }, call);
    // A walk that began again at the top shows videos again.
    const isNew = ({ id }: PlaylistItem) => !taken.some((item) => item.id === id);
    const candidates = stage.fresh.filter((item) => isNew(item) && mayBeWithin(item, window));
    const fitting = candidates.slice(0, limit - taken.length);
    taken.push(...fitting);
    const last = candidates.length > fitting.length ? fitting.at(-1) : undefined;
    if (last !== undefined) return { taken, counted, next: stopAfter(stage, last, isCounted), reachedEnd: false };
    const { next, reachedEnd } = stage;
    if (next === null || taken.length === limit || pages === MOST_PAGES) return { taken, counted, next, reachedEnd };
    const direct = proof === 'COUNT' ? skipOverlap(next) : undefined;
    isCounted = direct !== undefined;
    if (isCounted) counted.push(stage.items.map(({ id }) => id));
    place = direct ?? next;
  }
}

/** Whether pages have different videos, which still exist. A page can be short: the platform leaves out videos that it does not show. */
const areAllThere = (pages: readonly (readonly string[])[], videos: ReadonlyMap<string, ChannelVideo>): boolean =>
  new Set(pages.flat().filter((id) => videos.has(id))).size === pages.flat().length;

const mayBeWithin = (item: PlaylistItem, window: Window) =>
  mayBePublished(item) && (item.publishedAt === null || isWithin(item.publishedAt, window));

/** Reads videos by their ids, the account's private ones too. The API also returns other accounts' public videos. */
async function readVideos(
  deps: AdapterDeps,
  { accessToken }: Access,
  ids: readonly string[],
  withMetrics: boolean,
  call: Call,
): Promise<Map<string, ChannelVideo>> {
  const videos = new Map<string, ChannelVideo>();
  for (let start = 0; start < ids.length; start += PAGE_SIZE) {
    const part = withMetrics ? 'snippet,status,statistics' : 'snippet,status';
    const query = { part, id: ids.slice(start, start + PAGE_SIZE).join(',') };
    const request = { where: 'PROVIDER_A videos', path: '/videos', query, accessToken } as const;
    const answer = await callProviderAApi(deps, request, call);
    for (const video of readAnswer(VideoList, answer.json, answer).items) videos.set(video.id, video);
  }
  return videos;
}

const toContent = (item: ChannelVideo, withMetrics: boolean): Content => ({
  providerContentId: item.id,
  ownerId: item.channelId,
  kind: 'VIDEO',
  canonicalUrl: buildWatchUrl(item.id),
  thumbnailUrl: null,
  title: item.title,
  description: item.description,
  publishedAt: item.publishedAt,
  metrics: withMetrics ? metrics(item) : [],
});

const metrics = (video: ChannelVideo): Metric[] => [
  createMetric('VIEWS', 'statistics.viewCount', video.viewCount),
  createMetric('LIKES', 'statistics.likeCount', video.likeCount, 'HIDDEN_BY_OWNER'),
  createMetric('COMMENTS', 'statistics.commentCount', video.commentCount, 'COMMENTS_OFF'),
  createUnsupportedMetric('SHARES'), // Only the separate Analytics API has them.
];

import { z } from 'zod';
import { createFailure, isWithin, readAnswer } from '../answers.ts';
import type { AdapterDeps } from '../deps.ts';
import { readListingCursor, takeItemsAfter, writeListingCursor } from '../listing-cursor.ts';
import { createMetric, createUnsupportedMetric } from '../metric.ts';
import type { Access, Call, Content, Metric, Provider, Window } from '../provider.ts';
import { callProviderAApi } from './api.ts';
import { buildWatchUrl, findVideoId } from './urls.ts';
import { type ChannelVideo, type PlaylistItem, PlaylistItemList, UploadsList, VideoList } from './wire.ts';

const WHERE = 'PROVIDER_A uploads';
const PAGE_SIZE = 50;

/**
 * One call reads at most this many pages. Private and scheduled videos take up space on a page but are not returned.
 * Collecting the ids of several pages first keeps 100 posts at two calls for their metrics.
 */
const MOST_PAGES = 3;

const DAY_MS = 24 * 60 * 60 * 1000;

/** The platform lists about 20,000 uploads at most, so a listing that ends near there may be incomplete. */
const LISTING_LIMIT = 19_900;
const MOST_LISTED = 25_000;

const Place = z.object({
  uploads: z.string(),
  /** Token of the page to read. Null for the first page. */
  token: z.string().nullable(),
  /** The last item on that page that an earlier call returned. */
  lastId: z.string().nullable(),
  /** Number of items on earlier pages. */
  read: z.number().int().nonnegative(),
  /** Whether the platform rejected a page token and the listing started again. */
  restarted: z.boolean(),
});
type Place = z.infer<typeof Place>;

export function createProviderAContent(
  deps: AdapterDeps,
): Pick<Provider, 'listContent' | 'readContent' | 'readBatchSize' | 'lookUp'> {
  const marginMs = deps.config.PROVIDER_A_UPLOAD_MARGIN_DAYS * DAY_MS;
  const getAgeLimit = ({ publishedAfter }: Window) => new Date(publishedAfter.getTime() - marginMs);

  const readContent: Provider['readContent'] = async (access, { providerContentIds, withMetrics }, call) => {
    const videos = await readVideos(deps, access, providerContentIds, withMetrics, call);
    return videos.map((video) => toContent(video, withMetrics));
  };

  return {
    readBatchSize: PAGE_SIZE,
    readContent,

    async listContent(access, { window, cursor, limit, withMetrics }, call) {
      const first = cursor === null ? await findFirstPlace(deps, access, call) : undefined;
      let place = first?.place ?? readListingCursor(Place, cursor ?? '', WHERE);
      const taken: PlaylistItem[] = [];
      for (let pages = 1; ; pages += 1) {
        const page = await readPage(deps, access, place, call);
        if (page === undefined) {
          // A channel without uploads has no playlist. In an outage, channels with videos have none either.
          if (first?.hasVideos !== false) throw createFailure('RetryLater', WHERE);
          return { items: [], cursor: null, reachedEnd: true };
        }
        // A restarted listing returns items again.
        const isNew = ({ id }: PlaylistItem) => !taken.some((item) => item.id === id);
        const following = takeItemsAfter(page.items, page.place.lastId).filter(isNew);
        const candidates = following.filter((item) => mayBeWithin(item, window));
        const fitting = candidates.slice(0, limit - taken.length);
        taken.push(...fitting);
        const lastTaken = candidates.length > fitting.length ? taken.at(-1) : undefined;
        const { next, reachedEnd } = findNextPlace(page, getAgeLimit(window), lastTaken);
        if (next !== null && taken.length < limit && pages < MOST_PAGES) {
          place = next;
          continue;
        }
        const items = await readItems(deps, access, taken, withMetrics, call);
        return {
          items: items.filter(({ publishedAt }) => isWithin(publishedAt, window)),
          cursor: next && writeListingCursor(next),
          reachedEnd,
        };
      }
    },

    async lookUp(access, { url, withMetrics }, call) {
      const id = findVideoId(url);
      if (id === undefined) throw createFailure('UnsupportedUrl', 'PROVIDER_A lookup');
      const [found] = await readContent(access, { providerContentIds: [id], withMetrics }, call);
      return found === undefined ? { kind: 'absent', providerContentId: id } : { kind: 'found', content: found };
    },
  };
}

async function findFirstPlace(
  deps: AdapterDeps,
  { accessToken }: Access,
  call: Call,
): Promise<{ place: Place; hasVideos: boolean }> {
  const where = 'PROVIDER_A uploads list';
  const query = { part: 'contentDetails,statistics', mine: 'true' };
  const answer = await callProviderAApi(deps, { where, path: '/channels', query, accessToken }, call);
  const [channel] = readAnswer(UploadsList, answer.json, answer).items;
  if (channel === undefined) throw createFailure('AccountUnusable', where, { status: answer.status });
  const { contentDetails, statistics } = channel;
  const { uploads } = contentDetails.relatedPlaylists;
  const place = { uploads, token: null, lastId: null, read: 0, restarted: false };
  return { place, hasVideos: (statistics?.videoCount ?? '0') !== '0' };
}

interface Page {
  readonly place: Place;
  readonly items: readonly PlaylistItem[];
  readonly nextToken: string | null;
}

/**
 * Reads one page of the uploads. Page tokens have no documented lifetime: a rejected one restarts the listing, once.
 * @returns undefined if there is no such playlist
 */
async function readPage(deps: AdapterDeps, access: Access, place: Place, call: Call): Promise<Page | undefined> {
  const answer = await callProviderAApi(
    deps,
    {
      where: WHERE,
      path: '/playlistItems',
      query: {
        part: 'snippet,contentDetails,status',
        playlistId: place.uploads,
        maxResults: String(PAGE_SIZE),
        ...(place.token === null ? {} : { pageToken: place.token }),
      },
      accessToken: access.accessToken,
      answers: ['playlistNotFound', ...(place.token === null || place.restarted ? [] : ['invalidPageToken'])],
    },
    call,
  );
  if (answer.reason === 'playlistNotFound') return undefined;
  if (answer.reason === 'invalidPageToken') {
    return await readPage(deps, access, { ...place, token: null, lastId: null, read: 0, restarted: true }, call);
  }
  const { items, nextPageToken } = readAnswer(PlaylistItemList, answer.json, answer);
  return { place, items, nextToken: nextPageToken ?? null };
}

/**
 * Decides where the listing continues. The platform sorts by upload time, and a video can be published long after its
 * upload. The listing therefore reads past the first old video, until a whole page is older than `ageLimit`.
 * `lastTaken` is set if the page has more items than the caller asked for.
 */
function findNextPlace(
  { place, items, nextToken }: Page,
  ageLimit: Date,
  lastTaken: PlaylistItem | undefined,
): { next: Place | null; reachedEnd: boolean } {
  if (lastTaken) return { next: { ...place, lastId: lastTaken.id }, reachedEnd: false };
  const isTooOld = ({ publishedAt, uploadedAt }: PlaylistItem) => (publishedAt ?? uploadedAt ?? ageLimit) < ageLimit;
  if (items.length > 0 && items.every(isTooOld)) return { next: null, reachedEnd: true };
  const read = place.read + items.length;
  if (nextToken === null) return { next: null, reachedEnd: read < LISTING_LIMIT };
  // A repeated token makes no progress, and past its own limit the platform repeats pages.
  if (nextToken === place.token || read > MOST_LISTED) return { next: null, reachedEnd: false };
  return { next: { ...place, token: nextToken, lastId: null, read }, reachedEnd: false };
}

/** A private video is not published, although the owner's own listing contains it. */
const isPublished = ({ privacyStatus }: { privacyStatus: string | null }) =>
  privacyStatus === null || privacyStatus === 'public' || privacyStatus === 'unlisted';

const mayBeWithin = (item: PlaylistItem, window: Window) =>
  isPublished(item) && (item.publishedAt === null || isWithin(item.publishedAt, window));

/** Requests the videos only if the playlist items lack data, because that costs another quota unit. */
async function readItems(
  deps: AdapterDeps,
  access: Access,
  items: readonly PlaylistItem[],
  withMetrics: boolean,
  call: Call,
): Promise<Content[]> {
  if (!withMetrics && items.every(({ publishedAt, privacyStatus }) => publishedAt && privacyStatus)) {
    return items.map((item) => toContent(item, false));
  }
  const ids = items.map(({ id }) => id);
  const videos: ChannelVideo[] = [];
  for (let start = 0; start < ids.length; start += PAGE_SIZE) {
    videos.push(...(await readVideos(deps, access, ids.slice(start, start + PAGE_SIZE), withMetrics, call)));
  }
  return videos.map((video) => toContent(video, withMetrics));
}

/** Reads the account's own published videos, in the order of `ids`. The API also returns other accounts' public videos. */
async function readVideos(
  deps: AdapterDeps,
  { accessToken, providerAccountId }: Access,
  ids: readonly string[],
  withMetrics: boolean,
  call: Call,
): Promise<ChannelVideo[]> {
  if (ids.length === 0) return [];
  const query = { part: withMetrics ? 'snippet,status,statistics' : 'snippet,status', id: ids.join(',') };
  const answer = await callProviderAApi(
    deps,
    { where: 'PROVIDER_A videos', path: '/videos', query, accessToken },
    call,
  );
  const videos = readAnswer(VideoList, answer.json, answer).items;
  const own = videos.filter((video) => video.channelId === providerAccountId && isPublished(video));
  return ids.flatMap((id) => own.find((video) => video.id === id) ?? []);
}

const toContent = (item: ChannelVideo | PlaylistItem, withMetrics: boolean): Content => ({
  providerContentId: item.id,
  kind: 'VIDEO',
  canonicalUrl: buildWatchUrl(item.id),
  thumbnailUrl: null,
  title: item.title,
  description: item.description,
  publishedAt: item.publishedAt,
  metrics: withMetrics && 'viewCount' in item ? metrics(item) : [],
});

const metrics = (video: ChannelVideo): Metric[] => [
  createMetric('VIEWS', 'statistics.viewCount', video.viewCount),
  createMetric('LIKES', 'statistics.likeCount', video.likeCount, 'HIDDEN_BY_OWNER'),
  createMetric('COMMENTS', 'statistics.commentCount', video.commentCount, 'COMMENTS_OFF'),
  createUnsupportedMetric('SHARES'), // Only the separate Analytics API has them.
];

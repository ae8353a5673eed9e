import { z } from 'zod';
import { createFailure, readAnswer } from '../answers.ts';
import { takeItemsAfter } from '../listing-cursor.ts';
import type { Access, Call } from '../provider.ts';
import { callProviderAApi } from './api.ts';
import type { AdapterDeps } from './settings.ts';
import { type PlaylistItem, PlaylistItemList, UploadsList } from './wire.ts';

/**
 * Walks through the uploads of a channel, newest first, without a gap. Page tokens are offsets: a video that is deleted
 * between two calls moves all later ones up, and some of them would fall between two pages. So each page must show a video of
 * the page before. For that, two chains of pages are read in turn, half a page apart. The first half of a page has the
 * token of its middle.
 */

const WHERE = 'PROVIDER_A uploads';
export const PAGE_SIZE = 50;
const OVERLAP = PAGE_SIZE / 2;

/** The platform lists about 20,000 uploads at most, so a listing that ends near there may be incomplete. */
const LISTING_LIMIT = 19_900;
const MOST_LISTED = 25_000;

/** A walk begins again at the top when it has lost its place. A list that moves faster is not read to its end. */
const MOST_RESTARTS = 3;
/** Pages in a row without a new video: then tokens lead in circles. */
const MOST_STALLED = 4;

export const Place = z.object({
  uploads: z.string(),
  /** Token of the page to read. Null for the top of the list. */
  token: z.string().nullable(),
  /** Whether to read only the first half of that page, which has the token of its middle. */
  isHalf: z.boolean(),
  /** Token of the page to read after it. Null for the one in the page itself. */
  following: z.string().nullable(),
  /** The videos of the last page, as far as the walk has passed them. */
  seen: z.array(z.string()),
  /** Whether the page must show one of `seen`. */
  overlaps: z.boolean(),
  /** Number of videos that the walk has passed. */
  passed: z.number().int().nonnegative(),
  stalled: z.number().int().nonnegative(),
  restarts: z.number().int().nonnegative(),
});
export type Place = z.infer<typeof Place>;

/** Where a walk continues. `next` is null at the end of the walk; `reachedEnd` is true if that is the end of the list. */
export interface Onward {
  readonly next: Place | null;
  readonly reachedEnd: boolean;
}

/** A part of the walk. */
export interface Stage extends Onward {
  readonly place: Place;
  readonly items: readonly PlaylistItem[];
  /** The videos that earlier pages did not show. */
  readonly fresh: readonly PlaylistItem[];
}

/** Finds the top of the list, and whether the channel has public videos, if the platform reveals it. */
export async function findTop(
  deps: AdapterDeps,
  { accessToken, providerAccountId }: Access,
  call: Call,
): Promise<{ top: Place; hasVideos: boolean }> {
  const where = 'PROVIDER_A uploads list';
  const query = { part: 'contentDetails,statistics', mine: 'true' };
  const answer = await callProviderAApi(deps, { where, path: '/channels', query, accessToken }, call);
  const [channel] = readAnswer(UploadsList, answer.json, answer).items;
  if (channel === undefined) throw createFailure('AccountUnusable', where, { status: answer.status });
  if (channel.id !== providerAccountId) throw createFailure('AccountMismatch', where, { status: answer.status });
  const { contentDetails, statistics } = channel;
  const top = {
    uploads: contentDetails.relatedPlaylists.uploads,
    token: null,
    isHalf: false,
    following: null,
    seen: [],
    overlaps: false,
    passed: 0,
    stalled: 0,
    restarts: 0,
  };
  return { top, hasVideos: (statistics?.videoCount ?? '0') !== '0' };
}

/**
 * Reads the page at `place`. The platform sorts by upload time, and a video can be published long after its upload: the walk
 * therefore goes past the first old video, until a whole page is older than `ageLimit`. Pages need not overlap where the
 * next video was uploaded before it.
 */
export async function readStage(
  deps: AdapterDeps,
  access: Access,
  { place, ageLimit }: { place: Place; ageLimit: Date },
  call: Call,
): Promise<Stage> {
  const page = await readPage(deps, access, place, call);
  if (page === 'EMPTY') return { place, items: [], fresh: [], next: null, reachedEnd: true };
  const isLost =
    page === 'REFUSED' ||
    (place.overlaps && countLeftOut(place, page) < OVERLAP && !page.items.some(({ id }) => place.seen.includes(id)));
  if (isLost) {
    if (place.restarts >= MOST_RESTARTS) return { place, items: [], fresh: [], next: null, reachedEnd: false };
    // The platform, or the channel, may have changed the list.
    const { top } = await findTop(deps, access, call);
    return await readStage(deps, access, { place: { ...top, restarts: place.restarts + 1 }, ageLimit }, call);
  }
  const fresh = takeItemsAfter(page.items, place.seen);
  return { place, items: page.items, fresh, ...findNext(place, page, fresh, ageLimit) };
}

/**
 * The place of a walk that stops after one of a stage's fresh videos. When it continues, the page must show one that it has passed.
 * @param isCounted whether the stage's page was read without an overlap, although it needed one
 */
export function stopAfter({ place, items, fresh }: Stage, last: PlaylistItem, isCounted: boolean): Place {
  return {
    ...place,
    seen: items.slice(0, items.indexOf(last) + 1).map(({ id }) => id),
    overlaps: place.overlaps || (isCounted && place.token !== null),
    passed: place.passed + fresh.indexOf(last) + 1,
  };
}

/** The place of a walk that continues without an overlap. @returns undefined where none is needed */
export const skipOverlap = (next: Place): Place | undefined =>
  next.isHalf ? { ...next, token: next.following, isHalf: false, following: null, overlaps: false } : undefined;

const sizeOf = ({ isHalf }: Place) => (isHalf ? OVERLAP : PAGE_SIZE);

/**
 * The number of videos that the platform has left out of a page: those that it does not show take up a place. If it leaves out a
 * whole overlap, two pages share nothing although the list has not moved.
 */
const countLeftOut = (place: Place, { items, nextToken }: Page): number =>
  nextToken === null ? 0 : Math.max(0, sizeOf(place) - items.length);

interface Page {
  readonly items: readonly PlaylistItem[];
  readonly nextToken: string | null;
}

/** Page tokens have no documented lifetime, and the platform has refused good ones at times. */
async function readPage(
  deps: AdapterDeps,
  access: Access,
  place: Place,
  call: Call,
): Promise<Page | 'REFUSED' | 'EMPTY'> {
  const answer = await callProviderAApi(
    deps,
    {
      where: WHERE,
      path: '/playlistItems',
      query: {
        part: 'snippet,contentDetails,status',
        playlistId: place.uploads,
        maxResults: String(sizeOf(place)),
        ...(place.token === null ? {} : { pageToken: place.token }),
      },
      accessToken: access.accessToken,
      answers: ['playlistNotFound', ...(place.token === null ? [] : ['invalidPageToken'])],
    },
    call,
  );
  if (answer.reason === 'playlistNotFound') {
    // A channel without videos has no such list. The platform also gives this answer by mistake, above all for later pages.
    const { hasVideos } = await findTop(deps, access, call);
    if (hasVideos) throw createFailure('RetryLater', WHERE, { status: answer.status });
    return 'EMPTY';
  }
  if (answer.reason === 'invalidPageToken') return 'REFUSED';
  const { items, nextPageToken } = readAnswer(PlaylistItemList, answer.json, answer);
  // An item that does not name the list's channel is judged by its video.
  if (items.some(({ channelId }) => channelId !== null && channelId !== access.providerAccountId))
    throw createFailure('AccountMismatch', WHERE, { status: answer.status });
  return { items, nextToken: nextPageToken ?? null };
}

function findNext(place: Place, page: Page, fresh: readonly PlaylistItem[], ageLimit: Date): Onward {
  const { items, nextToken } = page;
  const isTooOld = ({ publishedAt, uploadedAt }: PlaylistItem) => (publishedAt ?? uploadedAt ?? ageLimit) < ageLimit;
  if (items.length > 0 && !place.isHalf && items.every(isTooOld)) return { next: null, reachedEnd: true };
  const leftOut = countLeftOut(place, page);
  // The walk has already passed half of the places of a page in the overlap.
  const passed = place.passed + fresh.length + (place.overlaps ? Math.floor(leftOut / 2) : leftOut);
  if (nextToken === null) return { next: null, reachedEnd: passed < LISTING_LIMIT };
  const stalled = fresh.length > 0 || place.isHalf || leftOut > 0 ? 0 : place.stalled + 1;
  // A repeated token makes no progress, and past its own limit the platform repeats pages.
  if (nextToken === place.token || passed > MOST_LISTED || stalled > MOST_STALLED)
    return { next: null, reachedEnd: false };

  const onward = { ...place, isHalf: false, passed, stalled };
  const ids = items.map(({ id }) => id);
  if (place.isHalf) {
    const seen = [...place.seen, ...fresh.map(({ id }) => id)];
    return { next: { ...onward, token: nextToken, seen, overlaps: true }, reachedEnd: false };
  }
  const last = items.at(-1);
  if (last !== undefined && (last.uploadedAt ?? ageLimit) >= ageLimit) {
    const next =
      place.following === null
        ? { ...onward, isHalf: true, following: nextToken, seen: ids, overlaps: place.token !== null }
        : { ...onward, token: place.following, following: nextToken, seen: ids, overlaps: true };
    return { next, reachedEnd: false };
  }
  return { next: { ...onward, token: nextToken, following: null, seen: ids, overlaps: false }, reachedEnd: false };
}

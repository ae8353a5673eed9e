import type { ServerResponse } from 'node:http';
import fc from 'fast-check';
import type { ProviderName } from '../../src/basics/codes.ts';
import type { Window } from '../../src/providers/provider.ts';
import type { Answer, Seen } from '../kit/fake-platform.ts';
import { insights, refusal } from './provider-c/media.ts';

/** Model platforms, each on the wire format of its provider, whose lists change between any two calls, and whose calls fail. */

/** A post of the account. The list has it from its call `since` on until its call `until`. */
export interface ModelPost {
  readonly id: string;
  /** Milliseconds, in whole seconds. */
  readonly publishedAt: number;
  /** PROVIDER_A lists by it. */
  readonly uploadedAt: number;
  readonly since: number;
  until: number;
}

type Drawn<Arbitrary> = Arbitrary extends fc.Arbitrary<infer Value> ? Value : never;

/** Lists of 0 to 5,000 posts; most are short. */
export const shape = fc.record({
  count: fc.oneof(
    { weight: 5, arbitrary: fc.integer({ min: 0, max: 130 }) },
    { weight: 3, arbitrary: fc.integer({ min: 0, max: 600 }) },
    { weight: 1, arbitrary: fc.integer({ min: 600, max: 5_000 }) },
  ),
  /** How many posts share a second, on average. */
  perSecond: fc.constantFrom(1, 1, 2, 3, 12, 30),
  /** The seconds between two dates. */
  stepSeconds: fc.constantFrom(1, 60, 3_600, 20_000),
  /** Part of the places that a page has and does not show. */
  hidden: fc.constantFrom(0, 0, 0.2, 0.8),
  /** How often posts were uploaded long before their publication. */
  lateness: fc.constantFrom(0, 0, 0.1),
  /** Whether PROVIDER_C forgets the place of a post that is gone, with its cursor. */
  forgetsCursors: fc.boolean(),
  /** Whether PROVIDER_C lists only the posts between `since` and `until`. */
  heedsHints: fc.boolean(),
  pinned: fc.constantFrom(0, 0, 3),
  salt: fc.nat(),
});
type Shape = Drawn<typeof shape>;

/** A change happens before the call of this number; a fault is its answer. */
const callNumber = fc.oneof(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 300 }));
const change = fc.record({
  at: callNumber,
  /** `late`: a post appears with a date, and at a place, among the others. */
  kind: fc.constantFrom('new' as const, 'late' as const, 'remove' as const, 'remove' as const),
  /** Which post, or where: from 0 (the newest) to 1. */
  where: fc.oneof(fc.double({ min: 0, max: 1, noNaN: true }), fc.constantFrom(0, 0.01)),
  count: fc.constantFrom(1, 1, 1, 2, 5, 24, 25, 60),
});
type Change = Drawn<typeof change>;
export const changes = fc.array(change, { maxLength: 12 });

const FAULTS = ['500', '429', 'not JSON', 'other JSON', 'lost', 'unknown cursor', 'not found'] as const;
const fault = fc.record({ at: callNumber, kind: fc.constantFrom(...FAULTS) });
type Fault = Drawn<typeof fault>;
export const faults = fc.array(fault, { maxLength: 5 });

/** An edge of a window: at a post's date or a millisecond after it, so that edges meet; null for the default. */
const edge = fc.option(fc.record({ where: fc.double({ min: 0, max: 1, noNaN: true }), ms: fc.constantFrom(0, 0, 1) }));
export const edges = fc.record({ before: edge, after: edge });
type Edges = Drawn<typeof edges>;

/** A reproducible sequence of numbers from 0 to 1. */
function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const SECOND_MS = 1_000;
const DAY_MS = 86_400_000;
const NEVER = Number.POSITIVE_INFINITY;

export class MovingList {
  readonly posts: ModelPost[] = [];
  /** The number of calls so far. */
  calls = 0;
  readonly provider: ProviderName;
  readonly shape: Shape;
  private readonly now: number;
  private readonly changes: readonly Change[];
  private readonly faults: readonly Fault[];
  private readonly random: () => number;
  private nextId = 0;
  private inOrder: ModelPost[] = [];

  constructor(provider: ProviderName, shape: Shape, now: number, changes: readonly Change[], faults: readonly Fault[]) {
    this.provider = provider;
    this.shape = shape;
    this.now = now;
    this.changes = changes;
    this.faults = faults;
    this.random = createRandom(shape.salt);
    let at = Math.floor(now / SECOND_MS) * SECOND_MS - SECOND_MS;
    for (let index = 0; index < shape.count; index += 1) {
      this.add(at, 0);
      if (this.random() * shape.perSecond < 1) at -= shape.stepSeconds * SECOND_MS;
    }
  }

  /** The posts that the list has at a call, in its order. */
  listed(at = this.calls): ModelPost[] {
    return this.listedEver(at).filter(({ until }) => at < until);
  }

  /** The same with the posts that have gone, in their old places. */
  listedEver(at = this.calls): ModelPost[] {
    if (this.inOrder.length !== this.posts.length) {
      const key = this.provider === 'PROVIDER_A' ? 'uploadedAt' : 'publishedAt';
      // Equal ones in an order of their own, which stays.
      this.inOrder = this.posts.toSorted((one, other) => other[key] - one[key] || (one.id < other.id ? 1 : -1));
    }
    return this.inOrder.filter(({ since }) => since <= at);
  }

  /** Whether the list shows a post, or only gives it a place. */
  isShown({ id }: ModelPost): boolean {
    return createRandom(this.shape.salt + numberOf(id))() >= this.shape.hidden;
  }

  /** Answers a request as the provider does. @returns undefined if it has answered itself */
  answer(request: Seen, response: ServerResponse): Answer | undefined {
    this.calls += 1;
    for (const change of this.changes) if (change.at === this.calls) this.apply(change);
    const fault = this.faults.find(({ at }) => at === this.calls);
    if (fault === undefined) return ANSWERS[this.provider](this, request);
    if (fault.kind === 'lost') {
      response.destroy();
      return undefined;
    }
    return FAULT_ANSWERS[this.provider][fault.kind];
  }

  private add(publishedAt: number, since: number): void {
    this.nextId += 1;
    const isLate = this.random() < this.shape.lateness;
    const uploadedAt = publishedAt - (isLate ? Math.floor(this.random() * 60) * DAY_MS : 0);
    const id = String(7_000_000_000_000_000_000n + BigInt(this.nextId));
    this.posts.push({ id, publishedAt, uploadedAt, since, until: NEVER });
  }

  private apply({ kind, where, count }: Change): void {
    const there = this.listed();
    const from = Math.floor(where * there.length);
    for (let index = 0; index < count; index += 1) {
      const post = there[Math.min(from + index, there.length - 1)];
      if (kind === 'remove' && post) post.until = Math.min(post.until, this.calls);
      if (kind === 'new') this.add(Math.floor(this.now / SECOND_MS) * SECOND_MS, this.calls);
      if (kind === 'late') this.add(post?.publishedAt ?? this.now - DAY_MS, this.calls);
    }
  }
}

const numberOf = (id: string) => Number(id.slice(-9));

const LONGEST_WINDOW_MS = 90 * DAY_MS;

/** The window between two edges, or up to now. */
export function chooseWindow(list: MovingList, { before, after }: Edges, now: number): Window {
  const at = (one: Edges['before'], otherwise: number) => {
    const posts = list.listed(0);
    const post = one && posts[Math.floor(one.where * posts.length)];
    return post ? post.publishedAt + one.ms : otherwise;
  };
  const end = at(before, now);
  const begin = Math.min(at(after, end - LONGEST_WINDOW_MS), end - 1);
  return {
    publishedAfter: new Date(Math.max(begin, end - LONGEST_WINDOW_MS)),
    publishedBefore: new Date(end),
  };
}

export const isIn = ({ publishedAt }: ModelPost, { publishedAfter, publishedBefore }: Window): boolean =>
  publishedAt >= publishedAfter.getTime() && publishedAt < publishedBefore.getTime();

/** As an operator may set it. */
export const MARGIN_DAYS = 45;
/** PROVIDER_A promises nothing for a video that was uploaded longer before its window. */
export const isPromised = (provider: ProviderName, { uploadedAt }: ModelPost, { publishedAfter }: Window): boolean =>
  provider !== 'PROVIDER_A' || uploadedAt >= publishedAfter.getTime() - MARGIN_DAYS * DAY_MS;

type Answerer = (list: MovingList, request: Seen) => Answer;
const iso = (ms: number) => new Date(ms).toISOString();
const byIds = (list: MovingList, ids: readonly string[]) =>
  list.listed().filter((post) => ids.includes(post.id) && list.isShown(post));

const answerAsA: Answerer = (list, { path, query }) => {
  if (path.endsWith('/channels')) {
    const contentDetails = { relatedPlaylists: { uploads: 'UU1' } };
    const statistics = { videoCount: String(list.listed().filter((post) => list.isShown(post)).length) };
    return { body: { kind: 'youtube#channelListResponse', items: [{ id: 'account-1', contentDetails, statistics }] } };
  }
  const privacyOf = (post: ModelPost) => ({ privacyStatus: list.isShown(post) ? 'public' : 'private' });
  if (path.endsWith('/playlistItems')) {
    const all = list.listed();
    /** A page leaves some of the hidden ones out, and only gives them a place. */
    const hasItem = (post: ModelPost) => list.isShown(post) || numberOf(post.id) % 2 === 0;
    if (all.length === 0) return FAULT_ANSWERS.PROVIDER_A['not found'];
    const start = Number(query.pageToken ?? 0);
    const end = start + Number(query.maxResults);
    return {
      body: {
        kind: 'youtube#playlistItemListResponse',
        ...(end < all.length ? { nextPageToken: String(end) } : {}),
        items: all
          .slice(start, end)
          .filter(hasItem)
          .map((post) => ({
            snippet: { publishedAt: iso(post.uploadedAt), title: post.id, description: '' },
            contentDetails: { videoId: post.id, videoPublishedAt: iso(post.publishedAt) },
            status: privacyOf(post),
          })),
      },
    };
  }
  const ids = query.id?.split(',') ?? [];
  return {
    body: {
      kind: 'youtube#videoListResponse',
      items: list
        .listed()
        .filter(({ id }) => ids.includes(id))
        .map((post) => ({
          id: post.id,
          snippet: { channelId: 'account-1', title: post.id, description: '', publishedAt: iso(post.publishedAt) },
          status: privacyOf(post),
          statistics: { viewCount: '1' },
        })),
    },
  };
};

const good = (data: object) => ({ body: { data, error: { code: 'ok', message: '', log_id: '1' } } });

const answerAsB: Answerer = (list, { path, body }) => {
  const wire = (post: ModelPost) => ({ id: post.id, create_time: post.publishedAt / SECOND_MS, title: post.id });
  const asked = JSON.parse(body);
  if (path.endsWith('/query/')) return good({ videos: byIds(list, asked.filters.video_ids).map(wire) });
  const older = list.listed().filter(({ publishedAt }) => publishedAt < asked.cursor);
  const page = older.slice(0, asked.max_count);
  return good({
    videos: page.filter((post) => list.isShown(post)).map(wire),
    cursor: page.at(-1)?.publishedAt ?? asked.cursor,
    has_more: older.length > page.length,
  });
};

const answerAsC: Answerer = (list, { path, query }) => {
  const wire = (post: ModelPost) => ({
    id: post.id,
    media_type: 'IMAGE',
    permalink: `https://www.instagram.com/p/${post.id}/`,
    timestamp: iso(post.publishedAt).replace('.000Z', '+0000'),
  });
  if (path.endsWith('/insights')) return insights(1, 1);
  if (path.endsWith('/')) {
    const found = byIds(list, query.ids?.split(',') ?? []);
    if (found.length < (query.ids?.split(',').length ?? 0)) return refusal(100, { error_subcode: 33 });
    return { body: Object.fromEntries(found.map((post) => [post.id, wire(post)])) };
  }
  if (!path.endsWith('/media')) {
    const [post] = byIds(list, [path.split('/').at(-1) ?? '']);
    return post ? { body: wire(post) } : refusal(100, { error_subcode: 33 });
  }
  const isPinned = ({ id }: ModelPost) => numberOf(id) % 41 === 0 && numberOf(id) / 41 <= list.shape.pinned;
  const seconds = (ms: number) => ms / SECOND_MS;
  const isHinted = ({ publishedAt }: ModelPost) =>
    !list.shape.heedsHints ||
    query.since === undefined ||
    (seconds(publishedAt) > Number(query.since) && seconds(publishedAt) < Number(query.until));
  const ever = list.listedEver().sort((one, other) => Number(isPinned(other)) - Number(isPinned(one)));
  const last = query.after === undefined ? undefined : ever.find(({ id }) => id === query.after);
  const isGone = last !== undefined && last.until <= list.calls;
  if (query.after !== undefined && (last === undefined || (isGone && list.shape.forgetsCursors)))
    return FAULT_ANSWERS.PROVIDER_C['unknown cursor'];
  const rest = ever
    .slice(last === undefined ? 0 : ever.indexOf(last) + 1)
    .filter((post) => post.until > list.calls && isHinted(post));
  const page = rest.slice(0, Number(query.limit));
  const after = page.at(-1)?.id;
  const next = rest.length > page.length ? { next: 'https://graph.instagram.com/next' } : {};
  return {
    body: {
      data: page.filter((post) => list.isShown(post)).map(wire),
      ...(after === undefined ? {} : { paging: { cursors: { before: 'x', after }, ...next } }),
    },
  };
};

const ANSWERS: Readonly<Record<ProviderName, Answerer>> = {
  PROVIDER_A: answerAsA,
  PROVIDER_B: answerAsB,
  PROVIDER_C: answerAsC,
};

const reasonOfA = (status: number, reason: string) => ({
  status,
  body: { error: { code: status, errors: [{ reason }] } },
});
const errorOfB = (status: number, code: string) => ({
  status,
  body: { data: {}, error: { code, message: '', log_id: '1' } },
});
const NOT_JSON = { body: '<html>Bad gateway</html>' };
const OTHER_JSON = { body: { surprise: true } };

const FAULT_ANSWERS: Readonly<Record<ProviderName, Readonly<Record<Exclude<Fault['kind'], 'lost'>, Answer>>>> = {
  PROVIDER_A: {
    '500': reasonOfA(500, 'backendError'),
    '429': reasonOfA(403, 'rateLimitExceeded'),
    'not JSON': NOT_JSON,
    'other JSON': OTHER_JSON,
    'unknown cursor': reasonOfA(400, 'invalidPageToken'),
    'not found': reasonOfA(404, 'playlistNotFound'),
  },
  PROVIDER_B: {
    '500': errorOfB(500, 'internal_error'),
    '429': errorOfB(429, 'rate_limit_exceeded'),
    'not JSON': NOT_JSON,
    'other JSON': OTHER_JSON,
    'unknown cursor': errorOfB(400, 'invalid_params'),
    'not found': errorOfB(404, 'not_found'),
  },
  PROVIDER_C: {
    '500': { status: 500, body: { error: { code: 2, message: '', is_transient: true } } },
    '429': refusal(80002),
    'not JSON': NOT_JSON,
    'other JSON': OTHER_JSON,
    'unknown cursor': refusal(100, { message: '(#100) Invalid cursor' }),
    'not found': refusal(24),
  },
};

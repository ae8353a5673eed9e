import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { access as accessOf, call, DAY_MS, failureOf, NOW, openAdapters, type Seen } from '../far-side.ts';

let adapters: Awaited<ReturnType<typeof openAdapters>>;
beforeAll(async () => {
  adapters = await openAdapters();
});
afterAll(async () => await adapters.close());

const CHANNEL = 'UCq7R1xTn0aVb3kLmZ9pYwEg';
const access = accessOf([], CHANNEL);
const daysAgo = (days: number) => new Date(NOW.getTime() - days * DAY_MS);
const week = { publishedAfter: daysAgo(7), publishedBefore: NOW };

interface Upload {
  readonly id: string;
  readonly uploadedDaysAgo: number;
  readonly publishedDaysAgo: number | null;
  readonly privacyStatus: string;
  readonly channelId: string;
  readonly statistics: object;
}
const upload = (number: number, changes: Partial<Upload> = {}): Upload => ({
  id: `video-${String(number).padStart(5, '0')}`,
  uploadedDaysAgo: (number + 1) / 100,
  publishedDaysAgo: (number + 1) / 100,
  privacyStatus: 'public',
  channelId: CHANNEL,
  statistics: { viewCount: '15230', likeCount: '811', commentCount: '64' },
  ...changes,
});

/** Answers as the API does for a channel with these uploads; tokens are offsets. */
function serve(uploads: readonly Upload[]) {
  adapters.farSide.script((request) => ({ body: answer(uploads, request) }));
}

function answer(uploads: readonly Upload[], { path, query }: Seen): object {
  if (path.endsWith('/channels')) {
    return {
      kind: 'youtube#channelListResponse',
      items: [{ id: CHANNEL, contentDetails: { relatedPlaylists: { uploads: 'UU1' } } }],
    };
  }
  if (path.endsWith('/playlistItems')) {
    const start = Number(query.pageToken ?? 0);
    const end = start + Number(query.maxResults);
    return {
      kind: 'youtube#playlistItemListResponse',
      ...(end < uploads.length ? { nextPageToken: String(end) } : {}),
      items: uploads.slice(start, end).map((one) => ({
        snippet: { publishedAt: daysAgo(one.uploadedDaysAgo).toISOString(), title: one.id, description: '' },
        contentDetails: {
          videoId: one.id,
          ...(one.publishedDaysAgo === null ? {} : { videoPublishedAt: daysAgo(one.publishedDaysAgo).toISOString() }),
        },
        status: { privacyStatus: one.privacyStatus },
      })),
    };
  }
  const ids = (query.id ?? '').split(',');
  const found = uploads.filter(({ id }) => ids.includes(id)).toReversed();
  return {
    kind: 'youtube#videoListResponse',
    ...(found.length === 0
      ? {}
      : {
          items: found.map((one) => ({
            id: one.id,
            snippet: {
              channelId: one.channelId,
              title: one.id,
              description: 'Three pots, one burner.',
              publishedAt: daysAgo(one.publishedDaysAgo ?? one.uploadedDaysAgo).toISOString(),
            },
            status: { privacyStatus: one.privacyStatus },
            statistics: one.statistics,
          })),
        }),
  };
}

async function scan(window = week, limit = 100, withMetrics = true) {
  const items = [];
  let cursor: string | null = null;
  for (let pages = 0; pages < 50; pages++) {
    const input = { window, cursor, limit: limit - items.length, withMetrics };
    const page = await adapters.providers.PROVIDER_A.listContent(access, input, call());
    items.push(...page.items);
    cursor = page.cursor;
    if (cursor === null || items.length >= limit) return { items, cursor, reachedEnd: page.reachedEnd };
  }
  throw new Error('The listing does not end.');
}

const range = (count: number) => Array.from({ length: count }, (_, index) => upload(index));
const idsOf = (items: readonly { providerContentId: string }[]) => items.map((item) => item.providerContentId);

describe('listing', () => {
  test('reads the latest 100 posts for 5 units, metrics and all', async () => {
    serve(range(300));
    const { items, cursor } = await scan();
    expect(idsOf(items)).toEqual(range(100).map(({ id }) => id));
    expect(cursor).not.toBeNull();
    expect(adapters.farSide.seen.map(({ path }) => path.split('/').at(-1))).toEqual([
      'channels',
      'playlistItems',
      'videos',
      'playlistItems',
      'videos',
    ]);
  });

  test('does not ask about the videos themselves where nobody wants their metrics', async () => {
    serve(range(300));
    const { items } = await scan(week, 100, false);
    expect(items).toHaveLength(100);
    expect(items[0]).toMatchObject({ metrics: [], title: 'video-00000', kind: 'VIDEO', thumbnailUrl: null });
    expect(adapters.farSide.seen).toHaveLength(3);
  });

  test('goes on where an earlier call broke off in the middle of a page', async () => {
    serve(range(120));
    const items: string[] = [];
    let cursor: string | null = null;
    do {
      const input = { window: week, cursor, limit: 7, withMetrics: false };
      const page = await adapters.providers.PROVIDER_A.listContent(access, input, call());
      expect(page.items.length).toBeLessThanOrEqual(7);
      items.push(...idsOf(page.items));
      cursor = page.cursor;
    } while (cursor !== null);
    expect(items).toEqual(range(120).map(({ id }) => id));
  });

  test('finds what was uploaded long before it came out, and stops a month past the window', async () => {
    const late = upload(90, { id: 'late-000000', uploadedDaysAgo: 36, publishedDaysAgo: 1 });
    const old = Array.from({ length: 200 }, (_, index) =>
      upload(index, { id: `old-${index}`, uploadedDaysAgo: 36 + index / 4, publishedDaysAgo: 36 + index / 4 }),
    );
    serve([...range(50), late, ...old]);
    const { items, reachedEnd } = await scan();
    expect(idsOf(items)).toContain('late-000000');
    expect(reachedEnd).toBe(true);
    expect(adapters.farSide.seen.filter(({ path }) => path.endsWith('/playlistItems'))).toHaveLength(3);
  });

  test('leaves out what is private or only scheduled, and asks when the list has no date', async () => {
    const undated = upload(2, { publishedDaysAgo: null, uploadedDaysAgo: 2 });
    serve([upload(0, { privacyStatus: 'private' }), upload(1, { privacyStatus: 'unlisted' }), undated]);
    const { items } = await scan(week, 100, false);
    expect(idsOf(items)).toEqual(['video-00001', 'video-00002']);
    expect(items[1]?.publishedAt).toEqual(daysAgo(2));
  });

  test('keeps to both edges of the window: the first instant is in, the last is out', async () => {
    serve([
      upload(0, { publishedDaysAgo: 0 }),
      upload(1, { publishedDaysAgo: 7 }),
      upload(2, { publishedDaysAgo: 7.001 }),
    ]);
    expect(idsOf((await scan()).items)).toEqual(['video-00001']);
  });

  test('takes a channel that never uploaded for empty', async () => {
    adapters.farSide.script((request) =>
      request.path.endsWith('/channels')
        ? { body: answer([], request) }
        : { status: 404, body: { error: { code: 404, errors: [{ reason: 'playlistNotFound' }] } } },
    );
    expect(await scan()).toEqual({ items: [], cursor: null, reachedEnd: true });
  });

  test('starts at the top when a token is refused, but only once', async () => {
    serve(range(120));
    const { cursor } = await scan(week, 50);
    const refused = { status: 400, body: { error: { code: 400, errors: [{ reason: 'invalidPageToken' }] } } };
    adapters.farSide.script((request) =>
      request.query.pageToken === undefined ? { body: answer(range(120), request) } : refused,
    );
    const again = await adapters.providers.PROVIDER_A.listContent(
      access,
      { window: week, cursor, limit: 50, withMetrics: false },
      call(),
    );
    expect(idsOf(again.items)[0]).toBe('video-00000');
    const next = { window: week, cursor: again.cursor, limit: 50, withMetrics: false };
    expect(await failureOf(adapters.providers.PROVIDER_A.listContent(access, next, call()))).toMatchObject({
      type: 'ContractBroken',
    });
  });

  test('says so when the provider’s own limit, and not the end, was reached', async () => {
    serve(Array.from({ length: 19_950 }, (_, index) => upload(index, { publishedDaysAgo: 1, uploadedDaysAgo: 1 })));
    const place = { uploads: 'UU1', token: '19900', lastId: null, read: 19_900, restarted: false };
    const input = { window: week, cursor: JSON.stringify(place), limit: 100, withMetrics: false };
    const page = await adapters.providers.PROVIDER_A.listContent(access, input, call());
    expect(page).toMatchObject({ cursor: null, reachedEnd: false });
  });

  test('refuses a cursor it never wrote', async () => {
    for (const cursor of ['', 'x', '{}', '{"token":1}']) {
      const input = { window: week, cursor, limit: 10, withMetrics: false };
      expect(await failureOf(adapters.providers.PROVIDER_A.listContent(access, input, call()))).toMatchObject({
        type: 'ContractBroken',
      });
    }
  });
});

describe('metrics', () => {
  const metricsOf = async (statistics: object) => {
    serve([upload(0, { statistics })]);
    const [item] = await adapters.providers.PROVIDER_A.readContent(
      access,
      { providerContentIds: ['video-00000'], withMetrics: true },
      call(),
    );
    return item?.metrics;
  };

  test('are all four, each with its source', async () => {
    expect(await metricsOf({ viewCount: '9007199254740993', likeCount: '0', commentCount: '64' })).toEqual([
      {
        name: 'VIEWS',
        value: '9007199254740993',
        availability: 'AVAILABLE',
        reason: null,
        sourceField: 'statistics.viewCount',
      },
      { name: 'LIKES', value: '0', availability: 'AVAILABLE', reason: null, sourceField: 'statistics.likeCount' },
      {
        name: 'COMMENTS',
        value: '64',
        availability: 'AVAILABLE',
        reason: null,
        sourceField: 'statistics.commentCount',
      },
      {
        name: 'SHARES',
        value: null,
        availability: 'UNSUPPORTED',
        reason: 'NOT_OFFERED_BY_PROVIDER',
        sourceField: null,
      },
    ]);
  });

  test('are unavailable, not zero, where the count is missing', async () => {
    expect(await metricsOf({})).toMatchObject([
      { name: 'VIEWS', value: null, availability: 'UNAVAILABLE', reason: 'NOT_SHOWN' },
      { name: 'LIKES', value: null, availability: 'UNAVAILABLE', reason: 'HIDDEN_BY_OWNER' },
      { name: 'COMMENTS', value: null, availability: 'UNAVAILABLE', reason: 'COMMENTS_OFF' },
      { name: 'SHARES', value: null, availability: 'UNSUPPORTED' },
    ]);
  });
});

describe('lookup', () => {
  const lookUp = async (url: string) =>
    await adapters.providers.PROVIDER_A.lookUp(access, { url, cursor: null, withMetrics: true }, call());

  test.each([
    'https://www.youtube.com/watch?v=video-00000&t=12s&list=PL1&si=x&feature=share',
    'https://youtube.com/watch?v=video-00000',
    'https://m.youtube.com/watch?v=video-00000',
    'https://music.youtube.com/watch?v=video-00000',
    'https://www.youtube.com/shorts/video-00000',
    'https://www.youtube.com/live/video-00000?si=x',
    'https://www.youtube.com/embed/video-00000',
    'https://www.youtube.com/v/video-00000',
    'https://youtu.be/video-00000?si=x',
    'https://www.youtube-nocookie.com/embed/video-00000',
  ])('finds %s in one call', async (url) => {
    serve([upload(0)]);
    const step = await lookUp(url);
    expect(step).toMatchObject({
      kind: 'found',
      content: { providerContentId: 'video-00000', canonicalUrl: 'https://www.youtube.com/watch?v=video-00000' },
    });
    expect(adapters.farSide.seen).toHaveLength(1);
  });

  test.each([
    'http://www.youtube.com/watch?v=video-00000',
    'https://www.youtube.com/playlist?list=PL1',
    'https://www.youtube.com/@handle',
    'https://www.youtube.com/channel/UCq7R1xTn0aVb3kLmZ9pYwEg',
    'https://www.youtube.com/clip/abc',
    'https://www.youtube.com/post/abc',
    'https://www.youtube.com/redirect?q=https://youtu.be/video-00000',
    'https://www.youtube.com/attribution_link?u=/watch?v=video-00000',
    'https://www.youtube.com/watch?v=short',
    'https://www.youtube.com/watch',
    'https://youtube.com.example/watch?v=video-00000',
    'https://example.com/watch?v=video-00000',
    'not a url',
  ])('refuses %s without a call', async (url) => {
    serve([upload(0)]);
    expect(await failureOf(lookUp(url))).toMatchObject({ type: 'UnsupportedUrl' });
    expect(adapters.farSide.seen).toHaveLength(0);
  });

  test('does not find what is gone, private or somebody else’s', async () => {
    const url = 'https://youtu.be/video-00000';
    serve([]);
    expect(await lookUp(url)).toEqual({ kind: 'absent' });
    serve([upload(0, { privacyStatus: 'private' })]);
    expect(await lookUp(url)).toEqual({ kind: 'absent' });
    serve([upload(0, { channelId: 'UCsomebodyelse0000000000' })]);
    expect(await lookUp(url)).toEqual({ kind: 'absent' });
  });
});

describe('account', () => {
  test('is the channel, with its largest picture and a URL that survives a change of handle', async () => {
    adapters.farSide.script({
      body: {
        kind: 'youtube#channelListResponse',
        items: [
          {
            id: CHANNEL,
            snippet: {
              title: 'Harbour Kitchen',
              description: '',
              thumbnails: {
                high: { url: 'https://yt3.example/800', width: 800 },
                default: { url: 'https://yt3.example/88', width: 88 },
              },
            },
          },
        ],
      },
    });
    expect(await adapters.providers.PROVIDER_A.readAccount(access, call())).toEqual({
      providerAccountId: CHANNEL,
      aliasIds: [],
      profile: {
        displayName: 'Harbour Kitchen',
        handle: null,
        avatarUrl: 'https://yt3.example/800',
        profileUrl: `https://www.youtube.com/channel/${CHANNEL}`,
        description: null,
      },
    });
  });

  test('is unusable without a channel: the list then has no items at all', async () => {
    adapters.farSide.script({ body: { kind: 'youtube#channelListResponse', pageInfo: { totalResults: 0 } } });
    expect(await failureOf(adapters.providers.PROVIDER_A.readAccount(access, call()))).toMatchObject({
      type: 'AccountUnusable',
    });
  });
});

import { describe, expect, test } from 'vitest';
import { call, failureOf, openAdapters, type Seen, useAdapters } from '../../kit/fake-platform.ts';
import { access, answer, daysAgo, type Upload, upload, week } from './uploads.ts';

const adapters = useAdapters();

const serve = (uploads: readonly Upload[]) =>
  adapters.platform.script((request) => ({ body: answer(uploads, request) }));

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
  test('finds videos that were uploaded long before publication, and stops a month past the window', async () => {
    const aged = (prefix: string, days: number) =>
      Array.from({ length: 50 }, (_, index) => {
        const age = days + index / 10;
        return upload(index, { id: `${prefix}-${index}`, uploadedDaysAgo: age, publishedDaysAgo: age });
      });
    const late = upload(0, { id: 'late', uploadedDaysAgo: 30, publishedDaysAgo: 1 });
    serve([...range(50), ...aged('old', 10), late, ...aged('older', 38), ...aged('oldest', 60)]);
    const { items, reachedEnd } = await scan();
    expect(idsOf(items)).toEqual([...range(50).map(({ id }) => id), 'late']);
    expect(reachedEnd).toBe(true);
    // Four of its five pages: it stops before the last.
    expect(adapters.platform.seen.filter(({ path }) => path.endsWith('/playlistItems'))).toHaveLength(4);
  });

  test.each([0, 10, 30])(
    'with a margin of %i days, finds or misses a late video by the page before it',
    async (days) => {
      const own = await openAdapters({ PROVIDER_A_UPLOAD_MARGIN_DAYS: days });
      const edge = 7 + days;
      const aged = (age: number, index: number) =>
        upload(index, { id: `aged-${index}`, uploadedDaysAgo: age, publishedDaysAgo: age });
      const late = upload(0, { id: 'late', uploadedDaysAgo: edge + 2, publishedDaysAgo: 1 });
      const scanBehind = async (youngest: number) => {
        const page = Array.from({ length: 50 }, (_, index) => aged(youngest + index / 100, index));
        const uploads = [...page, late];
        own.platform.script((request) => ({ body: answer(uploads, request) }));
        const input = { window: week, cursor: null, limit: 100, withMetrics: false };
        return await own.providers.PROVIDER_A.listContent(access, input, call());
      };
      try {
        // One video of the page is younger than the margin: the next page is read.
        const found = await scanBehind(edge - 0.001);
        expect(found.items.map(({ providerContentId }) => providerContentId)).toContain('late');
        expect(found.reachedEnd).toBe(true);
        // The whole page is older: the scan stops, and the window counts as read.
        const missed = await scanBehind(edge + 0.001);
        expect(missed).toEqual({ items: [], cursor: null, reachedEnd: true });
      } finally {
        await own.close();
      }
    },
  );

  test('stops following page tokens that form a cycle', async () => {
    serve(range(50));
    const uploads = Array.from({ length: 50 }, (_, index) => upload(index, { publishedDaysAgo: -1 }));
    let pages = 0;
    adapters.platform.script((request) => {
      if (!request.path.endsWith('/playlistItems')) return { body: answer(uploads, request) };
      pages += 1;
      const page = answer(uploads, { ...request, query: { maxResults: '50' } });
      return { body: { ...page, nextPageToken: pages % 2 === 0 ? 'even' : 'odd' } };
    });
    let cursor: string | null = null;
    do {
      const input = { window: week, cursor, limit: 100, withMetrics: false };
      const page: { cursor: string | null; reachedEnd: boolean } = await adapters.providers.PROVIDER_A.listContent(
        access,
        input,
        call(),
      );
      expect(page.reachedEnd).toBe(false);
      cursor = page.cursor;
    } while (cursor !== null && pages < 1_000);
    expect(pages).toBeLessThan(600);
  });

  test('leaves out private and scheduled videos, and requests dates that the list lacks', async () => {
    const undated = upload(2, { publishedDaysAgo: null, uploadedDaysAgo: 2 });
    serve([upload(0, { privacyStatus: 'private' }), upload(1, { privacyStatus: 'unlisted' }), undated]);
    const { items } = await scan(week, 100, false);
    expect(idsOf(items)).toEqual(['video-00001', 'video-00002']);
    expect(items[1]?.publishedAt).toEqual(daysAgo(2));
  });

  /** Every value of the reference, and one that it does not have. */
  const states: [boolean, Partial<Upload>][] = [
    [true, { privacyStatus: 'public' }],
    [true, { privacyStatus: 'unlisted' }],
    [false, { privacyStatus: 'private' }],
    [false, { privacyStatus: 'private', status: { publishAt: daysAgo(-1).toISOString() } }],
    [false, { privacyStatus: 'other' }],
    [true, { status: { uploadStatus: 'processed' } }],
    [false, { status: { uploadStatus: 'uploaded' } }],
    [false, { status: { uploadStatus: 'failed', failureReason: 'codec' } }],
    [false, { status: { uploadStatus: 'rejected', rejectionReason: 'copyright' } }],
    [false, { status: { uploadStatus: 'deleted' } }],
    [false, { status: { uploadStatus: 'other' } }],
    [true, { liveBroadcastContent: 'none' }],
    [true, { liveBroadcastContent: 'live', status: { uploadStatus: 'uploaded' } }],
    [false, { liveBroadcastContent: 'live', status: { uploadStatus: 'uploaded' }, privacyStatus: 'private' }],
    [false, { liveBroadcastContent: 'upcoming' }],
    [false, { liveBroadcastContent: 'upcoming', status: { uploadStatus: 'uploaded' } }],
  ];
  test.each(states)(
    'is %s that a video is published with %j: listed, read and looked up alike',
    async (isPublished, state) => {
      serve([upload(0, state), upload(1)]);
      const expected = isPublished ? ['video-00000', 'video-00001'] : ['video-00001'];
      for (const withMetrics of [true, false])
        expect(idsOf((await scan(week, 100, withMetrics)).items)).toEqual(expected);
      const read = { providerContentIds: ['video-00000', 'video-00001'], withMetrics: true };
      expect(idsOf(await adapters.providers.PROVIDER_A.readContent(access, read, call()))).toEqual(expected);
      const input = { url: 'https://youtu.be/video-00000', cursor: null, withMetrics: true };
      const { kind } = await adapters.providers.PROVIDER_A.lookUp(access, input, call());
      expect(kind).toBe(isPublished ? 'found' : 'absent');
    },
  );

  describe('if the platform leaves videos out of its pages', () => {
    const withHole = (from: number, count: number) =>
      range(200).map((one, index) => ({ ...one, isLeftOut: index >= from && index < from + count }));

    test.each([
      [50, 25],
      [75, 25],
      [100, 25],
      [0, 50],
      [60, 130],
      [0, 190],
    ])('from %i on %i of them, reads all others to the end', async (from, count) => {
      const uploads = withHole(from, count);
      const shown = uploads.filter(({ isLeftOut }) => !isLeftOut);
      for (const limit of [100, 7]) {
        serve(uploads);
        const items: string[] = [];
        let reachedEnd = false;
        for (let cursor: string | null = null, calls = 0; calls === 0 || cursor !== null; calls += 1) {
          const input = { window: week, cursor, limit, withMetrics: false };
          const page = await adapters.providers.PROVIDER_A.listContent(access, input, call());
          items.push(...idsOf(page.items));
          ({ cursor, reachedEnd } = page);
        }
        expect(reachedEnd).toBe(true);
        expect([...new Set(items)]).toEqual(idsOf(shown.map(({ id }) => ({ providerContentId: id }))));
      }
    });
  });

  describe('without a list of uploads', () => {
    const missing = { status: 404, body: { error: { code: 404, errors: [{ reason: 'playlistNotFound' }] } } };
    const channels = (request: Seen, videoCount?: string) => {
      const body = answer([], request);
      const [channel] = 'items' in body ? (body.items as object[]) : [];
      return { body: { ...body, items: [{ ...channel, ...(videoCount && { statistics: { videoCount } }) }] } };
    };

    test.each([undefined, '0'])('treats a channel with %s videos as empty', async (videoCount) => {
      adapters.platform.script((request) =>
        request.path.endsWith('/channels') ? channels(request, videoCount) : missing,
      );
      expect(await scan()).toEqual({ items: [], cursor: null, reachedEnd: true });
    });

    test('tries again later if the channel has videos', async () => {
      adapters.platform.script((request) => (request.path.endsWith('/channels') ? channels(request, '87') : missing));
      expect(await failureOf(scan())).toMatchObject({ type: 'RetryLater' });
    });

    test.each([
      ['87', 'tries again later'],
      ['0', 'knows that all videos are gone'],
    ])('after a page of it, of a channel with %s videos, %s', async (videoCount) => {
      adapters.platform.script((request) => {
        if (request.path.endsWith('/channels')) return channels(request, videoCount);
        return request.query.pageToken === undefined ? { body: answer(range(120), request) } : missing;
      });
      if (videoCount === '0') expect(await scan(week, 100, false)).toMatchObject({ reachedEnd: true });
      else expect(await failureOf(scan(week, 100, false))).toMatchObject({ type: 'RetryLater' });
    });
  });

  test('starts at the top when a token is refused, and ends as incomplete if that continues', async () => {
    serve(range(120));
    const { cursor } = await scan(week, 50);
    const refused = { status: 400, body: { error: { code: 400, errors: [{ reason: 'invalidPageToken' }] } } };
    adapters.platform.script((request) =>
      request.path.endsWith('/playlistItems') && request.query.pageToken !== undefined
        ? refused
        : { body: answer(range(120), request) },
    );
    const input = { window: week, cursor, limit: 50, withMetrics: false };
    const again = await adapters.providers.PROVIDER_A.listContent(access, input, call());
    expect(idsOf(again.items)[0]).toBe('video-00000');
    let last: { cursor: string | null; reachedEnd: boolean } = again;
    for (let calls = 0; last.cursor !== null && calls < 10; calls += 1)
      last = await adapters.providers.PROVIDER_A.listContent(access, { ...input, cursor: last.cursor }, call());
    expect(last).toEqual({ items: expect.any(Array), cursor: null, reachedEnd: false });
  });

  test('reports when it reached the provider’s own limit and not the end', async () => {
    serve(Array.from({ length: 19_950 }, (_, index) => upload(index, { publishedDaysAgo: 1, uploadedDaysAgo: 1 })));
    const place = {
      uploads: 'UU1',
      token: '19925',
      isHalf: false,
      following: '19950',
      seen: ['video-19930'],
      overlaps: true,
      passed: 19_925,
      stalled: 0,
      restarts: 0,
    };
    const input = { window: week, cursor: JSON.stringify(place), limit: 100, withMetrics: false };
    const page = await adapters.providers.PROVIDER_A.listContent(access, input, call());
    expect(page).toMatchObject({ cursor: null, reachedEnd: false });
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

  test('include all four, each with its source', async () => {
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

  test('are unavailable, not zero, if the count is missing', async () => {
    expect(await metricsOf({})).toMatchObject([
      { name: 'VIEWS', value: null, availability: 'UNAVAILABLE', reason: 'NOT_SHOWN' },
      { name: 'LIKES', value: null, availability: 'UNAVAILABLE', reason: 'HIDDEN_BY_OWNER' },
      { name: 'COMMENTS', value: null, availability: 'UNAVAILABLE', reason: 'COMMENTS_OFF' },
      { name: 'SHARES', value: null, availability: 'UNSUPPORTED' },
    ]);
  });
});

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Content, ContentListing } from '../../../src/providers/provider.ts';
import { access as accessOf, call, DAY_MS, failureOf, NOW, openAdapters, type Seen } from '../../kit/fake-platform.ts';
import { proves } from '../../kit/proofs.ts';

let adapters: Awaited<ReturnType<typeof openAdapters>>;
beforeAll(async () => {
  adapters = await openAdapters();
});
afterAll(async () => await adapters.close());

const access = accessOf(['user.info.basic', 'video.list']);
const secondsAgo = (seconds: number) => NOW.getTime() / 1000 - seconds;
const DAY = DAY_MS / 1000;
const week = { publishedAfter: new Date(NOW.getTime() - 7 * DAY_MS), publishedBefore: NOW };

interface Video {
  readonly id: string;
  readonly create_time: number;
}
const video = (number: number, ageSeconds: number): Video => ({
  id: String(7431298765012345000n + BigInt(number)),
  create_time: secondsAgo(ageSeconds),
});
const hourly = (count: number) => Array.from({ length: count }, (_, index) => video(index, (index + 1) * 3600));

const good = (data: object) => ({ body: { data, error: { code: 'ok', message: '', log_id: '1' } } });
const bodyOf = (request: Seen): { max_count: number; cursor: number } => JSON.parse(request.body);

/** Answers as the API does: the posts before the cursor, newest first. */
function serve(videos: readonly Video[]) {
  adapters.platform.script((request) => {
    const { max_count, cursor } = bodyOf(request);
    const older = videos.filter((one) => one.create_time * 1000 < cursor);
    const page = older.slice(0, max_count);
    const last = page.at(-1);
    return good({
      videos: page,
      cursor: last ? last.create_time * 1000 : cursor,
      has_more: older.length > page.length,
    });
  });
}

async function scan(limit = 100) {
  const items: Content[] = [];
  let cursor: string | null = null;
  for (let pages = 0; pages < 50; pages++) {
    const input = { window: week, cursor, limit: limit - items.length, withMetrics: true };
    const page = await adapters.providers.PROVIDER_B.listContent(access, input, call());
    items.push(...page.items);
    cursor = page.cursor;
    if (cursor === null || items.length >= limit) return { items, cursor, reachedEnd: page.reachedEnd };
  }
  throw new Error('The listing does not end.');
}
const idsOf = (items: readonly Content[]) => items.map((item) => item.providerContentId);

describe('listing', () => {
  test('reads 100 posts in six calls: each page begins with the second in which the one before has ended', async () => {
    proves('The latest 100 posts');
    serve(hourly(300));
    const { items, cursor } = await scan();
    expect(idsOf(items)).toEqual(hourly(100).map(({ id }) => id));
    expect(cursor).not.toBeNull();
    expect(adapters.platform.seen.map((request) => bodyOf(request).max_count)).toEqual([20, 20, 20, 20, 20, 20]);
    expect(bodyOf(adapters.platform.seen[0] as Seen).cursor).toBe(NOW.getTime());
  });

  test('returns no more than the limit, of a page as long as any', async () => {
    serve(hourly(30));
    expect((await scan(7)).items).toHaveLength(7);
    expect(adapters.platform.seen.map((request) => bodyOf(request).max_count)).toEqual([20]);
  });

  test('continues where an earlier call stopped in the middle of a page', async () => {
    serve(hourly(45));
    const items: string[] = [];
    let cursor: string | null = null;
    do {
      const input = { window: week, cursor, limit: 7, withMetrics: false };
      const page = await adapters.providers.PROVIDER_B.listContent(access, input, call());
      items.push(...idsOf(page.items));
      cursor = page.cursor;
    } while (cursor !== null);
    expect(items).toEqual(hourly(45).map(({ id }) => id));
  });

  test.each([1, 2, 5, 20])(
    'returns posts of one second on both sides of a page’s end, %i of them at a time',
    async (limit) => {
      proves('A list that changes between two calls, and calls that fail');
      // The 19th to the 22nd have one date: a page of 20 ends between two of them.
      const videos = Array.from({ length: 40 }, (_, index) =>
        video(index, 60 * (index < 18 ? index : Math.max(18, index - 3)) + 1),
      );
      serve(videos);
      const items: string[] = [];
      let cursor: string | null = null;
      let reachedEnd = false;
      do {
        const input = { window: week, cursor, limit, withMetrics: false };
        const page: ContentListing = await adapters.providers.PROVIDER_B.listContent(access, input, call());
        items.push(...idsOf(page.items));
        ({ cursor, reachedEnd } = page);
      } while (cursor !== null);
      expect(items).toEqual(videos.map(({ id }) => id));
      expect(reachedEnd).toBe(true);
    },
  );

  test('is incomplete, and continues, if a page may not have all posts of its only second', async () => {
    proves('A list that changes between two calls, and calls that fail');
    const crowd = Array.from({ length: 25 }, (_, index) => video(index, 60));
    const after = video(99, 120);
    serve([...crowd, after]);
    const { items, reachedEnd } = await scan();
    expect(idsOf(items)).toEqual([...crowd.slice(0, 20), after].map(({ id }) => id));
    expect(reachedEnd).toBe(false);
  });

  test('does not end at the first second of the window before it has all of its posts', async () => {
    const crowd = Array.from({ length: 19 }, (_, index) => video(index, 60));
    const edge = [video(50, 7 * DAY), video(51, 7 * DAY)];
    serve([...crowd, ...edge]);
    const { items, reachedEnd } = await scan();
    expect(idsOf(items)).toEqual([...crowd, ...edge].map(({ id }) => id));
    expect(reachedEnd).toBe(true);
  });

  test('stops when the next posts are older than the window, and respects both its edges', async () => {
    proves('Edges of the window');
    const [first, second, third] = [video(1, 0), video(2, 7 * DAY), video(3, 7 * DAY + 1)];
    serve([first, second, third, ...hourly(50).map((one) => ({ ...one, create_time: one.create_time - 8 * DAY }))]);
    const { items, reachedEnd } = await scan();
    expect(idsOf(items)).toEqual([second.id]);
    expect(reachedEnd).toBe(true);
    expect(adapters.platform.seen).toHaveLength(1);
  });

  test('follows short and empty pages to the end, up to a limit per call', async () => {
    proves('Short, empty and missing pages');
    let cursor = NOW.getTime();
    adapters.platform.script(() => {
      cursor -= 60_000;
      return good({ videos: [], cursor, has_more: true });
    });
    const input = { window: week, cursor: null, limit: 100, withMetrics: true };
    const page = await adapters.providers.PROVIDER_B.listContent(access, input, call());
    expect(page).toMatchObject({ items: [], reachedEnd: false });
    expect(adapters.platform.seen).toHaveLength(5);
    serve(hourly(3));
    const next = await adapters.providers.PROVIDER_B.listContent(access, { ...input, cursor: page.cursor }, call());
    expect(next).toMatchObject({ items: expect.objectContaining({ length: 3 }), reachedEnd: true });
    expect(bodyOf(adapters.platform.seen[0] as Seen).cursor).toBe(cursor + 1000);
  });

  test('does not stop at an old post among newer ones', async () => {
    proves('Order, and old posts among new ones');
    const pinned = video(999, 40 * DAY);
    const [first, ...rest] = hourly(5);
    adapters.platform.script(
      good({ videos: [pinned, first], cursor: secondsAgo(3600) * 1000, has_more: true }),
      good({ videos: rest, cursor: 0, has_more: false }),
    );
    const { items, reachedEnd } = await scan();
    expect(idsOf(items)).toEqual(hourly(5).map(({ id }) => id));
    expect(reachedEnd).toBe(true);
  });

  test('stops at a cursor that does not advance, and reports an incomplete listing', async () => {
    proves('Invalid and stuck cursors');
    const cursor = secondsAgo(3600) * 1000;
    adapters.platform.script(good({ videos: hourly(1), cursor, has_more: true }));
    expect(await scan()).toMatchObject({ cursor: null, reachedEnd: false });
    expect(adapters.platform.seen).toHaveLength(3);
  });

  test('treats a missing list as an empty one', async () => {
    proves('Short, empty and missing pages');
    adapters.platform.script(good({ cursor: 0, has_more: false }));
    expect(await scan()).toEqual({ items: [], cursor: null, reachedEnd: true });
  });

  test('refuses a foreign cursor', async () => {
    proves('Invalid and stuck cursors');
    for (const cursor of ['', '17', '{}', '{"before":"x"}']) {
      const input = { window: week, cursor, limit: 10, withMetrics: false };
      expect(await failureOf(adapters.providers.PROVIDER_B.listContent(access, input, call()))).toMatchObject({
        type: 'ContractBroken',
      });
    }
  });
});

describe('a post', () => {
  const read = async (object: object, withMetrics = true) => {
    adapters.platform.script(good({ videos: [{ id: '7431298765012345678', create_time: secondsAgo(60), ...object }] }));
    const input = { providerContentIds: ['7431298765012345678'], withMetrics };
    const [item] = await adapters.providers.PROVIDER_B.readContent(access, input, call());
    return item;
  };

  test('has its four counts, to the last digit', async () => {
    proves('Metrics, with their source');
    adapters.platform.script({
      body: `{"data":{"videos":[{"id":7431298765012345678,"create_time":1763985600,"view_count":9007199254740993,
        "like_count":0,"comment_count":64,"share_count":23}]},"error":{"code":"ok"}}`,
    });
    const input = { providerContentIds: ['7431298765012345678'], withMetrics: true };
    const [item] = await adapters.providers.PROVIDER_B.readContent(access, input, call());
    expect(item?.metrics).toEqual([
      { name: 'VIEWS', value: '9007199254740993', availability: 'AVAILABLE', reason: null, sourceField: 'view_count' },
      { name: 'LIKES', value: '0', availability: 'AVAILABLE', reason: null, sourceField: 'like_count' },
      { name: 'COMMENTS', value: '64', availability: 'AVAILABLE', reason: null, sourceField: 'comment_count' },
      { name: 'SHARES', value: '23', availability: 'AVAILABLE', reason: null, sourceField: 'share_count' },
    ]);
    expect(adapters.platform.seen[0]).toMatchObject({
      path: '/b/open/v2/video/query/',
      body: '{"filters":{"video_ids":["7431298765012345678"]}}',
    });
  });

  test('has an unavailable metric if a count is missing', async () => {
    proves('A missing metric is not zero');
    const item = await read({ like_count: null });
    expect(item?.metrics).toMatchObject(
      ['VIEWS', 'LIKES', 'COMMENTS', 'SHARES'].map((name) => ({
        name,
        value: null,
        availability: 'UNAVAILABLE',
        reason: 'NOT_SHOWN',
      })),
    );
  });

  test('is read without counts if no metrics are wanted', async () => {
    expect((await read({}, false))?.metrics).toEqual([]);
    expect(adapters.platform.seen[0]?.query.fields).toBe(
      'id,create_time,title,video_description,share_url,cover_image_url',
    );
  });

  test('has the platform’s URL, with its label of origin', async () => {
    proves('Canonical URL');
    const share_url =
      'https://www.tiktok.com/@h/video/7431298765012345678?utm_campaign=tt4d_open_api&utm_source=us&lang=de';
    expect(await read({ share_url })).toMatchObject({ kind: 'VIDEO', canonicalUrl: share_url });
  });

  test('is of unknown kind if its URL contains photo', async () => {
    proves('Kind');
    expect(await read({ share_url: 'https://www.tiktok.com/@h/photo/7431298765012345678' })).toMatchObject({
      kind: 'UNKNOWN',
    });
  });

  test('reads an empty title as none', async () => {
    proves('Title, description, thumbnail');
    expect(await read({ title: '', video_description: 'caption' })).toMatchObject({
      title: null,
      description: 'caption',
    });
  });

  test('is not requested without an id', async () => {
    adapters.platform.script(good({ videos: [] }));
    const input = { providerContentIds: [], withMetrics: true };
    expect(await adapters.providers.PROVIDER_B.readContent(access, input, call())).toEqual([]);
    expect(adapters.platform.seen).toHaveLength(0);
  });
});

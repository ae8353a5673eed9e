import { describe, expect, test } from 'vitest';
import type { Content } from '../../../src/providers/provider.ts';
import { access as accessOf, call, DAY_MS, NOW, type Seen, useAdapters } from '../../kit/fake-platform.ts';

const adapters = useAdapters();

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
  test('follows short and empty pages to the end, up to a limit per call', async () => {
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
    const cursor = secondsAgo(3600) * 1000;
    adapters.platform.script(good({ videos: hourly(1), cursor, has_more: true }));
    expect(await scan()).toMatchObject({ cursor: null, reachedEnd: false });
    expect(adapters.platform.seen).toHaveLength(3);
  });

  test('treats a missing list as an empty one', async () => {
    adapters.platform.script(good({ cursor: 0, has_more: false }));
    expect(await scan()).toEqual({ items: [], cursor: null, reachedEnd: true });
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
    const asked = adapters.platform.seen[0]?.query.fields?.split(',') ?? [];
    expect(asked).toEqual(expect.arrayContaining(['id', 'create_time', 'share_url']));
    expect(asked.filter((field) => field.endsWith('_count'))).toEqual([]);
  });

  test('has the platform’s URL, with its label of origin', async () => {
    const share_url =
      'https://www.tiktok.com/@h/video/7431298765012345678?utm_campaign=tt4d_open_api&utm_source=us&lang=de';
    expect(await read({ share_url })).toMatchObject({ kind: 'VIDEO', canonicalUrl: share_url });
  });

  test('is of unknown kind if its URL contains photo', async () => {
    expect(await read({ share_url: 'https://www.tiktok.com/@h/photo/7431298765012345678' })).toMatchObject({
      kind: 'UNKNOWN',
    });
  });

  test('reads an empty title as none', async () => {
    expect(await read({ title: '', video_description: 'caption' })).toMatchObject({
      title: null,
      description: 'caption',
    });
  });
});

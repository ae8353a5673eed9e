import { describe, expect, test } from 'vitest';
import { access as accessOf, call, DAY_MS, idsOf, listPosts, NOW, useAdapters } from '../../kit/fake-platform.ts';

const adapters = useAdapters();

const access = accessOf(['user.info.basic', 'video.list']);
const secondsAgo = (seconds: number) => NOW.getTime() / 1000 - seconds;
const DAY = DAY_MS / 1000;
const week = { publishedAfter: new Date(NOW.getTime() - 7 * DAY_MS), publishedBefore: NOW };

const video = (number: number, ageSeconds: number) => ({
  id: String(7431298765012345000n + BigInt(number)),
  create_time: secondsAgo(ageSeconds),
});
const hourly = (count: number) => Array.from({ length: count }, (_, index) => video(index, (index + 1) * 3600));

const good = (data: object) => ({ body: { data, error: { code: 'ok', message: '', log_id: '1' } } });

const scan = () => listPosts(adapters.providers.PROVIDER_B, access, week);

describe('listing', () => {
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
});

describe('a post', () => {
  const read = async (object: object, withMetrics = true) => {
    adapters.platform.script(good({ videos: [{ id: '7431298765012345678', create_time: secondsAgo(60), ...object }] }));
    const input = { providerContentIds: ['7431298765012345678'], withMetrics };
    const [item] = await adapters.providers.PROVIDER_B.readContent(access, input, call());
    return item;
  };

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

  test('is of unknown kind if its URL contains photo', async () => {
    expect(await read({ share_url: 'https://www.tiktok.com/@h/photo/7431298765012345678' })).toMatchObject({
      kind: 'UNKNOWN',
    });
  });
});

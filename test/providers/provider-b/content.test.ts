import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Content } from '../../../src/providers/provider.ts';
import { access as accessOf, call, DAY_MS, failureOf, NOW, openAdapters, type Seen } from '../far-side.ts';

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

/** Answers as the API does: what was published before the cursor, newest first. */
function serve(videos: readonly Video[]) {
  adapters.farSide.script((request) => {
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
  test('reads 100 posts in five calls', async () => {
    serve(hourly(300));
    const { items, cursor } = await scan();
    expect(idsOf(items)).toEqual(hourly(100).map(({ id }) => id));
    expect(cursor).not.toBeNull();
    expect(adapters.farSide.seen).toHaveLength(5);
    expect(adapters.farSide.seen.map((request) => bodyOf(request).max_count)).toEqual([20, 20, 20, 20, 20]);
    expect(bodyOf(adapters.farSide.seen[0] as Seen).cursor).toBe(NOW.getTime());
  });

  test('asks for no more than is wanted', async () => {
    serve(hourly(30));
    expect((await scan(7)).items).toHaveLength(7);
    expect(adapters.farSide.seen.map((request) => bodyOf(request).max_count)).toEqual([7]);
  });

  test('stops when what follows is older than the window, and keeps to both its edges', async () => {
    const [first, second, third] = [video(1, 0), video(2, 7 * DAY), video(3, 7 * DAY + 1)];
    serve([first, second, third, ...hourly(50).map((one) => ({ ...one, create_time: one.create_time - 8 * DAY }))]);
    const { items, reachedEnd } = await scan();
    expect(idsOf(items)).toEqual([second.id]);
    expect(reachedEnd).toBe(true);
    expect(adapters.farSide.seen).toHaveLength(1);
  });

  test('follows short and empty pages to the end, a bounded number of them in one call', async () => {
    let cursor = NOW.getTime();
    adapters.farSide.script(() => {
      cursor -= 60_000;
      return good({ videos: [], cursor, has_more: true });
    });
    const input = { window: week, cursor: null, limit: 100, withMetrics: true };
    const page = await adapters.providers.PROVIDER_B.listContent(access, input, call());
    expect(page).toMatchObject({ items: [], reachedEnd: false });
    expect(adapters.farSide.seen).toHaveLength(5);
    serve(hourly(3));
    const next = await adapters.providers.PROVIDER_B.listContent(access, { ...input, cursor: page.cursor }, call());
    expect(next).toMatchObject({ items: expect.objectContaining({ length: 3 }), reachedEnd: true });
    expect(bodyOf(adapters.farSide.seen[0] as Seen).cursor).toBe(cursor);
  });

  test('does not stop at an old post among newer ones', async () => {
    const pinned = video(999, 40 * DAY);
    const [first, ...rest] = hourly(5);
    adapters.farSide.script(
      good({ videos: [pinned, first], cursor: secondsAgo(3600) * 1000, has_more: true }),
      good({ videos: rest, cursor: 0, has_more: false }),
    );
    const { items, reachedEnd } = await scan();
    expect(idsOf(items)).toEqual(hourly(5).map(({ id }) => id));
    expect(reachedEnd).toBe(true);
  });

  test('gives up, honestly, on a cursor that does not move', async () => {
    const cursor = secondsAgo(3600) * 1000;
    adapters.farSide.script(good({ videos: hourly(1), cursor, has_more: true }));
    expect(await scan()).toMatchObject({ cursor: null, reachedEnd: false });
    expect(adapters.farSide.seen).toHaveLength(2);
  });

  test('takes a missing list for an empty one', async () => {
    adapters.farSide.script(good({ cursor: 0, has_more: false }));
    expect(await scan()).toEqual({ items: [], cursor: null, reachedEnd: true });
  });

  test('refuses a cursor it never wrote', async () => {
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
    adapters.farSide.script(good({ videos: [{ id: '7431298765012345678', create_time: secondsAgo(60), ...object }] }));
    const input = { providerContentIds: ['7431298765012345678'], withMetrics };
    const [item] = await adapters.providers.PROVIDER_B.readContent(access, input, call());
    return item;
  };

  test('has its four counts, to the last digit', async () => {
    adapters.farSide.script({
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
    expect(adapters.farSide.seen[0]).toMatchObject({
      path: '/b/open/v2/video/query/',
      body: '{"filters":{"video_ids":["7431298765012345678"]}}',
    });
  });

  test('has an unavailable metric where a count is missing', async () => {
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

  test('asks for no counts where nobody wants them', async () => {
    expect((await read({}, false))?.metrics).toEqual([]);
    expect(adapters.farSide.seen[0]?.query.fields).toBe(
      'id,create_time,title,video_description,share_url,cover_image_url',
    );
  });

  test('has a URL without what it says about us, and other parameters kept', async () => {
    const share_url = 'https://www.tiktok.com/@h/video/7431298765012345678?utm_campaign=tt4d&utm_source=us&lang=de';
    expect(await read({ share_url })).toMatchObject({
      kind: 'VIDEO',
      canonicalUrl: 'https://www.tiktok.com/@h/video/7431298765012345678?lang=de',
    });
  });

  test('is of unknown kind when its URL says photo', async () => {
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

  test('is not asked for when there is no id', async () => {
    adapters.farSide.script(good({ videos: [] }));
    const input = { providerContentIds: [], withMetrics: true };
    expect(await adapters.providers.PROVIDER_B.readContent(access, input, call())).toEqual([]);
    expect(adapters.farSide.seen).toHaveLength(0);
  });
});

describe('lookup', () => {
  const ID = '7431298765012345678';
  const lookUp = async (url: string) =>
    await adapters.providers.PROVIDER_B.lookUp(access, { url, cursor: null, withMetrics: false }, call());
  const post = good({ videos: [{ id: ID, create_time: secondsAgo(60) }] });
  const redirect = (location: string) => ({ status: 301, headers: { location } });

  test.each([
    `https://www.tiktok.com/@harbour.kitchen/video/${ID}?lang=de&_r=1`,
    `https://tiktok.com/@h/video/${ID}/`,
    `https://m.tiktok.com/@h/photo/${ID}`,
    `https://m.tiktok.com/v/${ID}.html`,
    `https://www.tiktok.com/embed/v2/${ID}`,
    `https://www.tiktok.com/player/v1/${ID}`,
  ])('finds %s in one call', async (url) => {
    adapters.farSide.script(post);
    expect(await lookUp(url)).toMatchObject({ kind: 'found', content: { providerContentId: ID } });
    expect(adapters.farSide.seen).toHaveLength(1);
  });

  test.each([
    ['https://vm.tiktok.com/ZExample1/', '/b/www/t/ZExample1/'],
    ['https://vt.tiktok.com/ZExample1', '/b/www/t/ZExample1'],
    ['https://www.tiktok.com/t/ZExample1/', '/b/www/t/ZExample1/'],
  ])('follows %s by hand, without a cookie or token', async (url, path) => {
    adapters.farSide.script(redirect('/t/ZOther12/'), redirect(`https://www.tiktok.com/@/video/${ID}?_r=1`), post);
    expect(await lookUp(url)).toMatchObject({ kind: 'found' });
    const [first, second] = adapters.farSide.seen;
    expect(first?.path).toBe(path);
    expect(first?.headers).not.toHaveProperty('authorization');
    expect(second?.headers).not.toHaveProperty('cookie');
    expect(adapters.farSide.seen).toHaveLength(3);
  });

  test.each([
    ['another host', 'https://example.com/@h/video/7431298765012345678'],
    ['a host that only looks alike', 'https://www.tiktok.com.example/@h/video/7431298765012345678'],
    ['plain http', 'http://www.tiktok.com/@h/video/7431298765012345678'],
    ['another port', 'https://www.tiktok.com:8443/@h/video/7431298765012345678'],
    ['credentials', 'https://user@www.tiktok.com/@h/video/7431298765012345678'],
    ['the login page', 'https://www.tiktok.com/login?redirect_url=x'],
    ['a shop', 'https://shop.tiktok.com/view/product/1729400000000000000'],
    ['a live stream', 'https://www.tiktok.com/@h/live'],
    ['nothing that is a URL', 'https://'],
  ])('follows a short link no further than to %s', async (_name, location) => {
    adapters.farSide.script(redirect(location));
    expect(await failureOf(lookUp('https://vm.tiktok.com/ZExample1/'))).toMatchObject({ type: 'UnsupportedUrl' });
    expect(adapters.farSide.seen).toHaveLength(1);
  });

  test('follows no more than five hops', async () => {
    adapters.farSide.script(redirect('https://vm.tiktok.com/ZLoop123/'));
    expect(await failureOf(lookUp('https://vm.tiktok.com/ZLoop123/'))).toMatchObject({ type: 'UnsupportedUrl' });
    expect(adapters.farSide.seen).toHaveLength(5);
  });

  test('takes a short link that leads to a page of its own for unsupported, one that is gone for absent', async () => {
    adapters.farSide.script({ status: 200, body: '<html>' });
    expect(await failureOf(lookUp('https://vm.tiktok.com/ZExample1/'))).toMatchObject({ type: 'UnsupportedUrl' });
    adapters.farSide.script({ status: 404, body: '' });
    expect(await lookUp('https://vm.tiktok.com/ZExample1/')).toEqual({ kind: 'absent' });
    adapters.farSide.script({ status: 503, body: '' });
    expect(await failureOf(lookUp('https://vm.tiktok.com/ZExample1/'))).toMatchObject({ type: 'RetryLater' });
  });

  test.each([
    'https://www.tiktok.com/@harbourkitchen',
    'https://www.tiktok.com/@h/live',
    'https://www.tiktok.com/@h/video/123',
    'https://www.tiktok.com/tag/harbour',
    `https://vm.tiktok.com/@h/video/${ID}/x`,
    `http://www.tiktok.com/@h/video/${ID}`,
    `https://www.tiktok.com.example/@h/video/${ID}`,
    'https://127.0.0.1/t/ZExample1',
    'not a url',
  ])('refuses %s without a call', async (url) => {
    adapters.farSide.script(post);
    expect(await failureOf(lookUp(url))).toMatchObject({ type: 'UnsupportedUrl' });
    expect(adapters.farSide.seen).toHaveLength(0);
  });

  test('does not find what is gone, private or somebody else’s: all three are silently missing', async () => {
    adapters.farSide.script(good({ videos: [] }));
    expect(await lookUp(`https://www.tiktok.com/@h/video/${ID}`)).toEqual({ kind: 'absent' });
  });
});

describe('account', () => {
  const user = {
    open_id: '-000a',
    display_name: 'Harbour',
    avatar_url: 'https://p16.example/168',
    username: 'harbour',
  };

  test('asks for exactly the fields that were granted', async () => {
    adapters.farSide.script(good({ user }));
    const { PROVIDER_B } = adapters.providers;
    await PROVIDER_B.readAccount(accessOf(['user.info.basic']), call());
    await PROVIDER_B.readAccount(accessOf(['user.info.basic', 'user.info.profile']), call());
    expect(adapters.farSide.seen.map(({ query }) => query.fields)).toEqual([
      'open_id,display_name,avatar_url,avatar_large_url',
      'open_id,display_name,avatar_url,avatar_large_url,username,bio_description,profile_deep_link',
    ]);
  });

  test('falls back to the smaller picture and to a profile URL made of the name', async () => {
    adapters.farSide.script(good({ user }));
    expect(await adapters.providers.PROVIDER_B.readAccount(access, call())).toEqual({
      providerAccountId: '-000a',
      aliasIds: [],
      profile: {
        displayName: 'Harbour',
        handle: 'harbour',
        avatarUrl: 'https://p16.example/168',
        profileUrl: 'https://www.tiktok.com/@harbour',
        description: null,
      },
    });
  });

  test('cannot be read without the basic permission, and is not asked for', async () => {
    adapters.farSide.script(good({ user }));
    expect(await failureOf(adapters.providers.PROVIDER_B.readAccount(accessOf(['video.list']), call()))).toMatchObject({
      type: 'PermissionMissing',
    });
    expect(adapters.farSide.seen).toHaveLength(0);
  });
});

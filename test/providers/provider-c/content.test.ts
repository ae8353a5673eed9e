import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Content } from '../../../src/providers/provider.ts';
import { access as accessOf, call, DAY_MS, failureOf, NOW, openAdapters, type Seen } from '../far-side.ts';

let adapters: Awaited<ReturnType<typeof openAdapters>>;
beforeAll(async () => {
  adapters = await openAdapters();
});
afterAll(async () => await adapters.close());

const BASIC = 'instagram_business_basic';
const access = accessOf([BASIC, 'instagram_business_manage_insights']);
const basicAccess = accessOf([BASIC]);
const week = { publishedAfter: new Date(NOW.getTime() - 7 * DAY_MS), publishedBefore: NOW };

interface Post {
  readonly id: string;
  readonly shortcode: string;
  readonly at: Date;
}
const post = (number: number, ageMs = (number + 1) * 60_000): Post => ({
  id: String(17900000000000001n + BigInt(number)),
  shortcode: `DExAmP${String(number).padStart(5, '0')}`,
  at: new Date(NOW.getTime() - ageMs),
});
const range = (count: number) => Array.from({ length: count }, (_, index) => post(index));
const wire = ({ id, shortcode, at }: Post) => ({
  id,
  caption: `caption of ${shortcode}`,
  media_type: 'CAROUSEL_ALBUM',
  permalink: `https://www.instagram.com/p/${shortcode}/`,
  media_url: 'https://scontent.example/1.jpg?oe=1',
  timestamp: at.toISOString().replace('.000Z', '+0000'),
  like_count: 811,
  comments_count: 64,
});

const refusal = (code: number, more: object = {}) => ({
  status: 400,
  body: { error: { message: '', type: 'OAuthException', code, ...more } },
});
const insights = (views: number | null, shares: number | null) => ({
  body: {
    data: [
      ...(views === null ? [] : [{ name: 'views', period: 'lifetime', values: [{ value: views }] }]),
      ...(shares === null ? [] : [{ name: 'shares', period: 'lifetime', values: [{ value: shares }] }]),
    ],
  },
});

/** Answers as the API does for an account with these posts; cursors are offsets. */
function list(posts: readonly Post[], { query }: Seen) {
  const start = Number(query.after ?? 0);
  const end = start + Number(query.limit);
  const next = `https://graph.instagram.com/v25.0/1/media?access_token=SECRETMARK&after=${end}`;
  const paging = { cursors: { before: 'x', after: String(end) }, ...(end < posts.length ? { next } : {}) };
  return { body: { data: posts.slice(start, end).map(wire), ...(posts.length > 0 ? { paging } : {}) } };
}
function serve(posts: readonly Post[]) {
  adapters.farSide.script((request) =>
    request.path.endsWith('/insights') ? insights(15230, 23) : list(posts, request),
  );
}
const lists = () => adapters.farSide.seen.filter(({ path }) => path.endsWith('/me/media'));
const idsOf = (items: readonly Content[]) => items.map((item) => item.providerContentId);

async function scan({ limit = 100, withMetrics = false, pageLimit = limit, who = access } = {}) {
  const items: Content[] = [];
  let cursor: string | null = null;
  for (let pages = 0; pages < 200; pages++) {
    const input = { window: week, cursor, limit: Math.min(pageLimit, limit - items.length), withMetrics };
    const page = await adapters.providers.PROVIDER_C.listContent(who, input, call());
    items.push(...page.items);
    cursor = page.cursor;
    if (cursor === null || items.length >= limit) return { items, cursor, reachedEnd: page.reachedEnd };
  }
  throw new Error('The listing does not end.');
}

describe('listing', () => {
  test('reads 100 posts in two calls, and one more for each whose views and shares are wanted', async () => {
    serve(range(300));
    expect(idsOf((await scan()).items)).toEqual(range(100).map(({ id }) => id));
    expect(adapters.farSide.seen).toHaveLength(2);
    serve(range(300));
    expect((await scan({ withMetrics: true })).items).toHaveLength(100);
    expect(adapters.farSide.seen).toHaveLength(102);
  });

  test('continues by cursor, never by the URL in paging.next', async () => {
    serve(range(60));
    const { items, reachedEnd } = await scan();
    expect(items).toHaveLength(60);
    expect(reachedEnd).toBe(true);
    expect(lists().map(({ path, query }) => [path, query.after, query.access_token])).toEqual([
      ['/c/graph/v25.0/me/media', undefined, undefined],
      ['/c/graph/v25.0/me/media', '50', undefined],
    ]);
    expect(adapters.farSide.seen[0]?.headers.authorization).toBe('Bearer SECRETMARK-access');
  });

  test('hints at the window in whole seconds, and filters by itself all the same', async () => {
    const [early, late] = [post(1, 7 * DAY_MS), post(2, 7 * DAY_MS + 1000)];
    serve([post(0, 0), early, late]);
    expect(idsOf((await scan()).items)).toEqual([early.id]);
    const since = NOW.getTime() / 1000 - 7 * 86400;
    expect(lists()[0]?.query).toMatchObject({ since: String(since), until: String(since + 7 * 86400 + 1) });
  });

  test('does not stop at a pinned old post, but at a whole page of old ones', async () => {
    const old = Array.from({ length: 200 }, (_, index) => post(1000 + index, (8 + index) * DAY_MS));
    const [pinned = post(0), ...rest] = old;
    serve([pinned, ...range(60), ...rest]);
    const { items, reachedEnd } = await scan();
    expect(idsOf(items)).toEqual(range(60).map(({ id }) => id));
    expect(reachedEnd).toBe(true);
    expect(lists()).toHaveLength(3);
  });

  test('goes on where an earlier call broke off in the middle of a page', async () => {
    serve(range(70));
    expect(idsOf((await scan({ pageLimit: 7 })).items)).toEqual(range(70).map(({ id }) => id));
  });

  test('repeats with the least fields when one is refused, and remembers it', async () => {
    adapters.farSide.script((request) =>
      request.query.fields?.includes('caption') ? refusal(100) : list(range(120), request),
    );
    const { items } = await scan();
    expect(items).toHaveLength(100);
    expect(lists().map(({ query }) => [query.fields?.includes('caption'), query.since === undefined])).toEqual([
      [true, false],
      [false, true],
      [false, true],
    ]);
  });

  test('ends at a page without posts or paging', async () => {
    serve([]);
    expect(await scan()).toEqual({ items: [], cursor: null, reachedEnd: true });
  });

  test('says so when the provider’s own limit, or a cursor that does not move, ended it', async () => {
    const input = (read: number, after: string) => ({
      window: week,
      cursor: JSON.stringify({ after, read, isPlain: false, lastId: null }),
      limit: 100,
      withMetrics: false,
    });
    serve(range(50));
    const atLimit = await adapters.providers.PROVIDER_C.listContent(access, input(9_960, '10'), call());
    expect(atLimit).toMatchObject({ cursor: null, reachedEnd: false });
    adapters.farSide.script({
      body: { data: [wire(post(0))], paging: { cursors: { after: 'same' }, next: 'https://x/' } },
    });
    const stuck = await adapters.providers.PROVIDER_C.listContent(access, input(50, 'same'), call());
    expect(stuck).toMatchObject({ cursor: null, reachedEnd: false });
  });

  test('refuses a cursor it never wrote', async () => {
    for (const cursor of ['', 'x', '{}', '{"after":1}']) {
      const input = { window: week, cursor, limit: 10, withMetrics: false };
      expect(await failureOf(adapters.providers.PROVIDER_C.listContent(access, input, call()))).toMatchObject({
        type: 'ContractBroken',
      });
    }
  });
});

describe('metrics', () => {
  const metricsOf = async (
    answers: (request: Seen) => { status?: number; body: unknown },
    { object = {}, who = access } = {},
  ) => {
    adapters.farSide.script((request) =>
      request.path.endsWith('/insights') ? answers(request) : { body: { ...wire(post(0)), ...object } },
    );
    const input = { providerContentIds: [post(0).id], withMetrics: true };
    const [item] = await adapters.providers.PROVIDER_C.readContent(who, input, call());
    return item?.metrics;
  };
  const asked = () =>
    adapters.farSide.seen.filter(({ path }) => path.endsWith('/insights')).map(({ query }) => query.metric);
  const available = { availability: 'AVAILABLE', reason: null };
  const unavailable = (reason: string) => ({ value: null, availability: 'UNAVAILABLE', reason });

  test('are all four, each with its source', async () => {
    expect(await metricsOf(() => insights(15230, 0))).toEqual([
      { name: 'LIKES', value: '811', sourceField: 'like_count', ...available },
      { name: 'COMMENTS', value: '64', sourceField: 'comments_count', ...available },
      { name: 'VIEWS', value: '15230', sourceField: 'insights.views', ...available },
      { name: 'SHARES', value: '0', sourceField: 'insights.shares', ...available },
    ]);
  });

  test('are likes and comments alone, without a call more, where insights were not granted', async () => {
    expect(await metricsOf(() => insights(1, 1), { who: basicAccess })).toEqual([
      { name: 'LIKES', value: '811', sourceField: 'like_count', ...available },
      { name: 'COMMENTS', value: '64', sourceField: 'comments_count', ...available },
      ...['VIEWS', 'SHARES'].map((name) => ({
        name,
        value: null,
        availability: 'NOT_GRANTED',
        reason: 'PERMISSION_NOT_GRANTED',
        sourceField: `insights.${name.toLowerCase()}`,
      })),
    ]);
    expect(asked()).toEqual([]);
  });

  test.each([
    ['no data', insights(null, null), 'NO_DATA_YET'],
    [
      'a post from before the account was professional',
      refusal(100, { error_subcode: 2108006 }),
      'BEFORE_PROFESSIONAL_ACCOUNT',
    ],
    [
      'too few viewers',
      refusal(10, { message: 'Not enough viewers for the media to show insights' }),
      'TOO_FEW_VIEWERS',
    ],
    ['a post that has gone meanwhile', refusal(100, { error_subcode: 33 }), 'NOT_SHOWN'],
  ])('are unavailable, not zero and not a failure, for %s', async (_name, answer, reason) => {
    const metrics = await metricsOf(() => answer);
    expect(metrics?.slice(2)).toMatchObject([
      { name: 'VIEWS', ...unavailable(reason) },
      { name: 'SHARES', ...unavailable(reason) },
    ]);
    expect(asked()).toEqual(['views,shares']);
  });

  test('are asked for one by one when one refused metric fails both', async () => {
    const metrics = await metricsOf(({ query }) =>
      query.metric?.includes('shares') ? refusal(100) : insights(7, null),
    );
    expect(metrics?.slice(2)).toMatchObject([
      { name: 'VIEWS', value: '7', availability: 'AVAILABLE' },
      { name: 'SHARES', ...unavailable('NOT_OFFERED_FOR_POST') },
    ]);
    expect(asked()).toEqual(['views,shares', 'views', 'shares']);
  });

  test('say not granted when the permission has been withdrawn since, and stop asking', async () => {
    adapters.farSide.script((request) => (request.path.endsWith('/insights') ? refusal(10) : list(range(50), request)));
    const { items } = await scan({ withMetrics: true });
    expect(items).toHaveLength(50);
    expect(items[49]?.metrics[2]).toMatchObject({ name: 'VIEWS', availability: 'NOT_GRANTED' });
    expect(asked()).toHaveLength(5);
  });

  test('are unavailable where likes are hidden or comments not shown', async () => {
    const metrics = await metricsOf(() => insights(1, 1), {
      object: { like_count: undefined, comments_count: undefined },
    });
    expect(metrics).toMatchObject([unavailable('HIDDEN_BY_OWNER'), unavailable('NOT_SHOWN'), available, available]);
  });

  test('fail as a whole when the limit is reached, with nothing left under way', async () => {
    adapters.farSide.script((request) =>
      request.path.endsWith('/insights') ? refusal(80002) : list(range(50), request),
    );
    expect(await failureOf(scan({ withMetrics: true }))).toMatchObject({ type: 'RetryLater', retryAfterSeconds: 3600 });
    expect(asked()).toHaveLength(5);
  });
});

describe('a post', () => {
  const read = async (object: object) => {
    adapters.farSide.script({ body: { ...wire(post(0)), ...object } });
    const input = { providerContentIds: [post(0).id], withMetrics: false };
    return (await adapters.providers.PROVIDER_C.readContent(access, input, call()))[0];
  };

  test('has no title, its caption as description, and a time whose zone lacks a colon', async () => {
    expect(await read({ timestamp: '2026-11-02T17:00:04+0000' })).toMatchObject({
      title: null,
      description: 'caption of DExAmP00000',
      canonicalUrl: 'https://www.instagram.com/p/DExAmP00000/',
      publishedAt: new Date('2026-11-02T17:00:04Z'),
    });
  });

  test.each([
    ['IMAGE', { media_url: 'https://i.example/1' }, 'IMAGE', 'https://i.example/1'],
    ['IMAGE', { media_url: undefined }, 'IMAGE', null],
    [
      'VIDEO',
      { media_url: 'https://v.example/1', thumbnail_url: 'https://i.example/2' },
      'VIDEO',
      'https://i.example/2',
    ],
    ['VIDEO', { media_url: 'https://v.example/1' }, 'VIDEO', null],
    ['CAROUSEL_ALBUM', {}, 'CAROUSEL', 'https://scontent.example/1.jpg?oe=1'],
    ['HOLOGRAM', { media_url: undefined }, 'UNKNOWN', null],
  ])('of type %s with %j is %s, shown by %s', async (media_type, object, kind, thumbnailUrl) => {
    expect(await read({ media_type, ...object })).toMatchObject({ kind, thumbnailUrl });
  });
});

describe('reading by id', () => {
  const read = async (ids: readonly string[]) =>
    idsOf(
      await adapters.providers.PROVIDER_C.readContent(access, { providerContentIds: ids, withMetrics: false }, call()),
    );
  const [one, two, three] = [post(1), post(2), post(3)];

  test('takes one call for many, in the order asked for', async () => {
    adapters.farSide.script({ body: { [two.id]: wire(two), [one.id]: wire(one) } });
    expect(await read([one.id, two.id])).toEqual([one.id, two.id]);
    expect(adapters.farSide.seen).toMatchObject([{ path: '/c/graph/v25.0/', query: { ids: `${one.id},${two.id}` } }]);
  });

  test.each([33, undefined])('asks one by one when one bad id fails them all (subcode %s)', async (error_subcode) => {
    adapters.farSide.script(({ path }) => {
      const found = [one, three].find(({ id }) => path.endsWith(id));
      if (found !== undefined) return { body: wire(found) };
      return path.endsWith('/')
        ? refusal(error_subcode === undefined ? 803 : 100, { error_subcode })
        : refusal(100, { error_subcode: 33 });
    });
    expect(await read([one.id, two.id, three.id])).toEqual([one.id, three.id]);
  });

  test('asks nothing for nothing', async () => {
    adapters.farSide.script({});
    expect(await read([])).toEqual([]);
    expect(adapters.farSide.seen).toHaveLength(0);
  });
});

describe('lookup', () => {
  const step = async (url: string, cursor: string | null = null) =>
    await adapters.providers.PROVIDER_C.lookUp(access, { url, cursor, withMetrics: false }, call());
  async function lookUp(url: string) {
    let current = await step(url);
    for (let steps = 0; current.kind === 'searching' && steps < 100; steps++) current = await step(url, current.cursor);
    return current;
  }

  test.each([
    'https://www.instagram.com/p/DExAmP00073/',
    'https://instagram.com/p/DExAmP00073?img_index=2&igsh=x&utm_source=y',
    'https://m.instagram.com/reel/DExAmP00073/',
    'https://www.instagram.com/reels/DExAmP00073/',
    'https://www.instagram.com/tv/DExAmP00073/',
    'https://www.instagram.com/harbour.kitchen/p/DExAmP00073/',
    'https://www.instagram.com/harbour.kitchen/reel/DExAmP00073/',
    'https://instagr.am/p/DExAmP00073/',
  ])('finds %s by searching the account’s posts', async (url) => {
    serve(range(120));
    expect(await lookUp(url)).toMatchObject({ kind: 'found', content: { providerContentId: post(73).id } });
    expect(lists()).toHaveLength(2);
  });

  test.each(['/share/p/BAabc12345/', '/share/reel/BAabc12345/', '/share/BAabc12345'])(
    'follows %s, once',
    async (path) => {
      adapters.farSide.script(
        { status: 302, headers: { location: 'https://www.instagram.com/p/DExAmP00073/?igsh=x' } },
        (request) => list(range(120), request),
      );
      expect(await lookUp(`https://www.instagram.com${path}`)).toMatchObject({ kind: 'found' });
      expect(adapters.farSide.seen.map((request) => request.path)).toEqual([
        `/c/www${path}`,
        '/c/graph/v25.0/me/media',
        '/c/graph/v25.0/me/media',
      ]);
    },
  );

  test('takes a share link that ends at a login page for unsupported', async () => {
    adapters.farSide.script({ status: 302, headers: { location: 'https://www.instagram.com/accounts/login/' } });
    expect(await failureOf(lookUp('https://www.instagram.com/share/p/BAabc12345/'))).toMatchObject({
      type: 'UnsupportedUrl',
    });
    expect(adapters.farSide.seen).toHaveLength(1);
  });

  test.each([
    'https://www.instagram.com/harbourkitchen/',
    'https://www.instagram.com/stories/harbourkitchen/3141592653589793238/',
    'https://www.instagram.com/explore/',
    'http://www.instagram.com/p/DExAmP00073/',
    'https://www.instagram.com.example/p/DExAmP00073/',
    'not a url',
  ])('refuses %s without a call', async (url) => {
    serve(range(1));
    expect(await failureOf(lookUp(url))).toMatchObject({ type: 'UnsupportedUrl' });
    expect(adapters.farSide.seen).toHaveLength(0);
  });

  test('searches a bounded number of the newest posts', async () => {
    serve(range(5_000));
    expect(await lookUp('https://www.instagram.com/p/NotAmongThem/')).toEqual({ kind: 'absent' });
    expect(lists()).toHaveLength(40);
  });

  test('ends where the posts end', async () => {
    serve(range(60));
    expect(await lookUp('https://www.instagram.com/p/NotAmongThem/')).toEqual({ kind: 'absent' });
    expect(lists()).toHaveLength(2);
  });
});

describe('account', () => {
  const me = {
    user_id: '17841400123456789',
    id: '24680135791357911',
    username: 'harbourkitchen',
    account_type: 'BUSINESS',
  };

  test('is the professional account, the app-scoped id its alias', async () => {
    adapters.farSide.script({ body: me });
    expect(await adapters.providers.PROVIDER_C.readAccount(access, call())).toEqual({
      providerAccountId: '17841400123456789',
      aliasIds: ['24680135791357911'],
      profile: {
        displayName: null,
        handle: 'harbourkitchen',
        avatarUrl: null,
        profileUrl: 'https://www.instagram.com/harbourkitchen/',
        description: null,
      },
    });
  });

  test('goes by the app-scoped id where there is no other, whatever JSON makes of it', async () => {
    adapters.farSide.script({ body: '{"id":24680135791357911,"username":"harbourkitchen"}' });
    expect(await adapters.providers.PROVIDER_C.readAccount(access, call())).toMatchObject({
      providerAccountId: '24680135791357911',
      aliasIds: [],
    });
  });

  test('is read with the least fields where one is refused', async () => {
    adapters.farSide.script((request) => (request.query.fields?.includes('biography') ? refusal(100) : { body: me }));
    expect((await adapters.providers.PROVIDER_C.readAccount(access, call())).profile.handle).toBe('harbourkitchen');
  });

  test('is unusable when it is a personal one', async () => {
    adapters.farSide.script({ body: { ...me, account_type: 'PERSONAL' } });
    expect(await failureOf(adapters.providers.PROVIDER_C.readAccount(access, call()))).toMatchObject({
      type: 'AccountUnusable',
    });
  });
});

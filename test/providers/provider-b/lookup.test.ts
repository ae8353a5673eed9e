import { expect, test } from 'vitest';
import { access as accessOf, call, failureOf, useAdapters } from '../../kit/fake-platform.ts';

const adapters = useAdapters();

const access = accessOf(['user.info.basic', 'video.list']);
const good = (data: object) => ({ body: { data, error: { code: 'ok', message: '', log_id: '1' } } });

const ID = '7431298765012345678';
const lookUp = async (url: string) =>
  await adapters.providers.PROVIDER_B.lookUp(access, { url, cursor: null, withMetrics: false }, call());
const post = good({ videos: [{ id: ID, create_time: 1_763_985_600 }] });
const redirect = (location: string) => ({ status: 301, headers: { location } });

test.each([
  `https://www.tiktok.com/@harbour.kitchen/video/${ID}?lang=de&_r=1`,
  `https://m.tiktok.com/@h/photo/${ID}`,
  `https://www.tiktok.com/player/v1/${ID}`,
  `https://lite.tiktok.com/@h/video/${ID}`,
  `https://www.tiktok.com/pt-BR/@h/photo/${ID}`,
  `https://www.tiktokv.com/share/video/${ID}/`,
  `https://www.tiktok.com/tiktokstudio/analytics/${ID}/overview`,
  `https://www.tiktok.com/foryou?is_from_webapp=v1&item_id=${ID}`,
  `https://www.tiktok.com/login?redirect_url=https%3A%2F%2Fwww.tiktok.com%2F%40h%2Fvideo%2F${ID}%3Flang%3Dde`,
  `(https://www.tiktok.com/@h/video/${ID}).`,
])('finds %s in one call', async (url) => {
  adapters.platform.script(post);
  expect(await lookUp(url)).toMatchObject({ kind: 'found', content: { providerContentId: ID } });
  expect(adapters.platform.seen).toHaveLength(1);
});

/** oEmbed's answer for an unknown link. */
const unknown = { status: 400, body: { code: 400, message: 'Something went wrong' } };

test.each([
  ['its own field', { embed_product_id: ID, html: '' }],
  [
    'the embed code',
    { type: 'video', html: `<blockquote cite="https://www.tiktok.com/@h" data-video-id="${ID}"></blockquote>` },
  ],
])('asks oEmbed for the post behind a short link, by %s', async (_name, body) => {
  for (const url of ['https://vm.tiktok.com/ZExample1/', 'https://www.tiktok.com/t/ZExample1/']) {
    adapters.platform.script({ body }, post);
    expect(await lookUp(url)).toMatchObject({ kind: 'found', content: { providerContentId: ID } });
    const [first] = adapters.platform.seen;
    expect(first).toMatchObject({ path: '/b/www/oembed', query: { url } });
    expect(first?.headers).not.toHaveProperty('authorization');
    expect(adapters.platform.seen).toHaveLength(2);
  }
});

test.each([
  ['https://vm.tiktok.com/ZExample1/', '/b/www/t/ZExample1/'],
  ['https://vt.tiktok.com/ZExample1', '/b/www/t/ZExample1'],
  ['https://www.tiktok.com/t/ZExample1/', '/b/www/t/ZExample1/'],
])('follows %s if oEmbed does not know it, without the headers of a browser', async (url, path) => {
  adapters.platform.script(
    unknown,
    redirect('https://www.tiktok.com/t/ZOther12/'),
    redirect(`https://www.tiktok.com/@/video/${ID}?_r=1`),
    post,
  );
  expect(await lookUp(url)).toMatchObject({ kind: 'found' });
  const [, first, second] = adapters.platform.seen;
  expect(first?.path).toBe(path);
  expect(Object.keys(first?.headers ?? {}).toSorted()).toEqual([
    'accept',
    'accept-encoding',
    'connection',
    'host',
    'user-agent',
  ]);
  expect(first?.headers['user-agent']).toBe('adapter-tests/1');
  expect(second?.headers).not.toHaveProperty('cookie');
  expect(adapters.platform.seen).toHaveLength(4);
});

test.each([
  ['another host', 'https://example.com/@h/video/7431298765012345678'],
  ['a look-alike host', 'https://www.tiktok.com.example/@h/video/7431298765012345678'],
  ['plain http', 'http://www.tiktok.com/@h/video/7431298765012345678'],
  ['credentials', 'https://user@www.tiktok.com/@h/video/7431298765012345678'],
  ['a login page that leads elsewhere', 'https://www.tiktok.com/login?redirect_url=x'],
])('follows a short link no further than to %s', async (_name, location) => {
  adapters.platform.script(unknown, redirect(location));
  expect(await failureOf(lookUp('https://vm.tiktok.com/ZExample1/'))).toMatchObject({ type: 'UnsupportedUrl' });
  expect(adapters.platform.seen).toHaveLength(2);
});

test('follows at most five hops', async () => {
  adapters.platform.script(unknown, redirect('https://vm.tiktok.com/ZLoop123/'));
  expect(await failureOf(lookUp('https://vm.tiktok.com/ZLoop123/'))).toMatchObject({ type: 'UnsupportedUrl' });
  expect(adapters.platform.seen).toHaveLength(6);
});

test('reports a dead short link as absent, and asks again later while the platform is down', async () => {
  adapters.platform.script(unknown, { status: 404, body: '' });
  expect(await lookUp('https://vm.tiktok.com/ZExample1/')).toEqual({ kind: 'absent' });
  for (const [status, type] of [
    [503, 'RetryLater'],
    [429, 'PlatformLimit'],
  ] as const) {
    for (const answers of [[{ status, body: '' }], [unknown, { status, body: '' }]]) {
      adapters.platform.script(...answers);
      expect(await failureOf(lookUp('https://vm.tiktok.com/ZExample1/'))).toMatchObject({ type });
    }
  }
});

test.each([
  'https://www.tiktok.com/@harbourkitchen',
  'https://www.tiktok.com/tag/harbour',
  `https://www.tiktok.com/login?redirect_url=https%3A%2F%2Fevil.example%2F%40h%2Fvideo%2F${ID}`,
  `http://www.tiktok.com/@h/video/${ID}`,
  `https://www.tiktok.com.example/@h/video/${ID}`,
])('refuses %s without a call', async (url) => {
  adapters.platform.script(post);
  expect(await failureOf(lookUp(url))).toMatchObject({ type: 'UnsupportedUrl' });
  expect(adapters.platform.seen).toHaveLength(0);
});

test('does not find deleted, private or foreign posts: the answer omits all three', async () => {
  adapters.platform.script(good({ videos: [] }));
  expect(await lookUp(`https://www.tiktok.com/@h/video/${ID}`)).toEqual({ kind: 'absent', providerContentId: ID });
});

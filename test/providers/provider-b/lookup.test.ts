import { afterAll, beforeAll, expect, test } from 'vitest';
import { access as accessOf, call, failureOf, openAdapters } from '../../kit/fake-platform.ts';
import { proves } from '../../kit/proofs.ts';

let adapters: Awaited<ReturnType<typeof openAdapters>>;
beforeAll(async () => {
  adapters = await openAdapters();
});
afterAll(async () => await adapters.close());

const access = accessOf(['user.info.basic', 'video.list']);
const good = (data: object) => ({ body: { data, error: { code: 'ok', message: '', log_id: '1' } } });

const ID = '7431298765012345678';
const lookUp = async (url: string) =>
  await adapters.providers.PROVIDER_B.lookUp(access, { url, cursor: null, withMetrics: false }, call());
const post = good({ videos: [{ id: ID, create_time: 1_763_985_600 }] });
const redirect = (location: string) => ({ status: 301, headers: { location } });

test.each([
  `https://www.tiktok.com/@harbour.kitchen/video/${ID}?lang=de&_r=1`,
  `https://tiktok.com/@h/video/${ID}/`,
  `https://m.tiktok.com/@h/photo/${ID}`,
  `https://m.tiktok.com/v/${ID}.html`,
  `https://www.tiktok.com/embed/v2/${ID}`,
  `https://www.tiktok.com/player/v1/${ID}`,
])('finds %s in one call', async (url) => {
  proves('Every form');
  adapters.platform.script(post);
  expect(await lookUp(url)).toMatchObject({ kind: 'found', content: { providerContentId: ID } });
  expect(adapters.platform.seen).toHaveLength(1);
});

test.each([
  ['https://vm.tiktok.com/ZExample1/', '/b/www/t/ZExample1/'],
  ['https://vt.tiktok.com/ZExample1', '/b/www/t/ZExample1'],
  ['https://www.tiktok.com/t/ZExample1/', '/b/www/t/ZExample1/'],
])('follows %s itself, without a cookie or token', async (url, path) => {
  proves('Short links, along an allow-list');
  adapters.platform.script(
    redirect('https://www.tiktok.com/t/ZOther12/'),
    redirect(`https://www.tiktok.com/@/video/${ID}?_r=1`),
    post,
  );
  expect(await lookUp(url)).toMatchObject({ kind: 'found' });
  const [first, second] = adapters.platform.seen;
  expect(first?.path).toBe(path);
  expect(first?.headers).not.toHaveProperty('authorization');
  expect(second?.headers).not.toHaveProperty('cookie');
  expect(adapters.platform.seen).toHaveLength(3);
});

test.each([
  ['another host', 'https://example.com/@h/video/7431298765012345678'],
  ['a look-alike host', 'https://www.tiktok.com.example/@h/video/7431298765012345678'],
  ['plain http', 'http://www.tiktok.com/@h/video/7431298765012345678'],
  ['another port', 'https://www.tiktok.com:8443/@h/video/7431298765012345678'],
  ['credentials', 'https://user@www.tiktok.com/@h/video/7431298765012345678'],
  ['the login page', 'https://www.tiktok.com/login?redirect_url=x'],
  ['a shop', 'https://shop.tiktok.com/view/product/1729400000000000000'],
  ['a live stream', 'https://www.tiktok.com/@h/live'],
  ['text that is not a URL', 'https://'],
])('follows a short link no further than to %s', async (_name, location) => {
  proves('Short links, along an allow-list');
  adapters.platform.script(redirect(location));
  expect(await failureOf(lookUp('https://vm.tiktok.com/ZExample1/'))).toMatchObject({ type: 'UnsupportedUrl' });
  expect(adapters.platform.seen).toHaveLength(1);
});

test('follows a relative redirect too', async () => {
  proves('Short links, along an allow-list');
  adapters.platform.script(redirect(`/@h/video/${ID}`), post);
  expect(await lookUp('https://www.tiktok.com/t/ZExample1/')).toMatchObject({ kind: 'found' });
});

test('follows at most five hops', async () => {
  proves('Short links, along an allow-list');
  adapters.platform.script(redirect('https://vm.tiktok.com/ZLoop123/'));
  expect(await failureOf(lookUp('https://vm.tiktok.com/ZLoop123/'))).toMatchObject({ type: 'UnsupportedUrl' });
  expect(adapters.platform.seen).toHaveLength(5);
});

test('treats a short link to another kind of page as unsupported, and a dead one as absent', async () => {
  adapters.platform.script({ status: 200, body: '<html>'.repeat(1_000_000) });
  expect(await failureOf(lookUp('https://vm.tiktok.com/ZExample1/'))).toMatchObject({ type: 'UnsupportedUrl' });
  adapters.platform.script({ status: 404, body: '' });
  expect(await lookUp('https://vm.tiktok.com/ZExample1/')).toEqual({ kind: 'absent' });
  adapters.platform.script({ status: 503, body: '' });
  expect(await failureOf(lookUp('https://vm.tiktok.com/ZExample1/'))).toMatchObject({ type: 'RetryLater' });
});

test.each([200, 403])('asks oEmbed where the platform answers %i with a page instead of a redirect', async (status) => {
  const page = { status, body: '<title>Verify to continue</title>' };
  adapters.platform.script(page, { body: { embed_product_id: ID, title: 'Mussels' } }, post);
  expect(await lookUp('https://vm.tiktok.com/ZExample1/')).toMatchObject({ kind: 'found' });
  expect(adapters.platform.seen[1]).toMatchObject({
    path: '/b/www/oembed',
    query: { url: 'https://vm.tiktok.com/ZExample1/' },
  });
  adapters.platform.script(page, { status: 400, body: { code: 400, message: 'Something went wrong' } });
  const type = status === 200 ? 'UnsupportedUrl' : 'RetryLater';
  expect(await failureOf(lookUp('https://vm.tiktok.com/ZExample1/'))).toMatchObject({ type, status });
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
  proves('URLs of no post');
  adapters.platform.script(post);
  expect(await failureOf(lookUp(url))).toMatchObject({ type: 'UnsupportedUrl' });
  expect(adapters.platform.seen).toHaveLength(0);
});

test('does not find deleted, private or foreign posts: the answer omits all three', async () => {
  proves('A foreign post, or a deleted one');
  adapters.platform.script(good({ videos: [] }));
  expect(await lookUp(`https://www.tiktok.com/@h/video/${ID}`)).toEqual({ kind: 'absent', providerContentId: ID });
});

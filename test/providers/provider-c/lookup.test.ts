import { describe, expect, test } from 'vitest';
import { call, failureOf, useAdapters } from '../../kit/fake-platform.ts';
import { access, list, type Post, post, range, wire } from './media.ts';

const adapters = useAdapters();

const serve = (posts: readonly Post[]) => adapters.platform.script((request) => list(posts, request));
const lists = () => adapters.platform.seen.filter(({ path }) => path.endsWith('/me/media'));

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
  'https://www.instagram.com/harbour.kitchen/p/DExAmP00073/',
  'https://instagr.am/p/DExAmP00073/',
  '<https://www.instagram.com/reel/DExAmP00073/>',
  'https://www.instagram.com/accounts/login/?next=https%3A%2F%2Fwww.instagram.com%2Freel%2FDExAmP00073%2F%3F__coig_login%3D1',
  'https://l.instagram.com/?u=https%3A%2F%2Fwww.instagram.com%2Fp%2FDExAmP00073%2F%3Ffbclid%3Dx&e=AT0',
  'https://l.facebook.com/l.php?u=https%3A%2F%2Finstagram.com%2Fp%2FDExAmP00073&h=AT0',
  // The number that this code encodes.
  'https://www.instagram.com/insights/media/3544617010049797879/',
])('finds %s by searching the account’s posts', async (url) => {
  serve(range(120));
  expect(await lookUp(url)).toMatchObject({ kind: 'found', content: { providerContentId: post(73).id } });
  expect(lists()).toHaveLength(2);
});

describe('if the operator allows share links', () => {
  const allowing = useAdapters({ PROVIDER_C_SHARE_LINKS: true });
  const follow = async (url: string) =>
    await allowing.providers.PROVIDER_C.lookUp(access, { url, cursor: null, withMetrics: false }, call());

  test.each(['/share/p/BAabc12345/', '/share/reel/BAabc12345/', '/share/BAabc12345'])(
    'follows %s, once, without the headers of a browser',
    async (path) => {
      for (const location of [
        'https://www.instagram.com/p/DExAmP00073/?igsh=x',
        '/accounts/login/?next=%2Fp%2FDExAmP00073%2F',
      ]) {
        allowing.platform.script({ status: 302, headers: { location } }, (request) => list([post(73)], request));
        expect(await follow(`https://www.instagram.com${path}`)).toMatchObject({ kind: 'found' });
        const [share, media] = allowing.platform.seen;
        expect([share?.path, media?.path]).toEqual([`/c/www${path}`, '/c/graph/v25.0/me/media']);
        expect(Object.keys(share?.headers ?? {}).filter((name) => /^(sec-|cookie|authorization)/.test(name))).toEqual(
          [],
        );
      }
    },
  );
});

test.each([
  'https://www.instagram.com/harbourkitchen/',
  'https://www.instagram.com/stories/harbourkitchen/3141592653589793238/',
  'https://evil.example/?u=https%3A%2F%2Fwww.instagram.com%2Fp%2FDExAmP00073%2F',
  'http://www.instagram.com/p/DExAmP00073/',
  'https://www.instagram.com.example/p/DExAmP00073/',
  // The operator may allow share links, see above.
  'https://www.instagram.com/share/p/BAabc12345/',
  'https://instagram.com/share/BAabc12345',
])('refuses %s without a call', async (url) => {
  serve(range(1));
  expect(await failureOf(lookUp(url))).toMatchObject({ type: 'UnsupportedUrl' });
  expect(adapters.platform.seen).toHaveLength(0);
});

test.each([
  ['searches the newest 2,000 posts, and does not decide about the others', 5_000, 'beyondSearch', 40],
  ['stops after the last post', 60, 'absent', 2],
])('%s', async (_title, posts, kind, calls) => {
  serve(range(posts));
  expect(await lookUp('https://www.instagram.com/p/NotAmongThem/')).toEqual({ kind });
  expect(lists()).toHaveLength(calls);
});

describe('a post read before', () => {
  const url = 'https://www.instagram.com/p/DExAmP00073/';
  const lookUpKnown = async () => {
    const asked: string[] = [];
    const known = async (code: string) => {
      asked.push(code);
      return post(73).id;
    };
    const input = { url, cursor: null, withMetrics: false, known };
    const step = await adapters.providers.PROVIDER_C.lookUp(access, input, call());
    expect(asked).toEqual(['DExAmP00073']);
    expect(adapters.platform.seen.map(({ path }) => path)).toEqual([`/c/graph/v25.0/${post(73).id}`]);
    return step;
  };

  test('is requested by its id, without a search', async () => {
    adapters.platform.script({ body: wire(post(73)) });
    expect(await lookUpKnown()).toMatchObject({ kind: 'found', content: { providerContentId: post(73).id } });
  });

  test('is reported as deleted once it is gone', async () => {
    adapters.platform.script({ status: 400, body: { error: { message: '', code: 100, error_subcode: 33 } } });
    expect(await lookUpKnown()).toEqual({ kind: 'absent', providerContentId: post(73).id });
  });
});

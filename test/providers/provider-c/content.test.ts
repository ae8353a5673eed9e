import { describe, expect, test } from 'vitest';
import { call, failureOf, idsOf, listPosts, useAdapters } from '../../kit/fake-platform.ts';
import { access, insights, list, type Post, post, range, refusal, week, wire } from './media.ts';

const adapters = useAdapters();

function serve(posts: readonly Post[]) {
  adapters.platform.script((request) =>
    request.path.endsWith('/insights') ? insights(15230, 23) : list(posts, request),
  );
}
const lists = () => adapters.platform.seen.filter(({ path }) => path.endsWith('/me/media'));
const scan = () => listPosts(adapters.providers.PROVIDER_C, access, week, false);

describe('listing', () => {
  test('continues by cursor, never by the URL in paging.next', async () => {
    serve(range(60));
    const { items, reachedEnd } = await scan();
    expect(items).toHaveLength(60);
    expect(reachedEnd).toBe(true);
    expect(lists().map(({ path, query }) => [path, query.after, query.access_token])).toEqual([
      ['/c/graph/v25.0/me/media', undefined, undefined],
      ['/c/graph/v25.0/me/media', '50', undefined],
    ]);
    expect(adapters.platform.seen[0]?.headers.authorization).toBe('Bearer SECRETMARK-access');
  });

  test('repeats with the fewest fields if one is refused, and remembers it', async () => {
    adapters.platform.script((request) =>
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

  test('asks for smaller pages while the platform calls them too large', async () => {
    const tooMuch = "Please reduce the amount of data you're asking for, then retry your request";
    adapters.platform.script((request) =>
      Number(request.query.limit) > 10 ? refusal(1, { message: tooMuch }) : list(range(25), request),
    );
    expect(idsOf((await scan()).items)).toEqual(range(25).map(({ id }) => id));
    expect(lists().map(({ query }) => query.limit)).toEqual(['50', '10', '50', '10', '50', '10']);
    adapters.platform.script(refusal(1, { message: tooMuch }));
    const input = { window: week, cursor: null, limit: 10, withMetrics: false };
    const failure = await failureOf(adapters.providers.PROVIDER_C.listContent(access, input, call()));
    expect(failure).toMatchObject({ type: 'RetryLater' });
    expect(lists().map(({ query }) => query.limit)).toEqual(['50', '10', '2']);
  });

  test('reports when the provider’s own limit, or a cursor that does not advance, ended it', async () => {
    const input = (read: number, after: string) => ({
      window: week,
      cursor: JSON.stringify({ after, read, isPlain: false, lastId: null, restarts: 0 }),
      limit: 100,
      withMetrics: false,
    });
    serve(range(50));
    const atLimit = await adapters.providers.PROVIDER_C.listContent(access, input(9_960, '10'), call());
    expect(atLimit).toMatchObject({ cursor: null, reachedEnd: false });
    adapters.platform.script({
      body: { data: [wire(post(0))], paging: { cursors: { after: 'same' }, next: 'https://x/' } },
    });
    const stuck = await adapters.providers.PROVIDER_C.listContent(access, input(50, 'same'), call());
    expect(stuck).toMatchObject({ cursor: null, reachedEnd: false });
  });
});

const read = async (object: object) => {
  adapters.platform.script({ body: { ...wire(post(0)), ...object } });
  const input = { providerContentIds: [post(0).id], withMetrics: false };
  return (await adapters.providers.PROVIDER_C.readContent(access, input, call()))[0];
};

test.each([
  ['IMAGE', { media_url: 'https://i.example/1' }, 'IMAGE', 'https://i.example/1'],
  ['IMAGE', { media_url: undefined }, 'IMAGE', null],
  ['VIDEO', { media_url: 'https://v.example/1', thumbnail_url: 'https://i.example/2' }, 'VIDEO', 'https://i.example/2'],
  ['VIDEO', { media_url: 'https://v.example/1' }, 'VIDEO', null],
  ['CAROUSEL_ALBUM', {}, 'CAROUSEL', 'https://scontent.example/1.jpg?oe=1'],
  ['HOLOGRAM', { media_url: undefined }, 'UNKNOWN', null],
])('a post of type %s with %j is %s, shown by %s', async (media_type, object, kind, thumbnailUrl) => {
  expect(await read({ media_type, ...object })).toMatchObject({ kind, thumbnailUrl });
});

/** Every product of the reference, and one that it does not have. */
test.each([
  ['FEED', true],
  ['REELS', true],
  ['STORY', false],
  ['AD', false],
  ['HOLOGRAM', true],
  [undefined, true],
])('of the product %s a post is published: %s; listed, read and looked up alike', async (product, isPublished) => {
  const [own, beside] = [post(0), post(1)] as const;
  adapters.platform.script((request) => {
    const of = (one: Post) => ({ ...wire(one), media_product_type: one === own ? product : 'FEED' });
    if (request.query.ids) return { body: Object.fromEntries([own, beside].map((one) => [one.id, of(one)])) };
    const alone = [own, beside].find(({ id }) => request.path.endsWith(`/${id}`));
    return { body: alone ? of(alone) : { data: [own, beside].map(of) } };
  });
  const read = async (...ids: string[]) => {
    const input = { providerContentIds: ids, withMetrics: false };
    return idsOf(await adapters.providers.PROVIDER_C.readContent(access, input, call()));
  };
  const all = [...(isPublished ? [own.id] : []), beside.id];
  expect(idsOf((await scan()).items)).toEqual(all);
  expect(await read(own.id, beside.id)).toEqual(all);
  expect([...(await read(own.id)), ...(await read(beside.id))]).toEqual(all);
  const lookUp = async ({ shortcode }: Post) => {
    const input = { url: `https://www.instagram.com/p/${shortcode}/`, cursor: null, withMetrics: false, known: null };
    return (await adapters.providers.PROVIDER_C.lookUp(access, input as never, call())).kind;
  };
  expect([await lookUp(own), await lookUp(beside)]).toEqual([isPublished ? 'found' : 'absent', 'found']);
});

describe('reading by id', () => {
  const read = async (ids: readonly string[]) =>
    idsOf(
      await adapters.providers.PROVIDER_C.readContent(access, { providerContentIds: ids, withMetrics: false }, call()),
    );
  const [one, two, three] = [post(1), post(2), post(3)];

  test.each([
    [100, 33],
    [100, undefined],
    [803, undefined],
  ])('requests each post separately if one bad id fails them all, with %s/%s', async (code, error_subcode) => {
    adapters.platform.script(({ path }) => {
      const found = [one, three].find(({ id }) => path.endsWith(id));
      if (found !== undefined) return { body: wire(found) };
      return path.endsWith('/') ? refusal(code, { error_subcode }) : refusal(100, { error_subcode: 33 });
    });
    expect(await read([one.id, two.id, three.id])).toEqual([one.id, three.id]);
  });
});

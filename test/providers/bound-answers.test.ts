import { expect, test } from 'vitest';
import { mapDetails } from '../../src/basics/post-details.ts';
import { wireCount } from '../../src/providers/answers.ts';
import { boundAnswers } from '../../src/providers/bound-answers.ts';
import type { Content, Provider } from '../../src/providers/provider.ts';
import { access, call, configFor } from '../kit/fake-platform.ts';
import { fakeProvider, post as postAt } from '../kit/fake-provider.ts';

const live = configFor('https://platform.example');
const standIn = configFor('http://localhost:9000');
const wrap = (methods: Partial<Provider>, config = live) =>
  boundAnswers({ ...fakeProvider('PROVIDER_B'), ...methods } as Provider, config);

test('a count that is negative is unknown', () => {
  for (const count of [-1, '-3', '-0']) expect(wireCount.parse(count)).toBeNull();
  expect(wireCount.parse('3')).toBe('3');
});

const post = (changes: Partial<Content>) => postAt('1', new Date(0), { title: null, ...changes });
const read = async (items: readonly Content[], config = live) => {
  const provider = wrap({ readContent: async () => items }, config);
  return await provider.readContent(access([]), { providerContentIds: [], withMetrics: false }, call());
};

test.each([
  ['https://www.tiktok.com/@h/video/1?a=b#c', 'https://www.tiktok.com/@h/video/1?a=b#c'],
  ['HTTPS://Example.COM', 'https://example.com/'],
  ['https://example.com/ü', 'https://example.com/%C3%BC'],
  ['http://example.com/', null],
  ['http://localhost:9000/picture.svg', null],
  ['javascript:alert(1)', null],
  ['data:image/png;base64,AAAA', null],
  ['//example.com/x', null],
  ['https://somebody@example.com/', null],
  ['https://:secret@example.com/', null],
  [`https://example.com/${'a'.repeat(4_077)}`, null],
  [`https://example.com/${'a'.repeat(4_076)}`, `https://example.com/${'a'.repeat(4_076)}`],
  ['', null],
  [' ', null],
])('a URL is kept only if it is https and fits: %s', async (url, kept) => {
  expect(await read([post({ canonicalUrl: url, thumbnailUrl: url })])).toMatchObject([
    { canonicalUrl: kept, thumbnailUrl: kept },
  ]);
  const profile = { displayName: null, handle: null, avatarUrl: url, profileUrl: url, description: null };
  const provider = wrap({ readAccount: async () => ({ providerAccountId: 'a', aliasIds: [], profile }) });
  expect((await provider.readAccount(access([]), call())).profile).toMatchObject({ avatarUrl: kept, profileUrl: kept });
});

test('a stand-in on plain http may show its own pictures', async () => {
  const url = 'http://localhost:9000/picture.svg';
  expect(await read([post({ thumbnailUrl: url })], standIn)).toMatchObject([{ thumbnailUrl: url }]);
});

test('texts are cut to their limits, between characters', async () => {
  const [long] = await read([post({ title: '😀'.repeat(6_000), description: `x${'😀'.repeat(6_000)}` })]);
  expect(long?.title).toBe('😀'.repeat(5_000));
  expect(long?.description).toBe(`x${'😀'.repeat(4_999)}`);
});

test('each detail of a post is bounded by its kind', async () => {
  const [item = expect.fail('The post is gone.')] = await read([post(mapDetails(() => '😀'.repeat(6_000)))]);
  expect(mapDetails((name) => item[name])).toEqual(
    mapDetails((_, kind) => (kind === 'PICTURE' ? null : '😀'.repeat(5_000))),
  );
});

test('a repeated post counts as one post', async () => {
  const items = [post({ title: 'first' }), post({ providerContentId: '2' }), post({ title: 'again' })];
  expect((await read(items)).map(({ providerContentId, title }) => [providerContentId, title])).toEqual([
    ['1', 'first'],
    ['2', null],
  ]);
  const provider = wrap({ listContent: async () => ({ items, cursor: null, reachedEnd: true }) });
  const window = { publishedAfter: new Date(0), publishedBefore: new Date() };
  const page = await provider.listContent(access([]), { window, cursor: null, limit: 9, withMetrics: false }, call());
  expect(page.items).toHaveLength(2);
});

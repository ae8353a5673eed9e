import type { FieldNode, GraphQLResolveInfo } from 'graphql';
import { describe, expect, test, vi } from 'vitest';
import { fastPaths } from '../../../src/api/fast/fast-paths.ts';
import type { GraphqlOptions } from '../../../src/api/graphql/contract.ts';
import { createGraphql } from '../../../src/api/graphql/graphql.ts';
import { Preparation } from '../../../src/api/graphql/preparation.ts';
import type { Exchange } from '../../../src/api/http/exchange.ts';
import type { CorrelationId } from '../../../src/basics/ids.ts';
import { createLog } from '../../../src/basics/log.ts';

const typeDefs = `
  scalar DateTime
  scalar DecimalCount
  enum Kind { VIDEO IMAGE }
  input Span { from: DateTime to: DateTime = "2026-01-01T00:00:00.000Z" first: Int = 3 tags: [String!] }
  type Query {
    list(span: Span! kinds: [Kind!] = [VIDEO] name: String): List!
    maybe(note: String): Post
    must: Post!
    numbers(of: [Int]): [Int]!
  }
  type Mutation { change: Post! }
  type List { posts: [Post!]! first: Post sparse: [Post] asked: String! }
  type Post { id: ID! kind: Kind! at: DateTime count: DecimalCount title: String list: List }
`;

const AT = new Date('2026-02-03T04:05:06.007Z');
const post = (id: string, changes: object = {}) => ({
  id,
  kind: 'VIDEO',
  at: AT,
  count: '12',
  title: null,
  ...changes,
});

const found = () => post('1');

const resolvers = {
  Query: {
    list: async (_root: unknown, args: object) => ({
      posts: [post('1'), post('2', { kind: 'IMAGE', list: { posts: [post('3')], asked: 'below' } })],
      first: null,
      sparse: [post('4'), null],
      asked: JSON.stringify(args),
    }),
    maybe: found,
    must: found,
    numbers: (_root: unknown, { of }: { of: number[] }) => of,
  },
  Mutation: { change: () => post('1') },
};

const newExchange = (): Exchange => ({
  correlationId: 'c' as CorrelationId,
  address: 'a',
  log: createLog('silent'),
  operations: new Map(),
  codes: [],
  atEnd: [],
});

function openGraphql(
  given: Readonly<Record<string, object>> = resolvers,
  preparation = new Preparation(),
  isFast = true,
) {
  const authorize: GraphqlOptions['authorize'] = async ({ exchange, authorization }) => {
    exchange.callerId = authorization ?? '';
    return {};
  };
  const graphql = createGraphql({
    endpoint: '/',
    typeDefs,
    resolvers: given,
    open: [],
    authorize,
    preparation,
    createFast: isFast ? fastPaths.createFast : undefined,
  });
  return async (query: string, variables?: object, app = 'one') => {
    const headers = new Headers({ 'content-type': 'application/json', authorization: app });
    return await graphql({ headers, body: JSON.stringify({ query, variables }) }, newExchange());
  };
}

/** Without `src/api/fast`. */
const openPlain = () => openGraphql(resolvers, undefined, false);

const FIELDS = 'id kind at count title';
const DOCUMENTS: readonly (readonly [string, ...object[]])[] = [
  [`{ list(span: {}) { asked posts { ${FIELDS} } first { id } sparse { id at } } }`],
  [`{ a: list(span: { first: 1 }, name: "x") { asked } b: list(span: { to: null }) { asked x: posts { y: id id } } }`],
  [
    `{ list(span: {}) { posts { id } posts { kind } ...A ... on List { posts { at } } } } fragment A on List { posts { ...B } asked } fragment B on Post { count title list { posts { ...C } } } fragment C on Post { id __typename }`,
  ],
  ['{ __typename list(span: {}) { __typename posts { __typename } } }'],
  ['{ list(span: {}) { __proto__: posts { id } first { __proto__: id } } }'],
  ['{ list(span: {}) { posts { __proto__: list { asked } constructor: id toString: kind } } }'],
  ['{ __proto__: list(span: {}) { asked } }'],
  ['query ($__proto__: Span!) { list(span: $__proto__) { asked } }', { x: 1 }],
  ['{ list(span: {}) { ...__proto__ } } fragment __proto__ on List { asked }'],
  [
    'query ($span: Span!, $kinds: [Kind!] = [IMAGE], $name: String) { list(span: $span, kinds: $kinds, name: $name) { asked } }',
    { span: {} },
    { span: { from: '2026-01-31T09:30Z', tags: 'one' }, kinds: 'VIDEO', name: null },
    { span: { from: null, to: null, first: null }, kinds: null },
    { span: null },
    {},
    { span: { first: 1.5, tags: [null] }, kinds: ['AUDIO'], name: 1 },
    { span: { unknown: 1 } },
    { span: { from: 'yesterday' } },
    { span: [] },
    { span: {}, name: undefined, other: 1 },
  ],
  [
    'query ($from: DateTime, $first: Int = 7, $tag: String!) { list(span: { from: $from, first: $first, tags: [$tag] }) { asked } }',
    { tag: 'x' },
    { tag: 'x', from: '2026-01-31T09:30:00Z', first: null },
    { tag: null },
  ],
  ['query ($of: [Int]) { numbers(of: $of) }', {}, { of: 1 }, { of: [1, null] }, { of: null }],
  [
    'query ($yes: Boolean!) { list(span: {}) { asked @include(if: $yes) posts @skip(if: $yes) { id } ...A @include(if: $yes) } } fragment A on List { posts { kind } }',
    { yes: true },
    { yes: false },
    {},
  ],
  ['{ __schema { queryType { name } } }'],
  ['mutation { change { id } }'],
];

describe('a document', () => {
  test.each(DOCUMENTS.map(([query, ...variables]) => ({ query, variables })))(
    'gets the answer of the plain path each time: $query',
    async ({ query, variables }) => {
      const ask = openGraphql();
      for (const given of variables.length === 0 ? [undefined] : variables) {
        const plain = await openPlain()(query, given);
        for (let use = 1; use <= 4; use += 1) expect(await ask(query, given), JSON.stringify(given)).toEqual(plain);
      }
      // By now the document is compiled; each of the variables is tried again.
      for (const given of variables) expect(await ask(query, given)).toEqual(await openPlain()(query, given));
    },
  );

  test('is compiled at its third use, and calls each resolver once even if that fails', async () => {
    const nodes: (FieldNode | undefined)[] = [];
    const maybe = vi.fn((_root: unknown, _args: object, _context: object, info: GraphQLResolveInfo) => {
      nodes.push(info.fieldNodes[0]);
      return post('1', { kind: 'AUDIO' });
    });
    const ask = openGraphql({ ...resolvers, Query: { ...resolvers.Query, maybe } });
    for (let use = 1; use <= 4; use += 1) await ask('{ maybe { kind } }');
    expect(maybe).toHaveBeenCalledTimes(4);
    const [first, second, third, fourth] = nodes;
    expect(second).toBe(first);
    expect(third).not.toBe(first); // The compiler works on a copy of the document.
    expect(fourth).toBe(third);
  });

  test('is not interpreted once more after it ran compiled, also with arguments', async () => {
    const read = vi.fn(() => 'asked');
    const list = () => ({
      posts: [],
      get asked() {
        return read();
      },
    });
    const ask = openGraphql({ ...resolvers, Query: { ...resolvers.Query, list } });
    for (let use = 1; use <= 4; use += 1)
      await ask('query ($s: Span!) { list(span: $s, kinds: [IMAGE]) { asked } }', { s: {} });
    expect(read).toHaveBeenCalledTimes(4);
  });

  test('of one app stays compiled, even if another app sends many', async () => {
    const nodes = new Set<FieldNode | undefined>();
    const maybe = (_root: unknown, { note }: { note?: string }, _context: object, info: GraphQLResolveInfo) => {
      if (note === undefined) nodes.add(info.fieldNodes[0]);
      return post('1');
    };
    const ask = openGraphql({ ...resolvers, Query: { ...resolvers.Query, maybe } });
    for (let use = 0; use < 3; use += 1) await ask('{ maybe { id } }', undefined, 'quiet');
    expect(nodes.size).toBe(2);
    for (let other = 0; other < 300; other += 1) {
      for (let use = 0; use < 3; use += 1) await ask(`{ maybe(note: "") { a${other}: id } }`, undefined, 'loud');
    }
    for (let use = 0; use < 3; use += 1) await ask('{ maybe { id } }', undefined, 'quiet');
    expect(nodes.size).toBe(2);
  });
});

describe('an app that sends ever new documents', () => {
  const long = (turn: number) =>
    `{ must { ${Array.from({ length: 80 }, (_, n) => `${n === 0 ? `a${turn < 0 ? `x${-turn}` : turn}: ` : ''}id`).join(' ')} } }`;
  const codeOf = ({ body }: { body: string }) => JSON.parse(body).errors?.[0].extensions.code;

  test('is asked to wait, while another app and known documents are served', async () => {
    let nowMs = 0;
    const ask = openGraphql(resolvers, new Preparation(() => nowMs));
    const known = () => ask('{ maybe { id } }', undefined, 'loud');
    let refused: string | undefined;
    for (let turn = 0; turn < 5_000 && refused === undefined; turn += 1) {
      expect(codeOf(await known())).toBeUndefined();
      const answer = await ask(long(turn), undefined, 'loud');
      if (codeOf(answer) !== undefined) refused = answer.body;
    }
    expect(JSON.parse(refused ?? '').errors[0]).toMatchObject({
      message:
        'Reading new documents may take 150 ms of processor time a second. Send the same document with other variables.',
      extensions: { code: 'RATE_LIMITED', retryAfterSeconds: 1 },
    });
    expect(codeOf(await ask(long(-1), undefined, 'quiet'))).toBeUndefined();
    expect(codeOf(await known())).toBeUndefined();
    expect(codeOf(await ask('{ __schema { types { name } } }', undefined, 'loud'))).toBe('RATE_LIMITED');
    nowMs = 10_000;
    expect(codeOf(await ask(long(-2), undefined, 'loud'))).toBeUndefined();
  });
});

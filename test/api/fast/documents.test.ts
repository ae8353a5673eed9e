import { expect, test } from 'vitest';
import { fastPaths } from '../../../src/api/fast/fast-paths.ts';
import type { GraphqlOptions } from '../../../src/api/graphql/contract.ts';
import { createGraphql } from '../../../src/api/graphql/graphql.ts';
import { Preparation } from '../../../src/api/graphql/preparation.ts';
import { newExchange } from '../../kit/caller.ts';

const typeDefs = `
  scalar DateTime
  scalar DecimalCount
  enum Kind { VIDEO IMAGE }
  type Query { maybe(note: String): Post must: Post! }
  type Post { id: ID! kind: Kind! note: String }
`;

const found = (_root: unknown, { note = null }: { note?: string | null }) => ({ id: '1', kind: 'VIDEO', note });
const resolvers = { Query: { maybe: found, must: found } };

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

/** What the compiler cannot do. `compiled-answers.test.ts` has all other documents. */
const INTERPRETED = [
  'query ($yes: Boolean!) { maybe { note @include(if: $yes) id @skip(if: $yes) ...A @include(if: $yes) } } fragment A on Post { id kind }',
  '{ __proto__: maybe { __proto__: id } }',
  'query ($__proto__: String) { maybe(note: $__proto__) { note } }',
  '{ maybe { ...__proto__ } } fragment __proto__ on Post { kind }',
  '{ __schema { queryType { name } } }',
];

test.each(INTERPRETED)('a document gets the answer of the plain path each time: %s', async (query) => {
  const [ask, askPlain] = [openGraphql(), openGraphql(resolvers, undefined, false)];
  for (const yes of [true, false, true, false]) {
    const variables = { yes, ['__proto__']: 'x' };
    expect(await ask(query, variables)).toEqual(await askPlain(query, variables));
  }
});

const long = (turn: number) =>
  `{ must { ${Array.from({ length: 80 }, (_, n) => `${n === 0 ? `a${turn < 0 ? `x${-turn}` : turn}: ` : ''}id`).join(' ')} } }`;
const codeOf = ({ body }: { body: string }) => JSON.parse(body).errors?.[0].extensions.code;

test('an app that sends ever new documents is asked to wait, while another app and known documents are served', async () => {
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

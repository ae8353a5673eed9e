import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AUTHORIZATION, type Service, startService } from '../../kit/graphql-service.ts';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

/** Answers longer than this would make an attack cheaper than its answer. */
const MOST_BYTES = 8 * 1024;

const repeat = (count: number, text: (n: number) => string) =>
  Array.from({ length: count }, (_, n) => text(n)).join(' ');
const circular = (depth: number): string => `fields { type { ${depth === 0 ? 'name' : circular(depth - 1)} } }`;

interface Attack {
  readonly path?: string;
  readonly method?: string;
  readonly contentType?: string;
  readonly body?: string;
}
const post = (query: string): Attack => ({ body: JSON.stringify({ query }) });

async function send(
  { path = '/graphql', method = 'POST', contentType = 'application/json', body }: Attack,
  key: boolean,
) {
  const headers = { 'content-type': contentType, ...(key && { authorization: AUTHORIZATION }) };
  const response = await fetch(`${service.url}${path}`, { method, headers, ...(body !== undefined && { body }) });
  const text = await response.text();
  return { status: response.status, text };
}

/** Requests of scanners for GraphQL servers (graphql-cop's list among them). Each is refused, with a key and without. */
const REFUSED: readonly (readonly [string, Attack])[] = [
  ['a hundred aliases', post(`{ ${repeat(101, (n) => `a${n}: __typename`)} }`)],
  ['a hundred aliases of a field that costs', post(`{ ${repeat(101, (n) => `a${n}: status { ok }`)} }`)],
  ['a batch of ten in an array', { body: JSON.stringify(Array(10).fill({ query: '{ __typename }' })) }],
  ['ten operations in one document', post(repeat(10, (n) => `query q${n} { __typename }`))],
  ['a circular introspection query', post(`{ __schema { types { ${circular(4)} } } }`)],
  ['one directive a hundred times', post(`{ __typename ${repeat(100, () => '@include(if: true)')} }`)],
  ['unknown directives', post(`{ __typename ${repeat(10, () => '@aa')} }`)],
  ['one field five hundred times', post(`{ ${repeat(500, () => '__typename')} }`)],
  ['a fragment that contains itself', post('{ ...F } fragment F on Query { ...F }')],
  ['a query by GET', { method: 'GET', path: '/graphql?query=%7B__typename%7D' }],
  ['a mutation by GET', { method: 'GET', path: '/graphql?query=mutation%20%7B__typename%7D' }],
  ['a form (CSRF)', { contentType: 'application/x-www-form-urlencoded', body: 'query=%7B__typename%7D' }],
  ['plain text (CSRF)', { contentType: 'text/plain', body: '{"query":"{__typename}"}' }],
  ['a multipart upload', { contentType: 'multipart/form-data; boundary=x', body: '--x--' }],
  ['a misspelled field', post('{ statu { ok } }')],
  ['a document that cannot be parsed', post('qwerty { abc }')],
  ['a subscription', post('subscription { status { ok } }')],
  ...[
    '/graphiql',
    '/playground',
    '/altair',
    '/voyager',
    '/console',
    '/graphql/console',
    '/v1/graphql',
    '/api/graphql',
  ].map((path) => [`a GraphQL IDE at ${path}`, { method: 'GET', path }] as const),
];

describe.each([
  ['with a key', true],
  ['without a key', false],
] as const)('%s', (_how, key) => {
  test.each(REFUSED)('%s is refused with a short answer that reveals nothing', async (_name, attack) => {
    const { status, text } = await send(attack, key);
    if (status === 200)
      expect(JSON.parse(text)).toMatchObject({ errors: [{ extensions: { code: 'UNAUTHENTICATED' } }] });
    else expect([400, 404, 413, 415]).toContain(status);
    expect(text.length).toBeLessThan(MOST_BYTES);
    expect(text).not.toMatch(/"(stack|exception|stacktrace|tracing|originalError)"|at .+:\d+:\d+|node_modules/);
  });
});

test('without a key, no error suggests names of the schema', async () => {
  const { text } = await send(post('{ __schema { directive } }'), false);
  expect(text).toContain('UNAUTHENTICATED');
  expect(text).not.toContain('Did you mean');
});

test('an answer has no trace or other extension, also if the client asks for it', async () => {
  const response = await fetch(`${service.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-apollo-tracing': '1', 'apollo-query-plan-experimental': '1' },
    body: JSON.stringify({ query: '{ status { ok } }' }),
  });
  expect(Object.keys(await response.json())).toEqual(['data']);
});

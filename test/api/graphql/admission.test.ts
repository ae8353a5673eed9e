import { describe, expect, test } from 'vitest';
import { codesOf, messagesOf, owner, useService } from '../../kit/graphql-service.ts';

const NO_KEY = { headers: { authorization: '' } };
const many = (count: number, of: (n: number) => string) => Array.from({ length: count }, (_, n) => of(n)).join(' ');

/** Documents that validation takes long to refuse. Each is within the limits, and none is valid. */
const COSTLY = {
  'fields that are nearly there': `{ connections { ${many(90, () => 'itms')} } }`,
  'types that are nearly there': `query (${many(190, (n) => `$a${n}: Conection${n}`)}) { status { ok } }`,
  'unused variables': `query (${many(190, (n) => `$a${n}: ID`)}) { status { ok } }`,
  'values that are nearly there': `mutation { createConnectSession(input: { capabilities: [${many(900, () => 'PROFIL')}] }) { id } }`,
  'fragments that spread one another': `{ status { ok } } ${many(20, (n) => `fragment F${n} on ApiStatus { ${many(20, (m) => `...F${m}`)} }`)}`,
};

describe('a document that takes long to validate', () => {
  const service = useService();
  const throttled = useService({ findKeyOwner: async () => owner({ requestsPerSecond: 0.5 }) }); // Never a whole one.

  test.each(Object.entries(COSTLY))('is not validated without a key: %s', async (_name, query) => {
    const answer = await service.ask(query, NO_KEY);
    expect({ status: answer.status, codes: codesOf(answer) }).toEqual({ status: 200, codes: ['UNAUTHENTICATED'] });
  });

  test.each(Object.entries(COSTLY))('is not validated for an app over its rate: %s', async (_name, query) => {
    expect(codesOf(await throttled.ask(query))).toEqual(['RATE_LIMITED']);
  });

  test.each(Object.entries(COSTLY))('is answered after its first few errors: %s', async (_name, query) => {
    const answer = await service.ask(query);
    expect(answer.status).toBe(400);
    expect(new Set(codesOf(answer))).toEqual(new Set(['BAD_USER_INPUT']));
    expect(messagesOf(answer).length).toBeLessThanOrEqual(6); // The sixth reports that there are more.
  });
});

describe('without a key', () => {
  const service = useService();

  test('status is answered and validated like with a key', async () => {
    expect((await service.ask('{ __typename status { ok } }', NO_KEY)).body).toEqual({
      data: { __typename: 'Query', status: { ok: true } },
    });
    expect(codesOf(await service.ask('{ status { on } }', NO_KEY))).toEqual(['BAD_USER_INPUT']);
  });

  test.each([
    '{ status { ...F } } fragment F on ApiStatus { ok }',
    'fragment F on Query { ...G } { ...F } fragment G on Query { ... on Query { status { ok } } }',
    '{ ... { ... @include(if: true) { status { ... on ApiStatus { ok } } } } }',
    'query Live { status @skip(if: false) { ok } }',
  ])('status is answered in every spelling: %s', async (query) => {
    expect((await service.ask(query, NO_KEY)).body).toEqual({ data: { status: { ok: true } } });
  });

  test.each([
    '{ __schema { types { name } } }',
    'mutation { status { ok } }',
    '{ status: integrationReadiness { idpIdentityAvailable } }',
    '{ ... { ... { __schema { types { name } } } } }',
    '{ status { ok } ...F } fragment F on Query { integrationReadiness { idpIdentityAvailable } }',
    '{ ...F } fragment F on Query { status { ok } ...G } fragment G on Query { __type(name: "Query") { name } }',
    '{ ...F } fragment F on Query { status { ok } } fragment F on Query { integrationReadiness { idpIdentityAvailable } }',
  ])('every other field is refused, and introspection too: %s', async (query) => {
    expect(codesOf(await service.ask(query, NO_KEY))).toEqual(['UNAUTHENTICATED']);
  });

  test('a document of over 100 tokens is not validated', async () => {
    const query = (count: number) => `{ status { ${many(count, () => 'on')} } }`;
    expect(codesOf(await service.ask(query(80), NO_KEY))).toContain('BAD_USER_INPUT');
    expect(codesOf(await service.ask(`{ status ${many(97, () => '@x')} { ok } }`, NO_KEY))).toEqual([
      'UNAUTHENTICATED',
    ]);
  });
});

describe('a document that exceeds a limit', () => {
  const service = useService();

  test('of tokens is not parsed to its end', async () => {
    const answer = await service.ask(`{ status { ok } } # ${'{ '.repeat(20_000)}`);
    expect(answer.status).toBe(200);
    const tokens = (count: number) =>
      service.ask(`{ status { ${'... { '.repeat((count - 6) / 3)} ok ${'} '.repeat((count - 6) / 3)} } }`);
    expect(messagesOf(await tokens(999))).toEqual([]);
    expect(messagesOf(await tokens(1_002))).toEqual([expect.stringContaining('1000 tokens')]);
  });
});

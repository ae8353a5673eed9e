import { randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import { ERROR_CODES } from '../../src/basics/codes.ts';
import { type Caller, conformanceTest, type Reply } from '../kit/conformance.ts';
import { DOCUMENTS } from '../kit/graphql.ts';

const test = conformanceTest();
const repeat = (count: number, of: (n: number) => string) => Array.from({ length: count }, (_, n) => of(n)).join(' ');

const errorsOf = ({ body }: Reply) => body.errors as { message: string; extensions: Record<string, unknown> }[];

/** Refused with 400, and the message names the limit. */
async function expectOver(client: Caller, query: string, limit: RegExp) {
  const reply = await client.send(query);
  expect(reply.status).toBe(400);
  expect(new Set(errorsOf(reply).map(({ extensions }) => extensions.code))).toEqual(new Set(['BAD_USER_INPUT']));
  expect(errorsOf(reply).some(({ message }) => limit.test(message))).toBe(true);
}
const expectWithin = async (client: Caller, query: string) =>
  expect((await client.send(query)).body).toEqual({ data: expect.any(Object) });

describe('request limits', () => {
  test('8 aliases: 8 pass, 9 do not', async ({ client }) => {
    const aliased = (count: number) => `{ status { ${repeat(count, (n) => `a${n}: ok`)} } }`;
    await expectWithin(client, aliased(8));
    await expectOver(client, aliased(9), /alias limit of 8/);
  });

  test('8 depth: 8 pass, 9 do not', async ({ client }) => {
    const deep = (depth: number) =>
      `{ __schema { types { ${'ofType { '.repeat(depth - 3)}name${' }'.repeat(depth - 3)} } } }`;
    await expectWithin(client, deep(8));
    await expectOver(client, deep(9), /depth limit of 8/);
  });

  test('8 cost: 100 passes, 101 does not; a root field costs 10, a nested one 1', async ({ client }) => {
    const nested = (count: number) => `{ status { ${repeat(count, () => 'ok')} } }`;
    await expectWithin(client, nested(90));
    await expectOver(client, nested(91), /cost limit of 100/);
    await expectWithin(client, `{ ${repeat(10, () => '__typename')} }`);
    await expectOver(client, `{ ${repeat(11, () => '__typename')} }`, /cost limit of 100/);
  });

  test('8 body + 7 status 413: 64 KiB pass, one byte more is refused before GraphQL', async ({ client, api }) => {
    const body = (bytes: number) => {
      const text = JSON.stringify({ query: '{ status { ok } }', variables: { filling: '' } });
      return text.replace('""', `"${'x'.repeat(bytes - text.length)}"`);
    };
    expect((await client.post(body(65_536))).status).toBe(200);
    const over = await client.post(body(65_537));
    expect([over.status, over.body]).toEqual([413, undefined]);
    const unsaid = await fetch(`${api.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: new Blob([body(65_537)]).stream(),
      duplex: 'half',
    } as RequestInit);
    expect(unsaid.status).toBe(413);
  });
});

describe('errors', () => {
  test('7 shape + 7 status 200: message, code, correlation id, and with RATE_LIMITED a wait', async ({ client }) => {
    for (let n = 0; n < 5; n += 1) await client.createSession();
    const input = {
      scope: client.scope,
      provider: 'PROVIDER_B',
      capabilities: ['PROFILE'],
      returnUrl: client.seeded.returnUrl,
    };
    const limited = await client.send(DOCUMENTS.createConnectSession, { input });
    const [error] = errorsOf(limited);
    expect(limited.status).toBe(200);
    expect(error).toMatchObject({ message: expect.stringMatching(/^[A-Z].*\.$/), path: ['createConnectSession'] });
    expect(error?.extensions).toEqual({
      code: 'RATE_LIMITED',
      correlationId: expect.any(String),
      retryAfterSeconds: expect.any(Number),
    });
    expect(Number.isInteger(error?.extensions.retryAfterSeconds)).toBe(true);
    const missing = await client.send(DOCUMENTS.connection, { scope: client.scope, id: randomUUID() });
    expect(missing.status).toBe(200);
    expect(errorsOf(missing)[0]?.extensions).toEqual({ code: 'NOT_FOUND', correlationId: expect.any(String) });
  });

  test('7 status 400 + 7 code BAD_USER_INPUT + 4 endpoint one operation + 8 operations: a request that is invalid, unreadable or over a limit answers 400', async ({
    client,
  }) => {
    const { scope } = client;
    const bad = [
      await client.post(''),
      await client.post('{'),
      await client.post('null'),
      await client.post('{}'),
      await client.post('{"query":7}'),
      await client.post('[]'),
      await client.post('[{"query":"{ status { ok } }"}]'),
      await client.send('fragment A on ApiStatus { ok }'),
      await client.send('{'),
      await client.send('{ nothing }'),
      await client.send('{ status }'),
      await client.send('subscription { status { ok } }'),
      await client.send(DOCUMENTS.connection, {}),
      await client.send(DOCUMENTS.connection, { scope, id: {} }),
      await client.send(DOCUMENTS.connections, { scope, first: 101 }),
      await client.send(`{ status { ${repeat(91, () => 'ok')} } }`),
      await client.send('query A { status { ok } } query B { status { ok } }'),
    ];
    for (const reply of bad) {
      expect([reply.status, errorsOf(reply)[0]?.extensions.code], reply.text).toEqual([400, 'BAD_USER_INPUT']);
    }
  });

  test('7 code UPSTREAM_UNAVAILABLE: an internal failure is masked, and logged under its correlation id', async ({
    client,
    sql,
    api,
  }) => {
    await sql`alter table scope rename to hidden_scope`;
    const reply = await client
      .send(DOCUMENTS.connections, { scope: client.scope })
      .finally(async () => await sql`alter table hidden_scope rename to scope`);
    expect(reply.status).toBe(200);
    const [error] = errorsOf(reply);
    expect(error).toMatchObject({
      message: 'Something went wrong on our side.',
      extensions: { code: 'UPSTREAM_UNAVAILABLE' },
    });
    const logged = api.lines.filter((line) => line.includes(String(error?.extensions.correlationId)));
    expect(logged.some((line) => line.includes('"level":"error"') && line.includes('42P01'))).toBe(true);
    expect(await client.outcome('connections')).toBe('answered');
  });

  test('7 closed set: the schema describes exactly these codes', async ({ api }) => {
    const text = await (await fetch(`${api.url}/schema.graphql`)).text();
    const named = new Set([...text.matchAll(/`([A-Z]{3,}[A-Z_]*)`/g)].map(([, code = '']) => code));
    expect([...named].sort()).toEqual([...ERROR_CODES].sort());
  });
});

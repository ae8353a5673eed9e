import { randomUUID } from 'node:crypto';
import fc, { type Arbitrary } from 'fast-check';
import { describe, expect } from 'vitest';
import { ERROR_CODES } from '../../src/basics/codes.ts';
import { type Caller, conformanceTest, DAY, iso, NOW, type Reply } from '../kit/conformance.ts';
import { type Answer, DOCUMENTS, type RootField } from '../kit/graphql.ts';
import type { Database } from '../kit/postgres.ts';
import { insertTenant, type SeededApp, seedConnection, seedContent } from '../kit/seed.ts';
import { seedReadJob } from './rows.ts';

const test = conformanceTest();
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
/** A canary in data that only its own scope may see. */
const CANARY = 'canary-5d2f';
const RUNS = { numRuns: 40, endOnFailure: true } as const;

/** Checks that the answer is valid and contains no data of another scope. */
function expectSound({ status, headers, body, text }: Reply): void {
  expect([200, 400]).toContain(status);
  for (const error of (body.errors ?? []) as Answer[]) {
    expect(ERROR_CODES).toContain(error.extensions.code);
    expect(error.extensions.code, text).not.toBe('UPSTREAM_UNAVAILABLE');
    expect(error.extensions.correlationId).toMatch(UUID);
    expect(error.extensions.correlationId).toBe(headers.get('x-correlation-id'));
  }
  expect(body.errors ?? body.data).toBeDefined();
  expect(text).not.toContain(CANARY);
}

/** A connection with a post and a job that contain the canary. @returns every id that another scope might try. */
async function seedSecrets(sql: Database, seeded: SeededApp, scope: Caller['scope']): Promise<string[]> {
  const connectionId = await seedConnection(sql, seeded, { scope });
  const profile = { displayName: CANARY, handle: CANARY, avatarUrl: CANARY, profileUrl: CANARY, description: CANARY };
  await sql`
    update connection set profile = ${sql.json(profile)}, provider_account_id = ${`${CANARY}-${randomUUID()}`}
    where connection_id = ${connectionId}
  `;
  await seedContent(sql, connectionId, { publishedAt: new Date(NOW - 1), title: CANARY });
  return [connectionId, await seedReadJob(sql, connectionId, { kind: 'LOOKUP', status: 'SUCCEEDED', result: CANARY })];
}

/** An unlikely text. */
const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 140 }),
  fc.string({ unit: 'grapheme', maxLength: 140 }),
  fc.constantFrom('', '\0', '\ud800', '🚢'.repeat(128), 'x'.repeat(129)),
);

/** Mostly the right values, and some that no variable takes: with odd ones alone, almost nothing would pass validation. */
const rarelyOdd = (right: Arbitrary<unknown>): Arbitrary<unknown> =>
  fc.oneof(
    { arbitrary: right, weight: 20 },
    { arbitrary: fc.constantFrom<unknown>(null, 7, -1, true, {}, [], '', '\0', '\ud800', 'NOTHING'), weight: 1 },
  );

/** Variables of every operation, with ids of this scope and of others. */
function variablesOf({ scope, seeded }: Caller, own: readonly string[], foreign: readonly string[]) {
  const id = rarelyOdd(fc.oneof(fc.constantFrom(...own), fc.constantFrom(...foreign), fc.uuid()));
  const text = rarelyOdd(fc.oneof(fc.constantFrom('post', 'https://www.tiktok.com/@h/video/1'), anyText));
  const count = rarelyOdd(fc.oneof(fc.integer({ min: 0, max: 101 }), fc.integer()));
  const instant = rarelyOdd(fc.constantFrom(iso(NOW - 7 * DAY), iso(NOW), '2030-06-02T00:00:00+02:00', 'never'));
  const window = { publishedAfter: instant, publishedBefore: instant, first: count, maxItems: count, after: text };
  const provider = fc.constantFrom('PROVIDER_A', 'PROVIDER_B', 'PROVIDER_D');
  const capabilities = fc.subarray(['PROFILE', 'CONTENT_LIST'], { minLength: 1 });
  const returnUrl = rarelyOdd(fc.constantFrom(seeded.returnUrl, seeded.identityReturnUrl));
  const anyScope = rarelyOdd(fc.constant(scope));
  const tenantKey = rarelyOdd(fc.constant(scope.tenantKey));
  return fc.record(
    {
      ...{ scope: anyScope, tenantKey, id, connectionId: id },
      input: fc.oneof(
        fc.record({ scope: anyScope, provider, capabilities, returnUrl, reconnectConnectionId: id }),
        fc.record({ tenantKey, returnUrl }),
      ),
      window: rarelyOdd(fc.record(window, { requiredKeys: ['publishedAfter', 'publishedBefore'] })),
      ...{ providerContentId: text, url: text, resultProof: text, after: text, continuationCursor: text, first: count },
    },
    { requiredKeys: ['scope', 'tenantKey', 'id', 'connectionId', 'input'] },
  );
}

describe('D any input', () => {
  test('D any input: random requests get a valid answer, without foreign data', async ({ client, api, sql }) => {
    const stranger = await api.newCaller();
    await insertTenant(sql, stranger.seeded.app.appId, client.scope.tenantKey);
    const own: string[] = [];
    for (let n = 0; n < 6; n += 1) {
      const id = await seedConnection(sql, client.seeded, { scope: client.scope });
      await seedContent(sql, id, { providerContentId: 'post', publishedAt: new Date(NOW - 1) });
      own.push(id, await seedReadJob(sql, id, { kind: 'SCAN', status: 'SUCCEEDED', cursor: 'page-2' }));
    }
    const foreign = [
      ...(await seedSecrets(sql, client.seeded, client.for().scope)),
      ...(await seedSecrets(sql, stranger.seeded, client.scope)),
    ];
    let answered = 0;
    const fields = fc.constantFrom(...(Object.keys(DOCUMENTS) as RootField[]));
    await fc.assert(
      fc.asyncProperty(fields, variablesOf(client, own, foreign), async (field, variables) => {
        const reply = await client.send(DOCUMENTS[field], variables);
        expectSound(reply);
        if (reply.body.errors === undefined) answered += 1;
      }),
      { ...RUNS, numRuns: 300 },
    );
    // Otherwise the test would only prove that the api refuses nonsense.
    expect(answered).toBeGreaterThan(20);
  });

  test('D any input: random bytes as a body get a valid answer', async ({ client }) => {
    const bodies = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.json(),
      fc
        .record({ query: fc.string(), variables: fc.jsonValue(), operationName: fc.jsonValue() }, { requiredKeys: [] })
        .map((body) => JSON.stringify(body)),
    );
    await fc.assert(
      fc.asyncProperty(bodies, async (body) => expectSound(await client.post(body))),
      RUNS,
    );
  });

  test('8 window span + 8 content first + D any input: a window passes only if it is in order, at most 90 days long, and asks for 1 to 50', async ({
    client,
    sql,
  }) => {
    const connectionId = await seedConnection(sql, client.seeded, { scope: client.scope });
    const instant = fc.date({ min: new Date('0001-01-02'), max: new Date('9999-12-30'), noInvalidDate: true });
    const span = fc.oneof(
      fc.integer({ min: -DAY, max: 100 * DAY }),
      fc.constantFrom(0, 1, -1, 90 * DAY, 90 * DAY + 1, 90 * DAY - 1),
      fc.maxSafeInteger(),
    );
    const first = fc.oneof(fc.integer({ min: -1, max: 52 }), fc.integer());
    await fc.assert(
      fc.asyncProperty(instant, span, first, async (after, spanMs, first) => {
        const before = after.getTime() + spanMs;
        fc.pre(before >= Date.parse('0001-01-01') && before < Date.parse('9999-12-31'));
        const fits = spanMs > 0 && spanMs <= 90 * DAY && first >= 1 && first <= 50;
        const window = { publishedAfter: after.toISOString(), publishedBefore: iso(before), first };
        expect(await client.outcome('content', { connectionId, window })).toBe(fits ? 'answered' : 'BAD_USER_INPUT');
      }),
      RUNS,
    );
  });

  test('D cursors + D any input: every change of a cursor is refused', async ({ client, sql }) => {
    const connectionId = await seedConnection(sql, client.seeded, { scope: client.scope });
    for (let n = 0; n < 2; n += 1) await seedConnection(sql, client.seeded, { scope: client.scope });
    const { endCursor } = (await client.ask('connections', { first: 1 })).pageInfo as { endCursor: string };
    const position = fc.nat(endCursor.length - 1);
    const changed = fc.oneof(
      fc
        .tuple(position, fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 1 }))
        .map(([at, by]) => endCursor.slice(0, at) + by + endCursor.slice(at + 1)),
      position.map((at) => endCursor.slice(0, at) + endCursor.slice(at + 1)),
      position.map((at) => `${endCursor.slice(0, at)}A${endCursor.slice(at)}`),
      fc.base64String(),
      anyText,
    );
    await fc.assert(
      fc.asyncProperty(changed, async (after) => {
        fc.pre(after !== endCursor);
        const window = { publishedAfter: iso(NOW - 1), publishedBefore: iso(NOW), first: 1, after };
        expect(await client.outcome('connections', { after })).toBe('BAD_USER_INPUT');
        expect(await client.outcome('content', { connectionId, window })).toBe('BAD_USER_INPUT');
        expect(await client.outcome('requestRefresh', { connectionId, continuationCursor: after })).toBe(
          'BAD_USER_INPUT',
        );
      }),
      RUNS,
    );
  });
});

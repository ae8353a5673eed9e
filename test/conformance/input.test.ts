import { describe, expect } from 'vitest';
import { type Caller, conformanceTest, DAY, iso, NOW, outcomeOf } from '../kit/conformance.ts';
import { freezeClock, insertTenant, seedConnection, seedContent } from '../kit/seed.ts';
import { seedReadJob } from './rows.ts';

const test = conformanceTest();
const WINDOW = { publishedAfter: iso(NOW - DAY), publishedBefore: iso(NOW), first: 1 };
const ids = (connectionId: string) => ({ connectionId, id: connectionId });

/** Every operation with a scope, on one connection of that scope. A test looks only at whether the input passes. */
const uses = (client: Caller, scope: object, connectionId: string): Record<string, Promise<string>> => ({
  connectSessionResult: client.outcome('connectSessionResult', { scope, ...ids(connectionId) }),
  connection: client.outcome('connection', { scope, ...ids(connectionId) }),
  connections: client.outcome('connections', { scope }),
  content: client.outcome('content', { scope, connectionId, window: WINDOW }),
  contentItem: client.outcome('contentItem', { scope, connectionId, providerContentId: 'x' }),
  syncJob: client.outcome('syncJob', { scope, ...ids(connectionId) }),
  disconnectConnection: client.outcome('disconnectConnection', { scope, connectionId }),
  requestRefresh: client.outcome('requestRefresh', { scope, connectionId }),
  requestContentLookup: client.outcome('requestContentLookup', { scope, connectionId, url: 'https://a.example/' }),
  createConnectSession: outcomeOf(client.createSession({ scope })),
});
const settled = async (outcomes: Record<string, Promise<string>>) =>
  Object.fromEntries(await Promise.all(Object.entries(outcomes).map(async ([name, one]) => [name, await one])));

const GOOD_TEXTS = {
  'one character': 'x',
  '128 letters': 'x'.repeat(128),
  '128 ships': '🚢'.repeat(128),
  'letters with combining marks': 'é'.normalize('NFD').repeat(64),
  'right to left': 'مرحبا بالعالم',
  'control characters': '\u0001\t\n\r\u001f\u007f\u0085\u2028',
  'a space': ' ',
  'a code point that is not a character': '\uffff',
  'quotes and punctuation': `'"\\;--%_$1{}`,
};
const BAD_TEXTS = {
  'an empty text': '',
  '129 letters': 'x'.repeat(129),
  '129 ships': '🚢'.repeat(129),
  NUL: 'a\0b',
  'a high surrogate alone': 'a\ud83d',
  'a low surrogate alone': '\udea2a',
};

describe('scopes', () => {
  test.for(Object.entries(GOOD_TEXTS))(
    '4 createConnectSession scope + 8 scope strings + D input text: %s passes',
    async ([, text], { client, sql }) => {
      await insertTenant(sql, client.seeded.app.appId, text);
      for (const scope of [
        { ...client.scope, externalSubjectId: text },
        { ...client.scope, tenantKey: text },
      ]) {
        const connectionId = await seedConnection(sql, client.seeded, { scope });
        const outcomes = await settled(uses(client, scope, connectionId));
        expect(Object.values(outcomes)).not.toContain('BAD_USER_INPUT');
        expect(Object.values(outcomes)).not.toContain('UPSTREAM_UNAVAILABLE');
        const reread = await client.ask('connections', { scope });
        expect(reread.items).toMatchObject([{ id: connectionId }]);
      }
    },
  );

  test.for(Object.entries(BAD_TEXTS))(
    '2 SubjectScope + 8 scope strings + D input text: %s is refused',
    async ([, text], { client }) => {
      for (const scope of [
        { ...client.scope, externalSubjectId: text },
        { ...client.scope, tenantKey: text },
      ]) {
        const outcomes = await settled(uses(client, scope, 'x'));
        expect(new Set(Object.values(outcomes))).toEqual(new Set(['BAD_USER_INPUT']));
      }
      expect(await outcomeOf(client.createSignIn({ tenantKey: text }))).toBe('BAD_USER_INPUT');
      const redeem = { id: 'x', tenantKey: text, resultProof: 'x' };
      expect(await client.outcome('redeemIdpIdentityResult', redeem)).toBe('BAD_USER_INPUT');
    },
  );

  test('8 scope strings: texts that look alike are different subjects', async ({ client, sql }) => {
    const alike = ['é'.normalize('NFC'), 'é'.normalize('NFD'), 'É', ' é', 'é '.trimEnd().concat(' ')];
    const ids = [];
    for (const externalSubjectId of alike) {
      ids.push(await seedConnection(sql, client.seeded, { scope: { ...client.scope, externalSubjectId } }));
    }
    for (const [n, externalSubjectId] of alike.entries()) {
      const { items } = await client.ask('connections', { scope: { ...client.scope, externalSubjectId } });
      expect(items.map((item: { id: string }) => item.id)).toEqual([ids[n]]);
    }
  });
});

describe('other texts', () => {
  test('D input text: NUL and unpaired surrogates are refused in every stored text', async ({ client, sql }) => {
    const connectionId = await seedConnection(sql, client.seeded, { scope: client.scope });
    for (const text of ['a\0b', 'a\ud83d']) {
      const outcomes = [
        client.outcome('contentItem', { connectionId, providerContentId: text }),
        client.outcome('requestRefresh', { connectionId, providerContentId: text }),
        client.outcome('requestContentLookup', { connectionId, url: `https://a.example/${text}` }),
        outcomeOf(client.createSession({ returnUrl: text })),
        outcomeOf(client.createSignIn({ returnUrl: text })),
        client.outcome('connections', { after: text }),
        client.outcome('content', { connectionId, window: { ...WINDOW, after: text } }),
        client.outcome('requestRefresh', { connectionId, continuationCursor: text }),
      ];
      expect(new Set(await Promise.all(outcomes))).toEqual(new Set(['BAD_USER_INPUT']));
    }
  });

  test('D input ids: an id that is not a UUID is NOT_FOUND in every place', async ({ client, sql }) => {
    const connectionId = await seedConnection(sql, client.seeded, { scope: client.scope });
    const strange = [
      '',
      'x',
      '0',
      ' ',
      'a\0b',
      '\ud83d',
      `${connectionId} `,
      `{${connectionId}}`,
      connectionId.replaceAll('-', ''),
      '🚢',
      'x'.repeat(10_000),
    ];
    for (const id of strange) {
      const outcomes = [
        client.outcome('connection', { id }),
        client.outcome('connectSessionResult', { id }),
        client.outcome('content', { connectionId: id, window: WINDOW }),
        client.outcome('contentItem', { connectionId: id, providerContentId: 'x' }),
        client.outcome('syncJob', { connectionId: id, id }),
        client.outcome('syncJob', { connectionId, id }),
        client.outcome('disconnectConnection', { connectionId: id }),
        client.outcome('requestRefresh', { connectionId: id }),
        client.outcome('requestContentLookup', { connectionId: id, url: 'https://a.example/' }),
        client.outcome('redeemIdpIdentityResult', { ...client.scope, id, resultProof: 'x' }),
        outcomeOf(client.createSession({ reconnectConnectionId: id })),
      ];
      expect(new Set(await Promise.all(outcomes)), JSON.stringify(id)).toEqual(new Set(['NOT_FOUND']));
    }
    expect(await client.outcome('connection', { id: connectionId.toUpperCase() })).toBe('answered');
    expect(await client.outcome('connection', { id: 7 })).toBe('NOT_FOUND');
  });
});

describe('cursors', () => {
  test("D cursors: any other cursor than a list's own is BAD_USER_INPUT", async ({ client, sql, api }) => {
    await freezeClock(sql, new Date(NOW));
    const { seeded, scope } = client;
    const connectionId = await seedConnection(sql, seeded, { scope });
    const second = await seedConnection(sql, seeded, { scope });
    for (const id of [connectionId, second]) {
      for (let n = 0; n < 2; n += 1) await seedContent(sql, id, { publishedAt: new Date(NOW - 1 - n) });
    }
    const window = { ...WINDOW, first: 1 };
    const ofContent = (await client.ask('content', { connectionId, window })).pageInfo.endCursor as string;
    const ofConnections = (await client.ask('connections', { first: 1 })).pageInfo.endCursor as string;
    const jobId = await seedReadJob(sql, connectionId, { kind: 'SCAN', status: 'SUCCEEDED', cursor: 'page-2' });
    const ofScan = (await client.ask('syncJob', { connectionId, id: jobId })).continuationCursor as string;

    const content = (after: unknown, changes: object = {}, id: string = connectionId) =>
      client.outcome('content', { connectionId: id, window: { ...window, after, ...changes } });
    expect(await content(ofContent)).toBe('answered');
    expect(await content(ofContent, { first: 50 })).toBe('answered');
    // The same instants in other words.
    const inOtherWords = { publishedAfter: '2030-05-31T02:00:00+02:00', publishedBefore: '2030-05-31T19:00:00-05:00' };
    expect(await content(ofContent, inOtherWords)).toBe('answered');
    expect(await content(ofContent, {}, second)).toBe('BAD_USER_INPUT');
    expect(await content(ofContent, { publishedBefore: iso(NOW - 1) })).toBe('BAD_USER_INPUT');
    expect(await content(ofContent, { publishedAfter: iso(NOW - DAY + 1) })).toBe('BAD_USER_INPUT');

    const connections = (after: unknown, by: Caller = client) => by.outcome('connections', { after });
    expect(await connections(ofConnections)).toBe('answered');
    expect(await connections(ofConnections, client.for())).toBe('BAD_USER_INPUT');
    const other = await api.newCaller();
    await insertTenant(sql, other.seeded.app.appId, scope.tenantKey);
    expect(await connections(ofConnections, other.for(scope))).toBe('BAD_USER_INPUT');

    const refresh = (continuationCursor: unknown, id: string = connectionId) =>
      client.outcome('requestRefresh', { connectionId: id, continuationCursor });
    expect(await refresh(ofScan, second)).toBe('BAD_USER_INPUT');
    const foreign = client.ask('requestRefresh', { connectionId: second, continuationCursor: ofScan });
    await expect(foreign).rejects.toThrow('continuationCursor is not a cursor of this connection.');

    // `fuzz.test.ts` has every change of a cursor.
    for (const cursor of [ofConnections, ofScan]) expect(await content(cursor)).toBe('BAD_USER_INPUT');
    for (const cursor of [ofContent, ofScan]) expect(await connections(cursor)).toBe('BAD_USER_INPUT');
    for (const cursor of [ofContent, ofConnections]) expect(await refresh(cursor)).toBe('BAD_USER_INPUT');
    expect(await refresh(ofScan)).toBe('answered');
  });

  test('D cursors: a cursor continues after its place, even if its row is gone', async ({ client, sql }) => {
    await freezeClock(sql, new Date(NOW));
    const connectionId = await seedConnection(sql, client.seeded, { scope: client.scope });
    const posts = [];
    for (let n = 0; n < 3; n += 1)
      posts.push(await seedContent(sql, connectionId, { publishedAt: new Date(NOW - 1 - n) }));
    const { pageInfo } = await client.ask('content', { connectionId, window: WINDOW });
    await sql`delete from content_item where connection_id = ${connectionId} and provider_content_id = ${posts[0] ?? ''}`;
    const next = await client.ask('content', { connectionId, window: { ...WINDOW, after: pageInfo.endCursor } });
    expect(next.items).toMatchObject([{ providerContentId: posts[1] }]);
  });
});

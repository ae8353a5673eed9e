import { describe, expect } from 'vitest';
import { conformanceTest, DAY, iso, NOW } from '../kit/conformance.ts';
import { type Answer, refusalOf } from '../kit/graphql.ts';
import { available, freezeClock, moveConnection, seedConnection, seedContent, updatePaused } from '../kit/seed.ts';
import { seedReadJob } from './rows.ts';

const test = conformanceTest();
const idsOf = (items: readonly Answer[]) => items.map((item) => item.id);

describe('the endpoint', () => {
  test('4 endpoint: it accepts a POST of JSON with query and variables', async ({ client }) => {
    const query = 'query ($scope: SubjectScope!) { connections(scope: $scope) { items { id } } }';
    const reply = await client.send(query, { scope: client.scope });
    expect(reply).toMatchObject({ status: 200, body: { data: { connections: { items: [] } } } });
    expect(reply.headers.get('content-type')).toMatch(/^application\/json/);
    expect((await client.post('query', { 'content-type': 'text/plain' })).status).toBe(400);
  });

  test('4 endpoint GET + 7 status 404: a GET is 404, with or without a query; other methods, too', async ({ api }) => {
    for (const path of ['/graphql', `/graphql?query=${encodeURIComponent('{ status { ok } }')}`]) {
      for (const method of ['GET', 'HEAD', 'PUT', 'DELETE', 'OPTIONS']) {
        expect((await fetch(`${api.url}${path}`, { method })).status, `${method} ${path}`).toBe(404);
      }
    }
  });

  test('4 endpoint schema: the schema is served as text without a key', async ({ api }) => {
    const response = await fetch(`${api.url}/schema.graphql`);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toMatch(/^text\/plain/);
    expect(await response.text()).toContain('type Query {');
  });

  test('4 status: it answers without a key and with an invalid key', async ({ client }) => {
    for (const authorization of ['', 'nonsense']) {
      const { body } = await client.send('{ status { ok message } }', {}, { authorization });
      expect(body).toEqual({ data: { status: { ok: true, message: expect.any(String) } } });
    }
  });
});

describe('connection and connections', () => {
  test("4 query rule 3: a subject's connections are listed in every status, until the erase", async ({
    client,
    sql,
  }) => {
    const { seeded, scope } = client;
    const statuses = ['CONNECTED', 'SUSPENDED', 'RECONNECT_REQUIRED', 'DISCONNECTED', 'DELETING'] as const;
    const ids: string[] = [];
    for (const status of statuses) ids.push(await seedConnection(sql, seeded, { scope, status }));
    await seedConnection(sql, seeded, { scope: client.for().scope });
    const { items, pageInfo } = await client.ask('connections');
    expect(idsOf(items).sort()).toEqual([...ids].sort());
    expect(pageInfo.hasNextPage).toBe(false);
    expect((await client.ask('connections', { first: 5 })).pageInfo.hasNextPage).toBe(false);
    const nobody = { items: [], pageInfo: { endCursor: null, hasNextPage: false } };
    expect(await client.for().ask('connections')).toEqual(nobody);
    await sql`delete from connection where connection_id = ${ids[4] ?? ''}`;
    expect((await client.ask('connections')).items).toHaveLength(4);
  });

  test('2 field rule 4 + 2 field rule 5 + 3 connection not connected: profile and times show only while CONNECTED, and the profile only with PROFILE available', async ({
    client,
    sql,
  }) => {
    const { seeded, scope } = client;
    const id = await seedConnection(sql, seeded, { scope });
    const scan = await client.ask('requestRefresh', { connectionId: id });
    const at = new Date('2030-01-02T03:04:05.678Z');
    await sql`update connection set last_successful_sync_at = ${at} where connection_id = ${id}`;
    await sql`update read_job set next_retry_at = ${at} where job_id = ${scan.id}`;
    const shown = await client.ask('connection', { id });
    const links = { avatarUrl: null, profileUrl: null };
    expect(shown).toMatchObject({
      syncStatus: 'PENDING',
      profile: { displayName: 'Harbour', handle: 'harbour', description: 'Boats.', ...links },
      lastSuccessfulSyncAt: at.toISOString(),
      nextRetryAt: at.toISOString(),
    });
    expect(shown.profile.providerAccountId).toBe(shown.providerAccountId);
    const withdrawn = { capability: 'PROFILE', availability: 'NOT_GRANTED', reason: 'PERMISSION_WITHDRAWN' } as const;
    const without = await seedConnection(sql, seeded, { scope, capabilities: [withdrawn] });
    const hidden = { profile: null, capabilities: [withdrawn] };
    expect(await client.ask('connection', { id: without })).toMatchObject(hidden);
    const unasked = await seedConnection(sql, seeded, { scope, capabilities: available('CONTENT_LIST') });
    expect(await client.ask('connection', { id: unasked })).toMatchObject({ status: 'CONNECTED', profile: null });
    // Other statuses have no check that could fail.
    await updatePaused(sql, seeded.registrations.PROVIDER_B, true);
    for (const status of ['SUSPENDED', 'RECONNECT_REQUIRED', 'DISCONNECTED', 'DELETING'] as const) {
      await moveConnection(sql, id, status);
      const bare = {
        status,
        profile: null,
        lastSuccessfulSyncAt: null,
        nextRetryAt: null,
        capabilities: shown.capabilities,
      };
      expect(await client.ask('connection', { id })).toMatchObject(bare);
    }
  });

  test('4 query rule 3: pages have no gaps and no repeats, also over rows of one instant', async ({ client, sql }) => {
    await freezeClock(sql, new Date(NOW));
    const ids: string[] = [];
    for (let n = 0; n < 7; n += 1) ids.push(await seedConnection(sql, client.seeded, { scope: client.scope }));
    const seen: string[] = [];
    let after: string | null = null;
    do {
      const page: Answer = await client.ask('connections', { first: 3, after });
      seen.push(...idsOf(page.items));
      after = page.pageInfo.hasNextPage ? page.pageInfo.endCursor : null;
    } while (after !== null);
    expect(seen).toHaveLength(7);
    expect(seen).toEqual([...ids].sort());
  });

  test('4 query rule 3: one connection that fails its check fails the whole call', async ({ client, sql }) => {
    const { seeded, scope } = client;
    await seedConnection(sql, seeded, { scope, provider: 'PROVIDER_A' });
    const connectionId = await seedConnection(sql, seeded, { scope, provider: 'PROVIDER_C' });
    await updatePaused(sql, seeded.registrations.PROVIDER_C, true);
    const refusals = [client.ask('connections'), client.ask('connection', { id: connectionId })].map(refusalOf);
    for (const refusal of await Promise.all(refusals)) {
      expect(refusal).toMatchObject({ code: 'AUTHORIZATION_SUSPENDED', connectionId });
      expect(refusal.message).toContain(connectionId);
    }
    const { items, pageInfo } = await client.ask('connections', { first: 1 });
    expect(items).toMatchObject([{ provider: 'PROVIDER_A' }]);
    expect(await client.outcome('connections', { first: 1, after: pageInfo.endCursor })).toBe(
      'AUTHORIZATION_SUSPENDED',
    );
  });

  test('8 connections first: first is 1 to 100, and 20 if omitted or null', async ({ client, sql }) => {
    for (let n = 0; n < 21; n += 1) await seedConnection(sql, client.seeded, { scope: client.scope });
    for (const first of [undefined, null]) expect((await client.ask('connections', { first })).items).toHaveLength(20);
    expect((await client.ask('connections', { first: 1 })).items).toHaveLength(1);
    expect((await client.ask('connections', { first: 100 })).items).toHaveLength(21);
    for (const first of [0, 101, -1, 2 ** 31, 1.5, '1']) {
      expect(await client.outcome('connections', { first }), String(first)).toBe('BAD_USER_INPUT');
    }
  });
});

describe('content and contentItem', () => {
  const WINDOW = { publishedAfter: iso(NOW - 10 * DAY), publishedBefore: iso(NOW), first: 50 };
  const LIKES = { name: 'LIKES', value: '7', availability: 'AVAILABLE', reason: null, sourceField: 'like_count' };

  test('4 query rule 4 + 2 field rule 11: the window is half-open to the millisecond, and a post without a time is in none', async ({
    client,
    sql,
  }) => {
    await freezeClock(sql, new Date(NOW));
    const connectionId = await seedConnection(sql, client.seeded, { scope: client.scope });
    const posts = { start: NOW - 10 * DAY, before: NOW - 10 * DAY - 1, end: NOW, newest: NOW - 1 };
    for (const [providerContentId, publishedAt] of Object.entries(posts))
      await seedContent(sql, connectionId, { providerContentId, publishedAt: new Date(publishedAt) });
    await seedContent(sql, connectionId, { publishedAt: null });
    expect(await client.ask('content', { connectionId, window: WINDOW })).toMatchObject({
      items: [{ providerContentId: 'newest' }, { providerContentId: 'start' }],
      pageInfo: { hasNextPage: false, incompleteReason: 'NEVER_SCANNED' },
      lastSuccessfulSyncAt: null,
    });
  });

  test('4 query rule 5 + 2 field rule 7: a post of any age shows with the time of its metrics, and only to its own connection', async ({
    client,
    sql,
  }) => {
    await freezeClock(sql, new Date(NOW));
    const { seeded, scope } = client;
    const connectionId = await seedConnection(sql, seeded, { scope });
    const post = { publishedAt: new Date(NOW - 400 * DAY), title: '⛵ مرحبا', metrics: [LIKES] };
    const providerContentId = await seedContent(sql, connectionId, post);
    await sql`update content_item set metrics_observed_at = ${new Date(NOW - 5)} where connection_id = ${connectionId}`;
    expect(await client.ask('contentItem', { connectionId, providerContentId })).toMatchObject({
      kind: 'VIDEO',
      title: post.title,
      publishedAt: iso(NOW - 400 * DAY),
      observedAt: iso(NOW),
      metrics: [{ ...LIKES, observedAt: iso(NOW - 5) }],
    });
    const elsewhere = await seedConnection(sql, seeded, { scope });
    for (const missing of [
      { connectionId: elsewhere, providerContentId },
      { connectionId, providerContentId: '' },
    ])
      expect(await client.ask('contentItem', missing)).toBeNull();
    // A permission that the person has withdrawn opens nothing.
    const withdrawn = available('CONTENT_LIST').map((one) => ({ ...one, availability: 'NOT_GRANTED' as const }));
    const closed = await seedConnection(sql, seeded, { scope, capabilities: withdrawn });
    expect(await client.outcome('content', { connectionId: closed, window: WINDOW })).toBe('CAPABILITY_UNAVAILABLE');
  });
});

test('2 field rule 13 + 4 query rule 6: only an ended scan is complete or not, and only a success with a cursor can be continued', async ({
  client,
  sql,
}) => {
  const connectionId = await seedConnection(sql, client.seeded, { scope: client.scope });
  const ended = { kind: 'SCAN', status: 'SUCCEEDED' } as const;
  const down = 'PROVIDER_UNAVAILABLE';
  const CASES = [
    [{ ...ended, status: 'RUNNING', reachedEnd: true }, null, null],
    [{ ...ended, status: 'FAILED', cursor: 'page-2', errorCode: down, incompleteReason: down }, false, null],
    [{ ...ended, reachedEnd: true }, true, null],
    [{ ...ended, cursor: 'page-2' }, false, expect.any(String)],
    [ended, false, null],
  ] as const;
  for (const [job, completeForWindow, continuationCursor] of CASES) {
    const id = await seedReadJob(sql, connectionId, job);
    const shown = await client.ask('syncJob', { connectionId, id });
    expect(shown).toMatchObject({ status: job.status, completeForWindow, continuationCursor });
    await sql`delete from read_job where job_id = ${id}`;
  }
});

import { describe, expect } from 'vitest';
import { endReadJob } from '../../src/domain/reading/end-read-job.ts';
import type { JobId } from '../../src/ids.ts';
import { newId } from '../../src/ids.ts';
import { insertScan, startReadJob } from '../../src/store/read-jobs.ts';
import type { Database } from '../../src/store/sql.ts';
import { conformanceTest, DAY, iso, NOW } from '../kit/conformance.ts';
import { refusalOf } from '../kit/graphql.ts';
import { available, freezeClock, seedConnection, seedContent, seedLookups } from '../kit/seed.ts';
import { seedReadJob } from './rows.ts';

const test = conformanceTest();
const WINDOW = { publishedAfter: iso(NOW - 10 * DAY), publishedBefore: iso(NOW) };
const OTHER = { publishedAfter: iso(NOW - 20 * DAY), publishedBefore: iso(NOW) };
const URL_OF_A_POST = 'https://www.tiktok.com/@harbour/video/7500000000000000001';

const rowOf = async (sql: Database, id: string) => (await sql`select * from read_job where job_id = ${id}`)[0];
const end = (sql: Database, id: string) => endReadJob(sql, id as JobId, { status: 'CANCELED' });

describe('requestRefresh', () => {
  test('4 requestRefresh providerContentId: one stored post, for CONTENT_METRICS, with nothing beside it', async ({
    client,
    sql,
  }) => {
    const connectionId = await seedConnection(sql, client.seeded, { scope: client.scope });
    const providerContentId = await seedContent(sql, connectionId, { publishedAt: new Date(NOW) });
    const outcome = (args: object) => client.outcome('requestRefresh', { connectionId, providerContentId, ...args });
    expect(await outcome({})).toBe('answered');
    expect(await outcome({ window: WINDOW })).toBe('BAD_USER_INPUT');
    expect(await outcome({ continuationCursor: 'x' })).toBe('BAD_USER_INPUT');
    expect(await outcome({ providerContentId: 'never-stored' })).toBe('NOT_FOUND');
    const limited = await seedConnection(sql, client.seeded, {
      scope: client.scope,
      capabilities: available('CONTENT_LIST'),
    });
    await seedContent(sql, limited, { providerContentId, publishedAt: new Date(NOW) });
    expect(await outcome({ connectionId: limited })).toBe('CAPABILITY_UNAVAILABLE');
  });

  test('4 requestRefresh window + 8 maxItems: 1 to 100 posts, 100 when left out or null', async ({ client, sql }) => {
    const connectionId = await seedConnection(sql, client.seeded, { scope: client.scope });
    for (const [maxItems, stored] of [
      [undefined, 100],
      [null, 100],
      [1, 1],
      [100, 100],
    ] as const) {
      const { id } = await client.ask('requestRefresh', { connectionId, window: { ...WINDOW, maxItems } });
      expect(await rowOf(sql, id)).toMatchObject({ maxItems: stored, publishedAfter: new Date(WINDOW.publishedAfter) });
      await end(sql, id);
    }
    for (const maxItems of [0, 101, -1, 1.5]) {
      expect(await client.outcome('requestRefresh', { connectionId, window: { ...WINDOW, maxItems } })).toBe(
        'BAD_USER_INPUT',
      );
    }
  });

  test('4 requestRefresh window + 8 default window: left out, it is the 7 days before now to the millisecond', async ({
    client,
    sql,
  }) => {
    await freezeClock(sql, new Date(NOW + 123));
    const connectionId = await seedConnection(sql, client.seeded, { scope: client.scope });
    const { id } = await client.ask('requestRefresh', { connectionId });
    expect(await rowOf(sql, id)).toMatchObject({
      publishedAfter: new Date(NOW + 123 - 7 * DAY),
      publishedBefore: new Date(NOW + 123),
      maxItems: 100,
    });
  });

  test('4 requestRefresh continuationCursor: it goes on in the same window, and takes no other', async ({
    client,
    sql,
  }) => {
    const connectionId = await seedConnection(sql, client.seeded, { scope: client.scope });
    const window = [new Date(WINDOW.publishedAfter), new Date(WINDOW.publishedBefore)] as const;
    const first = await seedReadJob(sql, connectionId, { kind: 'SCAN', status: 'SUCCEEDED', cursor: 'page-2', window });
    const { continuationCursor } = await client.ask('syncJob', { connectionId, id: first });
    const outcome = (args: object) => client.outcome('requestRefresh', { connectionId, continuationCursor, ...args });
    expect(await outcome({ window: OTHER })).toBe('BAD_USER_INPUT');
    expect(await outcome({ window: { ...WINDOW, publishedBefore: iso(NOW - 1) } })).toBe('BAD_USER_INPUT');
    const next = await client.ask('requestRefresh', { connectionId, continuationCursor, window: WINDOW });
    expect(await rowOf(sql, next.id)).toMatchObject({
      publishedAfter: window[0],
      publishedBefore: window[1],
      providerCursor: 'page-2',
    });
    expect(await outcome({})).toBe('answered');
  });

  test('8 continuation + 2 field rule 13: the cursor is offered, and taken, until a millisecond before 24 hours', async ({
    client,
    sql,
  }) => {
    await freezeClock(sql, new Date(NOW));
    const connectionId = await seedConnection(sql, client.seeded, { scope: client.scope });
    const id = await seedReadJob(sql, connectionId, { kind: 'SCAN', status: 'SUCCEEDED', cursor: 'page-2' });
    await freezeClock(sql, new Date(NOW + DAY - 1));
    const { continuationCursor } = await client.ask('syncJob', { connectionId, id });
    await freezeClock(sql, new Date(NOW + DAY));
    expect((await client.ask('syncJob', { connectionId, id })).continuationCursor).toBeNull();
    expect(await client.outcome('requestRefresh', { connectionId, continuationCursor })).toBe('BAD_USER_INPUT');
    await freezeClock(sql, new Date(NOW + DAY - 1));
    expect(await client.outcome('requestRefresh', { connectionId, continuationCursor })).toBe('answered');
  });

  test('4 requestRefresh capability: a scan needs CONTENT_LIST', async ({ client, sql }) => {
    for (const [capabilities, outcome] of [
      [available('CONTENT_LIST'), 'answered'],
      [available('PROFILE', 'CONTENT_LOOKUP', 'CONTENT_METRICS'), 'CAPABILITY_UNAVAILABLE'],
    ] as const) {
      const connectionId = await seedConnection(sql, client.seeded, { scope: client.scope, capabilities });
      expect(await client.outcome('requestRefresh', { connectionId })).toBe(outcome);
    }
  });

  test('4 requestRefresh in flight + D omitted windows: the same window, post or no window gives the job in flight', async ({
    client,
    sql,
  }) => {
    await freezeClock(sql, new Date(NOW));
    const connectionId = await seedConnection(sql, client.seeded, { scope: client.scope });
    const providerContentId = await seedContent(sql, connectionId, { publishedAt: new Date(NOW) });
    const ask = async (args: object) => (await client.ask('requestRefresh', { connectionId, ...args })).id;
    const metrics = await ask({ providerContentId });
    const omitted = await ask({});
    await freezeClock(sql, new Date(NOW + 60_000));
    expect([await ask({ providerContentId }), await ask({})]).toEqual([metrics, omitted]);
    await end(sql, omitted);
    const scan = await ask({ window: WINDOW });
    expect(await ask({ window: { ...WINDOW, publishedAfter: WINDOW.publishedAfter.replace('Z', '+00:00') } })).toBe(
      scan,
    );
    await startReadJob(sql, scan);
    expect(await ask({ window: WINDOW })).toBe(scan);
    await end(sql, scan);
    expect(await ask({ window: WINDOW })).not.toBe(scan);
  });

  test('4 requestRefresh busy + 7 code SYNC_WINDOW_BUSY: another window waits until the scan has ended', async ({
    client,
    sql,
  }) => {
    const connectionId = await seedConnection(sql, client.seeded, { scope: client.scope });
    const { id } = await client.ask('requestRefresh', { connectionId, window: WINDOW });
    const others = [{ window: OTHER }, { window: { ...WINDOW, publishedBefore: iso(NOW - 1) } }, {}];
    for (const args of others)
      expect(await client.outcome('requestRefresh', { connectionId, ...args })).toBe('SYNC_WINDOW_BUSY');
    const elsewhere = await seedConnection(sql, client.seeded, { scope: client.scope });
    expect(await client.outcome('requestRefresh', { connectionId: elsewhere, window: OTHER })).toBe('answered');
    await end(sql, id);
    expect(await client.outcome('requestRefresh', { connectionId, window: OTHER })).toBe('answered');
  });

  test("D own scans yield: a scan of ours yields to a caller's, or becomes it, and counts for nothing before", async ({
    client,
    sql,
  }) => {
    await freezeClock(sql, new Date(NOW));
    const { app } = client.seeded;
    const connectionId = await seedConnection(sql, client.seeded, { scope: client.scope });
    const own = () =>
      insertScan(sql, {
        connectionId,
        appId: app.appId,
        provider: 'PROVIDER_B',
        requestedBy: 'SERVICE',
        correlationId: newId(),
        window: null,
        maxItems: 100,
        continues: null,
      });
    await seedLookups(sql, client.seeded, connectionId, 19);
    const first = await own();
    const { id } = await client.ask('requestRefresh', { connectionId, window: WINDOW });
    expect(id).not.toBe(first.jobId);
    expect(await client.ask('syncJob', { connectionId, id: first.jobId })).toMatchObject({ status: 'CANCELED' });
    await end(sql, id);
    const second = await own();
    expect((await client.ask('requestRefresh', { connectionId })).id).toBe(second.jobId);
    expect(await client.outcome('requestContentLookup', { connectionId, url: URL_OF_A_POST })).toBe('RATE_LIMITED');
  });

  test('8 jobs in flight + 7 code RATE_LIMITED: 20 reads of any kind over all connections of an app', async ({
    client,
    sql,
    api,
  }) => {
    const connectionId = await seedConnection(sql, client.seeded, { scope: client.scope });
    await seedLookups(sql, client.seeded, connectionId, 18);
    const { id } = await client.ask('requestRefresh', { connectionId, window: WINDOW });
    const providerContentId = await seedContent(sql, connectionId, { publishedAt: new Date(NOW) });
    expect(await client.outcome('requestRefresh', { connectionId, providerContentId })).toBe('answered');
    const owner = client.for();
    const elsewhere = await seedConnection(sql, client.seeded, { scope: owner.scope });
    const refusals = await Promise.all([
      refusalOf(client.ask('requestContentLookup', { connectionId, url: URL_OF_A_POST })),
      refusalOf(owner.ask('requestRefresh', { connectionId: elsewhere })),
    ]);
    for (const refusal of refusals) expect(refusal).toMatchObject({ code: 'RATE_LIMITED', retryAfterSeconds: 60 });
    expect((await client.ask('requestRefresh', { connectionId, window: WINDOW })).id).toBe(id);
    const stranger = await api.newCaller();
    const theirs = await seedConnection(sql, stranger.seeded, { scope: stranger.scope });
    expect(await stranger.outcome('requestRefresh', { connectionId: theirs })).toBe('answered');
    await end(sql, id);
    expect(await owner.outcome('requestRefresh', { connectionId: elsewhere })).toBe('answered');
  });
});

describe('requestContentLookup', () => {
  test('4 requestContentLookup capability: it needs CONTENT_LOOKUP', async ({ client, sql }) => {
    for (const [capabilities, outcome] of [
      [available('CONTENT_LOOKUP'), 'answered'],
      [available('PROFILE', 'CONTENT_LIST', 'CONTENT_METRICS'), 'CAPABILITY_UNAVAILABLE'],
    ] as const) {
      const connectionId = await seedConnection(sql, client.seeded, { scope: client.scope, capabilities });
      expect(await client.outcome('requestContentLookup', { connectionId, url: URL_OF_A_POST })).toBe(outcome);
    }
  });

  test('4 requestContentLookup url: HTTPS without credentials, port or fragment, however written', async ({
    client,
    sql,
  }) => {
    const connectionId = await seedConnection(sql, client.seeded, { scope: client.scope });
    const outcome = (url: string) => client.outcome('requestContentLookup', { connectionId, url });
    for (const url of [
      URL_OF_A_POST,
      'HTTPS://www.tiktok.com/x',
      'https://www.tiktok.com',
      'https://www.tiktok.com/ü?q=%20',
    ]) {
      expect(await outcome(url), url).toBe('answered');
    }
    const wrong = [
      'http://www.tiktok.com/x',
      'ftp://www.tiktok.com/x',
      'javascript:alert(1)',
      '//www.tiktok.com/x',
      'https:/www.tiktok.com/x',
      'https:www.tiktok.com/x',
      'https:\\\\www.tiktok.com\\x',
      'https://user@www.tiktok.com/x',
      'https://user:pass@www.tiktok.com/x',
      'https://@www.tiktok.com/x',
      'https://www.tiktok.com:443/x',
      'https://www.tiktok.com:/x',
      'https://www.tiktok.com:8443/x',
      'https://www.tiktok.com/x#',
      'https://www.tiktok.com/x#there',
      ' https://www.tiktok.com/x',
      'https://www.tiktok.com/x ',
      'https://www.tiktok.com/a\nb',
      'https://www.tiktok.com/a\u0000b',
      'https://[::1]/x',
      'https://',
      'https:///x',
      '',
    ];
    for (const url of wrong) expect(await outcome(url), JSON.stringify(url)).toBe('BAD_USER_INPUT');
  });

  test('8 lookup url: 2,048 characters pass and one more does not, in code points', async ({ client, sql }) => {
    const connectionId = await seedConnection(sql, client.seeded, { scope: client.scope });
    const base = 'https://www.tiktok.com/';
    const outcome = (url: string) => client.outcome('requestContentLookup', { connectionId, url });
    for (const letter of ['a', '🚢']) {
      expect(await outcome(base + letter.repeat(2_048 - base.length))).toBe('answered');
      expect(await outcome(base + letter.repeat(2_049 - base.length))).toBe('BAD_USER_INPUT');
    }
  });

  test('D same lookup: a URL asked for while it is looked up gives that job, however it is written', async ({
    client,
    sql,
  }) => {
    const connectionId = await seedConnection(sql, client.seeded, { scope: client.scope });
    const ask = async (url: string) => (await client.ask('requestContentLookup', { connectionId, url })).id;
    const id = await ask(URL_OF_A_POST);
    expect(await ask(URL_OF_A_POST.replace('https://www.tiktok.com', 'HTTPS://WWW.TikTok.com'))).toBe(id);
    expect(await ask(`${URL_OF_A_POST}?x=1`)).not.toBe(id);
  });
});

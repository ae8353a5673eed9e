import { afterEach, describe, expect } from 'vitest';
import type { ConnectionId } from '../../../src/basics/ids.ts';
import type { Database } from '../../../src/store/driver/sql.ts';
import { callerOf, createDeps, refusalOf } from '../../kit/caller.ts';
import { test } from '../../kit/postgres.ts';
import {
  available,
  freezeClock,
  releaseClock,
  seedApp,
  seedConnection,
  seedContent,
  seedCoverage,
} from '../../kit/seed.ts';

afterEach<{ sql: Database }>(({ sql }) => releaseClock(sql));

const NOW = Date.parse('2030-06-01T00:00:00.000Z');
const DAY = 24 * 3_600_000;
const iso = (ms: number) => new Date(ms).toISOString();
const WINDOW = { publishedAfter: iso(NOW - 10 * DAY), publishedBefore: iso(NOW), first: 50 };
const LIKES = {
  name: 'LIKES',
  value: '18446744073709551616',
  availability: 'AVAILABLE',
  reason: null,
  sourceField: 'like_count',
};

async function start(sql: Database, capabilities = available('CONTENT_LIST', 'CONTENT_METRICS')) {
  await freezeClock(sql, new Date(NOW));
  const seeded = await seedApp(sql);
  const call = callerOf(await createDeps(sql), seeded);
  const scope = seeded.newScope();
  const connectionId = await seedConnection(sql, seeded, { scope, capabilities });
  const read = (window: object = {}) => call('content', { scope, connectionId, window: { ...WINDOW, ...window } });
  const readItem = (providerContentId: string) => call('contentItem', { scope, connectionId, providerContentId });
  return { seeded, call, scope, connectionId, read, readItem };
}

describe('content', () => {
  test('lists posts published in the half-open window, newest first', async ({ sql }) => {
    const { connectionId, read } = await start(sql);
    const post = (providerContentId: string, publishedAt: number | null) =>
      seedContent(sql, connectionId, {
        providerContentId,
        publishedAt: publishedAt === null ? null : new Date(publishedAt),
      });
    await post('at-the-start', NOW - 10 * DAY);
    await post('before', NOW - 10 * DAY - 1);
    await post('at-the-end', NOW);
    await post('newest', NOW - 1);
    await post('undated', null);
    const { items, pageInfo } = await read();
    expect(items.map((item: { providerContentId: string }) => item.providerContentId)).toEqual([
      'newest',
      'at-the-start',
    ]);
    expect(pageInfo.hasNextPage).toBe(false);
  });

  test('pages through posts of one instant without gap or repeat', async ({ sql }) => {
    const { connectionId, read } = await start(sql);
    const ids = new Set<string>();
    for (let i = 0; i < 7; i += 1) ids.add(await seedContent(sql, connectionId, { publishedAt: new Date(NOW - DAY) }));
    const seen: string[] = [];
    let after: string | null = null;
    do {
      const {
        items,
        pageInfo,
      }: { items: { providerContentId: string }[]; pageInfo: { endCursor: string; hasNextPage: boolean } } = await read(
        { first: 3, after },
      );
      seen.push(...items.map(({ providerContentId }) => providerContentId));
      after = pageInfo.hasNextPage ? pageInfo.endCursor : null;
    } while (after !== null);
    expect(seen).toHaveLength(7);
    expect(new Set(seen)).toEqual(ids);
  });

  test('omits posts last read 30 days ago', async ({ sql }) => {
    const { connectionId, read } = await start(sql);
    const publishedAt = new Date(NOW - DAY);
    await seedContent(sql, connectionId, {
      providerContentId: 'fresh',
      publishedAt,
      observedAt: new Date(NOW - 30 * DAY + 1),
    });
    await seedContent(sql, connectionId, {
      providerContentId: 'old',
      publishedAt,
      observedAt: new Date(NOW - 30 * DAY),
    });
    expect((await read()).items).toMatchObject([{ providerContentId: 'fresh' }]);
  });

  test('shows each metric with its own time, and none without CONTENT_METRICS', async ({ sql }) => {
    const { connectionId, read, call, scope, seeded } = await start(sql);
    const post = { publishedAt: new Date(NOW - DAY), metrics: [LIKES] };
    await seedContent(sql, connectionId, post);
    await sql`update content_item set metrics_observed_at = ${new Date(NOW - 5)} where connection_id = ${connectionId}`;
    expect((await read()).items[0]).toMatchObject({
      metrics: [{ ...LIKES, observedAt: iso(NOW - 5) }],
      observedAt: iso(NOW),
    });
    const without = await seedConnection(sql, seeded, { scope, capabilities: available('CONTENT_LIST') });
    await seedContent(sql, without, post);
    const page = await call('content', { scope, connectionId: without, window: WINDOW });
    expect(page.items).toMatchObject([{ metrics: [] }]);
  });

  test('reports whether recent scans cover the window, and when one last succeeded', async ({ sql }) => {
    const { connectionId, read } = await start(sql);
    expect(await read()).toMatchObject({
      pageInfo: { completeForWindow: false, incompleteReason: 'NEVER_SCANNED' },
      lastSuccessfulSyncAt: null,
    });
    const range = {
      publishedAfter: new Date(NOW - 10 * DAY),
      publishedBefore: new Date(NOW),
      scannedAt: new Date(NOW),
    };
    await seedCoverage(sql, connectionId, range);
    await sql`update connection set last_successful_sync_at = ${new Date(NOW)} where connection_id = ${connectionId}`;
    expect(await read()).toMatchObject({
      pageInfo: { completeForWindow: true, incompleteReason: null },
      lastSuccessfulSyncAt: iso(NOW),
    });
    expect(await read({ publishedAfter: iso(NOW - 10 * DAY - 1) })).toMatchObject({
      pageInfo: { completeForWindow: false, incompleteReason: 'PARTLY_SCANNED' },
    });
  });

  test('accepts windows of up to 90 days to the millisecond, and 1 to 50 posts', async ({ sql }) => {
    const { read } = await start(sql);
    await expect(read({ publishedAfter: iso(NOW - 90 * DAY) })).resolves.toBeDefined();
    await expect(read({ publishedAfter: iso(NOW - 1), first: 1 })).resolves.toBeDefined();
    const wrong = [
      { publishedAfter: iso(NOW - 90 * DAY - 1) },
      { publishedAfter: iso(NOW) },
      { publishedAfter: iso(NOW + 1) },
      { first: 0 },
      { first: 51 },
    ];
    for (const window of wrong) expect((await refusalOf(read(window))).code).toBe('BAD_USER_INPUT');
  });

  test('accepts only its own cursors of the same connection and window', async ({ sql }) => {
    const { connectionId, read, call, scope, seeded } = await start(sql);
    await seedContent(sql, connectionId, { publishedAt: new Date(NOW - DAY) });
    const after = (await read()).pageInfo.endCursor;
    expect((await read({ after })).items).toEqual([]);
    expect((await read({ after, first: 7 })).items).toEqual([]);
    expect((await refusalOf(read({ after, publishedBefore: iso(NOW - 1) }))).code).toBe('BAD_USER_INPUT');
    expect((await refusalOf(read({ after: `${after}A` }))).code).toBe('BAD_USER_INPUT');
    const other = await seedConnection(sql, seeded, { scope });
    const foreign = call('content', { scope, connectionId: other, window: { ...WINDOW, after } });
    expect((await refusalOf(foreign)).code).toBe('BAD_USER_INPUT');
    const { endCursor } = (await call('connections', { scope })).pageInfo;
    expect((await refusalOf(read({ after: endCursor }))).code).toBe('BAD_USER_INPUT');
  });
});

describe('contentItem', () => {
  test('returns a stored post, and null for one never observed', async ({ sql }) => {
    const { connectionId, readItem, seeded, scope } = await start(sql);
    const id = await seedContent(sql, connectionId, {
      publishedAt: new Date(NOW - 400 * DAY),
      title: '⛵ مرحبا',
      metrics: [LIKES],
    });
    expect(await readItem(id)).toMatchObject({
      providerContentId: id,
      provider: 'PROVIDER_B',
      kind: 'VIDEO',
      title: '⛵ مرحبا',
      publishedAt: iso(NOW - 400 * DAY),
      availability: 'AVAILABLE',
      reason: null,
      metrics: [{ ...LIKES, observedAt: iso(NOW) }],
    });
    const other = await seedConnection(sql, seeded, { scope });
    const elsewhere = await seedContent(sql, other, { publishedAt: new Date(NOW) });
    for (const missing of [elsewhere, 'never', '']) expect(await readItem(missing)).toBeNull();
    expect((await refusalOf(readItem('nul\0'))).code).toBe('BAD_USER_INPUT');
    expect((await refusalOf(readItem('half\ud800'))).code).toBe('BAD_USER_INPUT');
  });

  test('returns only the ids of a post last read 30 days ago', async ({ sql }) => {
    const { connectionId, readItem } = await start(sql);
    const publishedAt = new Date(NOW - 40 * DAY);
    const fresh = await seedContent(sql, connectionId, { publishedAt, observedAt: new Date(NOW - 30 * DAY + 1) });
    const old = await seedContent(sql, connectionId, {
      publishedAt,
      observedAt: new Date(NOW - 30 * DAY),
      metrics: [LIKES],
    });
    expect(await readItem(fresh)).toMatchObject({ kind: 'VIDEO', availability: 'AVAILABLE' });
    expect(await readItem(old)).toEqual({
      id: expect.any(String),
      providerContentId: old,
      provider: 'PROVIDER_B',
      kind: 'UNKNOWN',
      canonicalUrl: null,
      thumbnailUrl: null,
      title: null,
      description: null,
      publishedAt: null,
      availability: 'UNAVAILABLE',
      reason: 'EXPIRED',
      observedAt: iso(NOW - 30 * DAY),
      metrics: [],
    });
  });
});

describe('content and contentItem', () => {
  const BY_STATUS = {
    SUSPENDED: 'AUTHORIZATION_SUSPENDED',
    RECONNECT_REQUIRED: 'RECONNECT_REQUIRED',
    DISCONNECTED: 'DISCONNECT_IN_PROGRESS',
    DELETING: 'DISCONNECT_IN_PROGRESS',
  };

  test('refuse a connection that is not CONNECTED, by its status', async ({ sql }) => {
    const { connectionId, read, readItem } = await start(sql);
    for (const [status, code] of Object.entries(BY_STATUS)) {
      await sql`update connection set status = ${status} where connection_id = ${connectionId}`;
      expect((await refusalOf(read())).code).toBe(code);
      expect((await refusalOf(readItem('any'))).code).toBe(code);
    }
  });

  test('require their capability, granted and available', async ({ sql }) => {
    const { call, scope, seeded } = await start(sql);
    const codes = async (capabilities: Parameters<typeof start>[1]) => {
      const connectionId: ConnectionId = await seedConnection(sql, seeded, { scope, capabilities: capabilities ?? [] });
      const outcome = async (answer: Promise<unknown>) =>
        await answer.then(
          () => 'answered',
          (error) => error.code,
        );
      return [
        await outcome(call('content', { scope, connectionId, window: WINDOW })),
        await outcome(call('contentItem', { scope, connectionId, providerContentId: 'any' })),
      ];
    };
    expect(await codes(available('CONTENT_LIST'))).toEqual(['answered', 'answered']);
    expect(await codes(available('CONTENT_LOOKUP'))).toEqual(['CAPABILITY_UNAVAILABLE', 'answered']);
    expect(await codes(available('PROFILE'))).toEqual(['CAPABILITY_UNAVAILABLE', 'CAPABILITY_UNAVAILABLE']);
    const withdrawn = available('CONTENT_LIST').map(
      (state) => ({ ...state, availability: 'NOT_GRANTED', reason: 'X' }) as never,
    );
    expect(await codes(withdrawn)).toEqual(['CAPABILITY_UNAVAILABLE', 'CAPABILITY_UNAVAILABLE']);
  });

  test('answer NOT_FOUND for connections of another scope', async ({ sql }) => {
    const { connectionId, call, seeded } = await start(sql);
    const scope = seeded.newScope();
    expect((await refusalOf(call('content', { scope, connectionId, window: WINDOW }))).code).toBe('NOT_FOUND');
    expect((await refusalOf(call('contentItem', { scope, connectionId, providerContentId: 'x' }))).code).toBe(
      'NOT_FOUND',
    );
    const foreign = { ...scope, tenantKey: 'unregistered' };
    expect((await refusalOf(call('content', { scope: foreign, connectionId, window: WINDOW }))).code).toBe('FORBIDDEN');
  });
});

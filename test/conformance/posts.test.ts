import { describe, expect } from 'vitest';
import { conformanceTest, DAY, iso, NOW } from '../kit/conformance.ts';
import type { Answer } from '../kit/graphql.ts';
import { available, freezeClock, seedConnection, seedContent } from '../kit/seed.ts';

const test = conformanceTest();
const WINDOW = { publishedAfter: iso(NOW - 10 * DAY), publishedBefore: iso(NOW), first: 50 };

describe('content', () => {
  test('4 query rule 4: posts of the half-open window, newest first, page by page', async ({ client, sql }) => {
    await freezeClock(sql, new Date(NOW));
    const connectionId = await seedConnection(sql, client.seeded, { scope: client.scope });
    const post = (id: string, at: number) =>
      seedContent(sql, connectionId, { providerContentId: id, publishedAt: new Date(at) });
    await post('end', NOW);
    await post('newest', NOW - 1);
    await post('middle', NOW - DAY);
    await post('start', NOW - 10 * DAY);
    await post('before', NOW - 10 * DAY - 1);
    const read = (window: object) => client.ask('content', { connectionId, window: { ...WINDOW, ...window } });
    const names = ({ items }: Answer) => items.map((item: Answer) => item.providerContentId);
    expect(names(await read({}))).toEqual(['newest', 'middle', 'start']);
    const first = await read({ first: 2 });
    expect(names(first)).toEqual(['newest', 'middle']);
    expect(first.pageInfo.hasNextPage).toBe(true);
    const next = await read({ first: 2, after: first.pageInfo.endCursor });
    expect(names(next)).toEqual(['start']);
    expect(next.pageInfo.hasNextPage).toBe(false);
  });

  test('4 query rule 4 + D capability states: it needs CONTENT_LIST, granted and not withdrawn', async ({
    client,
    sql,
  }) => {
    const withdrawn = {
      capability: 'CONTENT_LIST',
      availability: 'NOT_GRANTED',
      reason: 'PERMISSION_WITHDRAWN',
    } as const;
    const outcome = async (capabilities: Parameters<typeof seedConnection>[2]['capabilities']) => {
      const connectionId = await seedConnection(sql, client.seeded, {
        scope: client.scope,
        capabilities: capabilities ?? [],
      });
      return await client.outcome('content', { connectionId, window: WINDOW });
    };
    expect(await outcome(available('CONTENT_LIST'))).toBe('answered');
    expect(await outcome(available('PROFILE', 'CONTENT_LOOKUP', 'CONTENT_METRICS'))).toBe('CAPABILITY_UNAVAILABLE');
    expect(await outcome([withdrawn])).toBe('CAPABILITY_UNAVAILABLE');
  });

  test('8 content first: 1 to 50', async ({ client, sql }) => {
    const connectionId = await seedConnection(sql, client.seeded, { scope: client.scope });
    const outcome = (first: unknown) => client.outcome('content', { connectionId, window: { ...WINDOW, first } });
    for (const first of [1, 50]) expect(await outcome(first)).toBe('answered');
    for (const first of [0, 51, -1, null, 2 ** 31]) expect(await outcome(first), String(first)).toBe('BAD_USER_INPUT');
  });

  test('8 window span: 90 days to the millisecond, and at least one, for posts and for scans', async ({
    client,
    sql,
  }) => {
    const connectionId = await seedConnection(sql, client.seeded, { scope: client.scope });
    for (const [spanMs, outcome] of [
      [1, 'answered'],
      [90 * DAY, 'answered'],
      [90 * DAY + 1, 'BAD_USER_INPUT'],
      [0, 'BAD_USER_INPUT'],
      [-1, 'BAD_USER_INPUT'],
    ] as const) {
      const window = { publishedAfter: iso(NOW - spanMs), publishedBefore: iso(NOW) };
      expect(await client.outcome('content', { connectionId, window: { ...window, first: 1 } }), `${spanMs}`).toBe(
        outcome,
      );
      expect(await client.outcome('requestRefresh', { connectionId, window }), `${spanMs}`).toBe(outcome);
      await sql`update read_job set status = 'CANCELED' where connection_id = ${connectionId}`;
    }
  });
});

describe('contentItem', () => {
  test('4 query rule 5: one post with CONTENT_LIST or CONTENT_LOOKUP, however old; null if it was never read', async ({
    client,
    sql,
  }) => {
    const outcomes = [];
    for (const capability of ['CONTENT_LIST', 'CONTENT_LOOKUP', 'PROFILE', 'CONTENT_METRICS'] as const) {
      const connectionId = await seedConnection(sql, client.seeded, {
        scope: client.scope,
        capabilities: available(capability),
      });
      const publishedAt = new Date(NOW - 4_000 * DAY);
      const providerContentId = await seedContent(sql, connectionId, { publishedAt, title: '⛵ مرحبا' });
      outcomes.push(await client.outcome('contentItem', { connectionId, providerContentId }));
      if (outcomes.length > 2) continue;
      expect(await client.ask('contentItem', { connectionId, providerContentId })).toMatchObject({ title: '⛵ مرحبا' });
      expect(await client.ask('contentItem', { connectionId, providerContentId: 'never' })).toBeNull();
    }
    expect(outcomes).toEqual(['answered', 'answered', 'CAPABILITY_UNAVAILABLE', 'CAPABILITY_UNAVAILABLE']);
  });
});

import { describe, expect } from 'vitest';
import type { ConnectionId } from '../../src/ids.ts';
import type { Database } from '../../src/store/sql.ts';
import { openReader } from '../api/resolvers/reader.ts';
import { type Caller, conformanceTest, DAY, HOUR, iso, MINUTE, NOW } from '../kit/conformance.ts';
import { freezeClock, seedConnection, seedCoverage } from '../kit/seed.ts';
import { seedReadJob } from './rows.ts';

const test = conformanceTest();

/** Days before NOW; a range of publication time, from the older to the newer end. */
type Days = readonly [from: number, to: number];
const at = (daysAgo: number) => new Date(NOW - daysAgo * DAY);

/** A connection, stopped at NOW, of which `ranges` were scanned just now. */
async function scanned(client: Caller, sql: Database, ranges: readonly Days[], scannedAt = NOW) {
  await freezeClock(sql, new Date(NOW));
  const connectionId = await seedConnection(sql, client.seeded, { scope: client.scope });
  for (const [from, to] of ranges) await cover(sql, connectionId, [from, to], scannedAt);
  return connectionId;
}
const cover = (sql: Database, connectionId: ConnectionId, [from, to]: Days, scannedAt: number) =>
  seedCoverage(sql, connectionId, {
    publishedAfter: at(from),
    publishedBefore: at(to),
    scannedAt: new Date(scannedAt),
  });

/** What a page of the window says: `complete`, or why not. */
async function verdict(client: Caller, connectionId: string, [from, to]: Days): Promise<string> {
  const window = { publishedAfter: at(from).toISOString(), publishedBefore: at(to).toISOString(), first: 1 };
  const { pageInfo } = await client.ask('content', { connectionId, window });
  expect(pageInfo.completeForWindow).toBe(pageInfo.incompleteReason === null);
  return pageInfo.incompleteReason ?? 'complete';
}

const MS = 1 / DAY;
/** The ranges scanned, the window asked for, what the page says. */
const UNIONS: readonly (readonly [string, readonly Days[], Days, string])[] = [
  ['the same range', [[10, 5]], [10, 5], 'complete'],
  ['a larger range', [[20, 1]], [10, 5], 'complete'],
  ['one that begins a millisecond late', [[10 - MS, 5]], [10, 5], 'PARTLY_SCANNED'],
  ['one that ends a millisecond early', [[10, 5 + MS]], [10, 5], 'PARTLY_SCANNED'],
  [
    'two that touch',
    [
      [10, 7],
      [7, 5],
    ],
    [10, 5],
    'complete',
  ],
  [
    'two that overlap',
    [
      [10, 6],
      [8, 5],
    ],
    [10, 5],
    'complete',
  ],
  [
    'two with a millisecond between',
    [
      [10, 7],
      [7 - MS, 5],
    ],
    [10, 5],
    'PARTLY_SCANNED',
  ],
  [
    'one within another',
    [
      [10, 5],
      [8, 7],
    ],
    [10, 5],
    'complete',
  ],
  [
    'three in any order',
    [
      [6, 5],
      [10, 8],
      [8.5, 5.5],
    ],
    [10, 5],
    'complete',
  ],
  ['only the older half', [[10, 7]], [10, 5], 'PARTLY_SCANNED'],
  ['only the newer half', [[7, 5]], [10, 5], 'PARTLY_SCANNED'],
  [
    'both ends without the middle',
    [
      [10, 8],
      [6, 5],
    ],
    [10, 5],
    'PARTLY_SCANNED',
  ],
  ['one that only touches the window', [[20, 10]], [10, 5], 'PARTLY_SCANNED'],
  ['one far away', [[80, 70]], [10, 5], 'PARTLY_SCANNED'],
  ['nothing', [], [10, 5], 'NEVER_SCANNED'],
];

describe('ranges together', () => {
  test.for(UNIONS)('2 field rule 11 + D coverage union: %s', async ([, ranges, window, expected], { client, sql }) => {
    expect(await verdict(client, await scanned(client, sql, ranges), window)).toBe(expected);
  });
});

describe('ranges and time', () => {
  test('D coverage ages: a range answers until a millisecond before 24 hours, then it is stale', async ({
    client,
    sql,
  }) => {
    const connectionId = await scanned(client, sql, [[10, 5]]);
    await freezeClock(sql, new Date(NOW + DAY - 1));
    expect(await verdict(client, connectionId, [10, 5])).toBe('complete');
    await freezeClock(sql, new Date(NOW + DAY));
    expect(await verdict(client, connectionId, [10, 5])).toBe('SCAN_STALE');
  });

  test('D coverage ages: each alone, so that the older half of a union goes first', async ({ client, sql }) => {
    const connectionId = await scanned(client, sql, [[10, 7]], NOW - 12 * HOUR);
    await cover(sql, connectionId, [7, 5], NOW);
    expect(await verdict(client, connectionId, [10, 5])).toBe('complete');
    await freezeClock(sql, new Date(NOW + 12 * HOUR));
    expect(await verdict(client, connectionId, [10, 5])).toBe('SCAN_STALE');
    expect(await verdict(client, connectionId, [7, 5])).toBe('complete');
    await cover(sql, connectionId, [10, 6], NOW + 12 * HOUR);
    expect(await verdict(client, connectionId, [10, 5])).toBe('complete');
  });
});

test('D coverage end: what is published after a scan has asked for its first page is not in what it covers', async ({
  sql,
}) => {
  const reader = await openReader(sql, NOW);
  const connectionId = await reader.connect(['CONTENT_LIST']);
  await reader.finish((await reader.scanInFlight(connectionId)) ?? expect.fail('There is no first scan.'));
  await reader.move(MINUTE);
  const page = (publishedBefore: number) =>
    reader.ask('content', {
      connectionId,
      window: { publishedAfter: iso(NOW - 7 * DAY), publishedBefore: iso(publishedBefore), first: 1 },
    });
  const complete = { completeForWindow: true, incompleteReason: null };
  expect(await page(NOW)).toMatchObject({ pageInfo: complete, lastSuccessfulSyncAt: iso(NOW) });
  const partly = { completeForWindow: false, incompleteReason: 'PARTLY_SCANNED' };
  for (const later of [1, MINUTE, DAY]) expect(await page(NOW + later)).toMatchObject({ pageInfo: partly });
});

describe('why a window is not complete', () => {
  const WINDOW = [10, 5] as const;
  const window = [at(10), at(5)] as const;

  test('D coverage reasons: SCAN_RUNNING while a scan of some of it is in flight, and only then', async ({
    client,
    sql,
  }) => {
    const connectionId = await scanned(client, sql, []);
    const scan = { kind: 'SCAN', status: 'QUEUED', window } as const;
    const jobId = await seedReadJob(sql, connectionId, scan);
    expect(await verdict(client, connectionId, WINDOW)).toBe('SCAN_RUNNING');
    expect(await verdict(client, connectionId, [20, 9])).toBe('SCAN_RUNNING');
    expect(await verdict(client, connectionId, [5, 1])).toBe('NEVER_SCANNED');
    await sql`update read_job set status = 'CANCELED', finished_at = business_now() where job_id = ${jobId}`;
    expect(await verdict(client, connectionId, WINDOW)).toBe('NEVER_SCANNED');
  });

  test('D coverage reasons: complete beats a scan in flight', async ({ client, sql }) => {
    const connectionId = await scanned(client, sql, [[10, 5]]);
    await seedReadJob(sql, connectionId, { kind: 'SCAN', status: 'RUNNING', window });
    expect(await verdict(client, connectionId, WINDOW)).toBe('complete');
  });

  test('D coverage reasons: SCAN_FAILED when the last scan failed, until one succeeds', async ({ client, sql }) => {
    const connectionId = await scanned(client, sql, []);
    const ended = (status: 'FAILED' | 'SUCCEEDED', ms: number) =>
      seedReadJob(sql, connectionId, { kind: 'SCAN', status, window, finishedAt: new Date(NOW - ms) });
    await ended('SUCCEEDED', 2);
    expect(await verdict(client, connectionId, WINDOW)).toBe('PARTLY_SCANNED');
    await ended('FAILED', 1);
    expect(await verdict(client, connectionId, WINDOW)).toBe('SCAN_FAILED');
    await ended('SUCCEEDED', 0);
    expect(await verdict(client, connectionId, WINDOW)).toBe('PARTLY_SCANNED');
  });

  test('D coverage reasons: a scan that ended incomplete covers nothing, whatever stopped it', async ({
    client,
    sql,
  }) => {
    const connectionId = await scanned(client, sql, []);
    for (const incompleteReason of ['MAX_ITEMS', 'PROVIDER_LIMIT', 'PROVIDER_UNAVAILABLE']) {
      const id = await seedReadJob(sql, connectionId, {
        kind: 'SCAN',
        status: 'SUCCEEDED',
        window,
        cursor: 'x',
        incompleteReason,
      });
      const job = await client.ask('syncJob', { connectionId, id });
      expect(job).toMatchObject({ completeForWindow: false, incompleteReason });
      expect(await verdict(client, connectionId, WINDOW)).toBe('PARTLY_SCANNED');
    }
  });

  test('2 field rule 11: an empty page can be complete: then there was nothing to see', async ({ client, sql }) => {
    const connectionId = await scanned(client, sql, [[10, 5]]);
    const whole = { publishedAfter: iso(NOW - 10 * DAY), publishedBefore: iso(NOW - 5 * DAY), first: 1 };
    const page = await client.ask('content', { connectionId, window: whole });
    expect(page).toMatchObject({
      items: [],
      pageInfo: { hasNextPage: false, endCursor: null, completeForWindow: true },
    });
  });
});

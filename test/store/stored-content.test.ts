import { describe, expect } from 'vitest';
import type { ConnectionId } from '../../src/basics/ids.ts';
import { mapDetails } from '../../src/basics/post-details.ts';
import type { Content, Metric } from '../../src/providers/provider.ts';
import { insertContent, updateMissingContent } from '../../src/store/content/stored-content.ts';
import type { Database } from '../../src/store/driver/sql.ts';
import { businessNow, DAY_MS, HOUR_MS, MINUTE_MS } from '../kit/clock.ts';
import { test } from '../kit/postgres.ts';
import { at, makeDetails, seedApp, seedConnection } from '../kit/seed.ts';

const metric = (name: Metric['name'], value: string | null, reason: string | null = null): Metric => ({
  ...{ name, value, reason, sourceField: null },
  availability: value === null ? 'UNAVAILABLE' : 'AVAILABLE',
});
const VIEWS = metric('VIEWS', '5');
const POST: Content = {
  ...{ providerContentId: 'post', kind: 'VIDEO', canonicalUrl: 'https://platform.example/v', ...makeDetails('first') },
  publishedAt: new Date('2026-01-02T03:04:05.678Z'),
  metrics: [VIEWS],
};
const NEXT: Content = {
  ...{ providerContentId: 'post', kind: 'IMAGE', canonicalUrl: 'https://platform.example/w', ...makeDetails('next') },
  publishedAt: new Date('2026-02-03T04:05:06.789Z'),
  metrics: [metric('VIEWS', '6')],
};

/** Two connections, reads of their posts at a fixed time, and the stored rows. */
async function open(sql: Database) {
  const seeded = await seedApp(sql);
  const connect = () => seedConnection(sql, seeded, { scope: seeded.newScope() });
  const [connectionId, otherId] = [await connect(), await connect()];
  const now = await businessNow(sql);
  const read = (items: readonly Content[], ms = 0, readNumber = '0', id: ConnectionId = connectionId) =>
    at(sql, now, ms, () => insertContent(sql, id, items, { withMetrics: true, readNumber }));
  const miss = (proof: Parameters<typeof updateMissingContent>[3], ms: number, ids = ['post'], readNumber = '0') =>
    at(sql, now, ms, () => updateMissingContent(sql, connectionId, ids, proof, readNumber));
  const stored = async (id = connectionId, providerContentId = 'post') => {
    const [row] = await sql`
      select kind, canonical_url, details, published_at, availability, reason, metrics,
        metrics_observed_at, observed_at, blanked_at, missing_since, read_number::text
      from content_item where connection_id = ${id} and provider_content_id = ${providerContentId}
    `;
    return row;
  };
  const rowOf = ({ kind, canonicalUrl, publishedAt, metrics, ...post }: Content, ms: number, readNumber = '0') => ({
    ...{
      kind,
      canonicalUrl,
      publishedAt,
      metrics,
      details: mapDetails((name) => post[name]),
      availability: 'AVAILABLE',
      reason: null,
      blankedAt: null,
      missingSince: null,
      readNumber,
    },
    ...{ metricsObservedAt: new Date(now.getTime() + ms), observedAt: new Date(now.getTime() + ms) },
  });
  return { connectionId, otherId, now, read, miss, stored, rowOf };
}

describe('a post that is read', () => {
  test('again has the values of the last read alone, at its connection', async ({ sql }) => {
    const { connectionId, otherId, read, stored, rowOf } = await open(sql);
    expect(await read([])).toEqual({ added: 0, changed: 0, removed: 0 });
    expect(await read([POST], 0, '7')).toEqual({ added: 1, changed: 0, removed: 0 });
    expect(await read([POST], 0, '0', otherId)).toEqual({ added: 1, changed: 0, removed: 0 });
    expect(await stored()).toEqual(rowOf(POST, 0, '7'));
    expect(await read([NEXT], 1, '5')).toEqual({ added: 0, changed: 1, removed: 0 });
    expect(await stored()).toEqual(rowOf(NEXT, 1, '7'));
    expect(await read([NEXT, { ...POST, providerContentId: 'new' }], 2, '9')).toEqual({
      ...{ added: 1, changed: 0, removed: 0 },
    });
    expect(await stored()).toEqual(rowOf(NEXT, 2, '9'));
    await sql`
      update content_item set kind = 'UNKNOWN', details = '{}', canonical_url = null, published_at = null, metrics = '[]', metrics_observed_at = null, availability = 'UNAVAILABLE',
        reason = 'CONTENT_NOT_FOUND', blanked_at = business_now(), missing_since = business_now()
      where connection_id = ${connectionId} and provider_content_id = 'post'
    `;
    expect(await read([POST], 3)).toEqual({ added: 0, changed: 1, removed: 0 });
    expect(await stored()).toEqual(rowOf(POST, 3, '9'));
    expect(await stored(otherId)).toEqual(rowOf(POST, 0));
  });

  test('is changed if a reader sees it, except a picture', async ({ sql }) => {
    const { read } = await open(sql);
    await read([POST]);
    for (const name of Object.keys(POST) as (keyof Content)[]) {
      if (name === 'providerContentId') continue;
      const changed = name === 'thumbnailUrl' ? 0 : 1;
      expect((await read([{ ...POST, [name]: NEXT[name] }])).changed, name).toBe(changed);
      expect((await read([POST])).changed, name).toBe(changed);
    }
  });
});

const refused = metric('VIEWS', null, 'NOT_SHOWN');
const likes = metric('LIKES', null, 'NO_DATA_YET');
const kept: readonly [string, readonly Metric[], readonly Metric[], number, boolean][] = [
  ['are refused a moment before 3 days', [VIEWS], [refused], 3 * DAY_MS - 1, true],
  ['are refused after 3 days', [VIEWS], [refused], 3 * DAY_MS, false],
  ['are there, and another has never been', [VIEWS, likes], [metric('VIEWS', '6'), likes], 1, false],
  ['are refused beside one that is there', [VIEWS, likes], [refused, metric('LIKES', '1')], 1, true],
];
test.for(kept)('metrics that a platform gave and that %s', async ([, before, after, ms, isKept], { sql }) => {
  const { read, stored, now } = await open(sql);
  await read([{ ...POST, metrics: before }]);
  await read([{ ...POST, metrics: after }], ms);
  expect(await stored()).toMatchObject({
    ...{ metrics: isKept ? before : after, observedAt: new Date(now.getTime() + ms) },
    metricsObservedAt: new Date(now.getTime() + (isKept ? 0 : ms)),
  });
});

test('a post that reads miss for long enough is gone, once, and others are not', async ({ sql }) => {
  const { otherId, now, read, miss, stored, rowOf } = await open(sql);
  const late: Content = { ...POST, providerContentId: 'late' };
  await read([POST, late, { ...POST, providerContentId: 'seen' }]);
  await read([POST], 0, '0', otherId);
  expect(await miss('WITH_NEIGHBOUR', MINUTE_MS, ['post'], '4')).toBe(0);
  const missingSince = new Date(now.getTime() + MINUTE_MS);
  expect(await stored()).toEqual({ ...rowOf(POST, 0, '4'), missingSince });
  const later = HOUR_MS + MINUTE_MS;
  expect(await miss('WITH_NEIGHBOUR', later - 1, ['post', 'late'])).toBe(0);
  expect(await miss('ALONE', later)).toBe(0);
  expect(await miss('WITH_NEIGHBOUR', later, ['post', 'late'])).toBe(1);
  const { thumbnailUrl: _, ...texts } = makeDetails('first');
  const gone = {
    ...{ ...rowOf(POST, 0, '4'), missingSince, availability: 'UNAVAILABLE', reason: 'CONTENT_NOT_FOUND' },
    ...{ details: texts, metrics: [], metricsObservedAt: null },
  };
  expect(await stored()).toEqual(gone);
  expect(await stored(undefined, 'late')).toEqual({
    ...rowOf(late, 0),
    missingSince: new Date(now.getTime() + later - 1),
  });
  expect(await miss('ALONE', later + 1)).toBe(0);
  expect(await miss('WITH_NEIGHBOUR', later + 2)).toBe(0);
  expect(await stored()).toEqual(gone);
  expect(await stored(undefined, 'seen')).toEqual(rowOf(POST, 0));
  expect(await stored(otherId)).toEqual(rowOf(POST, 0));
});

import { expect, test } from 'vitest';
import { formatTick, listReasons, listSlots, listTicks, toRowsUrl } from '../../console/src/texts/ended-work.ts';

const count = (at: string, outcome: string, number: number, rowsKept = true) => ({
  at,
  kind: 'READ' as const,
  outcome,
  message: `Of ${outcome}.`,
  succeeded: outcome === 'SUCCEEDED',
  leftToPerson: outcome === 'REMOVE_APP_AT_PROVIDER',
  count: number,
  rowsKept,
});

const work = {
  since: '2026-11-21T10:00:00.000Z',
  before: '2026-11-21T13:00:00.000Z',
  counts: [
    count('2026-11-21T10:00:00.000Z', 'INTERNAL', 1, false),
    count('2026-11-21T12:00:00.000Z', 'CONTENT_NOT_FOUND', 4),
    count('2026-11-21T12:00:00.000Z', 'INTERNAL', 2),
    count('2026-11-21T12:00:00.000Z', 'SUCCEEDED', 7),
    count('2026-11-21T12:00:00.000Z', 'REMOVE_APP_AT_PROVIDER', 5),
  ],
};

test('a series has a column for every hour, with the sums of its outcomes', () => {
  expect(listSlots(work, 'READ', 'DAY')).toEqual([
    { at: work.since, before: '2026-11-21T11:00:00.000Z', succeeded: 0, failed: 1, left: 0, rowsKept: false },
    {
      at: '2026-11-21T11:00:00.000Z',
      before: '2026-11-21T12:00:00.000Z',
      succeeded: 0,
      failed: 0,
      left: 0,
      rowsKept: false,
    },
    { at: '2026-11-21T12:00:00.000Z', before: work.before, succeeded: 7, failed: 6, left: 5, rowsKept: true },
  ]);
  expect(listSlots(work, 'REVOKE', 'DAY').every(({ succeeded, failed }) => succeeded + failed === 0)).toBe(true);
  expect(listTicks(listSlots(work, 'READ', 'DAY'))).toEqual([20, 10, 0]);
  expect(listTicks(listSlots(work, 'REVOKE', 'MONTH'))).toEqual([0]);
});

test('the reasons of a series are summed, the most frequent first, without successes', () => {
  expect(listReasons(work, 'READ')).toEqual([
    { outcome: 'REMOVE_APP_AT_PROVIDER', message: 'Of REMOVE_APP_AT_PROVIDER.', count: 5, rowsKept: true },
    { outcome: 'CONTENT_NOT_FOUND', message: 'Of CONTENT_NOT_FOUND.', count: 4, rowsKept: true },
    { outcome: 'INTERNAL', message: 'Of INTERNAL.', count: 3, rowsKept: true },
  ]);
});

test.each([
  ['CONNECT', null, '/attempts?since=S&before=B&app=app-1&provider=PROVIDER_B'],
  ['CONNECT', 'EXPIRED', '/attempts?result=EXPIRED&since=S&before=B&app=app-1&provider=PROVIDER_B'],
  ['CONNECT', 'COMPLETED', '/attempts?status=COMPLETED&since=S&before=B&app=app-1&provider=PROVIDER_B'],
  [
    'READ',
    'INTERNAL',
    '/jobs?kind=SCAN%2CMETRICS%2CLOOKUP&status=FAILED&failure=INTERNAL&since=S&before=B&app=app-1&provider=PROVIDER_B',
  ],
  [
    'REVOKE',
    'CANCELED',
    '/jobs?kind=REVOKE%2CCOMPENSATION&status=CANCELED&since=S&before=B&app=app-1&provider=PROVIDER_B',
  ],
  ['WEBHOOK', 'HTTP_500', '/webhooks?status=FAILED&failure=HTTP_500&since=S&before=B&app=app-1'],
  ['TOKEN_REFRESH', 'RECONNECT_REQUIRED', '/connections?status=RECONNECT_REQUIRED&app=app-1&provider=PROVIDER_B'],
  ['TOKEN_REFRESH', null, undefined],
] as const)('%s, outcome %s, links to the list of its rows', (kind, outcome, url) => {
  expect(toRowsUrl(kind, outcome, { since: 'S', before: 'B', app: 'app-1', provider: 'PROVIDER_B' })).toBe(url);
});

test('the vertical axis has round numbers, and no column is above its top', () => {
  const ticksOf = (count: number) =>
    listTicks([{ at: '', before: '', rowsKept: true, succeeded: count - 1, failed: 1, left: 0 }]);
  expect(ticksOf(1)).toEqual([1, 0]);
  expect(ticksOf(3)).toEqual([4, 2, 0]);
  expect(ticksOf(100)).toEqual([100, 50, 0]);
  expect(ticksOf(131)).toEqual([200, 100, 0]);
  expect(ticksOf(8_001)).toEqual([10_000, 5_000, 0]);
  expect([0, 50, 1_500, 10_000_000].map(formatTick)).toEqual(['0', '50', '1.5K', '10M']);
});

import { expect, test } from 'vitest';
import { listReasons, toRowsUrl } from '../../console/src/texts/ended-work.ts';

const count = (at: string, outcome: string, number: number, rowsKept = true, cause: string | null = null) => ({
  at,
  kind: 'READ' as const,
  outcome,
  cause,
  message: `Of ${outcome}.`,
  succeeded: outcome === 'SUCCEEDED',
  blameless: outcome === 'REMOVE_APP_AT_PROVIDER',
  count: number,
  rowsKept,
});

const work = {
  since: '2026-11-21T10:00:00.000Z',
  before: '2026-11-21T13:00:00.000Z',
  counts: [
    count('2026-11-21T10:00:00.000Z', 'INTERNAL', 1, false, 'HTTP_500'),
    count('2026-11-21T11:00:00.000Z', 'PROVIDER_UNAVAILABLE', 8, true, 'HTTP_503'),
    count('2026-11-21T12:00:00.000Z', 'PROVIDER_UNAVAILABLE', 2, true, 'TIMEOUT'),
    count('2026-11-21T12:00:00.000Z', 'PROVIDER_UNAVAILABLE', 1, true, 'HTTP_503'),
    count('2026-11-21T12:00:00.000Z', 'CONTENT_NOT_FOUND', 4),
    count('2026-11-21T12:00:00.000Z', 'INTERNAL', 2),
    count('2026-11-21T12:00:00.000Z', 'SUCCEEDED', 7),
    count('2026-11-21T12:00:00.000Z', 'REMOVE_APP_AT_PROVIDER', 5),
  ],
};

test('the reasons of a series are summed with their causes, the most frequent first, without successes', () => {
  const reasons = listReasons(work, 'READ').map(({ outcome, message, count: number, rowsKept, causes }) => {
    expect({ message, rowsKept }).toEqual({ message: `Of ${outcome}.`, rowsKept: true });
    return [`${number} ${outcome}`, ...causes.map((one) => `${one.count} ${one.cause}`)];
  });
  expect(reasons).toEqual([
    ['11 PROVIDER_UNAVAILABLE', '9 HTTP_503', '2 TIMEOUT'],
    ['5 REMOVE_APP_AT_PROVIDER'],
    ['4 CONTENT_NOT_FOUND'],
    ['3 INTERNAL', '1 HTTP_500'],
  ]);
});

test.each([
  ['CONNECT', 'EXPIRED', '/attempts?result=EXPIRED&since=S&before=B&app=app-1&provider=PROVIDER_B'],
  [
    'READ',
    'INTERNAL',
    '/jobs?kind=SCAN%2CMETRICS%2CLOOKUP&status=FAILED&failure=INTERNAL&since=S&before=B&app=app-1&provider=PROVIDER_B',
  ],
  ['WEBHOOK', 'HTTP_500', '/webhooks?status=FAILED&failure=HTTP_500&since=S&before=B&app=app-1'],
  ['TOKEN_REFRESH', 'RECONNECT_REQUIRED', '/connections?status=RECONNECT_REQUIRED&app=app-1&provider=PROVIDER_B'],
  ['TOKEN_REFRESH', null, undefined],
] as const)('%s, outcome %s, links to the list of its rows', (kind, outcome, url) => {
  expect(toRowsUrl(kind, outcome, { since: 'S', before: 'B', app: 'app-1', provider: 'PROVIDER_B' })).toBe(url);
});

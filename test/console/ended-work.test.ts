import { expect, test } from 'vitest';
import { listSlots, SERIES, toRowsUrl } from '../../console/src/texts/ended-work.ts';

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

test('expired attempts are counted beside the failed ones, and named as expired', () => {
  const [since, before] = ['2026-01-31T12:00:00.000Z', '2026-01-31T13:00:00.000Z'];
  const end = { at: since, kind: 'CONNECT', cause: null, causeMessage: null, message: '', rowsKept: true } as const;
  const counts = [
    { ...end, outcome: 'EXPIRED', succeeded: false, blameless: true, count: 2 },
    { ...end, outcome: 'EXCHANGE_FAILED', succeeded: false, blameless: false, count: 1 },
  ];
  expect(listSlots({ since, before, counts }, 'CONNECT', 'DAY')).toMatchObject([{ succeeded: 0, failed: 1, left: 2 }]);
  expect(SERIES.find(({ kind }) => kind === 'CONNECT')?.left).toMatch(/^expired\b/);
});

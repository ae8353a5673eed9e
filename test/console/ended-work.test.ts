import { expect, test } from 'vitest';
import { toRowsUrl } from '../../console/src/texts/ended-work.ts';

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

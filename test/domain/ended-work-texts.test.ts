import { expect, test } from 'vitest';
import { areRowsKept, describeEnd } from '../../src/domain/texts/ended-work-texts.ts';

const HOUR_MS = 3_600_000;

test.each([
  ['CONNECT', 24],
  ['READ', 168],
  ['TOKEN_REFRESH', 0],
  ['REVOKE', 96],
  ['WEBHOOK', 720],
] as const)('the rows of %s are kept for %i hours', (kind, hours) => {
  const at = new Date('2026-01-01T00:00:00Z');
  const after = (ms: number) => areRowsKept(kind, at, new Date(at.getTime() + ms));
  expect(after(hours * HOUR_MS - 1)).toBe(true);
  expect(after(hours * HOUR_MS)).toBe(false);
});

test.each([
  ['CONNECT', 'COMPLETED', 'succeeded', 'The account was connected.'],
  ['CONNECT', 'ACCESS_DENIED', 'left', 'The person or the provider denied access.'],
  ['CONNECT', 'DENIED', 'failed', 'The person or the provider denied access.'],
  ['CONNECT', 'EXPIRED', 'left', 'The attempt did not finish within 10 minutes.'],
  ['CONNECT', 'EXCHANGE_FAILED', 'failed', 'The code could not be exchanged for tokens, or the answer was lost.'],
  ['CONNECT', 'POLICY_CHANGED', 'left', 'The app, its tenant or its policy no longer allows it.'],
  ['CONNECT', 'SUCCEEDED', 'failed', 'An unknown result.'],
  ['READ', 'SUCCEEDED', 'succeeded', 'The read succeeded.'],
  ['READ', 'CANCELED', 'failed', 'It was canceled.'],
  ['READ', 'INTERNAL', 'failed', 'The service failed. Search the log for the correlation id.'],
  ['TOKEN_REFRESH', 'SUCCEEDED', 'succeeded', 'The token was refreshed.'],
  ['REVOKE', 'SUCCEEDED', 'succeeded', 'Access at the provider was revoked.'],
  [
    'REVOKE',
    'REMOVE_APP_AT_PROVIDER',
    'left',
    'The provider offers no revoke: the person must remove the app there. The app was notified.',
  ],
  ['WEBHOOK', 'DELIVERED', 'succeeded', 'The endpoint accepted the event.'],
  ['WEBHOOK', 'FAILED', 'failed', 'It failed without a reason of its own.'],
  ['WEBHOOK', 'HTTP_500', 'failed', 'The endpoint answered 500. It must answer 200 to 299.'],
] as const)('%s that ended as %s has %s', (kind, outcome, verdict, message) => {
  expect(describeEnd(kind, outcome)).toEqual({
    succeeded: verdict === 'succeeded',
    blameless: verdict === 'left',
    message,
  });
});

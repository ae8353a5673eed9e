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
  ['CONNECT', 'COMPLETED', true, false, /^The account was connected/],
  ['CONNECT', 'ACCESS_DENIED', false, true, /denied access/],
  ['CONNECT', 'PROVIDER_UNAVAILABLE', false, false, /provider/],
  ['REVOKE', 'REMOVE_APP_AT_PROVIDER', false, true, /^No revoke was sent/],
  ['WEBHOOK', 'FAILED', false, false, /^It failed/],
  ['WEBHOOK', 'HTTP_302', false, false, / follows no redirect/],
] as const)(
  'a %s that ended with %s succeeded: %s; is nobody’s fault: %s',
  (kind, outcome, succeeded, blameless, text) => {
    expect(describeEnd(kind, outcome)).toEqual({ succeeded, blameless, message: expect.stringMatching(text) });
  },
);

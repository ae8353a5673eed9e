import { expect, test } from 'vitest';
import { decideDisconnect, decideRead } from '../../src/activities/record-failure.ts';
import { FAILURE_TYPES } from '../../src/basics/failures.ts';
import { toProgressCode } from '../../src/workflows/progress.ts';
import { FAILURE_TABLE } from '../kit/failure-table.ts';

const WAITS: Readonly<Record<string, object>> = {
  waits: { tries: 3, waitSeconds: 20, counts: true },
  '1 s': { tries: 2, waitSeconds: 1, counts: false },
  'waits for a repair': { tries: 3, waitSeconds: 60, counts: true },
};

test.each(FAILURE_TYPES)('%s: a read ends or waits as promised', (type) => {
  const expected = FAILURE_TABLE[type].read;
  const [, code = '', then = ''] = /^(\S+) (.*)$/.exec(expected) ?? [];
  const failedTry = { type, retryAfterSeconds: null };
  const decide = (requestedBy: 'CALLER' | 'SERVICE', ageSeconds: number, inARow: number) =>
    decideRead({ tries: 2, ageSeconds, requestedBy }, failedTry, inARow);
  const last = Number(/^ends (\d)$/.exec(then)?.[1] ?? 1);
  const ends = then.startsWith('ends');
  for (const requestedBy of ['CALLER', 'SERVICE'] as const) {
    if (ends) expect(decide(requestedBy, 0, last)).toEqual({ ends: code });
    else expect(decide(requestedBy, 0, 99)).toEqual({ code, ...WAITS[then] });
    if (last > 1) expect(decide(requestedBy, 0, last - 1)).toMatchObject({ code, waitSeconds: 20 });
  }
  if (ends) return;
  // After an hour: an outage of our own database shows nothing about how the read ends.
  expect('ends' in decide('CALLER', 3_600, 1)).toBe(type !== 'DatabaseAway');
  expect('ends' in decide('SERVICE', 90_000, 1)).toBe(false);
});

test.each(FAILURE_TYPES)('%s: a revoke is retried, and fails after its time only for a failure that counts', (type) => {
  const failedTry = { type, retryAfterSeconds: null };
  const code = FAILURE_TABLE[type].read.split(' ')[0];
  expect(decideDisconnect({ tries: 0, secondsLeft: 100 }, failedTry)).toMatchObject({ code });
  const isOurs = ['OwnRateLimit', 'DatabaseAway', 'DataRefused', 'SchemaMismatch'].includes(type);
  expect('ends' in decideDisconnect({ tries: 9, secondsLeft: 0 }, failedTry)).toBe(!isOurs);
  expect(toProgressCode(type)).toBe(code);
});

const HOUR = 3_600;
const waitsOf = (decide: (tries: number) => ReturnType<typeof decideRead>) =>
  Array.from({ length: 12 }, (_, tries) => decide(tries)).map((one) => ('ends' in one ? one.ends : one.waitSeconds));

test('each wait doubles, up to 15 minutes for a read and an hour for a revoke', () => {
  const failure = { type: 'RetryLater', retryAfterSeconds: null };
  const job = { ageSeconds: 0, requestedBy: 'SERVICE' as const };
  const first = [5, 10, 20, 40, 80, 160, 320, 640];
  expect(waitsOf((tries) => decideRead({ ...job, tries }, failure, 1))).toEqual([...first, 900, 900, 900, 900]);
  const revoke = (tries: number) => decideDisconnect({ tries, secondsLeft: 72 * HOUR }, failure);
  expect(waitsOf(revoke)).toEqual([...first, 1_280, 2_560, HOUR, HOUR]);
});

test.each([
  // The waiting party, the job's age, the pause that the platform requests, and the result.
  ['SERVICE', 0, 90, 90],
  ['SERVICE', 0, 1, 5],
  ['SERVICE', 20 * HOUR, 40_000, 40_000],
  ['SERVICE', 0, 999_999_999, 24 * HOUR],
  ['CALLER', 0, 900, 900],
  ['CALLER', 0, 901, 'PROVIDER_RATE_LIMITED'],
  ['CALLER', HOUR - 60, 60, 60],
  ['CALLER', HOUR - 60, 61, 'PROVIDER_UNAVAILABLE'],
] as const)('a read of %s after %d s, asked to wait %d s: %s', (requestedBy, ageSeconds, asked, expected) => {
  const failure = { type: 'RetryLater', retryAfterSeconds: asked };
  expect(waitsOf(() => decideRead({ tries: 0, ageSeconds, requestedBy }, failure, 1))[0]).toBe(expected);
});

test.each([
  [72 * HOUR, 90, 90],
  [72 * HOUR, 3_601, HOUR],
  [72 * HOUR, Number.MAX_VALUE, HOUR],
  [599.5, 999_999_999, 600],
])('a revoke with %d s left, asked to wait %d s, is tried again after %d s', (secondsLeft, asked, expected) => {
  const failure = { type: 'RetryLater', retryAfterSeconds: asked };
  expect(decideDisconnect({ tries: 0, secondsLeft }, failure)).toMatchObject({ waitSeconds: expected });
});

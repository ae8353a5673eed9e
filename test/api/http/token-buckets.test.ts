import { expect, test } from 'vitest';
import { TokenBuckets } from '../../../src/api/http/token-buckets.ts';

const RATE = { perSecond: 2, burst: 3 };
const takes = (buckets: TokenBuckets, key: string, count: number) =>
  Array.from({ length: count }, () => buckets.take(key, RATE)).filter(Boolean).length;

test('allows a burst and then the steady rate', () => {
  let nowMs = 0;
  const buckets = new TokenBuckets(() => nowMs);
  expect(takes(buckets, 'a', 10)).toBe(3);
  nowMs = 499;
  expect(takes(buckets, 'a', 10)).toBe(0);
  nowMs = 500;
  expect(takes(buckets, 'a', 10)).toBe(1);
  nowMs = 60_000;
  expect(takes(buckets, 'a', 10)).toBe(3);
});

test('refunds a token, but never holds more than a burst', () => {
  let nowMs = 0;
  const buckets = new TokenBuckets(() => nowMs);
  expect(takes(buckets, 'a', 10)).toBe(3);
  buckets.refund('a', RATE);
  expect(takes(buckets, 'a', 10)).toBe(1);
  nowMs = 60_000;
  buckets.refund('a', RATE);
  expect(takes(buckets, 'a', 10)).toBe(3);
});

test('evicts the key unused for longest when there are too many', () => {
  const buckets = new TokenBuckets(() => 0);
  takes(buckets, 'idle', 3);
  takes(buckets, 'busy', 3);
  for (let n = 0; n < 20_000; n++) {
    buckets.take(`other-${n}`, RATE);
    expect(buckets.take('busy', RATE)).toBe(false);
  }
  expect(buckets.take('idle', RATE)).toBe(true);
});

import { expect, test } from 'vitest';
import { findGrowth, type Sample } from './sampler.ts';

const sample = (changes: Partial<Sample> = {}): Sample => ({
  memory: { 'api-1': 200, 'worker-1': 300 },
  handles: { 'api-1': 60, 'worker-1': 80 },
  connections: { api: 10, worker: 20 },
  outbox: 2,
  bloat: 0.2,
  latency: 40,
  ...changes,
});
/** 30 samples, each with its changes. */
const series = (changesAt: (share: number) => Partial<Sample>) =>
  Array.from({ length: 30 }, (_, index) => sample(changesAt(index / 29)));

test('steady figures are no growth, nor is one bad moment or a warm-up', () => {
  expect(findGrowth(series(() => ({})))).toEqual([]);
  expect(findGrowth(series((share) => (share === 1 ? { outbox: 5_000, latency: 9_000 } : {})))).toEqual([]);
  expect(findGrowth(series((share) => ({ memory: { 'api-1': share < 0.3 ? 100 : 200 } })))).toEqual([]);
});

test.each<[string, (share: number) => Partial<Sample>]>([
  ['memory of worker-1', (share) => ({ memory: { 'api-1': 200, 'worker-1': 300 + 500 * share } })],
  ['handles of api-1', (share) => ({ handles: { 'api-1': 60 + 300 * share } })],
  ['connections of api', (share) => ({ connections: { api: 10 + 40 * share } })],
  ['latency', (share) => ({ latency: 40 + 2_000 * share })],
  ['outbox', (share) => ({ outbox: 1_000 * share })],
  ['bloat', (share) => ({ bloat: 4 * share })],
])('growth of the %s is found', (what, changesAt) => {
  expect(findGrowth(series(changesAt)).map((growth) => growth.what)).toEqual([what]);
});

test('a process that does not run at times is judged by the rest', () => {
  const some = series((share) => (Math.round(share * 29) % 3 === 0 ? { memory: {} } : {}));
  expect(findGrowth(some)).toEqual([]);
});

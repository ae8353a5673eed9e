import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { forEachAtOnce } from '../../src/cli/for-each-at-once.ts';

async function* slowly<T>(...items: readonly T[]): AsyncGenerator<T> {
  for (const item of items) {
    yield item;
    await delay(5); // Time for the work on it to end before anything waits for it.
  }
}

test('works on every item, a bounded number at a time', async () => {
  const done: number[] = [];
  let [running, most] = [0, 0];
  await forEachAtOnce(slowly(1, 2, 3, 4, 5, 6, 7), 3, async (item) => {
    running += 1;
    most = Math.max(most, running);
    await delay(30);
    running -= 1;
    done.push(item);
  });
  expect(done.sort()).toEqual([1, 2, 3, 4, 5, 6, 7]);
  expect(most).toBe(3);
});

test('reports a failure that came while it waited for the next item, and begins no further one', async () => {
  const begun: number[] = [];
  const done: number[] = [];
  const failed = forEachAtOnce(slowly(1, 2, 3, 4), 8, async (item) => {
    begun.push(item);
    if (item === 2) throw new Error('The database is away.');
    await delay(20);
    done.push(item);
  });
  await expect(failed).rejects.toThrow('The database is away.');
  expect(begun).toEqual([1, 2]);
  expect(done).toEqual([1]); // The started ones have ended.
});

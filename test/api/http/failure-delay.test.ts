import { setImmediate as aTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { FailureDelay } from '../../../src/api/http/failure-delay.ts';

/** Delays that the test ends. */
function stage(options: { burst?: number; maxWaiting?: number } = {}) {
  let nowMs = 0;
  const ends: (() => void)[] = [];
  const asked: number[] = [];
  const delays = new FailureDelay(
    {
      rate: { perSecond: 1, burst: options.burst ?? 2 },
      delayMs: 1_000,
      maxWaiting: options.maxWaiting ?? 100,
      wait: async (ms) => {
        asked.push(ms);
        await new Promise<void>((resolve) => void ends.push(resolve));
      },
    },
    () => nowMs,
  );
  /** @returns true if the answer was sent at once. */
  const fail = async (address: string) => {
    let done = false;
    void delays.delayFailure(address).then(() => {
      done = true;
    });
    await aTurn();
    return done;
  };
  return {
    fail,
    asked,
    endAll: () => ends.splice(0).forEach((end) => void end()),
    pass: (ms: number) => {
      nowMs += ms;
    },
  };
}

test('the first failures of an address are answered at once, further ones after a delay', async () => {
  const { fail, asked, pass } = stage();
  expect([await fail('a'), await fail('a'), await fail('a'), await fail('a')]).toEqual([true, true, false, false]);
  expect(asked).toEqual([1_000, 1_000]);
  pass(1_000);
  expect([await fail('a'), await fail('a')]).toEqual([true, false]);
});

test('another address is not delayed', async () => {
  const { fail } = stage({ burst: 1 });
  expect([await fail('a'), await fail('a'), await fail('b')]).toEqual([true, false, true]);
});

test('no more answers wait than the limit: further ones are sent at once', async () => {
  const { fail, endAll } = stage({ burst: 0, maxWaiting: 2 });
  expect([await fail('a'), await fail('b'), await fail('c'), await fail('a')]).toEqual([false, false, true, true]);
  endAll();
  await aTurn();
  expect(await fail('a')).toBe(false);
});

import { setImmediate as aTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { FailureDelay } from '../../../src/api/http/failure-delay.ts';

test('the failures of another address, and those beyond the places to wait, are answered at once', async () => {
  const ends: (() => void)[] = [];
  const wait = () => new Promise<void>((resolve) => void ends.push(resolve));
  const rate = { perSecond: 1, burst: 1 };
  const delays = new FailureDelay({ rate, delayMs: 1_000, maxWaiting: 2, wait }, () => 0);
  const isAtOnce = async (address: string) => {
    let done = false;
    void delays.delayFailure(address).then(() => {
      done = true;
    });
    await aTurn();
    return done;
  };
  expect([await isAtOnce('a'), await isAtOnce('a'), await isAtOnce('b')]).toEqual([true, false, true]);
  expect([await isAtOnce('b'), await isAtOnce('a'), await isAtOnce('b')]).toEqual([false, true, true]);
  for (const end of ends) end();
  await aTurn();
  expect(await isAtOnce('a')).toBe(false);
});

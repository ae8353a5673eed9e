import { vi } from 'vitest';
import type { Answer } from './graphql.ts';

/** Longer than work waits that Temporal gave to a worker as it stopped: 16 s. */
export const PATIENCE = { timeout: 60_000, interval: 100 };

/** Asks again until the answer is as expected. @throws after a while with the expectation, and the last answer */
export async function askUntil(
  expected: string,
  ask: () => Promise<Answer>,
  isSo: (answer: Answer) => boolean,
): Promise<Answer> {
  let last: Answer;
  const look = async () => {
    last = await ask();
    return isSo(last);
  };
  try {
    await vi.waitUntil(look, PATIENCE);
    return last;
  } catch (error) {
    if (!/^Timed out/.test((error as Error).message)) throw error;
    throw new Error(`${expected}, but it is ${JSON.stringify(last)}.`, { cause: error });
  }
}

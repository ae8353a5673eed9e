import { type EventEmitter, once } from 'node:events';
import type { Answer } from './graphql.ts';

/** Longer than work waits that Temporal gave to a worker as it stopped: 16 s. */
export const PATIENCE = { timeout: 60_000, interval: 100 };

/** Without news of a change, it asks again after this time. */
const QUIET_MS = 500;

/**
 * Asks again at each change, until the answer is as expected. @throws after a while with the expectation, and the last answer
 */
export async function askUntil(
  expected: string,
  ask: () => Promise<Answer>,
  isSo: (answer: Answer) => boolean,
  changes: EventEmitter,
): Promise<Answer> {
  const end = performance.now() + PATIENCE.timeout;
  for (;;) {
    const asked = new AbortController();
    const changed = once(changes, 'change', { signal: AbortSignal.any([asked.signal, AbortSignal.timeout(QUIET_MS)]) });
    changed.catch(() => {}); // The time is over.
    const answer = await ask();
    if (isSo(answer)) {
      asked.abort();
      return answer;
    }
    if (performance.now() > end) throw new Error(`${expected}, but it is ${JSON.stringify(answer)}.`);
    await changed.catch(() => {});
  }
}

import type { Log } from './log.ts';

const EVERY_MS = 1_000;
/** Longer than a busy machine delays a timer. */
const LONGEST_MS = 5_000;

/**
 * Logs when this process has stood still: someone froze it or its machine, or its own work blocked it. It answered no request, and
 * others may have taken over its work.
 * @returns a function that ends this
 */
export function watchPauses(log: Log): () => Promise<void> {
  let lastMs = performance.now();
  const timer = setInterval(() => {
    const nowMs = performance.now();
    const stoodMs = nowMs - lastMs - EVERY_MS;
    lastMs = nowMs;
    if (stoodMs >= LONGEST_MS) log.warn('This process stood still', { seconds: Math.round(stoodMs / 1_000) });
  }, EVERY_MS);
  timer.unref();
  return async () => clearInterval(timer);
}

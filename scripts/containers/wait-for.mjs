import { setTimeout as sleep } from 'node:timers/promises';

/** Repeats a condition until it holds. A failure counts as not yet. @returns its value. @throws if it does not hold in time */
export async function waitFor(name, condition, patienceMs) {
  const endsAt = Date.now() + patienceMs;
  for (;;) {
    const value = await Promise.resolve()
      .then(condition)
      .catch(() => undefined);
    if (value) return value;
    if (Date.now() > endsAt) throw new Error(`${name}: not within ${patienceMs / 1_000} s.`);
    await sleep(500);
  }
}

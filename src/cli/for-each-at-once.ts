/**
 * Works on each item, at most `atOnce` at a time. After a failure it begins no further item, waits for those that have begun, and
 * throws the first failure.
 */
export async function forEachAtOnce<T>(
  items: AsyncIterable<T>,
  atOnce: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const busy = new Set<Promise<void>>();
  const failures: unknown[] = [];
  const begin = async (item: T) => {
    try {
      await work(item);
    } catch (error) {
      failures.push(error);
    }
  };
  try {
    for await (const item of items) {
      if (failures.length > 0) break;
      const running = begin(item).finally(() => busy.delete(running));
      busy.add(running);
      if (busy.size >= atOnce) await Promise.race(busy);
    }
  } finally {
    await Promise.all(busy);
  }
  if (failures.length > 0) throw failures[0];
}

import { describe, expect, test, vi } from 'vitest';
import { createFreshness } from '../../src/api/freshness.ts';
import { StaleDatabaseError } from '../../src/basics/errors.ts';
import { createLog } from '../../src/basics/log.ts';

const STALE = new StaleDatabaseError('This database is older.');
const UNREADABLE = new Error('EIO');

/** A journal with these outcomes of its comparisons, in order. */
function over(...outcomes: readonly ('fresh' | 'hangs' | Error)[]) {
  const left = [...outcomes];
  const check = vi.fn(async () => {
    const outcome = left.shift();
    if (outcome === 'hangs') await new Promise<never>(() => undefined);
    if (outcome instanceof Error) throw outcome;
  });
  return { check, freshness: createFreshness({ check }, createLog('silent'), 10) };
}

describe('a database with its journal', () => {
  test('is not served from before the comparison', async () => {
    const { freshness } = over(UNREADABLE, UNREADABLE, 'fresh');
    await freshness.refuseStale();
    expect(await freshness.listDoubts()).toEqual(['the erasure journal cannot be compared']);
    expect(await freshness.listDoubts()).toEqual([]);
  });

  test('is refused when it is older, at start and at any later time', async () => {
    await expect(over(STALE).freshness.refuseStale()).rejects.toBe(STALE);
    const { freshness } = over('fresh', STALE);
    await freshness.refuseStale();
    expect(await freshness.listDoubts()).toEqual(['This database is older.']);
  });

  test('does not block requests while the file system hangs, and is compared once', async () => {
    const { check, freshness } = over('fresh', 'hangs');
    await freshness.refuseStale();
    for (let asked = 0; asked < 3; asked += 1) {
      expect(await freshness.listDoubts()).toEqual([]);
    }
    expect(check).toHaveBeenCalledTimes(2);
  });
});

import { describe, expect, test } from 'vitest';
import { ReadLine } from '../../src/activities/read-line.ts';

const signal = new AbortController().signal;

/** A line whose turns come when the test says so, and the apps in the order in which they got them. */
function open() {
  const line = new ReadLine();
  const served: string[] = [];
  const asking: (() => void)[] = [];
  const read = (appKey: string, { ms = 60_000, abort = signal } = {}) =>
    line.takeTurn(appKey, ms, abort, async () => {
      await new Promise<void>((resolve) => {
        asking.push(resolve);
      });
      served.push(appKey);
      return served.length;
    });
  return {
    line,
    served,
    read,
    async giveTurn() {
      await expect.poll(() => asking.length).toBe(1);
      asking.pop()?.();
    },
  };
}

describe('reads that wait for one provider', () => {
  test('go by app: the app whose last turn is longest ago is next, and each app in its own order', async () => {
    const { read, served, giveTurn } = open();
    const reads = ['busy', 'busy', 'busy', 'other', 'other', 'single'].map((app) => read(app));
    for (const _ of reads) await giveTurn();
    await Promise.all(reads);
    expect(served).toEqual(['busy', 'other', 'single', 'busy', 'other', 'busy']);
  });

  test('remember an app that has nothing waiting', async () => {
    const { read, served, giveTurn } = open();
    const first = read('earlier');
    await giveTurn();
    await first;
    const reads = ['busy', 'earlier', 'newcomer'].map((app) => read(app));
    for (const _ of reads) await giveTurn();
    await Promise.all(reads);
    expect(served).toEqual(['earlier', 'busy', 'newcomer', 'earlier']);
  });

  test('leave after their time or when they are aborted, and the others go on', async () => {
    const { read, served, giveTurn, line } = open();
    const first = read('first');
    const abort = new AbortController();
    const late = read('late', { ms: 1 });
    const aborted = read('aborted', { abort: abort.signal });
    const last = read('last');
    abort.abort(new Error('The worker stops.'));
    await expect(aborted).rejects.toThrow('The worker stops.');
    expect(await late).toBeUndefined();
    expect(line.length).toBe(1);
    await giveTurn();
    await giveTurn();
    expect([await first, await last]).toEqual([1, 2]);
    expect(served).toEqual(['first', 'last']);
  });

  test('go on after one that got no turn', async () => {
    const line = new ReadLine();
    const failed = line.takeTurn('first', 60_000, signal, () => Promise.reject(new Error('No turn.')));
    const next = line.takeTurn('next', 60_000, signal, async () => 'turn');
    await expect(failed).rejects.toThrow('No turn.');
    expect(await next).toBe('turn');
  });
});

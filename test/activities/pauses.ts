import { syncBuiltinESMExports } from 'node:module';
import timers from 'node:timers/promises';
import { onTestFinished, vi } from 'vitest';

/** Holds the promised pauses of all code until the end of the test, which ends each. */
export function holdPauses() {
  const pauses: { ms: number; isOver: boolean; keepsAlive: boolean; end: () => void }[] = [];
  const spy = vi.spyOn(timers, 'setTimeout').mockImplementation((ms = 1, value, { signal, ref = true } = {}) => {
    return new Promise<never>((resolve, reject) => {
      const pause = { ms, isOver: false, keepsAlive: ref, end: () => end(() => resolve(value as never)) };
      const end = (settle: () => void) => {
        pause.isOver = true;
        settle();
      };
      const abort = () => end(() => reject(signal?.reason));
      pauses.push(pause);
      if (signal?.aborted) abort();
      signal?.addEventListener('abort', abort, { once: true });
    });
  });
  syncBuiltinESMExports();
  onTestFinished(() => {
    spy.mockRestore();
    syncBuiltinESMExports();
  });
  return {
    /** How long each was to be, in ms. */
    lengths: () => pauses.map(({ ms }) => ms),
    /** The same for those that have been neither ended nor aborted. */
    left: () => pauses.filter(({ isOver }) => !isOver).map(({ ms }) => ms),
    /** The same of those that keep a process from its end. */
    keepAlive: () => pauses.filter(({ isOver, keepsAlive }) => !isOver && keepsAlive).map(({ ms }) => ms),
    /** Ends those of this length. */
    end: (length: number) => {
      for (const { ms, end } of pauses) if (ms === length) end();
    },
    /** Ends each pause at once from now on. */
    skip: () =>
      spy.mockImplementation(async (ms = 1, value) => {
        pauses.push({ ms, isOver: true, keepsAlive: false, end: () => undefined });
        return value as never;
      }),
  };
}

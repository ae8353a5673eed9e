import { describe, expect, test } from 'vitest';
import { ProviderQueue } from '../../src/activities/provider-queue.ts';
import type { Slot } from '../kit/slots.ts';

const signal = new AbortController().signal;

/** A queue whose slots the test grants, and the apps in the order in which they got them. */
function open(longestAnswerMs?: number) {
  const asked: ((turn: Slot | Promise<never>) => void)[] = [];
  const line = new ProviderQueue(() => new Promise<Slot>((resolve) => void asked.push(resolve)), longestAnswerMs);
  const served: string[] = [];
  const read = async (appKey: string, { ms = 60_000, abort = signal } = {}) => {
    const turn = await line.waitForSlot(appKey, performance.now() + ms, abort);
    if (turn.taken) served.push(appKey);
    return turn;
  };
  const answer = async (turn: Slot | Promise<never>) => {
    await expect.poll(() => asked.length).toBe(1);
    asked.pop()?.(turn);
  };
  return { served, read, answer, giveTurn: () => answer({ taken: true, waitSeconds: 0 }) };
}

describe('calls that wait in one line', () => {
  test('go by app: the app whose last turn is longest ago is next, and each app in its own order', async () => {
    const { read, served, giveTurn } = open();
    const reads = ['busy', 'busy', 'busy', 'other', 'other', 'single'].map((app) => read(app));
    for (const _ of reads) await giveTurn();
    await Promise.all(reads);
    expect(served).toEqual(['busy', 'other', 'single', 'busy', 'other', 'busy']);
  });

  test('leave after their time or when they are aborted, and the others continue', async () => {
    const { read, served, giveTurn } = open();
    const abort = new AbortController();
    const first = read('first');
    const late = read('late', { ms: 1 });
    const aborted = read('aborted', { abort: abort.signal });
    const last = read('last');
    abort.abort(new Error('The worker stops.'));
    await expect(aborted).rejects.toThrow('The worker stops.');
    expect(await late).toEqual({ taken: false, waitSeconds: 0 });
    await giveTurn();
    await giveTurn();
    await Promise.all([first, last]);
    expect(served).toEqual(['first', 'last']);
  });

  test('ask again after an answer that never came', async () => {
    const { read, served, answer, giveTurn } = open(200);
    const lost = read('app');
    await answer(new Promise<never>(() => undefined));
    await expect(lost).rejects.toThrow('did not answer in time');
    const next = read('app');
    await giveTurn();
    await next;
    expect(served).toEqual(['app']);
  });
});

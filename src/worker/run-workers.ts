import { setTimeout as delay } from 'node:timers/promises';
import type { Worker } from '@temporalio/worker';

type Runnable = Pick<Worker, 'run' | 'shutdown' | 'getState'>;

const LOOK_EVERY_MS = 2_000;

/**
 * Runs until the shutdown signal or until one worker fails. Running tasks finish first.
 * @param patienceMs how long the others may take to end after a failure. The library may never stop waiting for the calls of a failed
 *   worker, and its process would stay without work.
 * @throws the failure
 */
export async function runUntilStopped(
  workers: readonly Runnable[],
  stopping: AbortSignal,
  { patienceMs, lookEveryMs = LOOK_EVERY_MS }: { patienceMs: number; lookEveryMs?: number },
): Promise<void> {
  const runs = workers.map((worker) => worker.run());
  const stopAll = () => {
    for (const worker of workers) if (worker.getState() === 'RUNNING') worker.shutdown();
  };
  const over = new AbortController();
  const stuck = findStuck(workers, over.signal, { patienceMs, lookEveryMs, stopAll });
  stopping.addEventListener('abort', stopAll, { once: true });
  if (stopping.aborted) stopAll();
  try {
    await Promise.race([Promise.all(runs), stuck]);
  } finally {
    stopAll();
    await Promise.race([Promise.allSettled(runs), stuck.catch(() => undefined)]);
    over.abort();
  }
}

/** Stops the others as soon as a worker has failed. @throws if the runs have not ended `patienceMs` later */
async function findStuck(
  workers: readonly Runnable[],
  over: AbortSignal,
  { patienceMs, lookEveryMs, stopAll }: { patienceMs: number; lookEveryMs: number; stopAll(): void },
): Promise<void> {
  const isOver = () => over.aborted;
  while (!workers.some((worker) => worker.getState() === 'FAILED')) {
    await delay(lookEveryMs, undefined, { signal: over }).catch(() => undefined); // Only the signal rejects it.
    if (isOver()) return;
  }
  stopAll();
  await delay(patienceMs, undefined, { signal: over }).catch(() => undefined);
  if (!isOver()) throw new Error('A worker has failed, and the calls of the others do not end.');
}

import { expect, test } from 'vitest';
import { runUntilStopped } from '../../src/worker/run-workers.ts';

type State = 'RUNNING' | 'STOPPING' | 'STOPPED' | 'FAILED';
const SOON = { patienceMs: 50, lookEveryMs: 5 };

/** A worker that stops on request, unless it hangs. */
function createWorker({ hangs = false } = {}) {
  let state: State = 'RUNNING';
  let end: (error?: Error) => void = () => undefined;
  const ended = new Promise<void>((resolve, reject) => {
    end = (error) => (error === undefined ? resolve() : reject(error));
  });
  return {
    run: () => ended,
    getState: () => state,
    shutdown() {
      state = 'STOPPING';
      if (!hangs) end();
    },
    end: () => end(),
    fail(error?: Error) {
      state = 'FAILED';
      if (error !== undefined) end(error);
    },
  };
}

test('every worker is stopped, and the run ends after them', async () => {
  const workers = [createWorker(), createWorker()];
  const stopping = new AbortController();
  const run = runUntilStopped(workers, stopping.signal, SOON);
  stopping.abort();
  await run;
  expect(workers.map((worker) => worker.getState())).toEqual(['STOPPING', 'STOPPING']);
});

test('a stop waits for a slow worker as long as it takes', async () => {
  const slow = createWorker({ hangs: true });
  const stopping = new AbortController();
  let hasEnded = false;
  void runUntilStopped([slow, createWorker()], stopping.signal, SOON).then(() => {
    hasEnded = true;
  });
  stopping.abort();
  await new Promise((resolve) => setTimeout(resolve, 4 * SOON.patienceMs));
  expect(hasEnded).toBe(false);
});

test('the failure of one stops the others, and is the reason of the end', async () => {
  const [failing, other] = [createWorker(), createWorker()];
  const run = runUntilStopped([failing, other], new AbortController().signal, SOON);
  failing.fail(new Error('The namespace is gone.'));
  await expect(run).rejects.toThrow('The namespace is gone.');
  expect(other.getState()).toBe('STOPPING');
});

test('after the failure of one, the running tasks of the others finish first', async () => {
  const [failing, working] = [createWorker(), createWorker({ hangs: true })];
  const patient = { ...SOON, patienceMs: 10_000 };
  let failure: Error | undefined;
  const run = runUntilStopped([failing, working], new AbortController().signal, patient).catch((error) => {
    failure = error;
  });
  failing.fail(new Error('The namespace is gone.'));
  await new Promise((resolve) => setTimeout(resolve, 4 * SOON.patienceMs));
  expect(working.getState()).toBe('STOPPING');
  expect(failure).toBeUndefined();
  working.end();
  await run;
  expect(failure?.message).toBe('The namespace is gone.');
});

test('a worker that fails and never ends keeps no process alive, and the others are stopped', async () => {
  const [failing, other, hanging] = [createWorker(), createWorker(), createWorker({ hangs: true })];
  const run = runUntilStopped([failing, other, hanging], new AbortController().signal, SOON);
  failing.fail();
  await expect(run).rejects.toThrow('A worker has failed');
  expect([other.getState(), hanging.getState()]).toEqual(['STOPPING', 'STOPPING']);
});

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

test('the failure of one stops the others, and is the reason of the end', async () => {
  const [failing, other] = [createWorker(), createWorker()];
  const run = runUntilStopped([failing, other], new AbortController().signal, SOON);
  failing.fail(new Error('The namespace is gone.'));
  await expect(run).rejects.toThrow('The namespace is gone.');
  expect(other.getState()).toBe('STOPPING');
});

test('a worker that fails and never ends keeps no process alive, and the others are stopped', async () => {
  const [failing, other, hanging] = [createWorker(), createWorker(), createWorker({ hangs: true })];
  const run = runUntilStopped([failing, other, hanging], new AbortController().signal, SOON);
  failing.fail();
  await expect(run).rejects.toThrow('A worker has failed');
  expect([other.getState(), hanging.getState()]).toEqual(['STOPPING', 'STOPPING']);
});

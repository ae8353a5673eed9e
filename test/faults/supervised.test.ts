import { setTimeout as delay } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { Part } from '../kit/processes.ts';
import { openRunFolder } from '../kit/run-folder.ts';
import { Supervised } from './supervised.ts';

test('a supervised part restarts after its own exit, and stays away when a test killed it', async () => {
  const run = await openRunFolder();
  const part = new Part(
    {
      name: 'sleeper',
      program: 'sleep',
      args: ['60'],
      env: { PATH: process.env.PATH ?? '' },
      cwd: run.folder,
      stop: { signal: 'SIGTERM', patienceMs: 1_000 },
      isReady: async () => true,
    },
    run,
  );
  await part.start();
  const supervised = new Supervised(part);
  try {
    const first = part.pid;
    process.kill(first ?? 0, 'SIGKILL');
    await vi.waitUntil(() => part.isRunning && part.pid !== first, { timeout: 10_000 });
    expect(supervised.ends).toBe(1);
    await supervised.kill();
    await delay(1_200);
    expect(part.isRunning).toBe(false);
    await supervised.start();
    expect(part.isRunning).toBe(true);
    expect(supervised.ends).toBe(1);
  } finally {
    await supervised.release();
    await part.kill();
    run.remove();
  }
});

import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import type { TestService } from '../../test/kit/service.ts';

export const TASK_QUEUE = 'bare';

/** Starts a program of this folder and waits for its first message. */
async function startProgram(
  name: string,
  args: readonly string[] = [],
): Promise<{ child: ChildProcess; stop(): Promise<void> }> {
  const child = fork(path.join(import.meta.dirname, `${name}.mjs`), args, {
    env: { PATH: process.env.PATH ?? '' },
    execArgv: [],
  });
  await Promise.race([once(child, 'message'), once(child, 'exit')]);
  if (child.exitCode !== null) throw new Error(`The bare ${name} did not start.`);
  const stop = async () => {
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    await ended;
  };
  return { child, stop };
}

/** Starts a worker on the service's Temporal server. `calls` lists when its calls of `report` began, in ms since 1970. */
export async function startBareWorker({ settings }: TestService) {
  const { child, stop } = await startProgram('worker', [settings.temporal.TEMPORAL_ADDRESS ?? '', TASK_QUEUE]);
  const calls: number[] = [];
  child.on('message', (beganAt) => calls.push(Number(beganAt)));
  return { calls, pid: child.pid ?? 0, stop };
}

import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import type { TestService } from '../../test/kit/service.ts';

export const TASK_QUEUE = 'bare';

/** A program of this folder, once it has said its first word. */
async function startProgram(
  name: string,
  args: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): Promise<{ child: ChildProcess; word: unknown; stop(): Promise<void> }> {
  const child = fork(path.join(import.meta.dirname, `${name}.mjs`), args, {
    env: { PATH: process.env.PATH ?? '', ...env },
    execArgv: [],
  });
  const [word] = await Promise.race([once(child, 'message'), once(child, 'exit')]);
  if (child.exitCode !== null) throw new Error(`The bare ${name} did not start.`);
  const stop = async () => {
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    await ended;
  };
  return { child, word, stop };
}

/** GraphQL over the service's database. */
export async function startBareGraphql({ database }: TestService) {
  const { word, stop } = await startProgram('graphql', [], { DATABASE_URL: database.url });
  return { url: String(word), stop };
}

/** A worker of the service's Temporal server. `calls` are when its empty calls began, as ms since 1970. */
export async function startBareWorker({ settings }: TestService) {
  const { child, stop } = await startProgram('worker', [settings.temporal.TEMPORAL_ADDRESS ?? '', TASK_QUEUE]);
  const calls: number[] = [];
  child.on('message', (beganAt) => calls.push(Number(beganAt)));
  return { calls, stop };
}

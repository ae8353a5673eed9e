import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import type { TestService } from '../../test/kit/service.ts';

export const TASK_QUEUE = 'bare';

/** Starts a program of this folder and waits for its first message. */
async function startProgram(
  name: string,
  { args = [], env = {} }: { args?: readonly string[]; env?: Readonly<Record<string, string>> },
): Promise<{ child: ChildProcess; said: unknown; stop(): Promise<void> }> {
  const child = fork(path.join(import.meta.dirname, `${name}.mjs`), args, {
    env: { PATH: process.env.PATH ?? '', ...env },
    execArgv: [],
  });
  const [said] = await Promise.race([once(child, 'message'), once(child, 'exit')]);
  if (child.exitCode !== null) throw new Error(`The bare ${name} did not start.`);
  const stop = async () => {
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    await ended;
  };
  return { child, said, stop };
}

/** Starts a worker on the service's Temporal server. `calls` lists when its calls of `report` began, in ms since 1970. */
export async function startBareWorker({ settings }: TestService) {
  const { child, stop } = await startProgram('worker', {
    args: [settings.temporal.TEMPORAL_ADDRESS ?? '', TASK_QUEUE],
  });
  const calls: number[] = [];
  child.on('message', (beganAt) => calls.push(Number(beganAt)));
  return { calls, pid: child.pid ?? 0, stop };
}

/** Starts the program that commits the service's rows. @returns a function that sends it one request. */
export async function startBareAccepts({ database }: TestService) {
  const env = { DATABASE_URL: database.url, POOL_SIZE: '10', NODE_ENV: 'production' };
  const { child, said, stop } = await startProgram('accepts', { env });
  const accept = async (body: object): Promise<void> => {
    const request = { method: 'POST', body: JSON.stringify(body) };
    const response = await fetch(`http://127.0.0.1:${said}`, request);
    const { data, error } = (await response.json()) as { data?: readonly unknown[]; error?: string };
    if (!data?.length) throw new Error(`Not accepted: ${error}`);
  };
  return { accept, pid: child.pid ?? 0, stop };
}

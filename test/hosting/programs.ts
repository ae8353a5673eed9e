import { execFile } from 'node:child_process';
import { PROGRAM } from '../kit/built.ts';

/** Whether this machine has a program. `scripts/hosting.mjs` has looked, and names those that are missing. */
export const hasProgram = (name: string): boolean => (process.env.HOSTING_PROGRAMS ?? '').split(' ').includes(name);

/** How a program ended, with everything that it printed. */
export interface Ended {
  readonly code: number;
  readonly text: string;
}

/** Runs a program to its end, with these variables alone. */
export const call = (
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  { timeoutMs = 100_000 }: { timeoutMs?: number } = {},
): Promise<Ended> =>
  new Promise((resolve) => {
    const all = { PATH: process.env.PATH ?? '', ...env };
    execFile(program, args, { env: all, timeout: timeoutMs }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code ?? 1), text: stdout + stderr }),
    );
  });

/** Runs a command of the built service. */
export const serve = (
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  options: { timeoutMs?: number } = {},
): Promise<Ended> => call(process.execPath, [PROGRAM, ...args], env, options);

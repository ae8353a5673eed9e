import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { HeadlessOptions } from './options.ts';
import { say, sayOnStandardError } from './screen.ts';
import { Stack, type StackOptions } from './stack.ts';

const PARENT_CHECK_MS = 500;
/** A start whose programs have been stopped ends within this time. */
const START_ENDS_MS = 10_000;

/**
 * Runs a stack for the tests of a caller: in a new temporary folder, without the example caller. Prints its addresses as one
 * line of JSON on standard output, and everything else on standard error. SIGTERM, SIGINT and the end of the parent process
 * stop it and delete the folder.
 */
export async function runHeadless({ returnUrl, webhookUrl, cache }: HeadlessOptions): Promise<void> {
  sayOnStandardError();
  process.umask(0o077);
  const parent = process.ppid;
  const folder = mkdtempSync(path.join(tmpdir(), 'social-accounts-'));
  const addresses = { returnUrl, webhookUrl };
  const options: StackOptions = { folder, withCaller: false, durable: false, ...addresses, ...(cache && { cache }) };
  const onLost = (why: string) => void fail(why);
  const stack = new Stack({ ...options, onLost });
  let exitCode = 0;
  let starting: Promise<unknown> = Promise.resolve();

  const end = async (): Promise<never> => {
    await stack.stop();
    await starting; // A start that is cut short may still write into the folder.
    stack.delete();
    process.exit(exitCode);
  };
  const fail = async (why: string): Promise<never> => {
    say(why);
    exitCode = 1;
    return await end();
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => void end());
  // An orphan gets another parent. A closed pipe would not do: not every program gives its children one.
  setInterval(() => {
    if (process.ppid !== parent && !stack.isStopping) void end();
  }, PARENT_CHECK_MS).unref();

  try {
    const started = stack.start();
    starting = Promise.race([started.catch(() => undefined), sleep(START_ENDS_MS, undefined, { ref: false })]);
    process.stdout.write(`${JSON.stringify(await started)}\n`);
  } catch (error) {
    if (stack.isStopping) return; // Stopping caused the failure.
    await fail(error instanceof Error ? error.message : String(error));
  }
}

import { mkdirSync } from 'node:fs';
import { describeStart } from './describe-start.ts';
import { runHeadless } from './headless.ts';
import { takeLock } from './lock.ts';
import { readOptions } from './options.ts';
import { say } from './screen.ts';
import { FOLDER, LOCK_FILE, STACK_FILE, Stack } from './stack.ts';
import { watchSources } from './watch-sources.ts';

/** `npm start`: runs the whole stack until Ctrl-C, or one of its own for a program; see `headless.ts`. */
async function main(): Promise<void> {
  const options = readOptions(process.argv.slice(2));
  if (options.mode === 'help') return say(options.usage);
  if (options.mode === 'headless') return await runHeadless(options.options);
  process.umask(0o077); // The folder holds keys, tokens and databases: only this user may read them.
  mkdirSync(FOLDER, { recursive: true, mode: 0o700 });
  const lock = takeLock(LOCK_FILE);
  if (!lock.taken) {
    throw new Error(
      `A stack is already running here (process ${lock.holder}). ${STACK_FILE} has its addresses. Stop it first.`,
    );
  }
  const stack: Stack = new Stack({
    onLost: (why) => {
      say(why);
      void stack.stop().then(() => process.exit(1), fail);
    },
  });
  stopOnSignals(stack);
  try {
    await stack.clear({ fresh: options.fresh });
    const addresses = await stack.start();
    say(describeStart(addresses, stack.movedPorts));
    if (options.watch) watchSources(() => stack.restartPrograms());
  } catch (error) {
    const interrupted = stack.isStopping; // Stopping caused the failure then.
    await stack.stop();
    if (!interrupted) throw error;
  }
}

/** Ctrl-C arrives twice: from the terminal, and from npm, which passes it on. */
const SAME_SIGNAL_MS = 500;

function stopOnSignals(stack: Stack): void {
  let askedAt: number | undefined;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      if (askedAt !== undefined) {
        if (performance.now() - askedAt < SAME_SIGNAL_MS) return;
        say('Stopped at once. The next start ends any process that still runs.');
        process.exit(1);
      }
      askedAt = performance.now();
      say('\nStopping…');
      void stack.stop().then(
        () => process.exit(0),
        (error) => fail(error),
      );
    });
  }
}

function fail(error: unknown): never {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}

await main().catch(fail);

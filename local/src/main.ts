import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { runHeadless } from './headless.ts';
import { takeLock } from './lock.ts';
import { readOptions } from './options.ts';
import { formatTable, say } from './screen.ts';
import { FOLDER, LOCK_FILE, SHELL_FILE, STACK_FILE, Stack, type StackAddresses } from './stack.ts';
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
  const startedAt = Date.now();
  const stack = new Stack();
  stopOnSignals(stack);
  try {
    await stack.clear({ fresh: options.fresh });
    const addresses = await stack.start();
    say(overview(addresses, (Date.now() - startedAt) / 1000));
    if (options.watch) watchSources(() => stack.restartPrograms());
  } catch (error) {
    const interrupted = stack.isStopping; // Stopping caused the failure then.
    await stack.stop();
    if (!interrupted) throw error;
  }
}

function stopOnSignals(stack: Stack): void {
  let asked = false;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      if (asked) {
        say('Stopped at once. The next start ends any process that still runs.');
        process.exit(1);
      }
      asked = true;
      say('\nStopping…');
      void stack.stop().then(
        () => process.exit(0),
        (error) => fail(error),
      );
    });
  }
}

function overview({ app, ...addresses }: StackAddresses, seconds: number): string {
  return [
    '',
    `Ready after ${seconds.toFixed(1)} s. Ctrl-C stops everything; the data stays in ${path.relative('.', FOLDER)}/.`,
    '',
    `Open ${addresses.callerUrl}`,
    '',
    formatTable([
      ['GraphQL', addresses.graphqlUrl],
      ['Schema', addresses.schemaUrl],
      ['Sandbox', addresses.sandboxUrl],
      ...(addresses.explorerUrl === null
        ? []
        : [['Explorer', `${addresses.explorerUrl}  (GraphiQL as the demo app)`] as const]),
      ['Console', `${addresses.consoleUrl}  (for operators; sign in with the admin token)`],
      ['Admin token', addresses.adminToken],
      ...(addresses.temporalUiUrl === null ? [] : [['Temporal', addresses.temporalUiUrl] as const]),
      ['Key', app.key],
      ['Tenant', app.tenantKey],
      ['Return URL', app.returnUrl],
      ['Metrics', `${addresses.metricsUrl}, ${addresses.apiMetricsUrl}`],
      ['For programs', path.relative('.', STACK_FILE)],
      [
        'For commands',
        `sh ${path.relative('.', SHELL_FILE)} COMMAND  (any command of docs/runbook.md; without one, a shell for them)`,
      ],
      ['Logs', path.join(path.relative('.', FOLDER), 'logs')],
    ]),
    '',
    'Try a first query:',
    '',
    `  curl ${addresses.graphqlUrl} -H 'authorization: Bearer ${app.key}' -H 'content-type: application/json' \\`,
    `    -d '{"query":"{ integrationReadiness { providers { provider available } } }"}'`,
    '',
  ].join('\n');
}

function fail(error: unknown): never {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}

await main().catch(fail);

import { existsSync } from 'node:fs';
import { createLog } from './basics/log.ts';
import { COMMANDS } from './cli/commands/index.ts';
import { explainFailure } from './cli/explain-failure.ts';
import { findNearest } from './cli/find-nearest.ts';
import { describeOne, findCommand, listCommands, listCommandsOf } from './cli/front.ts';
import { IMPORT_COMMAND, runImport } from './cli/import-connections.ts';
import { KEYS_COMMAND, printNewKeys } from './cli/keys.ts';
import { describeCommand } from './cli/local-command.ts';
import { LOCAL_COMMANDS, runLocally } from './cli/local-commands.ts';
import { runInProcess } from './cli/main.ts';
import { ERASE_PLATFORM_USERS_COMMAND, EXPORT_COMMAND, runErasePlatformUsers, runExport } from './cli/people.ts';
import type { CommandHead } from './cli/read-options.ts';
import { RESEAL_COMMAND, runReseal } from './cli/reseal.ts';
import { RESTORE_COMMAND, runRestore } from './cli/restore.ts';
import { TRY_COMMAND } from './cli/try-provider/command.ts';
import { ConfigError, readConfig } from './config/config.ts';
import { openDatabase } from './store/driver/sql.ts';
import { migrate } from './store/migrate.ts';
import { grantRights, readRoleStatements, requireOwner } from './store/rights.ts';

const describeAll = () => `Usage: node dist/main.js <process>, one of
  api        serve GraphQL and the pages of Connect
  worker     run workflows and activities
  migrate    apply missing migrations, and grant each database role its rights

or an operator's command over the database, which also works without an api; --json prints one JSON value, for programs;
--help describes one command:

${listCommands()}

Commands that the admin API does not offer:
${Object.values(OWN)
  .map(({ head }) => describeCommand(head))
  .join('\n')}
${describeCommand(TRY_COMMAND)}
`;

/** Describes the commands of a group, such as `jobs`. @returns undefined if no command begins with these words */
function describeGroup(args: readonly string[]): string | undefined {
  const words = args.filter((word) => !word.startsWith('-')).join(' ');
  const heads = Object.fromEntries(Object.entries(OWN).map(([name, { head }]) => [name, head]));
  const commands = words === '' ? '' : listCommandsOf(words, heads);
  return commands === '' ? undefined : `The commands of "${words}"; --help describes each:\n\n${commands}`;
}

function describeUnknown(name: string): string {
  const nearest = findNearest(name, [...PROCESSES, TRY, ...Object.keys(OWN), ...Object.keys(COMMANDS)]);
  const hint = nearest === undefined ? '--help lists them.' : `Did you mean "${nearest}"?`;
  return `There is no command "${name}". ${hint}\n`;
}

/** A command whose platform is an argument, not a second word. */
const TRY = 'try-provider';

const PROCESSES: ReadonlySet<string> = new Set(['api', 'worker', 'migrate']);

/** The commands that the admin API does not offer. */
const OWN: Readonly<Record<string, { head: CommandHead; run(args: readonly string[]): Promise<void> }>> = {
  ...Object.fromEntries(
    Object.entries(LOCAL_COMMANDS).map(([name, head]) => [name, { head, run: runLocally(name, head) }]),
  ),
  'keys create': { head: KEYS_COMMAND, run: printNewKeys },
  'secrets reseal': { head: RESEAL_COMMAND, run: runReseal },
  'restore replay': { head: RESTORE_COMMAND, run: runRestore },
  'connections import': { head: IMPORT_COMMAND, run: runImport },
  'subject export': { head: EXPORT_COMMAND, run: runExport },
  'erase platform-users': { head: ERASE_PLATFORM_USERS_COMMAND, run: runErasePlatformUsers },
};

async function runMigrate(): Promise<void> {
  const config = readConfig('migrate');
  const log = createLog(config.LOG_LEVEL).with({ component: 'migrate' });
  const sql = openDatabase(config.DATABASE_URL, { poolSize: 1, applicationName: 'migrate', files: config });
  try {
    const roles = readRoleStatements(config.DATABASE_ROLE_PREFIX);
    await requireOwner(sql, roles);
    for (const migration of await migrate(sql)) log.info('Migration applied', { migration });
    await grantRights(sql, roles);
    log.info('Rights granted');
  } finally {
    await sql.end({ timeout: 5 });
  }
}

async function run(args: readonly string[]): Promise<number> {
  const own = findOwn(args);
  const found = own === undefined ? findCommand(args) : undefined;
  if (args.includes('--help')) {
    const head = own?.head ?? (args[0] === TRY ? TRY_COMMAND : undefined);
    if (found !== undefined) process.stdout.write(describeOne(found));
    else if (head !== undefined) process.stdout.write(`${describeCommand(head)}\n`);
    else process.stdout.write(describeGroup(args) ?? describeAll());
    return 0;
  }
  if (PROCESSES.has(args[0] ?? '') && args.length > 1) {
    process.stderr.write(`${args[0]} takes no arguments: configure it by environment variables.\n`);
    return 2;
  }
  // Each process loads only its own modules, so the api never loads the worker's native library.
  switch (args[0]) {
    case 'api':
      await (await import('./api/main.ts')).runApi(readConfig('api'));
      return 0;
    case 'worker':
      await (await import('./worker/main.ts')).runWorker(readConfig('worker'));
      return 0;
    case 'migrate':
      await runMigrate();
      return 0;
    case TRY:
      return await (await import('./cli/try-provider/main.ts')).runTryProvider(args.slice(1));
  }
  if (own !== undefined) {
    await own.run(own.rest);
    return 0;
  }
  if (found !== undefined) {
    const { createInProcessAdmin } = await import('./api/admin/in-process.ts');
    return await runInProcess(found, createInProcessAdmin);
  }
  process.stderr.write(
    args.length === 0 ? describeAll() : (describeGroup(args) ?? describeUnknown(args.slice(0, 2).join(' '))),
  );
  return 2;
}

/** In a checkout whose stack runs, the configuration is that of the stack. */
const STACK_SHELL = '.local/operator.sh';

const hintAtStack = (error: unknown): string =>
  error instanceof ConfigError && !PROCESSES.has(process.argv[2] ?? '') && existsSync(STACK_SHELL)
    ? `For the stack of npm start: sh ${STACK_SHELL} node dist/main.js …\n`
    : '';

/** A command has two or three words; the rest are options. */
function findOwn(args: readonly string[]) {
  for (const words of [3, 2]) {
    const name = args.slice(0, words).join(' ');
    const own = Object.hasOwn(OWN, name) ? OWN[name] : undefined;
    if (own !== undefined) return { ...own, rest: args.slice(words) };
  }
  return undefined;
}

// The reader of a pipe may close it early.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));

try {
  const code = await run(process.argv.slice(2));
  if (code !== 0) process.exitCode = code; // An import with failed lines has set its own.
} catch (error) {
  const words = explainFailure(error);
  if (words !== undefined) process.stderr.write(`${words}\n${hintAtStack(error)}`);
  // The log prints only safe details of other errors. A command's standard output contains only its result.
  else
    createLog('error', PROCESSES.has(process.argv[2] ?? '') ? undefined : process.stderr).error('Process failed', {
      error,
    });
  process.exit(1); // An open listener or pool must not keep the failed process alive.
}

import { KEYS_USAGE, printNewKeys } from './cli/keys.ts';
import { cliUsage, isCliCommand, runCli } from './cli/main.ts';
import { RESEAL_USAGE, runReseal } from './cli/reseal.ts';
import { RESTORE_USAGE, runRestore } from './cli/restore.ts';
import { ConfigError, readConfig } from './config.ts';
import { ServiceError, StaleDatabaseError } from './errors.ts';
import { createLog } from './log.ts';
import { migrate } from './store/migrate.ts';
import { openDatabase } from './store/sql.ts';

const USAGE = `Usage: node dist/main.js <process>, one of
  api        serve GraphQL and the browser side of Connect
  worker     run workflows and activities
  migrate    bring the database's schema up to date

or an operator's command; with --json it prints one JSON value, for programs:
${KEYS_USAGE}
${cliUsage()}
${RESEAL_USAGE}
${RESTORE_USAGE}
`;

async function runMigrate(): Promise<void> {
  const config = readConfig('migrate');
  const log = createLog(config.LOG_LEVEL).with({ component: 'migrate' });
  const sql = openDatabase(config.DATABASE_URL, { poolSize: 1, applicationName: 'migrate' });
  try {
    for (const migration of await migrate(sql)) log.info('Migration applied', { migration });
  } finally {
    await sql.end({ timeout: 5 });
  }
}

async function run(args: readonly string[]): Promise<number> {
  // Each process loads what it needs and no more: the api never sees the worker's native library.
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
    case 'secrets':
      if (args[1] !== 'reseal') break;
      await runReseal(args.slice(2));
      return 0;
    case 'restore':
      if (args[1] !== 'replay') break;
      await runRestore(args.slice(2));
      return 0;
    case 'keys':
      if (args[1] !== 'create') break;
      await printNewKeys({ json: args.includes('--json') });
      return 0;
    default:
      if (isCliCommand(args)) {
        await runCli(args);
        return 0;
      }
  }
  process.stderr.write(args.length === 0 ? USAGE : `${USAGE}\nThere is no command ${args.slice(0, 2).join(' ')}.\n`);
  return 2;
}

try {
  process.exitCode = await run(process.argv.slice(2));
} catch (error) {
  // These are written for people; anything else goes through the log, which tells what may be told.
  const isForPeople = [ConfigError, ServiceError, StaleDatabaseError].some((kind) => error instanceof kind);
  if (isForPeople) process.stderr.write(`${(error as Error).message}\n`);
  else createLog('error').error('Cannot go on', { error });
  process.exit(1); // Whatever has been opened by then, a listener or a pool, must not keep half a process running.
}

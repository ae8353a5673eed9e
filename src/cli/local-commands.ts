import { z } from 'zod';
import { ServiceError } from '../basics/errors.ts';
import { type CliConfig, readConfig } from '../config/config.ts';
import { type Database, openDatabase } from '../store/driver/sql.ts';
import { listRefusedDispatches, retryRefusedDispatches } from '../store/outbox.ts';
import type { WorkerVersions } from '../temporal/worker-versions.ts';
import { formatJson, formatText, type Row } from './format.ts';
import { type CliCommand, command, flag } from './local-command.ts';
import { readOptions } from './read-options.ts';
import { requireFreshDatabase } from './require-fresh-database.ts';
import { requireMigrated, runAudited } from './run-audited.ts';

interface LocalDeps {
  readonly sql: Database;
  /** Delivers the outbox. @returns false if Temporal is unreachable. */
  deliver(): Promise<boolean>;
  /** The versions of the workers, in Temporal. */
  workerVersions(): Promise<WorkerVersions>;
  /** Shows the operator a message that is not part of the result. */
  warn(message: string): void;
}

type LocalCommand = CliCommand<Row | readonly Row[], LocalDeps> & {
  /** It changes nothing and shows no person: the audit log does not have it. */
  readonly isRead?: true;
};

const local = <Shape extends z.ZodRawShape>(
  usage: string,
  summary: string,
  shape: Shape,
  run: (options: z.output<z.ZodObject<Shape>>, deps: LocalDeps) => Promise<Row | readonly Row[]>,
): LocalCommand => command(usage, summary, shape, run);

const read: typeof local = (...parts) => ({ ...local(...parts), isRead: true });

/** The most rows that a command prints. */
const MAX_ROWS = 1_000;

const buildId = z.string().regex(/^[A-Za-z0-9._-]{1,100}$/, 'must be letters, digits, ".", "_" and "-"');

const ALL_UNVERSIONED =
  'No worker has a build: unversioned workers are not listed. The command overview show says whether workers answer.';

/** Commands that the admin API does not offer, for the service's own machinery. */
export const LOCAL_COMMANDS: Readonly<Record<string, LocalCommand>> = {
  'outbox refused': read(
    'outbox refused',
    'List the workflows that Temporal refuses to start or signal, oldest first',
    {},
    async (_options, { sql, warn }) => {
      const entries = await listRefusedDispatches(sql, MAX_ROWS + 1);
      if (entries.length > MAX_ROWS) warn(`There are more: these are the ${MAX_ROWS} oldest.`);
      return entries.slice(0, MAX_ROWS).map(({ createdAt, nextRetryAt, ...entry }) => ({
        ...entry,
        createdAt: createdAt.toISOString(),
        nextRetryAt: nextRetryAt.toISOString(),
      }));
    },
  ),
  'outbox retry': local(
    'outbox retry',
    'Retry all workflows that Temporal refused to start or signal',
    {},
    async (_options, { sql, deliver }) => {
      const retried = await retryRefusedDispatches(sql);
      return { retried, delivered: retried === 0 || (await deliver()) };
    },
  ),
  'workers list': read(
    'workers list',
    'List the builds of versioned workers, newest first: workers of a DRAINED one can go',
    {},
    async (_options, { workerVersions, warn }) => {
      const versions = await (await workerVersions()).list();
      if (versions.length === 0) warn(ALL_UNVERSIONED);
      return versions.map(({ createdAt, ...version }) => ({
        ...version,
        createdAt: createdAt?.toISOString() ?? null,
      }));
    },
  ),
  'workers promote': local(
    'workers promote --build BUILD_ID | --unversioned [--within SECONDS]',
    'Start new workflows on the workers of this build, once they poll: after a roll-out, or to go back',
    { build: buildId.optional(), unversioned: flag, within: z.coerce.number().int().min(1).max(3_600).default(60) },
    async ({ build, unversioned, within }, { workerVersions }) => {
      if ((build === undefined) !== unversioned) {
        throw new ServiceError('BAD_USER_INPUT', 'Give either --build or --unversioned.');
      }
      const previousBuild = await (await workerVersions()).promote(build ?? null, within * 1_000);
      return { currentBuild: build ?? null, previousBuild };
    },
  ),
};

/** Runs a command of `LOCAL_COMMANDS`. The audit log records a change, even if refused. */
export const runLocally = (name: string, head: LocalCommand) => async (args: readonly string[]) => {
  const config = readConfig('cli');
  const sql = openDatabase(config.DATABASE_URL, { poolSize: 2, applicationName: 'cli', files: config });
  try {
    const work = async () => {
      const { json, ...options } = readOptions(head, args);
      await requireFreshDatabase(sql, config);
      const printed = await head.run(options, createLocalDeps(config, sql));
      const print = () => void process.stdout.write(json === true ? formatJson(printed) : formatText(printed));
      return { target: null, dryRun: false, print };
    };
    if (head.isRead !== true) return await runAudited(sql, name, work);
    await requireMigrated(sql);
    (await work()).print();
  } finally {
    await sql.end({ timeout: 5 });
  }
};

// Loads Temporal's library only if needed: loading takes longer than most commands.
const createLocalDeps = (config: CliConfig, sql: Database): LocalDeps => ({
  sql,
  deliver: async () => await (await import('./deliver-outbox.ts')).deliverOutbox(config, sql),
  workerVersions: async () => (await import('../temporal/worker-versions.ts')).createWorkerVersions(config),
  warn: (message) => void process.stderr.write(`${message}\n`),
});

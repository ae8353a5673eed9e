import { ServiceError } from '../basics/errors.ts';
import { readConfig, type WorkerConfig } from '../config/config.ts';
import { openJournal } from '../journal/journal.ts';
import { createCatalog } from '../providers/catalog.ts';
import { openDatabase } from '../store/driver/sql.ts';
import { createMac } from '../vault/mac.ts';
import { type CommandHead, readOptions } from './read-options.ts';
import type { DisconnectDeps } from './replay.ts';
import { requireRights } from './require-rights.ts';
import { runAudited } from './run-audited.ts';

export const RESTORE_COMMAND: CommandHead = {
  usage: 'restore replay [--dry-run]',
  summary:
    'After a restore, before the service starts: repeat the disconnects and erasures in the erasure journal, and end\n' +
    "      all running workflows. Needs the worker's environment; stop all other processes first.",
  options: { 'dry-run': { type: 'boolean' } },
};

/** Runs the command and records it in the audit log, even if refused. */
export async function runRestore(args: readonly string[]): Promise<void> {
  const config = readConfig('worker');
  // Loaded here because Temporal's library takes longer to load than most commands run.
  const [{ replay }, { requireIdleQueue }, { createTemporalClient }, { createRecall }] = await Promise.all([
    import('./replay.ts'),
    import('../outbox/queue-owner.ts'),
    import('../temporal/client.ts'),
    import('../temporal/recall.ts'),
  ]);
  const sql = openDatabase(config.DATABASE_URL, { poolSize: 2, applicationName: 'cli', files: config });
  const temporal = createTemporalClient(config);
  try {
    await requireRights(sql);
    await runAudited(sql, 'restore replay', async () => {
      const { json, 'dry-run': dryRun = false } = readOptions(RESTORE_COMMAND, args);
      if (config.ERASURE_JOURNAL === undefined) {
        throw new ServiceError('BAD_USER_INPUT', 'ERASURE_JOURNAL is not set: there is no journal to replay.');
      }
      const disconnectDeps = createDisconnectDeps(config);
      const journal = openJournal(config.ERASURE_JOURNAL, disconnectDeps.mac, config.ERASURE_JOURNAL_ENDPOINT);
      const recall = createRecall(temporal, config.TASK_QUEUE);
      const deps = { ...disconnectDeps, sql, journal, temporal, recall };
      const queue = { sql, client: temporal, taskQueue: config.TASK_QUEUE };
      if (dryRun !== true) await requireIdleQueue(queue);
      const found = await replay({ ...deps, taskQueue: config.TASK_QUEUE }, { dryRun: dryRun === true });
      const { lines, repeated, workflowsEnded } = found;
      const text =
        json === true
          ? `${JSON.stringify(found)}\n`
          : `${lines} line(s) since the backup, ${repeated} repeated; ${workflowsEnded} workflow(s) ${dryRun === true ? 'to end' : 'ended'}\n`;
      // After the counts, which a dry run is for.
      if (dryRun === true)
        await requireIdleQueue(queue).catch(
          (error: Error) => void process.stderr.write(`The replay would be refused. ${error.message}\n`),
        );
      return { target: null, dryRun: dryRun === true, print: () => void process.stdout.write(text) };
    });
  } finally {
    await temporal.connection.close();
    await sql.end({ timeout: 5 });
  }
}

const createDisconnectDeps = (config: WorkerConfig): DisconnectDeps => ({
  facts: createCatalog(config),
  mac: createMac(config.VAULT_MAC_KEYS),
  suspendSiblings: config.SUSPEND_SIBLINGS ?? config.DEPLOYMENT === 'production',
});

import { getCommandLineActor } from '../basics/command-line-actor.ts';
import { ServiceError } from '../basics/errors.ts';
import type { Database } from '../store/driver/sql.ts';
import { listPendingMigrations } from '../store/migrate.ts';
import { insertAuditEntry } from '../store/operators/audit-log.ts';

/** @throws ServiceError if migrations are pending */
export async function requireMigrated(sql: Database): Promise<void> {
  if ((await listPendingMigrations(sql)).length > 0) {
    throw new ServiceError('BAD_USER_INPUT', 'The database has migrations pending: run `migrate` first.');
  }
}

/**
 * Runs an operator's command and records its outcome in the audit log, refusals and failures too.
 * @param work returns the target, whether it was a dry run, and a function that prints the result once the entry is written.
 * @throws ServiceError before it runs the command if migrations are pending, because it could not write the entry.
 */
export async function runAudited(
  sql: Database,
  action: string,
  work: () => Promise<{
    target: string | null;
    related?: readonly string[];
    dryRun: boolean;
    print(): void | Promise<void>;
  }>,
  targetIfRefused: string | null = null,
): Promise<void> {
  await requireMigrated(sql);
  const write = (outcome: string, target: string | null, related: readonly string[] = []) =>
    insertAuditEntry(sql, { actor: getCommandLineActor(), action, target, related, outcome });
  let done: Awaited<ReturnType<typeof work>>;
  try {
    done = await work();
  } catch (error) {
    // A failure of the audit log must not hide the command's own error, so it is only printed.
    await write(error instanceof ServiceError ? error.code : 'FAILED', targetIfRefused).catch(() =>
      process.stderr.write('The audit log could not be written.\n'),
    );
    throw error;
  }
  await write(done.dryRun ? 'DRY_RUN' : 'DONE', done.target, done.related);
  await done.print();
}

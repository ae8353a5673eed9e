import { ServiceError } from '../errors.ts';
import { listPendingMigrations } from '../store/migrate.ts';
import { insertAuditEntry } from '../store/setup.ts';
import type { Database } from '../store/sql.ts';

/**
 * Runs an operator's command and writes down what came of it, refusals and failures too.
 * @param work tells what it was about, whether it only looked, and how it is told, once it is written down.
 * @throws ServiceError, before anything is done, where it could not be written down: the database is of an older version.
 */
export async function runAudited(
  sql: Database,
  action: string,
  work: () => Promise<{ target: string | null; related?: readonly string[]; dryRun: boolean; print(): void }>,
  targetIfRefused: string | null = null,
): Promise<void> {
  if ((await listPendingMigrations(sql)).length > 0) {
    throw new ServiceError('BAD_USER_INPUT', 'The database has migrations pending: run `migrate` first.');
  }
  const write = (outcome: string, target: string | null, related: readonly string[] = []) =>
    insertAuditEntry(sql, { actor: 'command line', action, target, related, outcome });
  let done: Awaited<ReturnType<typeof work>>;
  try {
    done = await work();
  } catch (error) {
    // What went wrong first is what the operator has to know; this comes before it.
    await write(error instanceof ServiceError ? error.code : 'FAILED', targetIfRefused).catch(() =>
      process.stderr.write('This could not be written to the audit log.\n'),
    );
    throw error;
  }
  await write(done.dryRun ? 'DRY_RUN' : 'DONE', done.target, done.related);
  done.print();
}

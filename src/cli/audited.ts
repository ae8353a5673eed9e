import { ServiceError } from '../errors.ts';
import { audit } from '../store/setup.ts';
import type { Sql } from '../store/sql.ts';

/**
 * Runs an operator's command and writes down what came of it, refusals and failures too.
 * @param work tells what it was about, and whether it only looked.
 */
export async function audited(
  sql: Sql,
  action: string,
  work: () => Promise<{ target: string | null; related?: readonly string[]; dryRun: boolean }>,
  targetIfRefused: string | null = null,
): Promise<void> {
  const write = (outcome: string, target: string | null, related: readonly string[] = []) =>
    audit(sql, { actor: 'command line', action, target, related, outcome });
  try {
    const { target, related, dryRun } = await work();
    await write(dryRun ? 'DRY_RUN' : 'DONE', target, related);
  } catch (error) {
    await write(error instanceof ServiceError ? error.code : 'FAILED', targetIfRefused);
    throw error;
  }
}

import { ServiceError } from '../errors.ts';
import { openJournalKeeper } from '../journal/keep.ts';
import type { Database } from '../store/sql.ts';

/**
 * No api serves and no worker works on a database that has been restored and not brought up to date, and no command
 * changes it, but for those that bring it there.
 * @throws StaleDatabaseError | ServiceError when the journal cannot be read, so that nobody knows.
 */
export async function requireFreshDatabase(
  sql: Database,
  { ERASURE_JOURNAL }: { ERASURE_JOURNAL?: string | undefined },
) {
  try {
    await openJournalKeeper(sql, ERASURE_JOURNAL).check();
  } catch (error) {
    if (!(error instanceof Error && 'path' in error && 'code' in error)) throw error;
    throw new ServiceError(
      'UPSTREAM_UNAVAILABLE',
      `The journal of erasures in ERASURE_JOURNAL cannot be read (${error.code}), so that nobody knows whether this database is up to date.`,
    );
  }
}

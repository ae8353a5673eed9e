import { ServiceError } from '../basics/errors.ts';
import { type JournalSettings, openJournalKeeper } from '../journal/keep.ts';
import type { Database } from '../store/driver/sql.ts';

/**
 * Refuses a restored database until `restore replay` has run. The api and the worker refuse it too; only the commands that
 * repair it may change it.
 * @throws StaleDatabaseError | ServiceError if the journal cannot be read.
 */
export async function requireFreshDatabase(sql: Database, settings: JournalSettings) {
  try {
    await openJournalKeeper(sql, settings, undefined).check();
  } catch (error) {
    if (!(error instanceof Error && 'path' in error && 'code' in error)) throw error;
    throw new ServiceError(
      'UPSTREAM_UNAVAILABLE',
      `The erasure journal in ERASURE_JOURNAL cannot be read (${error.code}), so this database may be out of date.`,
    );
  }
}

import { ServiceError } from '../errors.ts';
import { describeMissingRights } from '../store/rights.ts';
import type { Database } from '../store/sql.ts';

/**
 * Maintenance needs more rights than any process that runs all day, and fewer than the owner of the schema.
 * @throws ServiceError `BAD_USER_INPUT` when the database role lacks one of them.
 */
export async function requireRights(sql: Database): Promise<void> {
  const lacking = await describeMissingRights(sql, 'maintenance');
  if (lacking === undefined) return;
  throw new ServiceError('BAD_USER_INPUT', `${lacking}. This command runs as a member of accounts_maintenance.`);
}

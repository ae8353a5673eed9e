import { ServiceError } from '../errors.ts';
import { describeMissingRights } from '../store/rights.ts';
import type { Database } from '../store/sql.ts';

/**
 * Checks the rights of the maintenance role: more than a permanent process has, fewer than the owner of the schema has.
 * @throws ServiceError `BAD_USER_INPUT` if the database role lacks one of them.
 */
export async function requireRights(sql: Database): Promise<void> {
  const lacking = await describeMissingRights(sql, 'maintenance');
  if (lacking === undefined) return;
  throw new ServiceError('BAD_USER_INPUT', `${lacking}. Run this command as a member of accounts_maintenance.`);
}

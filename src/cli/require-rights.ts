import { ServiceError } from '../basics/errors.ts';
import type { Database } from '../store/driver/sql.ts';
import { describeMissingRights } from '../store/rights.ts';

/**
 * Checks the rights of the maintenance role: more than a permanent process has, fewer than the owner of the schema has. An
 * import needs those of the worker, too.
 * @throws ServiceError `BAD_USER_INPUT` if the database role lacks one of them.
 */
export async function requireRights(
  sql: Database,
  roles: readonly ('maintenance' | 'worker')[] = ['maintenance'],
): Promise<void> {
  for (const role of roles) {
    const lacking = await describeMissingRights(sql, role);
    if (lacking === undefined) continue;
    const all = roles.map((one) => `accounts_${one}`).join(' and ');
    throw new ServiceError('BAD_USER_INPUT', `${lacking}. Run this command as a member of ${all}.`);
  }
}

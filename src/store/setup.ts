import type { RegistrationId } from '../basics/ids.ts';
import type { Sql } from './driver/sql.ts';

/** Settings: apps, keys, tenants, policies, and our clients at providers. The caller has validated the input. */

/** @param permissions that the client may ask for; null for all that our capabilities need. */
export async function updatePermissions(
  sql: Sql,
  registrationId: RegistrationId,
  permissions: readonly string[] | null,
): Promise<void> {
  await sql`
    update registration set permissions = ${permissions === null ? null : [...permissions]}::text[]
    where registration_id = ${registrationId}
  `;
}

import { z } from 'zod';
import type { RegistrationId } from '../ids.ts';
import type { ProviderName } from '../providers/provider.ts';
import type { Sql } from './sql.ts';

const Registration = z.object({
  registrationId: z.string().transform((id) => id as RegistrationId),
  provider: z.string().transform((name) => name as ProviderName),
  label: z.string(),
  clientId: z.string(),
  sealedClientSecret: z.string(),
  pausedAt: z.date().nullable(),
  /** When the provider refused the client itself, until mended. */
  rejectedAt: z.date().nullable(),
});
/** Our OAuth client at one provider. */
export type Registration = z.infer<typeof Registration>;

export async function findRegistration(sql: Sql, registrationId: RegistrationId): Promise<Registration | undefined> {
  const [row] = await sql`
    select registration_id, provider, label, client_id, sealed_client_secret, paused_at, rejected_at
    from registration where registration_id = ${registrationId}
  `;
  return row && Registration.parse(row);
}

/** Records whether the provider takes our client at all; writes only when that has changed. */
export async function markRegistrationRejected(
  sql: Sql,
  registrationId: RegistrationId,
  rejected: boolean,
): Promise<void> {
  await sql`
    update registration set rejected_at = case when ${rejected}::boolean then business_now() end
    where registration_id = ${registrationId} and (rejected_at is not null) <> ${rejected}::boolean
  `;
}

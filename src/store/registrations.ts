import { z } from 'zod';
import { RegistrationId } from '../ids.ts';
import { PROVIDER_NAMES } from '../providers/provider.ts';
import type { Sql } from './sql.ts';

const Registration = z.object({
  registrationId: RegistrationId,
  provider: z.enum(PROVIDER_NAMES),
  label: z.string(),
  clientId: z.string(),
  sealedClientSecret: z.string(),
  pausedAt: z.date().nullable(),
  /** Since when it is proven that the provider refuses the client itself; null while it does not. */
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

/** Of a registration we ask at most this often whether its provider takes our client. */
const PROBE_EVERY_SECONDS = 60;

const Hindrances = z.object({
  /** Whether it is proven that the provider refuses our client. */
  clientRefused: z.boolean(),
  /** Until there is quota again; 0 where none is known to be used up. */
  quotaSeconds: z.number(),
});

/** What keeps calls for a registration back. */
export async function getCallLimits(sql: Sql, registrationId: RegistrationId): Promise<z.infer<typeof Hindrances>> {
  const [row] = await sql`
    select rejected_at is not null as client_refused,
      coalesce(greatest(0, ceil(extract(epoch from quota_spent_until - business_now()))), 0)::int as quota_seconds
    from registration where registration_id = ${registrationId}
  `;
  return Hindrances.parse(row);
}

/** Takes the turn to ask the provider about our client. @returns false when it has been asked within the last minute. */
export async function claimProbe(sql: Sql, registrationId: RegistrationId): Promise<boolean> {
  const rows = await sql`
    update registration set client_probed_at = business_now()
    where registration_id = ${registrationId}
      and coalesce(client_probed_at <= business_now() - make_interval(secs => ${PROBE_EVERY_SECONDS}), true)
    returning registration_id
  `;
  return rows.length > 0;
}

/**
 * It is proven that the provider refuses the client, with the secret that the proof was made with.
 * @returns false when that was known, or the secret is another by now.
 */
export async function insertRejection(
  sql: Sql,
  { registrationId, sealedClientSecret }: Pick<Registration, 'registrationId' | 'sealedClientSecret'>,
): Promise<boolean> {
  const rows = await sql`
    update registration set rejected_at = business_now()
    where registration_id = ${registrationId} and rejected_at is null and sealed_client_secret = ${sealedClientSecret}
    returning registration_id
  `;
  return rows.length > 0;
}

/** The provider takes the client again, or an operator says that it will. @returns false when it was not refused. */
export async function deleteRejection(sql: Sql, registrationId: RegistrationId): Promise<boolean> {
  const rows = await sql`
    update registration set rejected_at = null
    where registration_id = ${registrationId} and rejected_at is not null returning registration_id
  `;
  return rows.length > 0;
}

/** A registration whose client the provider refuses. */
const RejectedRegistration = Registration.pick({ registrationId: true, provider: true });
export type RejectedRegistration = z.infer<typeof RejectedRegistration>;

/** Those whose client is refused, for a sweep to ask about. */
export async function listRejectedRegistrations(sql: Sql): Promise<readonly RejectedRegistration[]> {
  const rows = await sql`
    select registration_id, provider from registration where rejected_at is not null order by client_probed_at nulls first
  `;
  return rows.map((row) => RejectedRegistration.parse(row));
}

/** The registration's quota is used up for so many seconds. */
export async function updateQuotaSpent(sql: Sql, registrationId: RegistrationId, seconds: number): Promise<void> {
  await sql`
    update registration set quota_spent_until = business_now() + make_interval(secs => ${seconds})
    where registration_id = ${registrationId}
  `;
}

/** An operator knows better, such as of a quota that has been raised. @returns false when none was known to be used up. */
export async function deleteQuotaSpent(sql: Sql, registrationId: RegistrationId): Promise<boolean> {
  const rows = await sql`
    update registration set quota_spent_until = null
    where registration_id = ${registrationId} and quota_spent_until > business_now() returning registration_id
  `;
  return rows.length > 0;
}

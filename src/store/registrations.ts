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

/** CLIENT calls prove who we are (exchange, refresh); READ calls use a person's token. */
export type CallKind = 'CLIENT' | 'READ';

/** What keeps calls back is tried again this often: soon enough to notice that it has been mended. */
const PROBE_EVERY_SECONDS = 300;

const Hindrances = z.object({
  /** The kind of call the provider has refused our client for, until mended. */
  rejectedCall: z.enum(['CLIENT', 'READ']).nullable(),
  /** Until such a call may be tried again; 0 at once. */
  probeSeconds: z.number(),
  /** Until there is quota again; 0 where none is known to be used up. */
  quotaSeconds: z.number(),
});

/** What keeps calls for a registration back. */
export async function getHindrances(sql: Sql, registrationId: RegistrationId): Promise<z.infer<typeof Hindrances>> {
  const [row] = await sql`
    select case when rejected_at is not null then coalesce(rejected_call, 'CLIENT') end as rejected_call,
      coalesce(greatest(0, ceil(extract(epoch from greatest(rejected_at, rejection_probed_at)
        + make_interval(secs => ${PROBE_EVERY_SECONDS}) - business_now()))), 0)::int as probe_seconds,
      coalesce(greatest(0, ceil(extract(epoch from quota_spent_until - business_now()))), 0)::int as quota_seconds
    from registration where registration_id = ${registrationId}
  `;
  return Hindrances.parse(row);
}

/** One call every few minutes may find out whether a refused client has been mended. @returns false when one has. */
export async function claimProbe(sql: Sql, registrationId: RegistrationId): Promise<boolean> {
  const rows = await sql`
    update registration set rejection_probed_at = business_now()
    where registration_id = ${registrationId} and rejected_at is not null
      and greatest(rejected_at, rejection_probed_at) <= business_now() - make_interval(secs => ${PROBE_EVERY_SECONDS})
    returning registration_id
  `;
  return rows.length > 0;
}

/** The provider has refused the client itself. @returns false when that was known. */
export async function markRejected(sql: Sql, registrationId: RegistrationId, call: CallKind): Promise<boolean> {
  const rows = await sql`
    update registration set rejected_at = business_now(), rejected_call = ${call}
    where registration_id = ${registrationId} and rejected_at is null returning registration_id
  `;
  return rows.length > 0;
}

/** The provider takes the client again, or an operator says that it will. @returns false when it was not refused. */
export async function forgetRejection(sql: Sql, registrationId: RegistrationId): Promise<boolean> {
  const rows = await sql`
    update registration set rejected_at = null, rejected_call = null, rejection_probed_at = null
    where registration_id = ${registrationId} and rejected_at is not null returning registration_id
  `;
  return rows.length > 0;
}

/** The registration's quota is used up for so many seconds. */
export async function markQuotaSpent(sql: Sql, registrationId: RegistrationId, seconds: number): Promise<void> {
  await sql`
    update registration set quota_spent_until = business_now() + make_interval(secs => ${seconds})
    where registration_id = ${registrationId}
  `;
}

/** An operator knows better, such as of a quota that has been raised. @returns false when none was known to be used up. */
export async function forgetQuotaSpent(sql: Sql, registrationId: RegistrationId): Promise<boolean> {
  const rows = await sql`
    update registration set quota_spent_until = null
    where registration_id = ${registrationId} and quota_spent_until > business_now() returning registration_id
  `;
  return rows.length > 0;
}

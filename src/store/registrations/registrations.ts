import { z } from 'zod';
import { OPEN_JOB, PROVIDER_NAMES, type ProviderName } from '../../basics/codes.ts';
import { type AppId, type JobId, newId, RegistrationId } from '../../basics/ids.ts';
import type { SETTINGS } from '../../generated/settings.ts';
import { type AnswerCause, boundCause } from '../answer-cause.ts';
import type { Sql } from '../driver/sql.ts';
import { Due, type DuePage, pageClause } from '../due.ts';
import { columnsOf, findRow, findValue, getRow, getValue, hasRows, listOf, listRows } from '../rows.ts';
import { type Changes, updateRow } from '../update-row.ts';

const Registration = z.object({
  registrationId: RegistrationId,
  provider: z.enum(PROVIDER_NAMES),
  label: z.string(),
  clientId: z.string(),
  sealedClientSecret: z.string(),
  pausedAt: z.date().nullable(),
  /** Since when we have proof that the provider refuses the client; null if it does not. */
  rejectedAt: z.date().nullable(),
  /** Its answer to the last test of a client that it refuses; see `answer-cause.ts`. */
  rejectionAnswer: z.string().nullable(),
  rejectionAnswerCode: z.string().nullable(),
  /** Whether the provider has accepted the client with this secret, and since it last refused it. */
  isAccepted: z.boolean(),
  /** The provider's permissions that the client may ask for; null for all that our capabilities need. */
  permissions: z.array(z.string()).nullable(),
});
/** Our OAuth client at one provider. */
export type Registration = z.infer<typeof Registration>;

export const isAccepted = (sql: Sql) => sql`coalesce(
  accepted_at >= greatest(coalesce(secret_set_at, created_at), refused_until) and (rejected_at is null or accepted_at > rejected_at), false
)`;

/** Whether the registration `r` serves an app, or has a connection or an open revoke. */
export const isUsed = (sql: Sql) => sql`(
  exists (select from registration_app a where a.registration_id = r.registration_id)
    or exists (select from connection c where c.registration_id = r.registration_id)
    or exists (select from disconnect_job j where j.registration_id = r.registration_id and j.status in ${listOf(sql, OPEN_JOB)})
)`;

const columns = columnsOf('registration', Registration, { isAccepted });

export async function findRegistration(sql: Sql, registrationId: RegistrationId): Promise<Registration | undefined> {
  return await findRow(sql, Registration)`
    select ${columns(sql)} from registration where registration_id = ${registrationId}
  `;
}

const ClientOfRegistration = Registration.pick({ registrationId: true, provider: true, clientId: true });
const clientColumns = columnsOf('registration', ClientOfRegistration);

/** Lists the registrations of this one's provider, with their clients. An operator has made each of them. */
export async function listClientsBeside(
  sql: Sql,
  registrationId: RegistrationId,
): Promise<z.infer<typeof ClientOfRegistration>[]> {
  return await listRows(sql, ClientOfRegistration)`
    select ${clientColumns(sql)} from registration
    where provider = (select provider from registration where registration_id = ${registrationId})
  `;
}

/** Deletes a registration to which nothing refers. @returns false for any other. */
export const deleteUnusedRegistration = (sql: Sql, registrationId: RegistrationId): Promise<boolean> =>
  getValue(sql, z.boolean())`select delete_unused_registration(${registrationId})`;

/** The least time between two probes of a registration's client. */
const PROBE_EVERY_SECONDS = 60;

const Hindrances = z.object({
  /** Whether we have proof that the provider refuses our client. */
  clientRefused: z.boolean(),
  /** Seconds until quota is available; 0 if it is not used up. */
  quotaSeconds: z.number(),
});

export type CallLimits = z.infer<typeof Hindrances>;

const selectLimits = (sql: Sql) => sql`
  select rejected_at is not null as client_refused,
    coalesce(greatest(0, ceil(extract(epoch from quota_spent_until - business_now()))), 0)::int as quota_seconds
  from registration
`;

/** Reads the limits on calls for a registration. */
export async function getCallLimits(sql: Sql, registrationId: RegistrationId): Promise<CallLimits> {
  return await getRow(sql, Hindrances)`${selectLimits(sql)} where registration_id = ${registrationId}`;
}

/** Reads the limits on calls for the registration of the connection that a job reads. */
export async function findCallLimitsOfReadJob(sql: Sql, jobId: JobId): Promise<CallLimits | undefined> {
  return await findRow(sql, Hindrances)`
    ${selectLimits(sql)} where registration_id = (
      select registration_id from connection join read_job using (connection_id) where job_id = ${jobId})
  `;
}

/** Reserves a probe of our client. @returns false within a minute of the last one. */
export async function claimProbe(sql: Sql, registrationId: RegistrationId): Promise<boolean> {
  return await hasRows(sql)`
    update registration set client_probed_at = business_now()
    where registration_id = ${registrationId}
      and coalesce(client_probed_at <= business_now() - make_interval(secs => ${PROBE_EVERY_SECONDS}), true)
  `;
}

/** The least time between a probe and the next one, if an operator asks for it. */
const ASKED_PROBE_SECONDS = 10;

const RecentProbe = z.object({ secondsAgo: z.number(), nextAt: z.date(), waitSeconds: z.number() });

/** Lets the next probe follow at once, because an operator asks for it. @returns the last probe if it is too recent for that. */
export async function releaseProbe(
  sql: Sql,
  registrationId: RegistrationId,
): Promise<z.infer<typeof RecentProbe> | undefined> {
  const pause = sql`make_interval(secs => ${ASKED_PROBE_SECONDS})`;
  await sql`
    update registration set client_probed_at = null
    where registration_id = ${registrationId} and client_probed_at <= business_now() - ${pause}
  `;
  return await findRow(sql, RecentProbe)`
    select floor(extract(epoch from business_now() - client_probed_at))::int as seconds_ago,
      client_probed_at + ${pause} as next_at,
      greatest(1, ceil(extract(epoch from client_probed_at + ${pause} - business_now())))::int as wait_seconds
    from registration where registration_id = ${registrationId} and client_probed_at is not null
  `;
}

/** Records that the provider has answered a probe. */
export async function recordProbeAnswer(sql: Sql, registrationId: RegistrationId): Promise<void> {
  await sql`update registration set client_answered_at = business_now() where registration_id = ${registrationId}`;
}

/** A refusal within this time of the last, which no acceptance ended, continues it: a second secret was wrong, too. */
const SAME_REFUSAL = '1 hour';

/**
 * Records the proof that the provider refuses the client, and its last answer. The proof holds for one client secret.
 * @returns false if it was known, or the secret has changed since.
 */
export async function recordRejection(
  sql: Sql,
  { registrationId, sealedClientSecret }: Pick<Registration, 'registrationId' | 'sealedClientSecret'>,
  cause: AnswerCause,
): Promise<boolean> {
  const { answer, code } = boundCause(cause);
  const isNews = await findValue(sql, z.boolean())`
    update registration r
    set rejected_at = coalesce(r.rejected_at, case
        when r.refused_until > business_now() - ${SAME_REFUSAL}::interval and coalesce(r.accepted_at < r.refused_until, true)
        then r.refused_from
      end, business_now()), rejection_answer = ${answer}, rejection_answer_code = ${code}
    from (select rejected_at from registration where registration_id = ${registrationId} for no key update) before
    where r.registration_id = ${registrationId} and r.sealed_client_secret = ${sealedClientSecret}
    returning before.rejected_at is null
  `;
  return isNews === true;
}

/** Records that the provider accepts the client. It holds for one client secret. @returns whether that is news */
export async function recordAcceptance(
  sql: Sql,
  { registrationId, sealedClientSecret }: Pick<Registration, 'registrationId' | 'sealedClientSecret'>,
): Promise<boolean> {
  const isNews = await findValue(sql, z.boolean())`
    update registration r set accepted_at = business_now()
    from (
      select ${isAccepted(sql)} as known from registration where registration_id = ${registrationId} for no key update
    ) before
    where r.registration_id = ${registrationId} and r.sealed_client_secret = ${sealedClientSecret}
    returning not before.known
  `;
  return isNews === true;
}

/** The times of the last refusal that is over, once the present one ends: by an acceptance, or now. */
export const endRefusal = (sql: Sql) => ({
  refusedFrom: sql`coalesce(rejected_at, refused_from)`,
  refusedUntil: sql`case
    when rejected_at is null then refused_until when accepted_at > rejected_at then accepted_at else business_now()
  end`,
});

/**
 * Records that the provider accepts the client again, or that an operator confirms it. An acceptance from before the rejection no
 * longer counts.
 * @returns false if no rejection was recorded.
 */
export async function deleteRejection(sql: Sql, registrationId: RegistrationId): Promise<boolean> {
  const { refusedFrom, refusedUntil } = endRefusal(sql);
  return await hasRows(sql)`
    update registration set rejected_at = null, rejection_answer = null, rejection_answer_code = null,
      refused_from = ${refusedFrom}, refused_until = ${refusedUntil}
    where registration_id = ${registrationId} and rejected_at is not null
  `;
}

const RejectedRegistration = Due.extend({ registrationId: RegistrationId, provider: z.enum(PROVIDER_NAMES) });
/** A registration with a client that the provider refuses. */
export type RejectedRegistration = z.infer<typeof RejectedRegistration>;

/** Shorter than the least time between two probes, so that a sweep that comes a little early skips none. */
const LIST_AFTER_SECONDS = 50;

/** Lists registrations with a refused client whose last probe is some time ago. */
export async function listRejectedRegistrations(sql: Sql, page: DuePage): Promise<RejectedRegistration[]> {
  const dueAt = sql`coalesce(client_probed_at, rejected_at)`;
  return await listRows(sql, RejectedRegistration)`
    select registration_id as id, ${dueAt} as due_at, registration_id, provider from registration
    where rejected_at is not null
      and coalesce(client_probed_at <= business_now() - make_interval(secs => ${LIST_AFTER_SECONDS}), true)
      ${pageClause(sql, dueAt, sql`registration_id`, page)}
  `;
}

/** Records that the quota is used up for this many seconds. */
export async function updateQuotaSpent(sql: Sql, registrationId: RegistrationId, seconds: number): Promise<void> {
  await sql`
    update registration set quota_spent_until = business_now() + make_interval(secs => ${seconds})
    where registration_id = ${registrationId}
  `;
}

/** An operator corrects it, for instance after the quota was raised. @returns false if the quota was not used up. */
export async function deleteQuotaSpent(sql: Sql, registrationId: RegistrationId): Promise<boolean> {
  return await hasRows(sql)`
    update registration set quota_spent_until = null
    where registration_id = ${registrationId} and quota_spent_until > business_now()
  `;
}

/** The settings of a registration, which operators change. Those with @setting have their columns from admin.graphql. */
interface RegistrationSettings extends z.infer<typeof SETTINGS.Registration> {
  /** Units per day that the provider granted; null for the documented default. */
  readonly dailyQuota: number | null;
  /** Days without proof that a grant is alive, after which its connection is disconnected; 0 for never, null for the default. */
  readonly disconnectAfterDays: number | null;
  /** Those that the client may ask for; null for all that our capabilities need. */
  readonly permissions: readonly string[] | null;
}

/** @returns whether the registration exists. */
export const updateRegistration = (
  sql: Sql,
  registrationId: RegistrationId,
  changes: Changes<RegistrationSettings>,
): Promise<boolean> => updateRow(sql, 'registration', { registrationId }, changes);

/** The provider of a registration. */
export async function findProviderOfRegistration(
  sql: Sql,
  registrationId: RegistrationId,
): Promise<ProviderName | undefined> {
  return await findValue(sql, z.enum(PROVIDER_NAMES))`
    select provider from registration where registration_id = ${registrationId}
  `;
}

/** @param seal seals the client secret for the new registration's id. */
export async function insertRegistration(
  sql: Sql,
  registration: { provider: ProviderName; label: string; clientId: string },
  seal: (registrationId: RegistrationId) => Promise<string>,
): Promise<RegistrationId> {
  const registrationId = newId<RegistrationId>();
  await sql`
    insert into registration (registration_id, provider, label, client_id, sealed_client_secret)
    values (${registrationId}, ${registration.provider}, ${registration.label}, ${registration.clientId},
      ${await seal(registrationId)})
  `;
  return registrationId;
}

export async function insertRegistrationApp(sql: Sql, registrationId: RegistrationId, appId: AppId): Promise<void> {
  await sql`
    insert into registration_app (registration_id, app_id) values (${registrationId}, ${appId}) on conflict do nothing
  `;
}

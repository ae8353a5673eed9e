import { z } from 'zod';
import { LIVE_CONNECTION, OPEN_JOB, PROVIDER_NAMES } from '../../basics/codes.ts';
import { AppId, RegistrationId } from '../../basics/ids.ts';
import { SETTINGS } from '../../generated/settings.ts';
import type { Sql } from '../driver/sql.ts';
import { columnsOf, getRow, hasRows, listRows } from '../rows.ts';
import { updateRow } from '../update-row.ts';
import { endRefusal, isAccepted, isUsed } from './registrations.ts';

const Registration = z.object({
  registrationId: RegistrationId,
  ...SETTINGS.Registration.shape,
  provider: z.enum(PROVIDER_NAMES),
  label: z.string(),
  clientId: z.string(),
  createdAt: z.date(),
  secretSetAt: z.date(),
  pausedAt: z.date().nullable(),
  /** Set once the provider has accepted the client. A refusal and another secret keep it. */
  acceptedAt: z.date().nullable(),
  accepted: z.boolean(),
  /** When we last asked the provider whether it accepts the client; null from an operator's request until we ask. */
  testedAt: z.date().nullable(),
  /** Its last answer to that. */
  testAnsweredAt: z.date().nullable(),
  rejectedAt: z.date().nullable(),
  /** What the provider answered to the last test of the client that it refused; see `answer-cause.ts`. */
  rejectionAnswer: z.string().nullable(),
  rejectionAnswerCode: z.string().nullable(),
  /** The last refusal that is over: not one that the present refusal continues. */
  refusedFrom: z.date().nullable(),
  refusedUntil: z.date().nullable(),
  /** Since when its connections no longer change for the worse; see `store/connections/refusals.ts`. */
  doubtedAt: z.date().nullable(),
  /** Null for all that our capabilities need. */
  permissions: z.array(z.string()).nullable(),
  quotaSpentUntil: z.date().nullable(),
  /** Units per day that the provider granted; null for the documented default. */
  dailyQuota: z.number().nullable(),
  /** After so many days without a proof that its grant is alive, a connection is disconnected; 0 for never. */
  disconnectAfterDays: z.number(),
  connectionCount: z.number(),
  used: z.boolean(),
  callbackSecrets: z.array(z.object({ id: z.string(), createdAt: z.coerce.date() })),
  apps: z.array(z.object({ appId: AppId, name: z.string(), since: z.coerce.date() })),
  /** Of other registrations at this provider that serve one of its apps. */
  otherClientIds: z.array(z.string()),
  /** The labels of other registrations with the same client. */
  sameClient: z.array(z.string()),
});
/** Our client at a provider and the apps that it serves, without its secret. */
export type KnownRegistration = z.infer<typeof Registration>;

const isContinued = (sql: Sql) => sql`coalesce(rejected_at <= refused_until, false)`;

const columns = columnsOf('r', Registration, {
  secretSetAt: (sql) => sql`coalesce(secret_set_at, created_at)`,
  accepted: isAccepted,
  refusedFrom: (sql) => sql`case when ${isContinued(sql)} then null else refused_from end`,
  refusedUntil: (sql) => sql`case when ${isContinued(sql)} then null else refused_until end`,
  testedAt: (sql) => sql`client_probed_at`,
  testAnsweredAt: (sql) => sql`client_answered_at`,
  disconnectAfterDays: (sql) => sql`disconnect_days(provider, disconnect_after_days)`,
  doubtedAt: (sql) => sql`downgrades_held_at`,
  quotaSpentUntil: (sql) => sql`case when quota_spent_until > business_now() then quota_spent_until end`,
  connectionCount: (sql) => sql`(
    select count(*)::int from connection c
    where c.registration_id = r.registration_id and c.status = any(${[...LIVE_CONNECTION]})
  )`,
  used: isUsed,
  callbackSecrets: (sql) => sql`coalesce((
    select jsonb_agg(jsonb_build_object('id', secret_id, 'createdAt', s.created_at) order by s.created_at, secret_id)
    from platform_callback_secret s where s.registration_id = r.registration_id
  ), '[]')`,
  apps: (sql) => sql`coalesce((
    select jsonb_agg(jsonb_build_object('appId', app_id, 'name', name, 'since', serves_since) order by serves_since, app_id)
    from registration_app join app using (app_id) where registration_app.registration_id = r.registration_id
  ), '[]')`,
  otherClientIds: (sql) => sql`coalesce((
    select jsonb_agg(distinct o.client_id)
    from registration_app own join registration_app served using (app_id)
      join registration o on o.registration_id = served.registration_id
    where own.registration_id = r.registration_id and o.registration_id <> r.registration_id and o.provider = r.provider
  ), '[]')`,
  sameClient: (sql) => sql`coalesce((
    select jsonb_agg(o.label order by o.created_at) from registration o
    where o.provider = r.provider and o.client_id = r.client_id and o.registration_id <> r.registration_id
  ), '[]')`,
});

/** Oldest first; or those with these ids, in their order. */
export async function listRegistrations(sql: Sql, ids?: readonly RegistrationId[]): Promise<KnownRegistration[]> {
  const chosen = sql`${[...(ids ?? [])]}::uuid[]`;
  return await listRows(sql, Registration)`
    select ${columns(sql)} from registration r
    ${ids === undefined ? sql`` : sql`where registration_id = any(${chosen})`}
    order by ${ids === undefined ? sql`created_at, registration_id` : sql`array_position(${chosen}, registration_id)`}
  `;
}

export async function updateRegistrationSecret(
  sql: Sql,
  registrationId: RegistrationId,
  secret: { sealed: string; expiresAt: Date | null },
): Promise<boolean> {
  const changes = {
    sealedClientSecret: secret.sealed,
    secretSetAt: sql`business_now()`,
    secretExpiresAt: secret.expiresAt,
    rejectedAt: null,
    rejectionAnswer: null,
    rejectionAnswerCode: null,
    ...endRefusal(sql),
    clientProbedAt: null,
    clientAnsweredAt: null,
  };
  return await updateRow(sql, 'registration', { registrationId }, changes);
}

/** Pausing a paused registration keeps the time of the first pause. */
export async function updatePaused(sql: Sql, registrationId: RegistrationId, paused: boolean): Promise<void> {
  await sql`
    update registration set paused_at = case when ${paused}::boolean then coalesce(paused_at, business_now()) end
    where registration_id = ${registrationId}
  `;
}

export async function deleteRegistrationApp(sql: Sql, registrationId: RegistrationId, appId: AppId): Promise<boolean> {
  return await hasRows(sql)`
    delete from registration_app where registration_id = ${registrationId} and app_id = ${appId}
  `;
}

const Touched = z.object({ connectionCount: z.number(), openJobCount: z.number() });

/** Counts the live connections of a registration, or of one app it serves, and their open read jobs. */
export async function countAffected(
  sql: Sql,
  registrationId: RegistrationId,
  appId: AppId | null,
): Promise<z.infer<typeof Touched>> {
  return await getRow(sql, Touched)`
    with touched as (
      select connection_id from connection
      where registration_id = ${registrationId} and status = any(${[...LIVE_CONNECTION]})
        ${appId === null ? sql`` : sql`and app_id = ${appId}`}
    )
    select (select count(*)::int from touched) as connection_count,
      (select count(*)::int from read_job join touched using (connection_id) where status = any(${[...OPEN_JOB]}))
        as open_job_count
  `;
}

import { z } from 'zod';
import {
  ATTEMPT_STATUSES,
  type AttemptStatus,
  CAPABILITIES,
  PROVIDER_NAMES,
  type ProviderName,
  UNFINISHED_ATTEMPT,
} from '../../basics/codes.ts';
import { AppId, AttemptId, ConnectionId, CorrelationId, RegistrationId } from '../../basics/ids.ts';
import { countUpTo, type RowCount } from '../count-rows.ts';
import type { Sql } from '../driver/sql.ts';
import type { NewestKey } from '../newest-key.ts';
import { attemptCause } from './attempt-causes.ts';

const AdminAttempt = z.object({
  attemptId: AttemptId,
  appId: AppId,
  appName: z.string(),
  tenantKey: z.string(),
  externalSubjectId: z.string(),
  provider: z.enum(PROVIDER_NAMES),
  registrationId: RegistrationId,
  registrationLabel: z.string(),
  capabilities: z.array(z.enum(CAPABILITIES)),
  /** EXPIRED as soon as the deadline has passed. */
  status: z.enum(ATTEMPT_STATUSES),
  resultCode: z.string().nullable(),
  connectionId: ConnectionId.nullable(),
  reconnectConnectionId: ConnectionId.nullable(),
  creatorAction: z.literal('REMOVE_APP_AT_PROVIDER').nullable(),
  ...attemptCause,
  correlationId: CorrelationId,
  createdAt: z.date(),
  expiresAt: z.date(),
  finishedAt: z.date().nullable(),
  /** Whether the person's browser has gone to the platform. */
  hasLaunched: z.boolean(),
  /** When its workflow started; null if it has none. */
  codeArrivedAt: z.date().nullable(),
});
export type AdminAttempt = z.infer<typeof AdminAttempt>;

const attempts = (sql: Sql) => sql`
  select attempt_id, scope_id, app_id, tenant_key, external_subject_id, (select name from app where app.app_id = connect_attempt.app_id) as app_name, provider,
    registration_id, (select label from registration r where r.registration_id = connect_attempt.registration_id)
    as registration_label, capabilities, result_code, connection_id, reconnect_connection_id, creator_action,
    correlation_id, created_at, expires_at, finished_at, code_arrived_at, last_answer, last_answer_code, last_refusal, last_refused_at,
    state_sha256 is not null as has_launched,
    case when overtaken then 'EXPIRED' else status end as status
  from connect_attempt join scope using (scope_id, app_id)
  cross join lateral (
    select status = any(${[...UNFINISHED_ATTEMPT]}) and expires_at <= business_now() as overtaken
  ) clock
`;

export interface AttemptFilter {
  readonly appId: AppId | null;
  readonly provider: ProviderName | null;
  readonly registrationId: RegistrationId | null;
  readonly statuses: readonly AttemptStatus[] | null;
  readonly tenantKey?: string | null;
  /** With `appId` and `tenantKey`. */
  readonly externalSubjectId?: string | null;
  /** The connection that the attempt created, or was to renew. */
  readonly connectionId: ConnectionId | null;
  readonly resultCode?: string | null;
  readonly lastAnswer?: string | null;
  /** Attempts that began at this instant or later, and those that began before this one. */
  readonly since?: Date | null;
  readonly before?: Date | null;
}

const matching = (sql: Sql, filter: AttemptFilter) => {
  const { appId, provider, registrationId, statuses, connectionId } = filter;
  const { tenantKey = null, externalSubjectId = null } = filter;
  const { resultCode = null, lastAnswer = null, since = null, before = null } = filter;
  const scopeId = sql`
    select scope_id from scope
    where app_id = ${appId} and tenant_key = ${tenantKey} and external_subject_id = ${externalSubjectId}
  `;
  return sql`
    true
      ${appId === null ? sql`` : sql`and app_id = ${appId}`}
      ${tenantKey === null ? sql`` : sql`and tenant_key = ${tenantKey}`}
      ${externalSubjectId === null ? sql`` : sql`and scope_id = (${scopeId})`}
      ${provider === null ? sql`` : sql`and provider = ${provider}`}
      ${registrationId === null ? sql`` : sql`and registration_id = ${registrationId}`}
      ${statuses === null ? sql`` : sql`and status = any(${[...statuses]})`}
      ${connectionId === null ? sql`` : sql`and (connection_id = ${connectionId} or reconnect_connection_id = ${connectionId})`}
      ${resultCode === null ? sql`` : sql`and result_code = ${resultCode}`}
      ${lastAnswer === null ? sql`` : sql`and last_answer = ${lastAnswer}`}
      ${since === null ? sql`` : sql`and created_at >= ${since}`}
      ${before === null ? sql`` : sql`and created_at < ${before}`}
  `;
};

/** Newest first. */
export async function listAdminAttempts(
  sql: Sql,
  filter: AttemptFilter,
  { limit, after }: { limit: number; after: NewestKey | null },
): Promise<AdminAttempt[]> {
  const rows = await sql`
    select * from (${attempts(sql)}) attempt
    where ${matching(sql, filter)}
      ${after === null ? sql`` : sql`and (created_at, attempt_id) < (${after.at}, ${after.id})`}
    order by created_at desc, attempt_id desc limit ${limit}
  `;
  return rows.map((row) => AdminAttempt.parse(row));
}

/** Attempts are kept for a day. */
export const countAdminAttempts = (sql: Sql, filter: AttemptFilter): Promise<RowCount> =>
  countUpTo(sql, sql`from (${attempts(sql)}) attempt where ${matching(sql, filter)}`);

export async function findAdminAttempt(sql: Sql, attemptId: AttemptId): Promise<AdminAttempt | undefined> {
  const [row] = await sql`select * from (${attempts(sql)}) attempt where attempt_id = ${attemptId}`;
  return row && AdminAttempt.parse(row);
}

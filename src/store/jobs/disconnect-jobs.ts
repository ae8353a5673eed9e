import { z } from 'zod';
import {
  DISCONNECT_JOB_KINDS,
  DISCONNECT_REASONS,
  type DisconnectReason,
  JOB_STATUSES,
  OPEN_JOB,
  PROVIDER_NAMES,
  type ProviderName,
  RECEIPT_KINDS,
} from '../../basics/codes.ts';
import type { JobErrorCode } from '../../basics/failure-codes.ts';
import {
  AppId,
  type AttemptId,
  BulkDisconnectId,
  ConnectionId,
  CorrelationId,
  ErasureId,
  GrantId,
  JobId,
  RegistrationId,
  ScopeId,
} from '../../basics/ids.ts';
import { byteaArray } from '../driver/bytea-array.ts';
import type { Fragment, Sql, Transaction } from '../driver/sql.ts';
import { isRefreshLost } from '../grants/refresh-claims.ts';
import { columnsOf, findRow, hasRows, listOf, listRows } from '../rows.ts';
import { sourcesOf } from '../transitions.ts';
import { earlierRetryAt, futureRetryAt } from './read-jobs.ts';

type DisconnectJobKind = (typeof DISCONNECT_JOB_KINDS)[number];

const DisconnectJob = z.object({
  jobId: JobId,
  kind: z.enum(DISCONNECT_JOB_KINDS),
  /** Why the connection was disconnected; null if that is not known, and of a compensation. */
  reason: z.enum(DISCONNECT_REASONS).nullable(),
  status: z.enum(JOB_STATUSES),
  connectionId: ConnectionId.nullable(),
  grantId: GrantId.nullable(),
  appId: AppId,
  provider: z.enum(PROVIDER_NAMES),
  registrationId: RegistrationId,
  scopeId: ScopeId.nullable(),
  principalMac: z.instanceof(Buffer).nullable(),
  /** Whether the revoke is sent only if it certainly ends no other grant in use. */
  spares: z.boolean(),
  bulkDisconnectId: BulkDisconnectId.nullable(),
  /** The erasure that the job belongs to: if the job fails, it keeps no tokens. */
  erasureId: ErasureId.nullable(),
  /** Whether the job holds the last copy of its grant's tokens. */
  keepsTokens: z.boolean(),
  refreshClaim: z.string().nullable(),
  /** The same as of a grant, for the kept tokens. */
  refreshLost: z.boolean(),
  creatorAction: z.literal('REMOVE_APP_AT_PROVIDER').nullable(),
  errorCode: z.string().nullable(),
  run: z.number(),
  /** Failed tries in a row. */
  tries: z.number(),
  /** All failed tries. */
  failedTries: z.number(),
  lastFailure: z.string().nullable(),
  firstFailedAt: z.date().nullable(),
  /** Set while it waits for a retry. */
  nextRetryAt: z.date().nullable(),
  /** Seconds until retries stop; null for no limit. */
  secondsLeft: z.number().nullable(),
  correlationId: CorrelationId,
  createdAt: z.date(),
  finishedAt: z.date().nullable(),
});
export type DisconnectJob = z.infer<typeof DisconnectJob>;

const columns = columnsOf('disconnect_job', DisconnectJob, {
  refreshLost: isRefreshLost,
  spares: (sql) => sql`spares or kind = 'COMPENSATION'`,
  nextRetryAt: futureRetryAt,
  secondsLeft: (sql) =>
    sql`case when give_up_at is not null then greatest(0, extract(epoch from give_up_at - business_now()))::float8 end`,
});

interface NewDisconnectJob {
  readonly jobId: JobId;
  readonly kind: DisconnectJobKind;
  readonly connectionId: ConnectionId | null;
  readonly grantId: GrantId | null;
  /** 0 if the connection's `disconnect` works on it, 1 if the first `revokeGrant` does. */
  readonly run: number;
  readonly attemptId: AttemptId | null;
  readonly appId: AppId;
  readonly provider: ProviderName;
  readonly registrationId: RegistrationId;
  readonly scopeId: ScopeId;
  readonly principalMac: Buffer | null;
  /** The keyed hashes of the grant's account, under each registration that the revoke reaches. */
  readonly accountMacs: readonly Buffer[];
  readonly spares: boolean;
  /** Keyed hash of app, tenant and subject, which finds a receipt after they are deleted. */
  readonly scopeMac: Buffer | null;
  readonly reason?: DisconnectReason | null;
  readonly correlationId: CorrelationId;
}

/** A revoke is retried for 72 hours. A job of an erased scope belongs to the same erasure. */
export async function insertDisconnectJob(tx: Transaction, job: NewDisconnectJob): Promise<void> {
  await tx`
    insert into disconnect_job (job_id, kind, connection_id, grant_id, attempt_id, app_id, provider, registration_id,
      scope_mac, scope_id, erasure_id, principal_mac, account_macs, spares, run, give_up_at, awaits_revoke, reason, correlation_id)
    values (${job.jobId}, ${job.kind}, ${job.connectionId}, ${job.grantId}, ${job.attemptId}, ${job.appId}, ${job.provider},
      ${job.registrationId}, ${job.scopeMac}, ${job.scopeId}, (select erasure_id from scope where scope_id = ${job.scopeId}),
      ${job.principalMac}, ${byteaArray(tx, job.accountMacs)}, ${job.spares}, ${job.run},
      ${job.kind === 'ERASE' ? null : tx`business_now() + interval '72 hours'`}, ${job.kind === 'ERASE'}, ${job.reason ?? null},
      ${job.correlationId})
  `;
}

export async function findDisconnectJob(sql: Sql, jobId: JobId): Promise<DisconnectJob | undefined> {
  return await findRow(sql, DisconnectJob)`select ${columns(sql)} from disconnect_job where job_id = ${jobId}`;
}

/**
 * Whether a subject has a revoke at this provider that has not settled. Found by the subject's keyed hashes, it also holds
 * a subject whose scope an erasure has renamed. Exact under the lock of the scope, or if the subject has none.
 */
export async function hasUnsettledRevoke(
  sql: Sql,
  scopeMacs: readonly Buffer[],
  provider: ProviderName,
): Promise<boolean> {
  return await hasRows(sql)`
    select from disconnect_job
    where scope_mac = any(${byteaArray(sql, scopeMacs)}) and kind = 'REVOKE' and provider = ${provider}
      and status in ${listOf(sql, OPEN_JOB)}
    limit 1
  `;
}

/** The two receipts of each disconnected connection. */
export async function listReceipts(sql: Sql, connectionIds: readonly ConnectionId[]): Promise<DisconnectJob[]> {
  return await listRows(sql, DisconnectJob)`
    select ${columns(sql)} from disconnect_job
    where connection_id = any(${[...connectionIds]}::uuid[]) and kind in ${listOf(sql, RECEIPT_KINDS)}
  `;
}

/** Moves a job to RUNNING and clears its wait. @returns undefined if it has ended. */
export async function moveDisconnectJobToRunning(sql: Sql, jobId: JobId): Promise<DisconnectJob | undefined> {
  return await findRow(sql, DisconnectJob)`
    update disconnect_job set status = 'RUNNING', started_at = coalesce(started_at, business_now()),
      next_retry_at = ${earlierRetryAt(sql)}
    where job_id = ${jobId} and status = any(${[...sourcesOf('job', 'RUNNING')]})
    returning ${columns(sql)}
  `;
}

export type DisconnectJobEnd =
  | { readonly status: 'SUCCEEDED'; readonly creatorAction: 'REMOVE_APP_AT_PROVIDER' | null }
  | {
      readonly status: 'FAILED';
      readonly creatorAction: 'REMOVE_APP_AT_PROVIDER' | null;
      readonly errorCode: JobErrorCode;
    };

/**
 * Compare and set. Only a failed revoke outside an erasure keeps tokens. The end of a revoke releases the erase that
 * waits for it.
 * @returns undefined if the job had ended before.
 */
export async function moveDisconnectJobToEnd(
  sql: Sql,
  jobId: JobId,
  end: DisconnectJobEnd,
): Promise<DisconnectJob | undefined> {
  return await findRow(sql, DisconnectJob)`
    with ended as (
      update disconnect_job set status = ${end.status}, creator_action = ${end.creatorAction}, finished_at = business_now(),
        next_retry_at = null, error_code = ${end.status === 'FAILED' ? end.errorCode : null},
        sealed_tokens = case when ${end.status} = 'SUCCEEDED' or erasure_id is not null then null else sealed_tokens end
      where job_id = ${jobId} and status = any(${[...sourcesOf('job', end.status)]})
      returning ${columns(sql)}
    ),
    freed as (
      update disconnect_job set awaits_revoke = false
      where connection_id = (select connection_id from ended where kind = 'REVOKE') and kind = 'ERASE' and awaits_revoke
    )
    select * from ended
  `;
}

/** The keyed hashes of the account whose grant a job revokes, as a `bytea[]`. */
export const accountMacsOfJob = (sql: Sql, jobId: JobId): Fragment =>
  sql`(select account_macs from disconnect_job where job_id = ${jobId})`;

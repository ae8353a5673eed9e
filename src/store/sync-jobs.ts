import { z } from 'zod';
import { type AppId, ConnectionId, JobId } from '../ids.ts';
import { DISCONNECT_JOB_KINDS } from './disconnect-jobs.ts';
import { futureRetryAt, isContinuable, JOB_STATUSES, READ_JOB_KINDS } from './read-jobs.ts';
import { type SubjectScope, tenantIsRegistered } from './scopes.ts';
import { byteaArray, type Sql } from './sql.ts';

const SyncJob = z.object({
  jobId: JobId,
  kind: z.enum([...READ_JOB_KINDS, ...DISCONNECT_JOB_KINDS]),
  connectionId: ConnectionId,
  status: z.enum(JOB_STATUSES),
  /** Set while it waits for a retry. */
  nextRetryAt: z.date().nullable(),
  errorCode: z.string().nullable(),
  lastFailure: z.string().nullable(),
  creatorAction: z.literal('REMOVE_APP_AT_PROVIDER').nullable(),
  resultProviderContentId: z.string().nullable(),
  incompleteReason: z.string().nullable(),
  finishedAt: z.date().nullable(),
  /** Whether callers may continue it. */
  continuable: z.boolean(),
});
/** What a job and a receipt have in common for callers. */
export type SyncJob = z.infer<typeof SyncJob>;

interface SyncJobKey {
  readonly appId: AppId;
  readonly scope: SubjectScope;
  /** Keyed hashes of the scope, which find a receipt after the erase. */
  readonly scopeMacs: readonly Buffer[];
  readonly connectionId: ConnectionId | undefined;
  readonly jobId: JobId | undefined;
}

/**
 * Reads a job of a scope's connection, while it is open and for 7 days after, or a receipt, for 7 days after its creation,
 * even if the connection is gone. Every kind of missing job runs the same statement, so that timing reveals no difference.
 */
export async function findSyncJob(
  sql: Sql,
  { appId, scope, scopeMacs, connectionId, jobId }: SyncJobKey,
): Promise<{ tenantRegistered: boolean; job: SyncJob | undefined }> {
  const [row] = await sql`
    select ${tenantIsRegistered(sql, appId, scope)} as is_registered, found.*
    from (values (1)) as always left join (
      select job_id, kind, j.connection_id, j.status, ${futureRetryAt(sql)} as next_retry_at, error_code, last_failure,
        null as creator_action, result_provider_content_id, incomplete_reason, finished_at, ${isContinuable(sql)} as continuable
      from read_job j
      where job_id = ${jobId ?? null} and connection_id = ${connectionId ?? null}
        and coalesce(finished_at > business_now() - interval '7 days', true)
        and connection_id in (
          select c.connection_id from scope s join connection c using (scope_id)
          where s.app_id = ${appId} and s.tenant_key = ${scope.tenantKey} and s.external_subject_id = ${scope.externalSubjectId}
        )
      union all
      select job_id, kind, connection_id, status, ${futureRetryAt(sql)}, error_code, last_failure,
        creator_action, null, null, finished_at, false
      from disconnect_job
      where job_id = ${jobId ?? null} and connection_id = ${connectionId ?? null} and kind in ('REVOKE', 'ERASE')
        and scope_mac = any(${byteaArray(sql, scopeMacs)}) and created_at > business_now() - interval '7 days'
    ) as found on true
  `;
  return {
    tenantRegistered: z.boolean().parse(row?.isRegistered),
    job: row?.jobId ? SyncJob.parse(row) : undefined,
  };
}

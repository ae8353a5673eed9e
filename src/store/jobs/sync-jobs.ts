import { z } from 'zod';
import { DISCONNECT_JOB_KINDS, JOB_STATUSES, READ_JOB_KINDS, RECEIPT_KINDS } from '../../basics/codes.ts';
import { ConnectionId, JobId } from '../../basics/ids.ts';
import type { Row } from '../driver/sql.ts';
import { listOf } from '../rows.ts';
import { type AskedOfScope, createScopeRead } from '../scope-reads.ts';
import { futureRetryAt, isContinuable } from './read-jobs.ts';

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
/** The common fields of a job and a receipt for callers. */
export type SyncJob = z.infer<typeof SyncJob>;

interface AskedJob extends AskedOfScope {
  /** Compares a receipt's keyed hash of its scope, which remains after the erase, with the asked scope. In constant time. */
  readonly isOfScope: (scopeMac: Buffer) => boolean;
  readonly connectionId: ConnectionId | undefined;
}

interface FoundJob {
  readonly tenantRegistered: boolean;
  readonly job: SyncJob | undefined;
}

/**
 * Reads a job of a scope's connection, while it is open and for 7 days after, or a receipt, for 7 days after its creation,
 * even if the connection is gone.
 */
export const findSyncJob = createScopeRead<AskedJob, FoundJob>({
  select: (sql) => sql`
    select job_id, kind, j.connection_id, j.status, ${futureRetryAt(sql)} as next_retry_at, error_code, last_failure,
      null as creator_action, result_provider_content_id, incomplete_reason, finished_at, ${isContinuable(sql)} as continuable,
      null::bytea as scope_mac
    from read_job j
    where job_id = asked.id and connection_id = asked.connection_id
      and coalesce(finished_at > business_now() - interval '7 days', true)
      and exists (
        select from scope s join connection c using (scope_id)
        where c.connection_id = asked.connection_id and s.app_id = asked.app_id and s.tenant_key = asked.tenant_key
          and s.external_subject_id = asked.external_subject_id
      )
    union all
    select job_id, kind, connection_id, status, ${futureRetryAt(sql)}, error_code, last_failure,
      creator_action, null, null, finished_at, false, scope_mac
    from disconnect_job
    where job_id = asked.id and connection_id = asked.connection_id and app_id = asked.app_id and kind in ${listOf(sql, RECEIPT_KINDS)}
      and created_at > business_now() - interval '7 days'
    limit 1
  `,
  more: {
    of: ({ connectionId }) => ({ connection_id: connectionId }),
    columns: (sql) => sql`, connection_id uuid`,
  },
  toAnswer: (tenantRegistered, row, asked) => ({
    tenantRegistered,
    job: isAsked(row, asked) ? SyncJob.parse(row) : undefined,
  }),
});

const Found = z.object({ kind: SyncJob.shape.kind.nullable(), scopeMac: z.instanceof(Buffer).nullable() });
/** A hash of no scope. */
const NO_SCOPE = Buffer.alloc(32);

/** Whether a row is a job of the asked scope. A missing job costs the hash of the scope too, as another scope's receipt does. */
function isAsked(row: Row, asked: AskedJob): boolean {
  const { kind, scopeMac } = Found.parse(row);
  return READ_JOB_KINDS.some((one) => one === kind) || asked.isOfScope(scopeMac ?? NO_SCOPE);
}

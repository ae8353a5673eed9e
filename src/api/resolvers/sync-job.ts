import { ServiceError } from '../../basics/errors.ts';
import { buildReceiptParts } from '../../domain/disconnecting/receipts.ts';
import type { QueryResolvers, SyncJob } from '../../generated/schema.ts';
import type { ReadJob } from '../../store/jobs/read-jobs.ts';
import { findSyncJob, type SyncJob as StoredJob } from '../../store/jobs/sync-jobs.ts';
import type { Mac } from '../../vault/mac.ts';
import { type CursorBinding, writeCursor } from '../cursors.ts';
import { parseArgs, SyncJobArgs } from '../inputs.ts';

export const syncJob: QueryResolvers['syncJob'] = async (_root, args, { app, mac, sql }) => {
  const { scope, connectionId, id } = parseArgs(SyncJobArgs, args);
  const isOfScope = (scopeMac: Buffer) => mac.verify(scopeMac, ...buildReceiptParts(app.appId, scope));
  const { tenantRegistered, job } = await findSyncJob(sql, { appId: app.appId, scope, isOfScope, connectionId, id });
  if (tenantRegistered && job) return toSyncJob(mac, job);
  throw new ServiceError('NOT_FOUND', 'There is no such job, or it is no longer kept.');
};

/** Binds a continuation cursor to its connection. */
export const bindContinuation = (job: Pick<ReadJob, 'connectionId'>): CursorBinding => ({
  kind: 'continuation',
  of: [job.connectionId],
});

/** Finds the reason why a job failed, or why it waits to retry. */
const findReason = ({ errorCode, lastFailure, nextRetryAt }: Shown) =>
  errorCode ?? (nextRetryAt === null ? null : lastFailure);

/** A job that has just been accepted lacks a receipt's fields. */
type Shown = Omit<StoredJob, 'creatorAction'> & Partial<Pick<StoredJob, 'creatorAction'>>;

export function toSyncJob(mac: Mac, job: Shown): SyncJob {
  const { kind, status, finishedAt, incompleteReason } = job;
  return {
    id: job.jobId,
    status,
    nextRetryAt: job.nextRetryAt,
    errorCode: findReason(job),
    creatorAction: job.creatorAction ?? null,
    resultProviderContentId: job.resultProviderContentId,
    completeForWindow:
      kind === 'SCAN' && finishedAt !== null ? status === 'SUCCEEDED' && incompleteReason === null : null,
    incompleteReason,
    continuationCursor: job.continuable ? writeCursor(mac, bindContinuation(job), [job.jobId]) : null,
  };
}

import { buildReceiptParts } from '../../domain/disconnecting/receipts.ts';
import { ServiceError } from '../../errors.ts';
import type { QueryResolvers, SyncJob } from '../../generated/schema.ts';
import { type DisconnectJob, findReceipt } from '../../store/disconnect-jobs.ts';
import { findReadJobOfScope, type ReadJob } from '../../store/read-jobs.ts';
import { findScope } from '../../store/scopes.ts';
import type { Mac } from '../../vault/mac.ts';
import { type CursorBinding, writeCursor } from '../cursors.ts';
import { parseArgs, SyncJobArgs } from '../inputs.ts';

export const syncJob: QueryResolvers['syncJob'] = async (_root, args, { app, mac, sql }) => {
  const { scope, connectionId, id: jobId } = parseArgs(SyncJobArgs, args);
  const { tenantRegistered, scopeId } = await findScope(sql, app.appId, scope);
  // Every kind of missing job runs the same queries, so that timing reveals no difference.
  const scopeMacs = mac.allOf(...buildReceiptParts(app.appId, scope));
  const readJob = await findReadJobOfScope(sql, scopeId, { connectionId, jobId });
  const receipt = await findReceipt(sql, { jobId, connectionId, scopeMacs });
  if (tenantRegistered && readJob) return toSyncJob(mac, readJob);
  if (tenantRegistered && receipt) return showReceipt(receipt);
  throw new ServiceError('NOT_FOUND', 'There is no such job, or it is no longer kept.');
};

/** Binds a continuation cursor to its connection. */
export const bindContinuation = (job: Pick<ReadJob, 'connectionId'>): CursorBinding => ({
  kind: 'continuation',
  of: [job.connectionId],
});

/** Finds the reason why a job failed, or why it waits to retry. */
const findReason = ({
  errorCode,
  lastFailure,
  nextRetryAt,
}: Pick<ReadJob, 'errorCode' | 'lastFailure' | 'nextRetryAt'>) =>
  errorCode ?? (nextRetryAt === null ? null : lastFailure);

export function toSyncJob(mac: Mac, job: ReadJob): SyncJob {
  const ended = job.finishedAt !== null;
  return {
    id: job.jobId,
    status: job.status,
    nextRetryAt: job.nextRetryAt,
    errorCode: findReason(job),
    creatorAction: null,
    resultProviderContentId: job.resultProviderContentId,
    completeForWindow:
      job.kind === 'SCAN' && ended ? job.status === 'SUCCEEDED' && job.incompleteReason === null : null,
    incompleteReason: job.incompleteReason,
    continuationCursor: job.continuable ? writeCursor(mac, bindContinuation(job), [job.jobId]) : null,
  };
}

function showReceipt(job: DisconnectJob): SyncJob {
  return {
    id: job.jobId,
    status: job.status,
    nextRetryAt: job.nextRetryAt,
    errorCode: findReason(job),
    creatorAction: job.creatorAction,
    resultProviderContentId: null,
    completeForWindow: null,
    incompleteReason: null,
    continuationCursor: null,
  };
}

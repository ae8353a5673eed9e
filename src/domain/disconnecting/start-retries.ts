import { ruleOf } from '../../basics/failures.ts';
import type { ConnectionId, JobId, RegistrationId } from '../../basics/ids.ts';
import type { Transaction } from '../../store/driver/sql.ts';
import type { AdminJob } from '../../store/jobs/admin-jobs.ts';
import { listReceipts } from '../../store/jobs/disconnect-jobs.ts';
import { requeueRevokes, takeJobsOfClient, takeWaitingJobs, type WokenJob } from '../../store/jobs/retries.ts';
import { insertDispatches } from '../../store/outbox.ts';
import {
  addRetrySignal,
  buildDisconnectJobDispatch,
  buildReadJobDispatch,
  isReadKind,
} from '../../workflows/dispatches.ts';

/**
 * Retries jobs now: wakes waiting jobs, starts a new workflow if one is lost, and reopens failed revokes. A job whose
 * try has begun within 30 seconds is left alone. Wake the outbox after the commit.
 * @returns the jobs it wakes or reopens.
 */
export async function startRetries(tx: Transaction, jobs: readonly AdminJob[]): Promise<JobId[]> {
  const waiting = await takeWaitingJobs(
    tx,
    jobs.filter(({ open }) => open).map(({ jobId }) => jobId),
  );
  const reopened = await requeueRevokes(
    tx,
    jobs.filter(({ open }) => !open).map(({ jobId }) => jobId),
  );
  const taken = jobs.flatMap((job) => {
    const run = reopened.get(job.jobId);
    if (run !== undefined) return [{ ...job, run }];
    return waiting.has(job.jobId) ? [job] : [];
  });
  await dispatchRetries(tx, taken);
  return taken.map(({ jobId }) => jobId);
}

/** The most jobs of a table that one transaction wakes. */
const MOST_WOKEN = 500;

/**
 * Retries the jobs of a registration that wait because its platform refused our client, or did not answer: it accepts the client now, or
 * the client has another secret. Wake the outbox after the commit.
 * @param since when that happened
 * @returns whether more of them may wait
 */
export async function retryJobsOfClient(
  tx: Transaction,
  registrationId: RegistrationId,
  since: Date,
): Promise<boolean> {
  const lastFailure = ruleOf('ClientRejected').job.code;
  const taken = await takeJobsOfClient(tx, registrationId, { lastFailure, triedBefore: since, limit: MOST_WOKEN });
  await dispatchRetries(tx, taken);
  return taken.length >= MOST_WOKEN;
}

type RetriedJob = Omit<WokenJob, 'isRefresh'> & { readonly isRefresh?: boolean };

/** Starts or signals the workflows of jobs. */
async function dispatchRetries(tx: Transaction, taken: readonly RetriedJob[]): Promise<void> {
  if (taken.length === 0) return;
  const connectionIds = taken.map(({ connectionId }) => connectionId).filter((id) => id !== null);
  const receipts = await listReceipts(tx, [...new Set<ConnectionId>(connectionIds)]);
  const dispatches = taken.flatMap((job) => {
    const dispatch = buildJobDispatch(job, receipts);
    return dispatch === undefined ? [] : [addRetrySignal(dispatch)];
  });
  // The revoke and the erase of one connection share a workflow.
  const byWorkflow = new Map(dispatches.map((dispatch) => [dispatch.workflowId, dispatch]));
  await insertDispatches(tx, [...byWorkflow.values()]);
}

function buildJobDispatch(
  { kind, connectionId, ...job }: RetriedJob,
  receipts: Parameters<typeof buildDisconnectJobDispatch>[1],
) {
  if (!isReadKind(kind)) return buildDisconnectJobDispatch({ ...job, connectionId }, receipts);
  return connectionId === null ? undefined : buildReadJobDispatch({ ...job, kind, connectionId });
}

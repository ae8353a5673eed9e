import type { ConnectionId, JobId } from '../../basics/ids.ts';
import type { Transaction } from '../../store/driver/sql.ts';
import type { AdminJob } from '../../store/jobs/admin-jobs.ts';
import { listReceipts } from '../../store/jobs/disconnect-jobs.ts';
import { requeueRevokes, takeWaitingJobs } from '../../store/jobs/retries.ts';
import { insertDispatches } from '../../store/outbox.ts';
import {
  addRetrySignal,
  buildDisconnectJobDispatch,
  buildReadJobDispatch,
  isReadKind,
} from '../../workflows/dispatches.ts';

/**
 * Retries jobs now: wakes waiting jobs, starts a new workflow if one is lost, and reopens failed revokes. A job that is
 * already trying is left alone. Wake the outbox after the commit.
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
  const connectionIds = taken.map(({ connectionId }) => connectionId).filter((id) => id !== null);
  const receipts = await listReceipts(tx, [...new Set<ConnectionId>(connectionIds)]);
  const dispatches = taken.flatMap((job) => {
    const dispatch = buildJobDispatch(job, receipts);
    return dispatch === undefined ? [] : [addRetrySignal(dispatch)];
  });
  // The revoke and the erase of one connection share a workflow.
  const byWorkflow = new Map(dispatches.map((dispatch) => [dispatch.workflowId, dispatch]));
  await insertDispatches(tx, [...byWorkflow.values()]);
  return taken.map(({ jobId }) => jobId);
}

function buildJobDispatch(
  { kind, connectionId, ...job }: AdminJob,
  receipts: Parameters<typeof buildDisconnectJobDispatch>[1],
) {
  if (!isReadKind(kind)) return buildDisconnectJobDispatch({ ...job, connectionId }, receipts);
  return connectionId === null ? undefined : buildReadJobDispatch({ ...job, kind, connectionId });
}

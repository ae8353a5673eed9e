import type { Capability, IncompleteReason, ReadJobKind } from '../../basics/codes.ts';
import type { ConnectionId, JobId } from '../../basics/ids.ts';
import { lockConnectionById } from '../../store/connections/connections.ts';
import { insertCoverage } from '../../store/content/coverage.ts';
import { afterCommit, type Database, inTransaction, type Sql, type Transaction } from '../../store/driver/sql.ts';
import {
  type CanceledRead,
  cancelReadJobs,
  moveReadJobToEnd,
  type ReadJob,
  type ReadJobEnd,
} from '../../store/jobs/read-jobs.ts';
import { cancelSync, moveSyncToEnd } from '../../store/jobs/scans.ts';
import { insertDispatch } from '../../store/outbox.ts';
import { countEndedJob } from '../../telemetry/instruments.ts';
import { addSignal, buildReadJobDispatch } from '../../workflows/dispatches.ts';
import { JOB_CAPABILITIES } from '../access/may-read.ts';

/** Ends a job by compare-and-set, and counts it. @returns false if it had already ended. */
export async function endReadJob(sql: Sql, jobId: JobId, end: ReadJobEnd): Promise<boolean> {
  const kind = await moveReadJobToEnd(sql, jobId, end);
  if (kind !== undefined) afterCommit(sql, () => countEndedJob(kind, end.status));
  return kind !== undefined;
}

/** Cancels a connection's jobs in flight whose capability it no longer has. */
export async function cancelUnservedJobs(
  tx: Transaction,
  connectionId: ConnectionId,
  capabilities: readonly Capability[],
): Promise<void> {
  const unserved = (Object.keys(JOB_CAPABILITIES) as ReadJobKind[]).filter(
    (kind) => !capabilities.includes(JOB_CAPABILITIES[kind]),
  );
  const canceled = await cancelReadJobs(tx, connectionId, 'CAPABILITY_UNAVAILABLE', unserved);
  if (canceled.some(({ kind }) => kind === 'SCAN')) await cancelSync(tx, connectionId);
  await noteCanceled(tx, canceled);
}

/** Cancels a scan of ours that is in the way of a caller's. */
export async function cancelScan(tx: Transaction, connectionId: ConnectionId): Promise<void> {
  await noteCanceled(tx, await cancelReadJobs(tx, connectionId, null, ['SCAN']));
}

/** Counts canceled jobs. Wakes the workflows that wait for a next try, which may be tomorrow: they end at once. */
export async function noteCanceled(tx: Transaction, canceled: readonly CanceledRead[]): Promise<void> {
  for (const { kind } of canceled) afterCommit(tx, () => countEndedJob(kind, 'CANCELED'));
  const waiting = canceled.filter(({ waited }) => waited);
  await Promise.all(
    waiting.map((job) => insertDispatch(tx, addSignal({ ...buildReadJobDispatch(job), lane: 'BULK' }))),
  );
}

/** Ends a scan as SUCCEEDED, with the reason if it did not read its whole window. */
export async function finishScan(
  sql: Database,
  job: ReadJob,
  incompleteReason: IncompleteReason | null,
): Promise<void> {
  await inTransaction(sql, async (tx) => {
    await lockConnectionById(tx, job.connectionId);
    if (!(await endReadJob(tx, job.jobId, { status: 'SUCCEEDED', incompleteReason }))) return;
    await Promise.all([
      moveSyncToEnd(tx, job, incompleteReason === null ? 'READY' : 'PARTIAL'),
      incompleteReason === null && insertCoverage(tx, job),
    ]);
  });
}

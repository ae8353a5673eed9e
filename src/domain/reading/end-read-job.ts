import type { Capability, IncompleteReason, ReadJobKind } from '../../basics/codes.ts';
import type { ConnectionId, JobId } from '../../basics/ids.ts';
import { compareRefresh } from '../../store/connections/automatic-refresh.ts';
import { lockConnectionById } from '../../store/connections/connections.ts';
import { insertCoverage } from '../../store/content/coverage.ts';
import { afterCommit, type Database, inTransaction, type Sql, type Transaction } from '../../store/driver/sql.ts';
import { cancelReadJobs, moveReadJobToEnd, type ReadJob, type ReadJobEnd } from '../../store/jobs/read-jobs.ts';
import { cancelSync, moveSyncToEnd } from '../../store/jobs/scans.ts';
import { countEndedJob } from '../../telemetry/instruments.ts';
import { JOB_CAPABILITIES } from './usable.ts';

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
  if (canceled.includes('SCAN')) await cancelSync(tx, connectionId);
  for (const kind of canceled) afterCommit(tx, () => countEndedJob(kind, 'CANCELED'));
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
    if (job.isRefresh) await compareRefresh(tx, job);
  });
}

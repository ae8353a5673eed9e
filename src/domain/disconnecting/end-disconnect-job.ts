import type { JobId } from '../../basics/ids.ts';
import { afterCommit, type Sql } from '../../store/driver/sql.ts';
import { type DisconnectJob, type DisconnectJobEnd, moveDisconnectJobToEnd } from '../../store/jobs/disconnect-jobs.ts';
import { countEndedJob } from '../../telemetry/instruments.ts';

/** Ends a job and counts it. Compare and set. @returns the job, or undefined when it had ended before. */
export async function endDisconnectJob(
  sql: Sql,
  jobId: JobId,
  end: DisconnectJobEnd,
): Promise<DisconnectJob | undefined> {
  const job = await moveDisconnectJobToEnd(sql, jobId, end);
  if (job !== undefined) afterCommit(sql, () => countEndedJob(job.kind, end.status));
  return job;
}

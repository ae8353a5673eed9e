import type { JobId } from '../../ids.ts';
import { type DisconnectJob, type DisconnectJobEnd, moveDisconnectJobToEnd } from '../../store/disconnect-jobs.ts';
import { afterCommit, type Sql } from '../../store/sql.ts';
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

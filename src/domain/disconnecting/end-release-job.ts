import type { JobId } from '../../ids.ts';
import { moveReleaseJobToEnd, type ReleaseJob, type ReleaseJobEnd } from '../../store/release-jobs.ts';
import type { Sql } from '../../store/sql.ts';
import { countEndedJob } from '../../telemetry/instruments.ts';

/** Ends a job and counts it. Compare and set. @returns the job, or undefined when it had ended before. */
export async function endReleaseJob(sql: Sql, jobId: JobId, end: ReleaseJobEnd): Promise<ReleaseJob | undefined> {
  const job = await moveReleaseJobToEnd(sql, jobId, end);
  if (job !== undefined) countEndedJob(job.kind, end.status);
  return job;
}

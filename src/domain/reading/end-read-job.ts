import type { JobId } from '../../ids.ts';
import { holdConnection } from '../../store/connections.ts';
import { insertCoverage } from '../../store/coverage.ts';
import { type IncompleteReason, moveReadJobToEnd, type ReadJob, type ReadJobEnd } from '../../store/read-jobs.ts';
import { endSync } from '../../store/scans.ts';
import { type Database, inTransaction, type Sql } from '../../store/sql.ts';
import { countEndedJob } from '../../telemetry/instruments.ts';

/** Ends a job and counts it. Compare and set. @returns false when it had ended before. */
export async function endReadJob(sql: Sql, jobId: JobId, end: ReadJobEnd): Promise<boolean> {
  const kind = await moveReadJobToEnd(sql, jobId, end);
  if (kind !== undefined) countEndedJob(kind, end.status);
  return kind !== undefined;
}

/** Ends a scan well: with its whole window read, or with the reason why not. */
export async function finishScan(
  sql: Database,
  job: ReadJob,
  incompleteReason: IncompleteReason | null,
): Promise<void> {
  const { publishedAfter, publishedBefore } = job;
  await inTransaction(sql, async (tx) => {
    await holdConnection(tx, job.connectionId);
    if (!(await endReadJob(tx, job.jobId, { status: 'SUCCEEDED', incompleteReason }))) return;
    await endSync(tx, job.connectionId, incompleteReason === null ? 'READY' : 'PARTIAL');
    if (incompleteReason === null && publishedAfter !== null && publishedBefore !== null) {
      const scannedAt = job.chainStartedAt ?? job.createdAt;
      await insertCoverage(tx, job.connectionId, { publishedAfter, publishedBefore, scannedAt });
    }
  });
}

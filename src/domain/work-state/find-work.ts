import { isUnfinishedAttempt, OPEN_JOB, RECEIPT_KINDS } from '../../basics/codes.ts';
import type { AttemptId, BulkDisconnectId, JobId } from '../../basics/ids.ts';
import { findAdminAttempt } from '../../store/attempts/admin-attempts.ts';
import type { Sql } from '../../store/driver/sql.ts';
import { type AdminJob, EVERY_JOB, findAdminJob, listAdminJobs } from '../../store/jobs/admin-jobs.ts';
import { findBulkDisconnect } from '../../store/jobs/bulk-disconnects.ts';
import { WORKFLOWS } from '../../workflows/contract.ts';
import { getJobWorkflowId } from '../../workflows/dispatches.ts';
import type { WorkInRow } from './compare-with-workflow.ts';

/** What the row of a failed try has beyond the code that its workflow knows. */
interface KnownFailure {
  /** Null for any code. */
  readonly lastFailure: string | null;
  readonly lastAnswer: string | null;
  readonly refusedClient: AdminJob['refusedClient'];
}

/** A row that a workflow works on. */
export interface Work {
  readonly workflowId: string;
  readonly row: WorkInRow;
  /** The last failed tries of the workflow's open rows. */
  readonly failures: readonly KnownFailure[];
}

/** More than the open jobs of one disconnect. */
const MOST_SHARING = 10;

async function toWorkOfJob(sql: Sql, job: AdminJob): Promise<Work> {
  const { open, createdAt: beganAt, finishedAt, nextRetryAt, connectionId } = job;
  const workflowId = getJobWorkflowId(job);
  const sharesWorkflow = connectionId !== null && workflowId === WORKFLOWS.disconnect.id({ connectionId });
  const filter = { ...EVERY_JOB, connectionId, kinds: RECEIPT_KINDS, statuses: OPEN_JOB };
  const jobs = sharesWorkflow ? await listAdminJobs(sql, filter, { limit: MOST_SHARING, after: null }) : [job];
  const failures = jobs.filter(({ lastFailure }) => lastFailure !== null);
  return { workflowId, row: { open, beganAt, finishedAt, nextRetryAt, sharesWorkflow }, failures };
}

/** Finds the attempt, job or bulk disconnect of an id. */
export async function findWork(sql: Sql, id: string): Promise<Work | undefined> {
  const [job, attempt, run] = await Promise.all([
    findAdminJob(sql, id as JobId),
    findAdminAttempt(sql, id as AttemptId),
    findBulkDisconnect(sql, id as BulkDisconnectId),
  ]);
  if (job !== undefined) return await toWorkOfJob(sql, job);
  if (attempt !== undefined) {
    const { codeArrivedAt: beganAt, finishedAt, expiresAt, status, lastAnswer } = attempt;
    const open = isUnfinishedAttempt(status);
    // A read shows the attempt EXPIRED before the end is recorded.
    const endedAt = open ? null : (finishedAt ?? expiresAt);
    const row = { open, beganAt, finishedAt: endedAt, nextRetryAt: null, sharesWorkflow: false };
    const failures = [{ lastFailure: null, lastAnswer, refusedClient: null }];
    return { workflowId: WORKFLOWS.connectAttempt.id(attempt), row, failures };
  }
  if (run === undefined) return undefined;
  const { startedAt: beganAt, finishedAt } = run;
  const row = { open: finishedAt === null, beganAt, finishedAt, nextRetryAt: null, sharesWorkflow: false };
  return { workflowId: WORKFLOWS.disconnectAll.id(run), row, failures: [] };
}

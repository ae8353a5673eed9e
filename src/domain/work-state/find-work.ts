import { isUnfinishedAttempt } from '../../basics/codes.ts';
import type { AttemptId, BulkDisconnectId, JobId } from '../../basics/ids.ts';
import { findAdminAttempt } from '../../store/attempts/admin-attempts.ts';
import type { Sql } from '../../store/driver/sql.ts';
import { type AdminJob, findAdminJob } from '../../store/jobs/admin-jobs.ts';
import { findBulkDisconnect } from '../../store/jobs/bulk-disconnects.ts';
import { WORKFLOWS } from '../../workflows/contract.ts';
import { getJobWorkflowId } from '../../workflows/dispatches.ts';
import type { WorkInRow } from './compare-with-workflow.ts';

/** A row that a workflow works on. */
export interface Work {
  readonly workflowId: string;
  readonly row: WorkInRow;
}

function toWorkOfJob(job: AdminJob): Work {
  const { open, createdAt: beganAt, finishedAt, nextRetryAt, connectionId } = job;
  const workflowId = getJobWorkflowId(job);
  const sharesWorkflow = connectionId !== null && workflowId === WORKFLOWS.disconnect.id({ connectionId });
  return { workflowId, row: { open, beganAt, finishedAt, nextRetryAt, sharesWorkflow } };
}

/** Finds the attempt, job or bulk disconnect of an id. */
export async function findWork(sql: Sql, id: string): Promise<Work | undefined> {
  const [job, attempt, run] = await Promise.all([
    findAdminJob(sql, id as JobId),
    findAdminAttempt(sql, id as AttemptId),
    findBulkDisconnect(sql, id as BulkDisconnectId),
  ]);
  if (job !== undefined) return toWorkOfJob(job);
  if (attempt !== undefined) {
    const { codeArrivedAt: beganAt, finishedAt, expiresAt, status } = attempt;
    const open = isUnfinishedAttempt(status);
    // A read shows the attempt EXPIRED before the end is recorded.
    const endedAt = open ? null : (finishedAt ?? expiresAt);
    const row = { open, beganAt, finishedAt: endedAt, nextRetryAt: null, sharesWorkflow: false };
    return { workflowId: WORKFLOWS.connectAttempt.id(attempt), row };
  }
  if (run === undefined) return undefined;
  const { startedAt: beganAt, finishedAt } = run;
  const row = { open: finishedAt === null, beganAt, finishedAt, nextRetryAt: null, sharesWorkflow: false };
  return { workflowId: WORKFLOWS.disconnectAll.id(run), row };
}

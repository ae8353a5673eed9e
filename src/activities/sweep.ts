import type { Client } from '@temporalio/client';
import { endReadJob } from '../domain/reading/end-read-job.ts';
import type { AttemptId, JobId } from '../ids.ts';
import type { Dispatcher } from '../outbox/dispatcher.ts';
import {
  disconnectAllDispatch,
  readJobDispatch,
  releaseJobDispatch,
  verifyGrantDispatch,
} from '../outbox/dispatches.ts';
import { look, startWorkflow } from '../outbox/start-workflow.ts';
import { listUnfinishedBulkDisconnects } from '../store/admin/bulk-disconnects.ts';
import { completeErasures, destroyLateTokens, listErased } from '../store/admin/erasures.ts';
import { foldConnectionCounts } from '../store/gauges.ts';
import type { Dispatch } from '../store/outbox.ts';
import {
  listOverdueAttempts,
  listOverdueHolds,
  listOverdueReadJobs,
  listOverdueReleaseJobs,
} from '../store/overdue.ts';
import { getReadJob } from '../store/read-jobs.ts';
import { getReleaseJob, listReceipts, type ReleaseJob } from '../store/release-jobs.ts';
import { applyRetention } from '../store/retention.ts';
import { endSync } from '../store/scans.ts';
import { inTransaction } from '../store/sql.ts';
import { countReconciled } from '../telemetry/instruments.ts';
import { workflowIds } from '../workflows/contract.ts';
import type { Deps } from './deps.ts';
import { settleAttemptActivities } from './settle-attempt.ts';

export interface SweepDeps {
  readonly temporal: Client;
  readonly taskQueue: string;
  readonly dispatcher: Pick<Dispatcher, 'deliverDue'>;
}

/** What keeps rows and workflows in step after crashes, outages, lost data and workflows ended by hand. */
export const sweepActivities = (deps: Deps & SweepDeps) => ({
  /** Starts what a crash or outage has left in the outbox, and brings the journal of erasures up to date. */
  async deliverOutbox(): Promise<{ delivered: number; failed: number }> {
    const outcome = await deps.dispatcher.deliverDue(); // First: a file system that hangs must not hold it up.
    await deps.journal.ship().catch((error: unknown) => deps.log.error('Journal of erasures not written', { error }));
    return outcome;
  },

  /**
   * Looks at the workflow of every row that is not final and overdue. Letting go is always started again, and so is
   * the look at a connection that was left on hold; an attempt or read whose workflow is gone ends honestly, so that no
   * slot stays taken and nothing runs for ever.
   */
  async reconcile(): Promise<{ restarted: number; ended: number }> {
    const outcomes = { restarted: 0, ended: 0 };
    for (const id of await listOverdueReleaseJobs(deps.sql))
      outcomes.restarted += (await restartRelease(deps, id)) ? 1 : 0;
    for (const id of await listOverdueReadJobs(deps.sql)) await settleReadJob(deps, id, outcomes);
    for (const id of await listOverdueAttempts(deps.sql)) outcomes.ended += (await endAttemptOf(deps, id)) ? 1 : 0;
    for (const { since, ...hold } of await listOverdueHolds(deps.sql)) {
      const verification = verifyGrantDispatch({ ...hold, toldAt: since, correlationId: null });
      outcomes.restarted += (await restartUnlessRunning(deps, verification)) ? 1 : 0;
    }
    for (const bulk of await listUnfinishedBulkDisconnects(deps.sql))
      outcomes.restarted += (await restartUnlessRunning(deps, disconnectAllDispatch(bulk))) ? 1 : 0;
    countReconciled(outcomes);
    const count = outcomes.restarted + outcomes.ended;
    if (count > 0) deps.log.warn('Rows had lost their workflows', { count });
    await endErasures(deps);
    await foldConnectionCounts(deps.sql);
    return outcomes;
  },

  /** Deletes what may no longer be kept, and puts the journal of erasures in order. */
  async applyRetention(): Promise<Record<string, number>> {
    const taken = await applyRetention(deps.sql, { keepsJournal: deps.journal.isKept });
    await deps.journal.tidy().catch((error: unknown) => deps.log.warn('Journal of erasures not tidied', { error }));
    return taken;
  },
});

/**
 * An erasure that a restore could undo has not come to its end: only those are, whose facts had been committed before the
 * journal was brought up to date.
 */
async function endErasures({ sql, journal }: Deps): Promise<void> {
  await inTransaction(sql, destroyLateTokens);
  const erased = await listErased(sql);
  if (erased.length === 0) return;
  await journal.ship();
  await completeErasures(sql, erased);
}

const restart = (deps: SweepDeps, dispatch: Dispatch) =>
  startWorkflow(deps.temporal, deps.taskQueue, { ...dispatch, signalName: null, restart: true });

async function restartRelease(deps: Deps & SweepDeps, jobId: JobId): Promise<boolean> {
  const job = await getReleaseJob(deps.sql, jobId);
  const dispatch = job && (await releaseDispatch(deps, job));
  return dispatch !== undefined && (await restartUnlessRunning(deps, dispatch));
}

async function restartUnlessRunning(deps: SweepDeps, dispatch: Dispatch): Promise<boolean> {
  if ((await look(deps.temporal, dispatch.workflowId)) === 'running') return false;
  await restart(deps, dispatch);
  return true;
}

async function releaseDispatch(deps: Deps, job: ReleaseJob): Promise<Dispatch | undefined> {
  return releaseJobDispatch(job, job.connectionId === null ? [] : await listReceipts(deps.sql, [job.connectionId]));
}

/** A read whose workflow Temporal never saw, or forgot, is started again; one whose workflow was ended has failed. */
async function settleReadJob(
  deps: Deps & SweepDeps,
  jobId: JobId,
  outcomes: { restarted: number; ended: number },
): Promise<void> {
  const job = await getReadJob(deps.sql, jobId);
  if (!job) return;
  const dispatch = readJobDispatch(job);
  const state = await look(deps.temporal, dispatch.workflowId);
  if (state === 'unknown') {
    await restart(deps, dispatch);
    outcomes.restarted += 1;
  } else if (state === 'closed' && (await endReadJob(deps.sql, jobId, { status: 'FAILED', errorCode: 'INTERNAL' }))) {
    if (job.kind === 'SCAN') await endSync(deps.sql, job, 'FAILED');
    outcomes.ended += 1;
  }
}

async function endAttemptOf(deps: Deps & SweepDeps, attemptId: AttemptId): Promise<boolean> {
  if ((await look(deps.temporal, workflowIds.connectAttempt(attemptId))) === 'running') return false;
  await settleAttemptActivities(deps).endAttempt({ attemptId, end: { status: 'EXPIRED', resultCode: 'EXPIRED' } });
  return true;
}

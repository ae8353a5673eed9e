import type { Client } from '@temporalio/client';
import type { AttemptId, ErasureId, JobId } from '../basics/ids.ts';
import { endReadJob } from '../domain/reading/end-read-job.ts';
import { moveIdentityAttemptToEnd } from '../store/attempts/identity-attempts.ts';
import { lockConnectionById } from '../store/connections/connections.ts';
import { getBusinessTime, inTransaction } from '../store/driver/sql.ts';
import { type Due, idsOf } from '../store/due.ts';
import { listUnsummedWork, sumEndedWork } from '../store/ended-work.ts';
import { completeErasures, discardLateTokens, listLateTokens } from '../store/erasures/erasures.ts';
import { sumConnectionCounts } from '../store/gauges.ts';
import { findDisconnectJob, listReceipts } from '../store/jobs/disconnect-jobs.ts';
import { findReadJob } from '../store/jobs/read-jobs.ts';
import { moveSyncToEnd } from '../store/jobs/scans.ts';
import { type Dispatch, insertDispatches } from '../store/outbox.ts';
import {
  type Hold,
  listFinishedErasures,
  listOpenBulkDisconnects,
  listOrphanedGrants,
  listOverdueAttempts,
  listOverdueDisconnectJobs,
  listOverdueHolds,
  listOverdueIdentityAttempts,
  listOverdueReadJobs,
  type OpenBulkDisconnect,
  postponeDisconnectJobCheck,
  postponeReadJobCheck,
} from '../store/overdue.ts';
import { listRejectedRegistrations, type RejectedRegistration } from '../store/registrations/registrations.ts';
import { listOverdueEndpoints, type OverdueEndpoint } from '../store/webhooks/webhook-endpoints.ts';
import { getWorkflowState, startWorkflow } from '../temporal/start-workflow.ts';
import { WORKFLOWS } from '../workflows/contract.ts';
import { buildDisconnectJobDispatch, buildDispatch, buildReadJobDispatch } from '../workflows/dispatches.ts';
import type { Deps } from './deps.ts';
import { createSettleAttemptActivities } from './settle-attempt.ts';
import { awaitJournal, handleOneByOne, handleTogether, ROWS, type Step, type StepsOf } from './sweep-round.ts';

export interface SweepDeps {
  readonly temporal: Client;
  readonly taskQueue: string;
}

/** The action of a step for an overdue row whose workflow does not end it. */
type Outcome = 'restarted' | 'ended' | 'failing';

/** Ends of work that one statement adds up, in about 50 ms. */
const ENDED_WORK = 10_000;
/** How many workflows it checks concurrently. */
const LOOKS_AT_ONCE = 20;
const LOOKS = 400;
const RESTART_WITHIN_MS = 5_000;

/**
 * The steps that check the workflow of every overdue row.
 * @param outcomes counts the actions of the steps for rows that have lost their workflows
 */
export function createReconcileSteps(deps: Deps & SweepDeps, outcomes: Record<Outcome, number>): StepsOf<'reconcile'> {
  const { sql } = deps;
  /** Builds a step that checks rows one by one. @param settle returns its action, or undefined if the row needed none. */
  const checkEach = <Row extends Due>(
    list: (...args: Parameters<typeof listOverdueHolds>) => Promise<Row[]>,
    settle: (row: Row) => Promise<Outcome | undefined>,
  ): Step => ({
    batch: LOOKS,
    list: (page) => list(sql, page),
    handle: handleOneByOne<Due>(LOOKS_AT_ONCE, async (row) => {
      const done = await settle(row as Row);
      if (done !== undefined) outcomes[done] += 1;
      return done !== undefined && done !== 'failing';
    }),
  });
  /** Builds a step that starts, or wakes, a workflow for each row. */
  const startEach = <Row extends Due>(
    list: (...args: Parameters<typeof listOverdueHolds>) => Promise<Row[]>,
    build: (row: Row) => Dispatch,
  ): Step => ({
    batch: LOOKS,
    list: (page) => list(sql, page),
    handle: handleTogether(async (rows) => {
      const dispatches = (rows as readonly Row[]).map(build);
      await inTransaction(sql, (tx) => insertDispatches(tx, dispatches));
      deps.outbox.deliverSoon();
      return rows.length;
    }),
  });
  return {
    disconnectJobs: checkEach(listOverdueDisconnectJobs, ({ id }) => restartDisconnectJob(deps, id as JobId)),
    attempts: checkEach(listOverdueAttempts, ({ id }) => endAttemptOf(deps, id as AttemptId)),
    identityAttempts: checkEach(listOverdueIdentityAttempts, ({ id }) => endIdentityAttemptOf(deps, id as AttemptId)),
    unclaimedGrants: checkEach(listOrphanedGrants, ({ id }) => endAttemptOf(deps, id as AttemptId)),
    holds: checkEach<Hold>(listOverdueHolds, (hold) =>
      restartUnlessRunning(
        deps,
        buildDispatch('verifyGrant', { ...hold, reportedAt: hold.dueAt, correlationId: null }),
      ),
    ),
    bulkDisconnects: checkEach<OpenBulkDisconnect>(listOpenBulkDisconnects, (bulk) =>
      restartUnlessRunning(deps, buildDispatch('disconnectAll', bulk)),
    ),
    readJobs: checkEach(listOverdueReadJobs, ({ id }) => settleReadJob(deps, id as JobId)),
    webhooks: startEach<OverdueEndpoint>(listOverdueEndpoints, (endpoint) =>
      buildDispatch('sendWebhooks', { ...endpoint, correlationId: null }),
    ),
    rejectedClients: startEach<RejectedRegistration>(listRejectedRegistrations, (registration) =>
      buildDispatch('clientProbe', { ...registration, correlationId: null }),
    ),
    lateTokens: {
      batch: ROWS,
      list: (page) => listLateTokens(sql, page),
      handle: handleTogether((rows) => inTransaction(sql, (tx) => discardLateTokens(tx, idsOf(rows)))),
    },
    connectionCounts: {
      batch: 1,
      mostRows: 1,
      list: async () => [{ id: 'all', dueAt: new Date(0) }],
      handle: handleTogether(async () => {
        await sumConnectionCounts(sql);
        return 0;
      }),
    },
    endedWork: {
      batch: 1,
      mostRows: 1_000,
      list: () => listUnsummedWork(sql),
      handle: handleTogether(() => sumEndedWork(sql, ENDED_WORK)),
    },
    erased: {
      batch: ROWS,
      list: (page) => listFinishedErasures(sql, page),
      handle: handleTogether(async (rows) => {
        // An erasure completes only once the journal holds its facts. Otherwise a restore could undo it.
        await awaitJournal(deps.journal.ship());
        await completeErasures(sql, idsOf(rows) as ErasureId[]);
        return rows.length;
      }),
    },
  };
}

/** Checks the workflow of an overdue row. One that fails its tasks waits for another build: an operator has to act. */
async function look({ temporal, log }: Deps & SweepDeps, workflowId: string) {
  const state = await getWorkflowState(temporal, workflowId);
  if (state === 'failing') log.error('A workflow of an overdue row fails its tasks', { workflowId });
  return state;
}

async function restartUnlessRunning(deps: Deps & SweepDeps, dispatch: Dispatch): Promise<Outcome | undefined> {
  const state = await look(deps, dispatch.workflowId);
  if (state === 'running') return undefined;
  if (state === 'failing') return 'failing';
  await restart(deps, dispatch);
  return 'restarted';
}

async function restart({ temporal, taskQueue, log }: Deps & SweepDeps, dispatch: Dispatch): Promise<void> {
  await temporal.withDeadline(Date.now() + RESTART_WITHIN_MS, () =>
    startWorkflow(temporal, taskQueue, { ...dispatch, signalName: null, restart: true }),
  );
  log.info('A lost workflow was restarted', { workflowId: dispatch.workflowId });
}

async function restartDisconnectJob(deps: Deps & SweepDeps, jobId: JobId): Promise<Outcome | undefined> {
  const job = await findDisconnectJob(deps.sql, jobId);
  if (!job) return undefined;
  const receipts = job.connectionId === null ? [] : await listReceipts(deps.sql, [job.connectionId]);
  const dispatch = buildDisconnectJobDispatch(job, receipts);
  if (dispatch === undefined) throw new Error('A disconnect job has lost a receipt that its workflow needs.');
  const done = await restartUnlessRunning(deps, dispatch);
  if (done === undefined) await postponeDisconnectJobCheck(deps.sql, jobId);
  return done;
}

/** A read whose workflow fails times out as late as one whose provider fails. */
const READ_GIVE_UP_MS = 60 * 60_000;

/** Restarts a read if Temporal does not know its workflow. Fails the read if its workflow has ended, or fails for too long. */
async function settleReadJob(deps: Deps & SweepDeps, jobId: JobId): Promise<Outcome | undefined> {
  const job = await findReadJob(deps.sql, jobId);
  if (!job) return undefined;
  const dispatch = buildReadJobDispatch(job);
  const state = await look(deps, dispatch.workflowId);
  const ageMs = (await getBusinessTime(deps.sql)).getTime() - job.createdAt.getTime();
  if (state === 'running' || (state === 'failing' && ageMs < READ_GIVE_UP_MS)) {
    await postponeReadJobCheck(deps.sql, jobId);
    return state === 'failing' ? 'failing' : undefined;
  }
  if (state === 'unknown') {
    await restart(deps, dispatch);
    return 'restarted';
  }
  return await inTransaction(deps.sql, async (tx) => {
    await lockConnectionById(tx, job.connectionId);
    if (!(await endReadJob(tx, jobId, { status: 'FAILED', errorCode: 'INTERNAL' }))) return undefined;
    if (job.kind === 'SCAN') await moveSyncToEnd(tx, job, 'FAILED');
    deps.log.info('A job was ended: its workflow had ended, or fails', { jobId });
    return 'ended';
  });
}

async function endAttemptOf(deps: Deps & SweepDeps, attemptId: AttemptId): Promise<'ended' | undefined> {
  if ((await look(deps, WORKFLOWS.connectAttempt.id({ attemptId }))) === 'running') return undefined;
  await createSettleAttemptActivities(deps).endAttempt({
    attemptId,
    end: { status: 'EXPIRED', resultCode: 'EXPIRED' },
  });
  deps.log.info('An attempt was ended: its workflow had ended, or fails', { attemptId });
  return 'ended';
}

async function endIdentityAttemptOf(deps: Deps & SweepDeps, attemptId: AttemptId): Promise<'ended' | undefined> {
  if ((await look(deps, WORKFLOWS.identityAttempt.id({ attemptId }))) === 'running') return undefined;
  return (await moveIdentityAttemptToEnd(deps.sql, attemptId, { status: 'EXPIRED' })) ? 'ended' : undefined;
}

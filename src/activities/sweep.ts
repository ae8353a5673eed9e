import { setTimeout as delay } from 'node:timers/promises';
import { Context } from '@temporalio/activity';
import type { Client } from '@temporalio/client';
import { disconnectAsRequested } from '../domain/disconnecting/handle-notification.ts';
import { endReadJob } from '../domain/reading/end-read-job.ts';
import type { AttemptId, ErasureId, JobId } from '../ids.ts';
import type { Dispatcher } from '../outbox/dispatcher.ts';
import {
  buildDisconnectAllDispatch,
  buildDisconnectJobDispatch,
  buildReadJobDispatch,
  buildUpkeepDispatch,
  buildVerifyGrantDispatch,
} from '../outbox/dispatches.ts';
import { getWorkflowState, startWorkflow } from '../outbox/start-workflow.ts';
import type { ProviderName } from '../providers/provider.ts';
import { completeErasures, discardLateTokens, listLateTokens } from '../store/admin/erasures.ts';
import { lockConnectionById } from '../store/connections.ts';
import { findDisconnectJob, listReceipts } from '../store/disconnect-jobs.ts';
import { type Due, idsOf } from '../store/due.ts';
import { sumConnectionCounts } from '../store/gauges.ts';
import { listExpiredGrants, moveExpiredGrantsToDead } from '../store/grants.ts';
import { type Dispatch, insertDispatches } from '../store/outbox.ts';
import {
  type Hold,
  listFinishedErasures,
  listOpenBulkDisconnects,
  listOrphanedGrants,
  listOverdueAttempts,
  listOverdueDisconnectJobs,
  listOverdueHolds,
  listOverdueReadJobs,
  type OpenBulkDisconnect,
  postponeReadJobCheck,
} from '../store/overdue.ts';
import { type ConnectionToDelete, listConnectionsToDelete } from '../store/platform-callbacks.ts';
import { findReadJob } from '../store/read-jobs.ts';
import { RETENTION, type RetentionStep } from '../store/retention.ts';
import { moveSyncToEnd } from '../store/scans.ts';
import { inTransaction } from '../store/sql.ts';
import { listDueUpkeep, takeDueUpkeep } from '../store/upkeep.ts';
import { countReconciled, countSweepTurn } from '../telemetry/instruments.ts';
import { type SweepKind, type SweepRound, type SweepStep, type SweepTask, workflowIds } from '../workflows/contract.ts';
import type { Deps } from './deps.ts';
import { createSettleAttemptActivities } from './settle-attempt.ts';
import { getSecondsSince, handleOneByOne, handleTogether, runRound, type Step } from './sweep-round.ts';

export interface SweepDeps {
  readonly temporal: Client;
  readonly taskQueue: string;
  readonly dispatcher: Pick<Dispatcher, 'deliverDue'>;
}

/** A round of one activity; a last statement may take 15 s longer. */
const ROUND_MS = 45_000;
/** A file system that hangs does not hold up a round for longer. */
const JOURNAL_WITHIN_MS = 10_000;
/** Looks at workflows, side by side. */
const LOOKS_AT_ONCE = 20;
const LOOKS = 400;
const RESTART_WITHIN_MS = 5_000;
/** Rows of one statement: some 50 ms. */
const ROWS = 1_000;
/** Connections to let go of, one transaction each: a second or two. */
const DELETIONS = 50;
/** Of a transaction that locks connections. */
const EXPIRED_ROWS = 200;
/** Upkeep of a provider begun in one round: there are days for it, and others need that provider as well. */
const UPKEEP_A_ROUND = 200;

type StepsOf<Kind extends SweepKind> = Readonly<Record<SweepStep<Kind>, Step>>;

/** What keeps rows and workflows in step after crashes, outages, lost data and workflows ended by hand. */
export const createSweepActivities = (deps: Deps & SweepDeps) => ({
  /** Starts what a crash or outage has left in the outbox, and brings the journal of erasures up to date. */
  async deliverOutbox(_task: SweepTask): Promise<SweepRound> {
    const startedAtMs = performance.now();
    // First: a file system that hangs must not hold it up.
    const { cancellationSignal, heartbeat } = Context.current();
    const signal = AbortSignal.any([cancellationSignal, AbortSignal.timeout(ROUND_MS)]);
    const { delivered } = await deps.dispatcher.deliverDue({ signal });
    heartbeat();
    countSweepTurn('outbox', { done: delivered, failed: 0, hasFailed: false, seconds: getSecondsSince(startedAtMs) });
    await inTime(deps.journal.ship()).catch((error: unknown) =>
      deps.log.error('Journal of erasures not written', { error }),
    );
    return { rows: { outbox: delivered }, failed: [], positions: {}, unfinished: signal.aborted ? ['outbox'] : [] };
  },

  /**
   * Looks at the workflow of every row that is not final and overdue. Letting go is always started again, and so is
   * the look at a connection that was left on hold; an attempt or read whose workflow is gone ends honestly, so that no
   * slot stays taken and nothing runs for ever.
   */
  async reconcileRows(task: SweepTask): Promise<SweepRound> {
    const outcomes = { restarted: 0, ended: 0 };
    const round = await run(deps, reconcileSteps(deps, outcomes), task);
    countReconciled(outcomes);
    const count = outcomes.restarted + outcomes.ended;
    if (count > 0) deps.log.warn('Rows had lost their workflows', { count });
    return round;
  },

  /**
   * Lets go of connections that platforms have asked us to delete. One that cannot be is left to the next round, and keeps
   * no other waiting.
   */
  async startRequestedDeletions(task: SweepTask): Promise<SweepRound> {
    return await run(deps, deletionSteps(deps), task);
  },

  /** Starts upkeep for connections that are due. */
  async startUpkeep(task: SweepTask): Promise<SweepRound> {
    return await run(deps, upkeepSteps(deps), task);
  },

  /** Deletes what may no longer be kept, and puts the journal of erasures in order. */
  async applyRetention(task: SweepTask): Promise<SweepRound> {
    const round = await run(deps, retentionSteps(deps), task);
    await inTime(deps.journal.tidy()).catch((error: unknown) =>
      deps.log.warn('Journal of erasures not tidied', { error }),
    );
    return round;
  },
});

async function run(
  deps: Deps,
  steps: Readonly<Partial<Record<SweepStep, Step>>>,
  task: SweepTask,
): Promise<SweepRound> {
  const context = Context.current();
  const wanted = Object.entries(steps).filter(([name]) => task.only?.includes(name as SweepStep) ?? true);
  return await runRound(Object.fromEntries(wanted), {
    positions: task.positions,
    withinMs: ROUND_MS,
    signal: context.cancellationSignal,
    log: deps.log,
    heartbeat: () => context.heartbeat(),
  });
}

async function inTime(work: Promise<void>): Promise<void> {
  const late = delay(JOURNAL_WITHIN_MS, undefined, { ref: false }).then(() => {
    throw new Error('The journal of erasures does not answer.');
  });
  await Promise.race([work, late]);
}

function retentionSteps({ sql, journal }: Deps): StepsOf<'retention'> {
  const step = ({ list, take }: RetentionStep): Step => ({
    batch: ROWS,
    list: (page) => list(sql, page),
    handle: handleTogether((rows) => take(sql, rows)),
  });
  /** Entries of a journal that is kept leave only by being brought out: those that cannot be, wait. */
  const journalEntries: RetentionStep = journal.isKept
    ? { list: async () => [], take: async () => 0 }
    : RETENTION.journalEntries;
  return {
    oldReceipts: step(RETENTION.receipts),
    oldKeptTokens: step(RETENTION.keptTokens),
    oldPosts: step(RETENTION.posts),
    oldProfiles: step(RETENTION.profiles),
    oldAttempts: step(RETENTION.attempts),
    oldIdentityAttempts: step(RETENTION.identityAttempts),
    oldReadJobs: step(RETENTION.jobs),
    oldGrants: step(RETENTION.grants),
    oldCoverage: step(RETENTION.coverage),
    oldUsage: step(RETENTION.usage),
    oldAdminSessions: step(RETENTION.adminSessions),
    oldAdminIdempotencyKeys: step(RETENTION.adminIdempotencyKeys),
    oldSessionTokens: step(RETENTION.sessionTokens),
    oldJournalEntries: step(journalEntries),
    oldBulkDisconnects: step(RETENTION.bulkDisconnects),
    oldErasures: step(RETENTION.erasures),
    oldDeletionRequests: step(RETENTION.deletionRequests),
  };
}

function deletionSteps(deps: Deps): StepsOf<'deletions'> {
  const deletions: Step = {
    batch: DELETIONS,
    list: (page) => listConnectionsToDelete(deps.sql, page),
    handle: handleOneByOne<Due>(1, async (row) => {
      const hasBegun = await disconnectAsRequested(deps, deps.sql, row as ConnectionToDelete);
      deps.outbox.deliverSoon();
      return hasBegun;
    }),
  };
  return { deletions };
}

function upkeepSteps(deps: Deps): StepsOf<'upkeep'> {
  const step = (provider: ProviderName): Step => ({
    batch: UPKEEP_A_ROUND,
    mostRows: UPKEEP_A_ROUND,
    list: (page) => listDueUpkeep(deps.sql, provider, page),
    handle: handleTogether(async (rows) => {
      const taken = await inTransaction(deps.sql, async (tx) => {
        const due = await takeDueUpkeep(tx, rows);
        await insertDispatches(tx, due.map(buildUpkeepDispatch));
        return due.length;
      });
      deps.outbox.deliverSoon();
      return taken;
    }),
  });
  const expiredGrants: Step = {
    batch: EXPIRED_ROWS,
    list: (page) => listExpiredGrants(deps.sql, page),
    handle: handleTogether((rows) => inTransaction(deps.sql, (tx) => moveExpiredGrantsToDead(tx, idsOf(rows)))),
  };
  return { expiredGrants, upkeepA: step('PROVIDER_A'), upkeepB: step('PROVIDER_B'), upkeepC: step('PROVIDER_C') };
}

function reconcileSteps(deps: Deps & SweepDeps, outcomes: { restarted: number; ended: number }): StepsOf<'reconcile'> {
  const { sql } = deps;
  /** `settle` answers what it did, if there was anything to do. */
  const looking = <Row extends Due>(
    list: (...args: Parameters<typeof listOverdueHolds>) => Promise<Row[]>,
    settle: (row: Row) => Promise<'restarted' | 'ended' | undefined>,
  ): Step => ({
    batch: LOOKS,
    list: (page) => list(sql, page),
    handle: handleOneByOne<Due>(LOOKS_AT_ONCE, async (row) => {
      const done = await settle(row as Row);
      if (done !== undefined) outcomes[done] += 1;
      return done !== undefined;
    }),
  });
  return {
    disconnectJobs: looking(listOverdueDisconnectJobs, ({ id }) => restartRelease(deps, id as JobId)),
    attempts: looking(listOverdueAttempts, ({ id }) => endAttemptOf(deps, id as AttemptId)),
    unclaimedGrants: looking(listOrphanedGrants, ({ id }) => endAttemptOf(deps, id as AttemptId)),
    holds: looking<Hold>(listOverdueHolds, (hold) =>
      restartUnlessRunning(deps, buildVerifyGrantDispatch({ ...hold, reportedAt: hold.dueAt, correlationId: null })),
    ),
    bulkDisconnects: looking<OpenBulkDisconnect>(listOpenBulkDisconnects, (bulk) =>
      restartUnlessRunning(deps, buildDisconnectAllDispatch(bulk)),
    ),
    readJobs: looking(listOverdueReadJobs, ({ id }) => settleReadJob(deps, id as JobId)),
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
    erased: {
      batch: ROWS,
      list: (page) => listFinishedErasures(sql, page),
      handle: handleTogether(async (rows) => {
        // An erasure that a restore could undo has not come to its end: only those are, whose facts had been committed
        // before the journal was brought up to date.
        await inTime(deps.journal.ship());
        await completeErasures(sql, idsOf(rows) as ErasureId[]);
        return rows.length;
      }),
    },
  };
}

async function restartUnlessRunning(deps: SweepDeps, dispatch: Dispatch): Promise<'restarted' | undefined> {
  if ((await getWorkflowState(deps.temporal, dispatch.workflowId)) === 'running') return undefined;
  await restart(deps, dispatch);
  return 'restarted';
}

const restart = ({ temporal, taskQueue }: SweepDeps, dispatch: Dispatch) =>
  temporal.withDeadline(Date.now() + RESTART_WITHIN_MS, () =>
    startWorkflow(temporal, taskQueue, { ...dispatch, signalName: null, restart: true }),
  );

async function restartRelease(deps: Deps & SweepDeps, jobId: JobId): Promise<'restarted' | undefined> {
  const job = await findDisconnectJob(deps.sql, jobId);
  if (!job) return undefined;
  const receipts = job.connectionId === null ? [] : await listReceipts(deps.sql, [job.connectionId]);
  const dispatch = buildDisconnectJobDispatch(job, receipts);
  if (dispatch === undefined) throw new Error('A job that lets go has lost what its workflow needs.');
  return await restartUnlessRunning(deps, dispatch);
}

/** A read whose workflow Temporal never saw, or forgot, is started again; one whose workflow was ended has failed. */
async function settleReadJob(deps: Deps & SweepDeps, jobId: JobId): Promise<'restarted' | 'ended' | undefined> {
  const job = await findReadJob(deps.sql, jobId);
  if (!job) return undefined;
  const dispatch = buildReadJobDispatch(job);
  const state = await getWorkflowState(deps.temporal, dispatch.workflowId);
  if (state === 'running') {
    await postponeReadJobCheck(deps.sql, jobId);
    return undefined;
  }
  if (state === 'unknown') {
    await restart(deps, dispatch);
    return 'restarted';
  }
  return await inTransaction(deps.sql, async (tx) => {
    await lockConnectionById(tx, job.connectionId);
    if (!(await endReadJob(tx, jobId, { status: 'FAILED', errorCode: 'INTERNAL' }))) return undefined;
    if (job.kind === 'SCAN') await moveSyncToEnd(tx, job, 'FAILED');
    return 'ended';
  });
}

async function endAttemptOf(deps: Deps & SweepDeps, attemptId: AttemptId): Promise<'ended' | undefined> {
  if ((await getWorkflowState(deps.temporal, workflowIds.connectAttempt(attemptId))) === 'running') return undefined;
  await createSettleAttemptActivities(deps).endAttempt({
    attemptId,
    end: { status: 'EXPIRED', resultCode: 'EXPIRED' },
  });
  return 'ended';
}

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
  buildSendWebhooksDispatch,
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
import { listOverdueEndpoints, type OverdueEndpoint } from '../store/webhook-endpoints.ts';
import { countReconciled, countSweepTurn } from '../telemetry/instruments.ts';
import { type SweepKind, type SweepRound, type SweepStep, type SweepTask, workflowIds } from '../workflows/contract.ts';
import type { Deps } from './deps.ts';
import { createRefreshStep, createReplanStep } from './refresh-steps.ts';
import { createSettleAttemptActivities } from './settle-attempt.ts';
import { getSecondsSince, handleOneByOne, handleTogether, runRound, type Step } from './sweep-round.ts';

export interface SweepDeps {
  readonly temporal: Client;
  readonly taskQueue: string;
  readonly dispatcher: Pick<Dispatcher, 'deliverDue'>;
}

/** The time limit of a round. Its last statement may take 15 s longer. */
const ROUND_MS = 45_000;
/** The time limit for the journal, whose file system may hang. */
const JOURNAL_WITHIN_MS = 10_000;
/** How many workflows it checks concurrently. */
const LOOKS_AT_ONCE = 20;
const LOOKS = 400;
const RESTART_WITHIN_MS = 5_000;
/** Rows of one statement, which takes about 50 ms. */
const ROWS = 1_000;
/** Connections to disconnect, one transaction each: a second or two. */
const DELETIONS = 50;
/** Rows of one transaction, which locks their connections. */
const EXPIRED_ROWS = 200;
/** How many upkeeps of a provider one round starts: they have days of time, and other calls need that provider too. */
const UPKEEP_A_ROUND = 200;

type StepsOf<Kind extends SweepKind> = Readonly<Record<SweepStep<Kind>, Step>>;

/** Repairs differences between rows and workflows after crashes, outages, lost data and workflows that an operator ended. */
export const createSweepActivities = (deps: Deps & SweepDeps) => ({
  /** Starts the workflows that a crash or outage left in the outbox, and updates the erasure journal. */
  async deliverOutbox(_task: SweepTask): Promise<SweepRound> {
    const startedAtMs = performance.now();
    // The outbox comes first: the journal's file system may hang.
    const { cancellationSignal, heartbeat } = Context.current();
    const signal = AbortSignal.any([cancellationSignal, AbortSignal.timeout(ROUND_MS)]);
    const { delivered } = await deps.dispatcher.deliverDue({ signal });
    heartbeat();
    countSweepTurn('outbox', { done: delivered, failed: 0, hasFailed: false, seconds: getSecondsSince(startedAtMs) });
    await inTime(deps.journal.ship()).catch((error: unknown) =>
      deps.log.error('Erasure journal not written', { error }),
    );
    return { rows: { outbox: delivered }, failed: [], positions: {}, unfinished: signal.aborted ? ['outbox'] : [] };
  },

  /**
   * Checks the workflow of every overdue row that is not final. Always restarts a lost disconnect and the verification of
   * a suspended connection. Ends an attempt or read that has lost its workflow, so that it does not stay open for ever.
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
   * Disconnects the connections that platforms have asked us to delete. One that fails waits for the next round and does
   * not delay the others.
   */
  async startRequestedDeletions(task: SweepTask): Promise<SweepRound> {
    return await run(deps, deletionSteps(deps), task);
  },

  /** Starts upkeep for connections that are due. */
  async startUpkeep(task: SweepTask): Promise<SweepRound> {
    return await run(deps, upkeepSteps(deps), task);
  },

  /** Deletes data after its retention period, and tidies the erasure journal. */
  async applyRetention(task: SweepTask): Promise<SweepRound> {
    const round = await run(deps, retentionSteps(deps), task);
    await inTime(deps.journal.tidy()).catch((error: unknown) => deps.log.warn('Erasure journal not tidied', { error }));
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
    throw new Error('The erasure journal does not answer.');
  });
  await Promise.race([work, late]);
}

function retentionSteps({ sql, journal }: Deps): StepsOf<'retention'> {
  const step = ({ list, take }: RetentionStep): Step => ({
    batch: ROWS,
    list: (page) => list(sql, page),
    handle: handleTogether((rows) => take(sql, rows)),
  });
  /** With an erasure journal, only shipping deletes entries: entries that cannot be shipped wait. */
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
    oldWebhookEvents: step(RETENTION.webhookEvents),
    oldWebhookSecrets: step(RETENTION.webhookSecrets),
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
  return {
    expiredGrants,
    upkeepA: step('PROVIDER_A'),
    upkeepB: step('PROVIDER_B'),
    upkeepC: step('PROVIDER_C'),
    replanA: createReplanStep(deps, 'PROVIDER_A'),
    replanB: createReplanStep(deps, 'PROVIDER_B'),
    replanC: createReplanStep(deps, 'PROVIDER_C'),
    refreshA: createRefreshStep(deps, 'PROVIDER_A'),
    refreshB: createRefreshStep(deps, 'PROVIDER_B'),
    refreshC: createRefreshStep(deps, 'PROVIDER_C'),
  };
}

function reconcileSteps(deps: Deps & SweepDeps, outcomes: { restarted: number; ended: number }): StepsOf<'reconcile'> {
  const { sql } = deps;
  /** Builds a step that checks rows one by one. @param settle returns its action, or undefined if the row needed none. */
  const checkEach = <Row extends Due>(
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
    disconnectJobs: checkEach(listOverdueDisconnectJobs, ({ id }) => restartDisconnectJob(deps, id as JobId)),
    attempts: checkEach(listOverdueAttempts, ({ id }) => endAttemptOf(deps, id as AttemptId)),
    unclaimedGrants: checkEach(listOrphanedGrants, ({ id }) => endAttemptOf(deps, id as AttemptId)),
    holds: checkEach<Hold>(listOverdueHolds, (hold) =>
      restartUnlessRunning(deps, buildVerifyGrantDispatch({ ...hold, reportedAt: hold.dueAt, correlationId: null })),
    ),
    bulkDisconnects: checkEach<OpenBulkDisconnect>(listOpenBulkDisconnects, (bulk) =>
      restartUnlessRunning(deps, buildDisconnectAllDispatch(bulk)),
    ),
    readJobs: checkEach(listOverdueReadJobs, ({ id }) => settleReadJob(deps, id as JobId)),
    webhooks: {
      batch: LOOKS,
      list: (page) => listOverdueEndpoints(sql, page),
      handle: handleTogether(async (rows) => {
        const endpoints = rows as readonly OverdueEndpoint[];
        const dispatches = endpoints.map((each) => buildSendWebhooksDispatch({ ...each, correlationId: null }));
        await inTransaction(sql, (tx) => insertDispatches(tx, dispatches));
        deps.outbox.deliverSoon();
        return rows.length;
      }),
    },
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
        // An erasure completes only once the journal holds its facts. Otherwise a restore could undo it.
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

async function restartDisconnectJob(deps: Deps & SweepDeps, jobId: JobId): Promise<'restarted' | undefined> {
  const job = await findDisconnectJob(deps.sql, jobId);
  if (!job) return undefined;
  const receipts = job.connectionId === null ? [] : await listReceipts(deps.sql, [job.connectionId]);
  const dispatch = buildDisconnectJobDispatch(job, receipts);
  if (dispatch === undefined) throw new Error('A disconnect job has lost a receipt that its workflow needs.');
  return await restartUnlessRunning(deps, dispatch);
}

/** Restarts a read if Temporal does not know its workflow. Fails the read if its workflow has ended. */
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

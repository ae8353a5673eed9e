import { Context } from '@temporalio/activity';
import { disconnectAsRequested } from '../domain/disconnecting/handle-notification.ts';
import { buildUpkeepDispatch } from '../outbox/dispatches.ts';
import type { ProviderName } from '../providers/provider.ts';
import { type Due, idsOf } from '../store/due.ts';
import { listExpiredGrants, moveExpiredGrantsToDead } from '../store/grants.ts';
import { insertDispatches } from '../store/outbox.ts';
import { type ConnectionToDelete, listConnectionsToDelete } from '../store/platform-callbacks.ts';
import { RETENTION, type RetentionStep } from '../store/retention.ts';
import { inTransaction } from '../store/sql.ts';
import { listDueUpkeep, takeDueUpkeep } from '../store/upkeep.ts';
import { countReconciled, countSweepTurn } from '../telemetry/instruments.ts';
import type { SweepRound, SweepStep, SweepTask } from '../workflows/contract.ts';
import type { Deps } from './deps.ts';
import { createReconcileSteps, type SweepDeps } from './reconcile-steps.ts';
import { createRefreshStep, createReplanStep } from './refresh-steps.ts';
import {
  awaitJournal,
  getSecondsSince,
  handleOneByOne,
  handleTogether,
  ROWS,
  runRound,
  type Step,
  type StepsOf,
} from './sweep-round.ts';

/** The time limit of a round. Its last statement may take 15 s longer. */
const ROUND_MS = 45_000;
/** Connections to disconnect, one transaction each: a second or two. */
const DELETIONS = 50;
/** Rows of one transaction, which locks their connections. */
const EXPIRED_ROWS = 200;
/** How many upkeeps of a provider one round starts: they have days of time, and other calls need that provider too. */
const UPKEEP_A_ROUND = 200;

/** Repairs differences between rows and workflows after crashes, outages, lost data and workflows that an operator ended. */
export const createSweepActivities = (deps: Deps & SweepDeps) => ({
  /** Starts the workflows that a crash or outage left in the outbox, and updates the erasure journal. */
  async deliverOutbox(_task: SweepTask): Promise<SweepRound> {
    const startedAtMs = performance.now();
    // The outbox comes first: the journal's file system may hang.
    const signal = AbortSignal.any([Context.current().cancellationSignal, AbortSignal.timeout(ROUND_MS)]);
    const { delivered } = await deps.dispatcher.deliverDue({ signal });
    countSweepTurn('outbox', { done: delivered, failed: 0, hasFailed: false, seconds: getSecondsSince(startedAtMs) });
    await awaitJournal(deps.journal.ship()).catch((error: unknown) =>
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
    const round = await run(deps, createReconcileSteps(deps, outcomes), task);
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
    await awaitJournal(deps.journal.tidy()).catch((error: unknown) =>
      deps.log.warn('Erasure journal not tidied', { error }),
    );
    return round;
  },
});

async function run(
  deps: Deps,
  steps: Readonly<Partial<Record<SweepStep, Step>>>,
  task: SweepTask,
): Promise<SweepRound> {
  const wanted = Object.entries(steps).filter(([name]) => task.only?.includes(name as SweepStep) ?? true);
  return await runRound(Object.fromEntries(wanted), {
    positions: task.positions,
    withinMs: ROUND_MS,
    signal: Context.current().cancellationSignal,
    log: deps.log,
  });
}

function retentionSteps({ sql, journal }: Deps): StepsOf<'retention'> {
  const toStep = ({ list, take }: RetentionStep): Step => ({
    batch: ROWS,
    list: (page) => list(sql, page),
    handle: handleTogether((rows) => take(sql, rows)),
  });
  /** With an erasure journal, only shipping deletes entries: entries that cannot be shipped wait. */
  const kept: RetentionStep = { list: async () => [], take: async () => 0 };
  const steps = { ...RETENTION, ...(journal.isKept && { oldJournalEntries: kept }) };
  return Object.fromEntries(Object.entries(steps).map(([name, step]) => [name, toStep(step)])) as StepsOf<'retention'>;
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
    handle: handleTogether(async (rows) => {
      const count = await inTransaction(deps.sql, (tx) => moveExpiredGrantsToDead(tx, idsOf(rows)));
      if (count > 0) deps.log.warn('Refresh credentials have expired', { count });
      return count;
    }),
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

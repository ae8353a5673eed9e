import { Context } from '@temporalio/activity';
import { PROVIDER_NAMES, type ProviderName } from '../basics/codes.ts';
import type { RegistrationId } from '../basics/ids.ts';
import { SWEEPS, type SweepStep } from '../basics/sweeps.ts';
import { disconnectUnused } from '../domain/disconnecting/disconnect-unused.ts';
import { listUnused } from '../store/connections/proofs.ts';
import { listDueUpkeep, takeDueUpkeep } from '../store/connections/upkeep.ts';
import { inTransaction } from '../store/driver/sql.ts';
import { idsOf } from '../store/due.ts';
import { listExpiredGrants, moveExpiredGrantsToDead } from '../store/grants/grant-end.ts';
import { insertDispatches } from '../store/outbox.ts';
import { RETENTION, type RetentionStep } from '../store/retention.ts';
import { countReconciled } from '../telemetry/instruments.ts';
import type { SweepRound, SweepTask } from '../workflows/contract.ts';
import { buildUpkeepDispatch } from '../workflows/dispatches.ts';
import type { Deps } from './deps.ts';
import { createReconcileSteps, type SweepDeps } from './reconcile-steps.ts';
import { createRefreshStep, createReplanStep } from './refresh-steps.ts';
import { createRetentionStep } from './retention-step.ts';
import { handleOneByOne, handleTogether, ROUND_MS, runRound, type Step, type StepsOf } from './sweep-round.ts';

/** Rows of one transaction, which locks their connections. */
const EXPIRED_ROWS = 200;
/** Unused connections of one turn, one transaction each: a second or two. */
const UNUSED_ROWS = 50;
/** The most unused connections that one round disconnects: 30,000 an hour. Each has a workflow, and callers to inform. */
const UNUSED_A_ROUND = 500;
/** How many upkeeps of a provider one round starts: they have days of time, and other calls need that provider too. */
const UPKEEP_A_ROUND = 200;

/** Repairs differences between rows and workflows after crashes, outages, lost data and workflows that an operator ended. */
export const createSweepActivities = (deps: Deps & SweepDeps) => ({
  /**
   * Checks the workflow of every overdue row that is not final. Always restarts a lost disconnect and the verification of
   * a suspended connection. Ends an attempt or read that has lost its workflow, so that it does not stay open for ever.
   */
  async reconcileRows(task: SweepTask): Promise<SweepRound> {
    const outcomes = { restarted: 0, ended: 0, failing: 0 };
    const round = await run(deps, createReconcileSteps(deps, outcomes), task);
    countReconciled(outcomes);
    const count = outcomes.restarted + outcomes.ended;
    if (count > 0) deps.log.warn('Rows had lost their workflows', { count });
    return round;
  },

  /** Starts upkeep for connections that are due. */
  async startUpkeep(task: SweepTask): Promise<SweepRound> {
    return await run(deps, upkeepSteps(deps), task);
  },

  /** Deletes data after its retention period. */
  async applyRetention(task: SweepTask): Promise<SweepRound> {
    return await run(deps, retentionSteps(deps), task);
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

function retentionSteps({ sql, mac, journal }: Deps): StepsOf<'retention'> {
  /** With an erasure journal, only shipping deletes entries: entries that cannot be shipped wait. */
  const kept: RetentionStep = { list: async () => [], take: async () => 0 };
  const steps = { ...RETENTION, ...(journal.isKept && { oldJournalEntries: kept }) };
  return Object.fromEntries(
    SWEEPS.retention.steps.map((name) => [name, createRetentionStep(sql, steps[name], mac)]),
  ) as StepsOf<'retention'>;
}

function upkeepSteps(deps: Deps): StepsOf<'upkeep'> {
  const startsUpkeep = (provider: ProviderName): Step => ({
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
  const unusedConnections: Step = {
    batch: UNUSED_ROWS,
    mostRows: UNUSED_A_ROUND,
    list: (page) => listUnused(deps.sql, page),
    handle: handleOneByOne(1, async ({ id }) => {
      const onHold = (registrationId: RegistrationId) =>
        deps.log.error('Unusually many grants cannot be proven alive: their connections stay', { registrationId });
      const hasBegun = await disconnectUnused(deps, deps.sql, id, { onHold });
      deps.outbox.deliverSoon();
      return hasBegun;
    }),
  };
  return {
    expiredGrants,
    unusedConnections,
    ...stepsOf('upkeep', startsUpkeep),
    ...stepsOf('replan', (provider) => createReplanStep(deps, provider)),
    ...stepsOf('refresh', (provider) => createRefreshStep(deps, provider)),
  };
}

const stepsOf = <Work extends string>(work: Work, create: (provider: ProviderName) => Step) =>
  Object.fromEntries(PROVIDER_NAMES.map((name) => [`${work}/${name}`, create(name)])) as Readonly<
    Record<`${Work}/${ProviderName}`, Step>
  >;

import * as wf from '@temporalio/workflow';
import type { StoreActivities } from '../activities/index.ts';
import { SWEEPS, type SweepStep } from '../basics/sweeps.ts';
import {
  type Positions,
  SCHEDULES,
  type ScheduledSweep,
  type SweepInput,
  type SweepRound,
  type SweepTask,
} from './contract.ts';
import { showStep } from './progress.ts';

/** A round ends in time. If all of its tries fail, the Schedule's next run handles its rows. */
const { reconcileRows, startUpkeep, applyRetention } = wf.proxyActivities<StoreActivities>({
  startToCloseTimeout: '2 minutes',
  heartbeatTimeout: '30 seconds',
  retry: { initialInterval: '1 second', maximumInterval: '10 seconds', maximumAttempts: 3 },
});
const ROUNDS = { reconcile: reconcileRows, upkeep: startUpkeep, retention: applyRetention } as const;

/** A run's result, for the Temporal UI and for the next run. */
export type SweepResult = Omit<SweepRound, 'unfinished'>;

/**
 * Runs the sweeps of a Schedule side by side until nothing is due. Steps that run out of time continue at once, behind the rows that
 * they handled. Failed steps continue there in the next run.
 */
export async function sweep({ kind, ...begun }: SweepInput): Promise<SweepResult> {
  showStep('SWEEP');
  const schedule = (SCHEDULES as Partial<typeof SCHEDULES>)[kind];
  // The Schedule is another build's: the workers of that build delete or update it when they start.
  if (schedule === undefined)
    throw wf.ApplicationFailure.nonRetryable(`This build knows no sweep "${kind}".`, 'UnknownSweep');
  const rows: Partial<Record<SweepStep, number>> = {};
  let failed: Positions = {};
  let task: SweepTask = { ...begun, positions: begun.positions ?? findLastPositions() };
  let allDueAtMs = Date.now() + schedule.everySeconds * 1_000;
  for (;;) {
    const round = await runRounds(schedule.sweeps, task);
    for (const [step, count] of Object.entries(round.rows))
      rows[step as SweepStep] = (rows[step as SweepStep] ?? 0) + count;
    failed = { ...(task.only && failed), ...pick(round.positions, round.failed) };
    const isDone = round.unfinished.length === 0;
    showStep(isDone ? 'ENDED' : 'SWEEP', describeRound(rows, Object.keys(failed)));
    if (isDone) return { rows, failed: Object.keys(failed) as SweepStep[], positions: failed };
    // The Schedule starts no other run while this one continues, so all steps are due again in their time.
    const areAllDue = Date.now() >= allDueAtMs;
    if (areAllDue) allDueAtMs = Date.now() + schedule.everySeconds * 1_000;
    task = { positions: { ...failed, ...round.positions }, ...(!areAllDue && { only: round.unfinished }) };
    if (wf.workflowInfo().continueAsNewSuggested) await wf.continueAsNew<typeof sweep>({ kind, ...task });
  }
}

/** Runs a round of each sweep that has steps to run. One that fails ends no other. @throws the failure, after the others have ended. */
async function runRounds(sweeps: readonly ScheduledSweep[], task: SweepTask): Promise<SweepRound> {
  const due = sweeps.filter((kind) => SWEEPS[kind].steps.some((step) => task.only?.includes(step) ?? true));
  const outcomes = await Promise.allSettled(due.map((kind) => ROUNDS[kind](task)));
  const rounds = outcomes.map((outcome) => {
    if (outcome.status === 'rejected') throw outcome.reason;
    return outcome.value;
  });
  return {
    rows: Object.assign({}, ...rounds.map((round) => round.rows)),
    failed: rounds.flatMap((round) => round.failed),
    unfinished: rounds.flatMap((round) => round.unfinished),
    positions: Object.assign({}, ...rounds.map((round) => round.positions)),
  };
}

const pick = (positions: Positions, steps: readonly SweepStep[]): Positions =>
  Object.fromEntries(steps.map((step) => [step, positions[step] ?? null]));

/** The positions that the Schedule's previous run could not finish. */
const findLastPositions = () => (wf.workflowInfo().lastResult as SweepResult | undefined)?.positions ?? {};

function describeRound(rows: Partial<Record<SweepStep, number>>, failed: readonly string[]): string {
  const done = Object.entries(rows).flatMap(([step, count]) => (count > 0 ? [`${step}: ${count}`] : []));
  const problems = failed.length > 0 ? ` Failed: ${failed.join(', ')}; see the worker's log.` : '';
  return `${done.length > 0 ? `${done.join(', ')}.` : 'Nothing was due.'}${problems}`;
}

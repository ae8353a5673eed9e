import * as wf from '@temporalio/workflow';
import type { StoreActivities } from '../activities/index.ts';
import { Priority, proxyGrants, store } from './calls.ts';
import type { Positions, SweepInput, SweepRound, SweepStep, SweepTask } from './contract.ts';
import { showStep } from './progress.ts';

/** A round ends by itself in time. If all of its tries fail, the Schedule's next run handles its rows. */
const { deliverOutbox, startRequestedDeletions, reconcileRows, startUpkeep, applyRetention } =
  wf.proxyActivities<StoreActivities>({
    startToCloseTimeout: '2 minutes',
    heartbeatTimeout: '30 seconds',
    retry: { initialInterval: '1 second', maximumInterval: '10 seconds', maximumAttempts: 3 },
  });
const ROUNDS = {
  outbox: deliverOutbox,
  deletions: startRequestedDeletions,
  reconcile: reconcileRows,
  upkeep: startUpkeep,
  retention: applyRetention,
} as const;

/** A run's result, for the Temporal UI and for the next run. */
export type SweepResult = Omit<SweepRound, 'unfinished'>;

/**
 * Runs one kind of sweep until nothing is due. A Schedule starts it. Steps that run out of time continue at once, behind the
 * rows that they handled. Failed steps continue there in the next run.
 */
export async function sweep({ kind, ...begun }: SweepInput): Promise<SweepResult | ProbeResult> {
  showStep('SWEEP');
  if (kind === 'registrations') return await probeRejectedRegistrations();
  const rows: Partial<Record<SweepStep, number>> = {};
  const failed: { [step in SweepStep]?: Positions[step] } = {};
  let task: SweepTask = { ...begun, positions: begun.positions ?? findLastPositions() };
  const runRound = (ROUNDS as Partial<typeof ROUNDS>)[kind];
  // The Schedule of another build: its own workers delete it, or update it, at their start.
  if (runRound === undefined)
    throw wf.ApplicationFailure.nonRetryable(`This build knows no sweep "${kind}".`, 'UnknownSweep');
  for (;;) {
    const round: SweepRound = await runRound(task);
    for (const [step, count] of Object.entries(round.rows))
      rows[step as SweepStep] = (rows[step as SweepStep] ?? 0) + count;
    for (const step of round.failed) failed[step] = round.positions[step] ?? null;
    const isDone = round.unfinished.length === 0;
    showStep(isDone ? 'ENDED' : 'SWEEP', describeRound(rows, Object.keys(failed)));
    if (isDone) return { rows, failed: Object.keys(failed) as SweepStep[], positions: failed };
    task = { positions: round.positions, only: round.unfinished };
    if (wf.workflowInfo().continueAsNewSuggested) await wf.continueAsNew<typeof sweep>({ kind, ...task });
  }
}

interface ProbeResult {
  readonly asked: number;
  readonly answered: number;
}

/** Asks each provider that refuses our client whether it still does. The next round asks those that did not answer. */
async function probeRejectedRegistrations(): Promise<ProbeResult> {
  const rejected = await store.listRejectedRegistrations();
  const probes = rejected.map(({ registrationId, provider }) =>
    proxyGrants(provider, 'check whether the provider accepts our client', Priority.release).probeRegistration({
      registrationId,
    }),
  );
  const answers = await Promise.allSettled(probes);
  showStep('ENDED');
  return { asked: rejected.length, answered: answers.filter(({ status }) => status === 'fulfilled').length };
}

/** The positions that the Schedule's previous run could not finish. */
const findLastPositions = () => (wf.workflowInfo().lastResult as SweepResult | undefined)?.positions ?? {};

function describeRound(rows: Partial<Record<SweepStep, number>>, failed: readonly string[]): string {
  const done = Object.entries(rows).flatMap(([step, count]) => (count > 0 ? [`${step}: ${count}`] : []));
  const problems = failed.length > 0 ? ` Failed: ${failed.join(', ')}; see the worker's log.` : '';
  return `${done.length > 0 ? `${done.join(', ')}.` : 'Nothing was due.'}${problems}`;
}

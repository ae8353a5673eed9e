import * as wf from '@temporalio/workflow';
import type { StoreActivities } from '../activities/index.ts';
import { Priority, proxyProvider, store } from './calls.ts';
import type { Positions, SweepInput, SweepRound, SweepStep, SweepTask } from './contract.ts';

/** A round ends by itself in time; should all of its tries be lost, the Schedule's next run makes up for them. */
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

/** What a run came to, in the Temporal UI and for the next run. */
export type SweepResult = Omit<SweepRound, 'unfinished'>;

/**
 * One kind of housekeeping, until nothing is due; a Schedule starts it. Steps that time ran out for go on at once, behind
 * what they have dealt with; those that failed go on there in the next run.
 */
export async function sweep({ kind, ...begun }: SweepInput): Promise<SweepResult | ProbeResult> {
  if (kind === 'registrations') return await probeRejectedRegistrations();
  const rows: Partial<Record<SweepStep, number>> = {};
  const failed: { [step in SweepStep]?: Positions[step] } = {};
  let task: SweepTask = { ...begun, positions: begun.positions ?? findLastPositions() };
  for (;;) {
    const round: SweepRound = await ROUNDS[kind](task);
    for (const [step, count] of Object.entries(round.rows))
      rows[step as SweepStep] = (rows[step as SweepStep] ?? 0) + count;
    for (const step of round.failed) failed[step] = round.positions[step] ?? null;
    wf.setCurrentDetails(describeRound(rows, Object.keys(failed)));
    if (round.unfinished.length === 0) return { rows, failed: Object.keys(failed) as SweepStep[], positions: failed };
    task = { positions: round.positions, only: round.unfinished };
    if (wf.workflowInfo().continueAsNewSuggested) await wf.continueAsNew<typeof sweep>({ kind, ...task });
  }
}

interface ProbeResult {
  readonly asked: number;
  readonly answered: number;
}

/** Asks each provider that refuses our client whether it still does; one that does not answer is asked in the next round. */
async function probeRejectedRegistrations(): Promise<ProbeResult> {
  const rejected = await store.listRejectedRegistrations();
  const probes = rejected.map(({ registrationId, provider }) =>
    proxyProvider(provider, 'does the provider take our client?', Priority.release).probeRegistration({
      registrationId,
    }),
  );
  const answers = await Promise.allSettled(probes);
  return { asked: rejected.length, answered: answers.filter(({ status }) => status === 'fulfilled').length };
}

/** Of a run that was started by a Schedule: what the one before could not finish. */
const findLastPositions = () => (wf.workflowInfo().lastResult as SweepResult | undefined)?.positions ?? {};

function describeRound(rows: Partial<Record<SweepStep, number>>, failed: readonly string[]): string {
  const done = Object.entries(rows).flatMap(([step, count]) => (count > 0 ? [`${step}: ${count}`] : []));
  const problems = failed.length > 0 ? ` Failed: ${failed.join(', ')}; see the worker's log.` : '';
  return `${done.length > 0 ? `${done.join(', ')}.` : 'Nothing was due.'}${problems}`;
}

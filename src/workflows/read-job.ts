import * as wf from '@temporalio/workflow';
import { callSoon, localStep, Priority, proxyReads } from './calls.ts';
import type { InputOf } from './contract.ts';
import { showEnd } from './progress.ts';
import type { ScanEnd, Step } from './results.ts';
import { countRetrySignals, isHistoryLong, nameStep, retryUntilSettled } from './retry-until-settled.ts';

const recordReadFailure = localStep('recordReadFailure', { summary: 'record the failed try' });

type Name = 'runScanStep' | 'runMetricsStep' | 'runLookupStep';

/** Builds the workflow of a read job: repeats bounded steps, each stored, until the job's row has ended. */
const buildReadJob = (
  name: Name,
  progressStep: 'SCAN' | 'METRICS_REFRESH' | 'LOOKUP',
  priority: (typeof Priority)['person' | 'refresh'],
) =>
  async function run(input: InputOf<'scan'>): Promise<ScanEnd | undefined> {
    const { urgency, ...wantedInput } = input;
    const { provider, ...of } = wantedInput;
    const label = nameStep(progressStep);
    const countSignals = countRetrySignals();
    // A retry serves a waiting caller, for example one who takes over a scan of ours.
    const isWanted = () => urgency !== 'BACKGROUND' || countSignals() > 0;
    const wanted = proxyReads(provider, label, priority);
    const background = proxyReads(provider, label, Priority.upkeep);
    let isFirst = true;
    const step = async (): Promise<Step> => {
      const mayBeSoon = isFirst && isWanted();
      isFirst = false;
      if (mayBeSoon) return await callSoon(provider, name, of, wanted, label);
      const early = isWanted() ? undefined : await runUnless(isWanted, () => background[name](of));
      return early ?? (await wanted[name](of));
    };
    const continueAsNew = () => wf.continueAsNew<typeof run>(isWanted() ? wantedInput : input);
    for (;;) {
      const outcome = await retryUntilSettled(
        progressStep,
        step,
        (failedTry) => recordReadFailure({ jobId: of.jobId, failedTry }),
        continueAsNew,
        countSignals,
      );
      if ('ended' in outcome) {
        const { code } = outcome.ended;
        showEnd(`${label}: ended, ${code}; the job's row has the result.`, code);
        return undefined;
      }
      const { done, scan: ended } = outcome.result;
      if (done) {
        showEnd(ended ? describeScan(ended) : `${label}: ended; the job's row has the result.`);
        return ended;
      }
      if (isHistoryLong()) await continueAsNew();
    }
  };

/** The end of a scan, for the Temporal UI. */
function describeScan({ posts, publishedAfter, publishedBefore, incompleteReason, continuable }: ScanEnd): string {
  const read = `Read ${posts} post(s) published from ${publishedAfter} to ${publishedBefore}`;
  if (incompleteReason === null) return `${read}: complete.`;
  return `${read}: incomplete, ${incompleteReason}.${continuable ? ' A caller can continue it.' : ''}`;
}

/**
 * Runs a step, and gives it up when `condition` holds: it may still wait in the queue, behind all others. A step is safe to repeat.
 * @returns undefined if it was given up.
 */
async function runUnless(condition: () => boolean, step: () => Promise<Step>): Promise<Step | undefined> {
  const scope = new wf.CancellationScope();
  const running = scope.run(step);
  const waiting = scope.run(() => wf.condition(condition));
  try {
    const first = await Promise.race([running, waiting]);
    return first ?? undefined;
  } finally {
    scope.cancel();
    await Promise.allSettled([running, waiting]);
  }
}

/** Reads a window of posts page by page, then rechecks the stored posts that no page showed. */
export const scan = buildReadJob('runScanStep', 'SCAN', Priority.refresh);

/** Refreshes the metrics of one post. */
export const metricsRefresh = buildReadJob('runMetricsStep', 'METRICS_REFRESH', Priority.refresh);

/** Finds the post behind a URL. */
export const contentLookup = buildReadJob('runLookupStep', 'LOOKUP', Priority.person);

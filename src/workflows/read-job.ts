import * as wf from '@temporalio/workflow';
import type { Step } from '../activities/read.ts';
import { inPlace, Priority, proxyReads } from './calls.ts';
import type { ReadJobInput } from './contract.ts';
import { showStep } from './progress.ts';
import { isHistoryLong, nameStep, retryUntilSettled } from './retry-until-settled.ts';

const recordReadSetback = inPlace('recordReadSetback', { summary: 'record the failed try' });

type Name = 'runScanStep' | 'runMetricsStep' | 'runLookupStep';

/** Builds the workflow of a read job: repeats bounded steps, each stored, until the job's row says that it is done. */
const buildReadJob = (
  name: Name,
  progressStep: 'SCAN' | 'METRICS_REFRESH' | 'LOOKUP',
  priority: (typeof Priority)['person' | 'refresh'],
) =>
  async function run(input: ReadJobInput): Promise<void> {
    const { jobId, connectionId, provider } = input;
    const label = nameStep(progressStep);
    const activities = proxyReads(provider, label, input.urgency === 'BACKGROUND' ? Priority.upkeep : priority);
    const step: () => Promise<Step> = () => activities[name]({ jobId, connectionId });
    const continueAsNew = () => wf.continueAsNew<typeof run>(input);
    for (;;) {
      const outcome = await retryUntilSettled(
        progressStep,
        step,
        (setback) => recordReadSetback({ jobId, setback }),
        continueAsNew,
      );
      if ('ended' in outcome || outcome.result.done) break;
      if (isHistoryLong()) await continueAsNew();
    }
    showStep('ENDED', `${label}: ended; the job's row has the result.`);
  };

/** Reads a window of posts page by page, then rechecks the stored posts that no page showed. */
export const scan = buildReadJob('runScanStep', 'SCAN', Priority.refresh);

/** Refreshes the metrics of one post. */
export const metricsRefresh = buildReadJob('runMetricsStep', 'METRICS_REFRESH', Priority.refresh);

/** Finds the post behind a URL. */
export const contentLookup = buildReadJob('runLookupStep', 'LOOKUP', Priority.person);

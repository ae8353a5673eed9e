import * as wf from '@temporalio/workflow';
import type { Step } from '../activities/read.ts';
import { Priority, proxyProvider, store } from './calls.ts';
import type { ReadJobInput } from './contract.ts';
import { isHistoryLong, retryUntilSettled } from './retry-until-settled.ts';

type Name = 'runScanStep' | 'runMetricsStep' | 'runLookupStep';

/** A job that reads in bounded steps, each stored, until its row says it is done. */
const readJob = (name: Name, what: string, priority: (typeof Priority)['person' | 'refresh']) =>
  async function run(input: ReadJobInput): Promise<void> {
    const { jobId, provider } = input;
    const activities = proxyProvider(provider, what, priority);
    const step: () => Promise<Step> = () => activities[name]({ jobId });
    const inNewRun = () => wf.continueAsNew<typeof run>(input);
    for (;;) {
      const taken = await retryUntilSettled(
        what,
        step,
        (setback) => store.recordReadSetback({ jobId, setback }),
        inNewRun,
      );
      if ('ended' in taken || taken.result.done) break;
      if (isHistoryLong()) await inNewRun();
    }
    wf.setCurrentDetails(`${what}: ended; the job's row has its result.`);
  };

/** Reads a window of posts page by page, then asks for those that are stored but were not seen. */
export const scan = readJob('runScanStep', 'scan', Priority.refresh);

/** Reads the numbers of one post again. */
export const metricsRefresh = readJob('runMetricsStep', 'metrics refresh', Priority.refresh);

/** Finds the post behind a URL. */
export const contentLookup = readJob('runLookupStep', 'lookup', Priority.person);

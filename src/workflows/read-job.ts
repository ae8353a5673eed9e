import * as wf from '@temporalio/workflow';
import type { Step } from '../activities/read.ts';
import { atProvider, Priority, store } from './calls.ts';
import type { ReadJobInput } from './contract.ts';
import { isHistoryLong, persist } from './persist.ts';

type Name = 'scanStep' | 'metricsStep' | 'lookupStep';

/** A job that reads in bounded steps, each stored, until its row says it is done. */
const readJob = (name: Name, what: string, priority: (typeof Priority)['person' | 'refresh']) =>
  async function run(input: ReadJobInput): Promise<void> {
    const { jobId, provider } = input;
    const activities = atProvider(provider, what, priority);
    const step: () => Promise<Step> = () => activities[name]({ jobId });
    const inNewRun = () => wf.continueAsNew<typeof run>(input);
    for (;;) {
      const taken = await persist(what, step, (setback) => store.noteReadSetback({ jobId, setback }), inNewRun);
      if ('over' in taken || taken.result.done) break;
      if (isHistoryLong()) await inNewRun();
    }
    wf.setCurrentDetails(`${what}: ended; the job's row has its result.`);
  };

/** Reads a window of posts page by page, then asks for those that are stored but were not seen. */
export const scan = readJob('scanStep', 'scan', Priority.refresh);

/** Reads the numbers of one post again. */
export const metricsRefresh = readJob('metricsStep', 'metrics refresh', Priority.refresh);

/** Finds the post behind a URL. */
export const contentLookup = readJob('lookupStep', 'lookup', Priority.person);

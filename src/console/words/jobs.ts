import type { JobKind, JobStatus, WorkFragment } from '../generated/operations.ts';
import { stopwatch } from './time.ts';

/** What a job is, as the start of a title: `Revoke at PROVIDER_B`. */
export const KINDS: Readonly<Record<JobKind, string>> = {
  SCAN: 'Scan of posts',
  METRICS: "Refresh of a post's metrics",
  LOOKUP: 'Lookup of a post',
  REVOKE: 'Revoke',
  ERASE: 'Erase',
  COMPENSATION: 'Return of an unused grant',
};

/** What it is for, for somebody who has never seen one. */
export const PURPOSES: Readonly<Record<JobKind, string>> = {
  SCAN: 'Reads posts of a window of time.',
  METRICS: "Reads one post's metrics again.",
  LOOKUP: 'Finds one post by its URL.',
  REVOKE: 'Ends our access at the provider after a disconnect. Until it settles, the person still sees the app there.',
  ERASE: 'Deletes what is held of a disconnected connection, once its revoke has settled.',
  COMPENSATION: 'Ends, at the provider, a grant that came of an attempt which led to nothing.',
};

const OPEN: readonly JobStatus[] = ['QUEUED', 'RUNNING'];
export const isOpen = ({ status }: Pick<WorkFragment, 'status'>): boolean => OPEN.includes(status);

const LETTING_GO: readonly JobKind[] = ['REVOKE', 'COMPENSATION'];
export const isRevoke = ({ kind }: Pick<WorkFragment, 'kind'>): boolean => LETTING_GO.includes(kind);

/** A job as it was when somebody pushed it. */
export interface Push {
  readonly jobId: string;
  readonly pushedAtMs: number;
  readonly triesBefore: number;
}

/** How far a pushed job has come. */
export interface Progress {
  readonly state: 'trying' | 'settled' | 'failedAgain';
  readonly text: string;
}

const SETTLED: Readonly<Record<JobKind, string>> = {
  SCAN: 'the posts have been read.',
  METRICS: 'the metrics have been read.',
  LOOKUP: 'the post has been found.',
  REVOKE: 'our access at the provider has ended.',
  ERASE: 'everything has been deleted.',
  COMPENSATION: 'the grant has been given back.',
};

/**
 * What became of a push.
 * @param nowMs or, of a job that has settled, when that was first seen.
 */
export function progressOf(push: Push, job: WorkFragment, nowMs: number): Progress {
  const after = stopwatch(nowMs - push.pushedAtMs);
  if (job.status === 'SUCCEEDED') {
    const byHand = job.creatorAction === null ? '' : ' The person also has to remove the app at the provider.';
    return { state: 'settled', text: `Settled after ${after}: ${SETTLED[job.kind]}${byHand}` };
  }
  if (!isOpen(job)) {
    return { state: 'failedAgain', text: `Ended after ${after}: ${job.failure?.message ?? 'it was called off.'}` };
  }
  if (job.tries > push.triesBefore) {
    return {
      state: 'failedAgain',
      text: `Tried again, and failed again: ${job.lastFailure?.message ?? 'no reason is known.'}`,
    };
  }
  return { state: 'trying', text: `Pushed ${after} ago. Trying now…` };
}

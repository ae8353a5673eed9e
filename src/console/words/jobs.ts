import type {
  JobFilter,
  JobKind,
  JobStatus,
  PushJobsMutation,
  StuckFragment,
  StuckWorkQuery,
  WorkFragment,
} from '../generated/operations.ts';
import { count, listed } from './count.ts';
import type { Outcome, Problem } from './problem.ts';
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

/** What one is, and several are, within a sentence. */
const IN_SENTENCE: Readonly<Record<JobKind, readonly [one: string, many: string]>> = {
  SCAN: ['scan', 'scans'],
  METRICS: ['metrics refresh', 'metrics refreshes'],
  LOOKUP: ['lookup', 'lookups'],
  REVOKE: ['revoke', 'revokes'],
  ERASE: ['erase', 'erases'],
  COMPENSATION: ['return of an unused grant', 'returns of unused grants'],
};

/** `1 revoke`, `250 revokes`. */
export const countOf = (kind: JobKind, number: number): string => count(number, ...IN_SENTENCE[kind]);

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

/** What a job is, as one of many: `Revoke at PROVIDER_B of Harbour Kitchen, tenant “north”`. */
export const inFull = ({
  kind,
  provider,
  appName,
  tenantKey,
}: Pick<WorkFragment, 'kind' | 'provider' | 'appName' | 'tenantKey'>): string =>
  `${KINDS[kind]} at ${provider} of ${appName}${tenantKey === null ? '' : `, tenant “${tenantKey}”`}`;

/** What a push of many would do. */
export type PushForeseen =
  | { readonly text: string; readonly isNothing: boolean; readonly stuckBefore: number; readonly problem?: undefined }
  | { readonly problem: Problem };

/**
 * By a dry run, and by what is stuck before it: without knowing that, nothing could be said afterwards of how far they
 * have come.
 */
export function foreseePush(stuck: Outcome<StuckWorkQuery>, dryRun: Outcome<PushJobsMutation>): PushForeseen {
  if (stuck.problem) return { problem: stuck.problem };
  if (dryRun.problem) return { problem: dryRun.problem };
  const stuckBefore = stuck.data.stuckWork.count;
  const { count: jobs, failedCount, more } = dryRun.data.retryJobs;
  if (jobs === 0) {
    const text = 'None of them waits for a push: each is being tried, or has ended.';
    return { text, isNothing: true, stuckBefore };
  }
  const failed = failedCount > 0 ? ` Of these, ${count(failedCount, 'revoke')} had failed for good.` : '';
  const rest = more ? ' There are more: push again when these are through.' : '';
  return { text: `${count(jobs, 'job')} will be pushed.${failed}${rest}`, isNothing: false, stuckBefore };
}

/** Many jobs as they were when somebody pushed them all. */
export interface PushOfMany {
  /** Those that were to be pushed. */
  readonly filter: JobFilter;
  readonly pushedAtMs: number;
  /** Jobs that were pushed: one request takes no more than 1,000. */
  readonly pushed: number;
  /** Jobs of the filter that were stuck just before. */
  readonly stuckBefore: number;
  /** How many of these were more than one request pushes. */
  readonly leftOut: number;
}

/** How far many pushed jobs have come, by what is stuck now of those that the filter names. */
export interface ProgressOfMany {
  readonly settled: number;
  readonly trying: number;
  readonly failedAgain: number;
  readonly text: string;
}

/** @param nowMs or, once nothing is being tried any more, when that was first seen. */
export function progressOfMany(
  { stuckBefore, pushed, pushedAtMs, leftOut }: PushOfMany,
  { count: stuck, retryableCount: waiting }: Pick<StuckFragment, 'count' | 'retryableCount'>,
  nowMs: number,
): ProgressOfMany {
  const settled = Math.max(0, stuckBefore - stuck);
  const trying = stuck - waiting;
  const unpushed = Math.min(leftOut, waiting);
  const failedAgain = waiting - unpushed;
  const after = stopwatch(nowMs - pushedAtMs);
  const parts = [
    [settled, 'settled'],
    [trying, 'being tried'],
    [failedAgain, 'failed again'],
    [unpushed, 'still to be pushed'],
  ] as const;
  const counts = listed(
    parts.flatMap(([number, what]) => (number > 0 ? [`${number.toLocaleString('en')} ${what}`] : [])),
  );
  const when = trying > 0 ? ` ${after} ago` : `; all have been tried after ${after}`;
  return { settled, trying, failedAgain, text: `Pushed ${count(pushed, 'job')}${when}: ${counts || 'none is stuck'}.` };
}

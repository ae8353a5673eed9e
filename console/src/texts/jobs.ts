import { isOpenJob, isRevokeKind, PLATFORM_NAMES } from '../../../src/basics/codes.ts';
import type {
  JobDetailsFragment,
  JobFilter,
  JobKind,
  RetryJobsMutation,
  StuckWorkQuery,
} from '../generated/operations.ts';
import { formatCount, formatList, shortenId } from './format.ts';
import type { Outcome, Problem } from './problem.ts';
import { JOB_STATES } from './states.ts';
import { formatElapsed, formatLocal } from './time.ts';

/** The start of a job's title: `Revoke at TikTok`. */
export const JOB_TITLES: Readonly<Record<JobKind, string>> = {
  SCAN: 'Scan of posts',
  METRICS: "Refresh of a post's metrics",
  LOOKUP: 'Lookup of a post',
  REVOKE: 'Revoke',
  ERASE: 'Erase',
  COMPENSATION: 'Revoke of an unused grant',
};

/** Singular and plural within a sentence. */
const JOB_NOUNS: Readonly<Record<JobKind, readonly [one: string, many: string]>> = {
  SCAN: ['scan', 'scans'],
  METRICS: ['metrics refresh', 'metrics refreshes'],
  LOOKUP: ['lookup', 'lookups'],
  REVOKE: ['revoke', 'revokes'],
  ERASE: ['erase', 'erases'],
  COMPENSATION: ['revoke of an unused grant', 'revokes of unused grants'],
};

/** `1 revoke`, `250 revokes`. */
export const formatJobCount = (kind: JobKind, number: number): string => formatCount(number, ...JOB_NOUNS[kind]);

/** Explains each kind to an operator who has never seen one. */
export const JOB_PURPOSES: Readonly<Record<JobKind, string>> = {
  SCAN: 'Reads the posts of a time window.',
  METRICS: "Refreshes one post's metrics.",
  LOOKUP: 'Finds one post by its URL.',
  REVOKE:
    'Revokes our access at the provider after a disconnect. Until it succeeds, the person still sees the app in their account there.',
  ERASE: 'Erases all data of a disconnected connection, once its revoke has settled.',
  COMPENSATION: 'Revokes, at the provider, the grant of an attempt that did not lead to a connection.',
};

export const isJobOpen = ({ status }: Pick<JobDetailsFragment, 'status'>): boolean => isOpenJob(status);

export const isRevokeJob = ({ kind }: Pick<JobDetailsFragment, 'kind'>): boolean => isRevokeKind(kind);

/** An erase begins once the revoke of its disconnect has settled. */
export const isWaitingErase = (job: Pick<JobDetailsFragment, 'kind' | 'status' | 'tries'>): boolean =>
  job.kind === 'ERASE' && isJobOpen(job) && job.tries === 0;

/** The codes of requests without an answer, with their meaning. */
const NETWORK_CODES: Readonly<Record<string, string>> = {
  TIMEOUT: 'no answer in time. The provider hangs, or a firewall drops the request',
  ECONNREFUSED: 'nothing accepts the connection. The provider, a proxy or a firewall of ours refuses it',
  ECONNRESET: 'the connection was cut',
  ENOTFOUND: 'the name is unknown. Check the DNS of our network',
  EAI_AGAIN: 'the name could not be looked up. Check the DNS of our network',
  EHOSTUNREACH: 'there is no route to it. Check our network',
  ENETUNREACH: 'there is no route to it. Check our network',
};

/** The cause of the last failed try: `It answered with HTTP 503.` */
export function describeLastTry({ lastAnswer }: Pick<JobDetailsFragment, 'lastAnswer'>): string {
  if (lastAnswer === null) return 'the service sent no request, or the answer was not recorded.';
  const status = /^HTTP_(\d+)$/.exec(lastAnswer)?.[1];
  if (status !== undefined) return `the provider answered with HTTP ${status}.`;
  const meaning = NETWORK_CODES[lastAnswer];
  return meaning === undefined ? `no complete answer (${lastAnswer}).` : `${meaning} (${lastAnswer}).`;
}

/** The failed tries whose times are stored: all but the one that ended the job. The last one of a revoke is among them. */
export const countStoredTries = ({ kind, status, tries }: Pick<JobDetailsFragment, 'kind' | 'status' | 'tries'>) =>
  status === 'SUCCEEDED' || (status === 'FAILED' && !isRevokeKind(kind)) ? tries - 1 : tries;

/** `After 6 failed tries (HTTP 503).` Null unless the job has succeeded after failed ones. The answer is the last one's. */
export function describeRecovery({ recoveredFrom, tries }: Pick<JobDetailsFragment, 'recoveredFrom' | 'tries'>) {
  if (recoveredFrom === null) return null;
  const cause = recoveredFrom.answer?.replace('_', ' ') ?? recoveredFrom.failure.code;
  return `After ${formatCount(Math.max(tries - 1, 1), 'failed try', 'failed tries')} (${cause}).`;
}

/** The cause of the last failed try of an attempt or a sign-in, with the platform's own code. Null if nothing has failed. */
export function describeCause({ lastAnswer, lastAnswerCode }: AttemptCause): string | null {
  if (lastAnswer === null || lastAnswer === undefined) return lastAnswerCode || null;
  const text =
    lastAnswer === 'REDIRECT' ? 'the provider sent the person back without a code.' : describeLastTry({ lastAnswer });
  const odd = lastAnswer.startsWith('HTTP_2') ? ', but not as the service expects.' : '.';
  return text.replace(/\.$/, lastAnswerCode ? ` (${lastAnswerCode}).` : odd);
}

interface AttemptCause {
  readonly lastAnswer: string | null;
  readonly lastAnswerCode: string | null;
}

/** The step that is left to the person. */
export const describeManualStep = ({
  creatorActionReason: reason,
}: Pick<JobDetailsFragment, 'creatorActionReason'>): string =>
  reason
    ? `${reason} The person still sees the app there, until they remove it. The app’s receipt says so: make sure that the person learns it.`
    : 'The person must remove the app at the provider. The app’s receipt says so: make sure that the person learns it.';

/** A job at the moment an operator retried it. */
export interface JobRetry {
  readonly jobId: string;
  readonly retriedAtMs: number;
  readonly triesBefore: number;
}

export interface RetryProgress {
  readonly state: 'trying' | 'settled' | 'failedAgain';
  readonly text: string;
}

const OUTCOMES: Readonly<Record<JobKind, string>> = {
  SCAN: 'the posts are up to date.',
  METRICS: 'the metrics are up to date.',
  LOOKUP: 'the post was found.',
  REVOKE: 'access at the provider is revoked.',
  ERASE: 'all data is erased.',
  COMPENSATION: 'the unused grant is revoked.',
};

/** @param nowMs the current time or, for a settled job, when the page first saw that it had settled. */
export function describeRetry(retry: JobRetry, job: JobDetailsFragment, nowMs: number): RetryProgress {
  const after = formatElapsed(nowMs - retry.retriedAtMs);
  if (job.status === 'SUCCEEDED') {
    const outcome = job.creatorAction === null ? OUTCOMES[job.kind] : describeManualStep(job);
    const recovery = describeRecovery(job);
    return {
      state: 'settled',
      text: [`The retry succeeded after ${after}: ${outcome}`, recovery].filter(Boolean).join(' '),
    };
  }
  if (!isJobOpen(job)) {
    return { state: 'failedAgain', text: `Ended after ${after}: ${job.failure?.message ?? 'the job was canceled.'}` };
  }
  if (job.tries > retry.triesBefore) {
    return {
      state: 'failedAgain',
      text: `Retried and failed again: ${job.lastFailure?.message ?? 'no known reason.'}`,
    };
  }
  return { state: 'trying', text: `Retry requested ${after} ago. Waiting for the try…` };
}

/** Distinguishes a job from others in a list: `Revoke at TikTok of Harbour Kitchen, tenant “north”`. */
export const describeJob = ({
  kind,
  provider,
  appName,
  tenantKey,
}: Pick<JobDetailsFragment, 'kind' | 'provider' | 'appName' | 'tenantKey'>): string =>
  `${JOB_TITLES[kind]} at ${PLATFORM_NAMES[provider]} of ${appName}${tenantKey === null ? '' : `, tenant “${tenantKey}”`}`;

/** Repeats a filter: `TikTok, Revoke or Erase, PROVIDER_UNAVAILABLE`. Whether its jobs are stuck is told apart. */
function describeFilter({ provider, kinds, statuses, appId, connectionId, ...filter }: JobFilter): string {
  const parts = [
    provider && PLATFORM_NAMES[provider],
    kinds?.map((kind) => JOB_TITLES[kind]).join(' or '),
    statuses?.map((status) => JOB_STATES[status].label).join(' or '),
    filter.lastFailure,
    filter.neverFailed === false && 'any failure',
    filter.neverFailed && 'no known failure',
    appId && `app ${shortenId(appId)}`,
    connectionId && `connection ${shortenId(connectionId)}`,
    filter.endedSince && `ended since ${formatLocal(filter.endedSince)}`,
    filter.endedBefore && `ended before ${formatLocal(filter.endedBefore)}`,
  ];
  return parts.filter((part) => part).join(', ');
}

export type BulkRetryPreview =
  | { readonly text: string; readonly isNothing: boolean; readonly problem?: undefined }
  | { readonly problem: Problem };

/**
 * Describes a bulk retry before it runs.
 * @param stuck the stuck jobs of the filter, if the operator looks at a list of stuck ones.
 */
export function previewBulkRetry(
  filter: JobFilter,
  dryRun: Outcome<RetryJobsMutation>,
  stuck: Outcome<StuckWorkQuery> | undefined,
): BulkRetryPreview {
  if (stuck?.problem) return { problem: stuck.problem };
  if (dryRun.problem) return { problem: dryRun.problem };
  const { count: jobs, failedCount, more } = dryRun.data.retryJobs;
  const fresh = stuck && !more ? Math.max(0, jobs - stuck.data.stuckWork.retryableCount) : 0;
  const described = describeFilter(filter);
  const everything =
    stuck === undefined ? 'All jobs: no filter is set.' : 'All stuck jobs, and others that wait for their next try.';
  const filtered = described === '' ? everything : `Filter: ${described}.`;
  if (jobs === 0) {
    const text = `${filtered} There is nothing to retry: each of these jobs is due, is being tried or has ended.`;
    return { text, isNothing: true };
  }
  const failed = failedCount > 0 ? ` Of these, ${formatCount(failedCount, 'revoke')} failed permanently.` : '';
  const rest = more ? ' There are more: retry again when these have finished.' : '';
  const young = fresh > 0 ? ` ${fresh.toLocaleString('en')} of them ${fresh === 1 ? 'is' : 'are'} not stuck yet.` : '';
  return { text: `${filtered} ${formatCount(jobs, 'job')} will be retried.${failed}${young}${rest}`, isNothing: false };
}

/** Many jobs that an operator retried together. */
export interface BulkRetry {
  /** The request, by its correlation id. */
  readonly retriedBy: string;
  readonly retriedAtMs: number;
  /** One request retries at most 1,000 jobs. */
  readonly retriedCount: number;
  /** When the page first saw that each of them had been tried; undefined before. */
  readonly finishedAtMs: number | undefined;
}

/** How many of the retried jobs have which state now. */
export interface RetriedJobs {
  readonly open: number;
  /** Of the open ones, those that wait for their next try. */
  readonly waiting: number;
  readonly succeeded: number;
  readonly failed: number;
  readonly canceled: number;
}

export interface BulkRetryProgress {
  readonly settled: number;
  readonly trying: number;
  readonly failedAgain: number;
  readonly text: string;
}

/** Every retried job has one of the states. One that is tried once more, by the service itself, has failed again before. */
export function describeBulkRetry(
  { retriedCount, retriedAtMs, finishedAtMs }: BulkRetry,
  { open, waiting, succeeded, failed, canceled }: RetriedJobs,
  nowMs: number,
): BulkRetryProgress {
  const trying = finishedAtMs === undefined ? open - waiting : 0;
  const failedAgain = open - trying;
  const parts = [
    [succeeded, 'settled'],
    [trying, 'being tried'],
    [failedAgain, 'failed again'],
    [failed, 'failed permanently'],
    [canceled, 'canceled'],
    [retriedCount - open - succeeded - failed - canceled, 'deleted with their connections'],
  ] as const;
  const counts = formatList(
    parts.flatMap(([number, state]) => (number > 0 ? [`${number.toLocaleString('en')} ${state}`] : [])),
  );
  const after = formatElapsed((finishedAtMs ?? nowMs) - retriedAtMs);
  const when = finishedAtMs === undefined ? ` ${after} ago` : `; all were tried within ${after}`;
  return {
    settled: succeeded,
    trying,
    failedAgain: failedAgain + failed,
    text: `Retried ${formatCount(retriedCount, 'job')}${when}: ${counts}.`,
  };
}

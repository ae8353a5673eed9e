import type { Follow } from '../../shape.ts';
import { cut, type Failure, formatDistance, formatNext, formatSecond, joinAnswer } from './format.ts';

interface ListedJob {
  readonly id: string;
  readonly kind: string;
  readonly status: string;
  readonly provider: string;
  readonly appName: string;
  readonly tries: number;
  readonly lastAnswer: string | null;
  readonly lastFailure: Failure | null;
  readonly failure: Failure | null;
  readonly creatorAction: string | null;
  readonly stuck: boolean;
  readonly stuckSince: string | null;
  readonly nextRetryAt: string | null;
  readonly createdAt: string;
  readonly finishedAt: string | null;
}

const whyOf = ({ lastAnswer, failure, lastFailure }: ListedJob) =>
  lastAnswer ?? failure?.code ?? lastFailure?.code ?? null;

export const briefStuckJob = (job: ListedJob) => ({
  id: job.id,
  kind: job.kind,
  provider: job.provider,
  app: cut(job.appName, 12),
  stuck: formatDistance(job.stuckSince),
  tries: job.tries,
  next: formatNext(job.nextRetryAt),
  answer: cut(whyOf(job) ?? '-', 18),
});

/** An open job after failed tries differs from a fresh one, and a revoke that was not sent from one that was. */
const stateOfJob = ({ status, creatorAction, finishedAt, stuck, tries }: ListedJob) => {
  if (finishedAt !== null) return status === 'SUCCEEDED' && creatorAction !== null ? 'LEFT_TO_PERSON' : status;
  if (stuck) return 'STUCK';
  return tries > 0 ? 'RETRYING' : status;
};

export const briefJob = (job: ListedJob) => ({
  id: job.id,
  kind: cut(job.kind, 7),
  provider: job.provider,
  app: cut(job.appName, 8),
  state: cut(stateOfJob(job), 9),
  created: formatSecond(job.createdAt).slice(5, 16),
  tries: job.tries,
  next: formatNext(job.nextRetryAt),
  answer: cut(whyOf(job) ?? '-', 12),
});

interface StuckGroup extends Pick<ListedJob, 'kind' | 'provider' | 'appName' | 'lastAnswer' | 'lastFailure'> {
  readonly lastAnswerCode: string | null;
  readonly count: number;
  readonly failedCount: number;
  readonly since: string;
}

export const briefGroup = ({
  count,
  failedCount,
  since,
  lastAnswer,
  lastAnswerCode,
  lastFailure,
  ...group
}: StuckGroup) => ({
  jobs: count,
  failed: failedCount,
  kind: group.kind,
  provider: group.provider,
  app: cut(group.appName, 16),
  longest: formatDistance(since),
  answer: cut(joinAnswer(lastAnswer, lastAnswerCode) ?? '-', 18),
  reason: lastFailure?.code ?? '-',
});

interface RetriedJob extends Pick<ListedJob, 'finishedAt' | 'failure' | 'lastFailure' | 'nextRetryAt'> {
  readonly lastTriedAt: string | null;
}

const wasTried = ({ finishedAt, lastTriedAt }: RetriedJob, begun: RetriedJob) =>
  finishedAt !== null || lastTriedAt !== begun.lastTriedAt;

/** Waits until the job has been tried once more. */
export const followRetry = (select: string): Follow => ({
  field: { name: 'job', select },
  seconds: 30,
  isKnown: wasTried,
  findFault: (last: RetriedJob, begun: RetriedJob) => {
    if (!wasTried(last, begun))
      return 'It was not tried within 30 seconds: what is shown is older. See whether a worker runs, and run jobs show.';
    const failure = last.failure ?? last.lastFailure;
    if (failure === null) return undefined;
    const next = last.nextRetryAt === null ? '' : ` The next try is at ${last.nextRetryAt}.`;
    return `It has failed again. ${failure.code}: ${failure.message}${next}`;
  },
});

interface RetriedJobs {
  readonly dryRun: boolean;
  readonly count: number;
  readonly failedCount: number;
  readonly more: boolean;
  readonly correlationId: string;
}

const nameOutcomes = (correlationId: string) => `jobs list --retried-by ${correlationId}`;

/** The last line names the command that shows how each job did. */
export const showRetried = ({ dryRun, count, failedCount, more, correlationId }: RetriedJobs) => ({
  dryRun,
  count,
  hadFailed: failedCount,
  more,
  correlationId,
  outcomes: dryRun || count === 0 ? null : nameOutcomes(correlationId),
});

/** One page of a list. More of them may take longer than anyone waits. */
const MOST_FOLLOWED = 100;

interface RetriedPage {
  readonly items?: readonly (Pick<ListedJob, 'status' | 'finishedAt'> & { readonly waiting: boolean })[];
}

/** Waits until each job has been tried once more: it has ended, or waits for its next try. */
export const FOLLOW_RETRIES: Follow = {
  field: { name: 'jobs', select: 'items { status finishedAt waiting }' },
  variables: ({ correlationId }: RetriedJobs) => ({ filter: { retriedBy: correlationId }, first: MOST_FOLLOWED }),
  showsBegun: true,
  seconds: 30,
  isKnown: ({ items }: RetriedPage, { dryRun, count }: RetriedJobs) =>
    dryRun ||
    count === 0 ||
    count > MOST_FOLLOWED ||
    items?.every(({ finishedAt, waiting }) => finishedAt !== null || waiting) === true,
  findFault: ({ items = [] }: RetriedPage, { count, correlationId }: RetriedJobs) => {
    const untried = items.filter(({ finishedAt, waiting }) => finishedAt === null && !waiting).length;
    const failed = items.filter(({ status, waiting }) => waiting || status === 'FAILED').length;
    const see = `Run ${nameOutcomes(correlationId)}.`;
    if (untried > 0)
      return `${untried} of ${count} were not tried within 30 seconds. See whether a worker runs. ${see}`;
    return failed > 0 ? `${failed} of ${count} failed again. ${see}` : undefined;
  },
};

import type { JobKind } from '../basics/codes.ts';
import { ruleOf } from '../basics/failures.ts';
import type { Log, LogFields } from '../basics/log.ts';
import type { Attempt } from '../store/attempts/attempts.ts';
import type { DisconnectJob } from '../store/jobs/disconnect-jobs.ts';
import type { ReadJob } from '../store/jobs/read-jobs.ts';
import type { FailedTry } from '../workflows/results.ts';

type Job = ReadJob | DisconnectJob;

const NAMES: Readonly<Record<JobKind, string>> = {
  SCAN: 'A scan',
  METRICS: "A refresh of a post's metrics",
  LOOKUP: 'A lookup of a post',
  REVOKE: 'A revoke',
  ERASE: 'An erase',
  COMPENSATION: 'A revoke of an unused grant',
};

const nameJob = ({ jobId, connectionId, provider, correlationId }: Job): LogFields => ({
  ...{ jobId, provider, correlationId },
  ...(connectionId !== null && { connectionId }),
});

/** Only codes are stored, of bounded length. */
export const readAnswer = ({ answer = null }: FailedTry) =>
  answer !== null && /^[A-Z][A-Z0-9_]{0,39}$/.test(answer) ? answer : null;

/**
 * The one line of a failed try. A last try of a revoke has a line of its own; a failure of normal operation has none.
 * @param nextRetryAt undefined if the job has ended
 */
export function logFailedTry(
  log: Log,
  job: Job,
  failedTry: FailedTry,
  { code, tries }: { readonly code: string; readonly tries: number },
  nextRetryAt?: Date,
): void {
  if (ruleOf(failedTry.type).worker.log === 'NORMAL') return;
  const lastAnswer = readAnswer(failedTry);
  const { call = null } = failedTry;
  log.warn(
    nextRetryAt === undefined
      ? `${NAMES[job.kind]} failed and has ended`
      : `${NAMES[job.kind]} failed and is tried again`,
    {
      ...nameJob(job),
      ...{ code, tries },
      ...(call !== null && { call }),
      ...(lastAnswer !== null && { lastAnswer }),
      ...(nextRetryAt !== undefined && { nextRetryAt: nextRetryAt.toISOString() }),
    },
  );
}

/**
 * The one line of a job that succeeds after failed tries: without it, the log would show no end of an outage.
 */
export function logRecovery(log: Log, job: Job): void {
  const { lastFailure, failedTries: tries, firstFailedAt } = job;
  if (lastFailure === null) return;
  log.info(`${NAMES[job.kind]} succeeded after failed tries`, {
    ...nameJob(job),
    code: lastFailure,
    ...(tries > 0 && { tries }),
    ...(firstFailedAt !== null && { failingSince: firstFailedAt.toISOString() }),
  });
}

/** The same of a connect. @param attempt as it was before the try that succeeded */
export function logConnectRecovery(log: Log, { attemptId, provider, correlationId, lastAnswer }: Attempt): void {
  if (lastAnswer !== null)
    log.info('A connect succeeded after a failed try', { attemptId, provider, correlationId, lastAnswer });
}

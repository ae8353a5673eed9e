import { isOpenJob } from '../basics/codes.ts';
import type { JobErrorCode } from '../basics/failure-codes.ts';
import { JOB_ENDS } from '../basics/failure-codes.ts';
import { type FailureRule, ruleOf } from '../basics/failures.ts';
import type { JobId } from '../basics/ids.ts';
import { endDisconnectJob } from '../domain/disconnecting/end-disconnect-job.ts';
import { endReadJob } from '../domain/reading/end-read-job.ts';
import { LONGEST_PAUSE_SECONDS } from '../providers/provider.ts';
import { findConnection, lockConnectionById } from '../store/connections/connections.ts';
import { getBusinessTime, inTransaction } from '../store/driver/sql.ts';
import { moveGrantToDead } from '../store/grants/grant-end.ts';
import { type DisconnectJob, findDisconnectJob } from '../store/jobs/disconnect-jobs.ts';
import { findReadJob, type ReadJob } from '../store/jobs/read-jobs.ts';
import { recordDisconnectFailure, recordReadFailure } from '../store/jobs/record-failure.ts';
import { moveSyncToEnd } from '../store/jobs/scans.ts';
import type { FailedTry, Verdict } from '../workflows/results.ts';
import type { Deps } from './deps.ts';
import { logFailedTry, readAnswer } from './log-tries.ts';
import { findRevokeEnd } from './revoke-end.ts';
import { keepTokensWithJob } from './revoke-kept.ts';

/** The job's own grant has ended, and nothing else: the connection has lost it too, or a reconnect has replaced it. */
async function hasLiveGrant({ sql }: Deps, { connectionId }: ReadJob): Promise<boolean> {
  const connection = await findConnection(sql, connectionId);
  return connection?.status === 'CONNECTED' && connection.accessFacts.grantLive;
}

const MINUTE = 60;
const READ_PATIENCE_SECONDS = 60 * MINUTE;
const READ_LONGEST_WAIT_SECONDS = 15 * MINUTE;
const REVOKE_LONGEST_WAIT_SECONDS = 60 * MINUTE;
const REPAIR_PAUSE_SECONDS = 60;
const OWN_DELAY_LONGEST_SECONDS = 60;

/** 5 s, doubled with each try, at most `most` seconds. */
const backOff = (tries: number, most: number) => Math.min(most, 5 * 2 ** Math.min(tries - 1, 12));

/** The wait before the next try. `counts`: it follows a failure, not a delay of our own. */
interface Wait {
  readonly code: JobErrorCode;
  readonly tries: number;
  readonly waitSeconds: number;
  readonly counts: boolean;
}
/** The next step of a job after a failed try. */
type Decision = { readonly ends: JobErrorCode } | Wait;

/**
 * @param inARow the failures of this type in a row, with this one.
 * @param plannedSeconds the time until the next try that was planned before this one.
 * @internal
 */
export function decideRead(
  job: Pick<ReadJob, 'tries' | 'ageSeconds' | 'requestedBy'>,
  { type, retryAfterSeconds, early }: FailedTry,
  inARow: number,
  plannedSeconds?: number,
): Decision {
  const { code, ends, wait } = ruleOf(type).job;
  const decision = decideWait(job.tries, wait, code, {
    asked: Math.min(retryAfterSeconds ?? 0, LONGEST_PAUSE_SECONDS),
    longest: READ_LONGEST_WAIT_SECONDS,
    plannedSeconds,
    early,
  });
  if (ends === 'AT_ONCE' || ends === 'WITH_GRANT') return { ends: code };
  if (typeof ends === 'number' && inARow >= ends) return { ends: code };
  if (job.requestedBy === 'SERVICE' || ends === 'NEVER') return decision;
  if (decision.waitSeconds > READ_LONGEST_WAIT_SECONDS) return { ends: 'PROVIDER_RATE_LIMITED' };
  return job.ageSeconds + decision.waitSeconds <= READ_PATIENCE_SECONDS ? decision : { ends: code };
}

/**
 * A revoke waits as long as the provider asks, within limits: an erase waits for the revoke, whose last try is at its deadline. An erase
 * has no deadline, and a revoke that waits for a repair of ours may be past it.
 * @param plannedSeconds as of a read
 * @internal
 */
export function decideDisconnect(
  { tries, secondsLeft }: Pick<DisconnectJob, 'tries' | 'secondsLeft'>,
  { type, retryAfterSeconds, early }: FailedTry,
  plannedSeconds?: number,
): Decision {
  const { code, wait } = ruleOf(type).job;
  if (secondsLeft === 0 && wait === 'BACK_OFF') return { ends: code };
  const decision = decideWait(tries, wait, code, {
    asked: retryAfterSeconds ?? 0,
    longest: REVOKE_LONGEST_WAIT_SECONDS,
    plannedSeconds,
    early,
  });
  const untilDeadline = secondsLeft ? Math.ceil(secondsLeft) : REVOKE_LONGEST_WAIT_SECONDS;
  const most = decision.counts ? Math.min(untilDeadline, REVOKE_LONGEST_WAIT_SECONDS) : OWN_DELAY_LONGEST_SECONDS;
  return { ...decision, waitSeconds: Math.min(decision.waitSeconds, most) };
}

/** An operator's try that fails postpones the planned one only if the platform asks for it, and lengthens no later pause (D-878). */
function decideWait(
  before: number,
  wait: FailureRule['job']['wait'],
  code: JobErrorCode,
  {
    asked,
    longest,
    plannedSeconds = longest,
    early = 0,
  }: { asked: number; longest: number; plannedSeconds?: number | undefined; early?: number | undefined },
): Wait {
  if (wait === 'OWN_DELAY')
    return { code, tries: before, waitSeconds: Math.min(OWN_DELAY_LONGEST_SECONDS, Math.max(1, asked)), counts: false };
  const tries = before + 1;
  const least = wait === 'REPAIR' ? REPAIR_PAUSE_SECONDS : 0;
  const waitSeconds = Math.max(asked, least, Math.min(backOff(Math.max(1, tries - early), longest), plannedSeconds));
  return { code, tries, waitSeconds, counts: true };
}

/** Records failed tries and decides whether to retry. */
export const createFailureActivities = (deps: Deps) => ({
  /**
   * A caller's read gives up after an hour, or at once when the wait would exceed 15 minutes. A read of our own waits, up
   * to 24 h at a time.
   */
  async recordReadFailure({ jobId, failedTry: reported }: { jobId: JobId; failedTry: FailedTry }): Promise<Verdict> {
    const job = await findReadJob(deps.sql, jobId);
    if (!isOpenJob(job?.status)) {
      return { ended: true, code: job?.errorCode ?? findFinalCode(reported.type) ?? 'INTERNAL' };
    }
    const isOutdated = ruleOf(reported.type).job.ends === 'WITH_GRANT' && (await hasLiveGrant(deps, job));
    const failedTry: FailedTry = isOutdated ? { ...reported, type: 'RetryLater' } : reported;
    const inARow = failedTry.type === job.failureType ? job.failuresInARow + 1 : 1;
    const decision = decideRead(job, failedTry, inARow, await findPlanned(deps, failedTry));
    if ('ends' in decision) {
      await endInRows(deps, job, decision.ends);
      logFailedTry(deps.log, job, failedTry, { code: decision.ends, tries: job.tries + 1 });
      return { ended: true, code: decision.ends };
    }
    if (!decision.counts) return await planNextTry(deps, decision);
    const { code, waitSeconds } = decision;
    const { type } = failedTry;
    const retry = await recordReadFailure(deps.sql, jobId, {
      type,
      inARow,
      code,
      answer: readAnswer(failedTry),
      waitSeconds,
    });
    // The job has ended in the meantime.
    if (retry === undefined) return { ended: true, code: (await findReadJob(deps.sql, jobId))?.errorCode ?? code };
    logFailedTry(deps.log, job, failedTry, decision, retry.nextRetryAt);
    return toVerdict(decision, retry);
  },

  /**
   * A revoke is retried for 72 hours, 5 s to 1 h apart. Then it has failed, and we ask the person to remove the app. A
   * refusal of our own database never fails a revoke: it waits for a repair, as an erase does.
   */
  async recordDisconnectFailure({ jobId, failedTry }: { jobId: JobId; failedTry: FailedTry }): Promise<Verdict> {
    const job = await findDisconnectJob(deps.sql, jobId);
    if (!isOpenJob(job?.status)) return { ended: true, code: job?.errorCode ?? 'INTERNAL', revoke: findRevokeEnd(job) };
    const decision = decideDisconnect(job, failedTry, await findPlanned(deps, failedTry));
    const answer = readAnswer(failedTry);
    if ('ends' in decision) return await failRevoke(deps, job, { code: decision.ends, answer }, job.tries + 1);
    if (!decision.counts) return await planNextTry(deps, decision);
    const { code, waitSeconds } = decision;
    const retry = await recordDisconnectFailure(deps.sql, jobId, { code, answer, waitSeconds });
    logFailedTry(deps.log, job, failedTry, decision, retry.nextRetryAt);
    return toVerdict(decision, retry);
  },
});

/** The seconds until the try that was planned before this one. Undefined without one, or if its time has come. */
async function findPlanned({ sql }: Deps, { plannedAt }: FailedTry): Promise<number | undefined> {
  if (plannedAt === undefined) return undefined;
  const seconds = Math.ceil((Date.parse(plannedAt) - (await getBusinessTime(sql)).getTime()) / 1_000);
  return seconds > 0 ? seconds : undefined;
}

/** The code of a failure after which no retry can succeed. */
const findFinalCode = (type: string): JobErrorCode | undefined => {
  const { code, ends } = ruleOf(type).job;
  return ends === 'AT_ONCE' || ends === 'WITH_GRANT' ? code : undefined;
};

/**
 * Ends a revoke whose time is up. From then on its job holds the only copy of the tokens, until its receipt expires. After an
 * erasure of the subject there is no copy.
 */
async function failRevoke(
  deps: Deps,
  job: DisconnectJob,
  { code, answer }: { code: JobErrorCode; answer: string | null },
  tries: number,
): Promise<Verdict> {
  const { jobId, grantId, provider } = job;
  if (job.erasureId === null) await keepTokensWithJob(deps, job);
  const ended = await inTransaction(deps.sql, async (tx) => {
    if (grantId !== null) await moveGrantToDead(tx, grantId);
    await recordDisconnectFailure(tx, jobId, { code, answer, waitSeconds: 0 });
    const creatorAction = 'REMOVE_APP_AT_PROVIDER';
    return await endDisconnectJob(tx, jobId, { status: 'FAILED', creatorAction, errorCode: code });
  });
  deps.log.error('A revoke has failed for good: the grant may still exist', { jobId, provider, code, tries });
  return { ended: true, code, revoke: findRevokeEnd(ended) };
}

const toVerdict = (
  { code, tries, waitSeconds }: Wait,
  { nextRetryAt, firstFailedAt }: { nextRetryAt: Date; firstFailedAt: Date },
): Verdict => ({
  ended: false,
  ...{ code, tries, waitSeconds },
  nextRetryAt: nextRetryAt.toISOString(),
  failingSince: firstFailedAt.toISOString(),
});

/** The wait before a try that no failure precedes. */
async function planNextTry(deps: Deps, { code, tries, waitSeconds }: Wait): Promise<Verdict> {
  const nextRetryAt = new Date((await getBusinessTime(deps.sql)).getTime() + waitSeconds * 1000).toISOString();
  return { ended: false, code, tries, waitSeconds, nextRetryAt, failingSince: null };
}

/** Ends the job. Posts that a scan stored before the failure still count, and a caller can continue the scan. */
async function endInRows(deps: Deps, job: ReadJob, code: JobErrorCode): Promise<void> {
  const { isPartial } = JOB_ENDS[code];
  const left = job.reachedEnd ? isPartial !== 'NEVER' : job.itemCount > 0 && isPartial === 'ALWAYS';
  const partly = job.kind === 'SCAN' && left;
  await inTransaction(deps.sql, async (tx) => {
    await lockConnectionById(tx, job.connectionId);
    const ended = partly
      ? await endReadJob(tx, job.jobId, { status: 'SUCCEEDED', incompleteReason: 'PROVIDER_UNAVAILABLE' })
      : await endReadJob(tx, job.jobId, { status: 'FAILED', errorCode: code });
    if (ended && job.kind === 'SCAN') await moveSyncToEnd(tx, job, partly ? 'PARTIAL' : 'FAILED');
  });
}

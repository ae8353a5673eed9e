import type { JobErrorCode, ProviderErrorType } from '../basics/codes.ts';
import type { JobId } from '../basics/ids.ts';
import { endDisconnectJob } from '../domain/disconnecting/end-disconnect-job.ts';
import { endReadJob } from '../domain/reading/end-read-job.ts';
import { LONGEST_PAUSE_SECONDS } from '../providers/provider.ts';
import { findConnection, lockConnectionById } from '../store/connections/connections.ts';
import { getBusinessTime, inTransaction } from '../store/driver/sql.ts';
import { moveGrantToDead } from '../store/grants/grant-end.ts';
import { type DisconnectJob, findDisconnectJob } from '../store/jobs/disconnect-jobs.ts';
import { findReadJob, type ReadJob } from '../store/jobs/read-jobs.ts';
import { moveSyncToEnd } from '../store/jobs/scans.ts';
import { recordDisconnectSetback, recordReadSetback } from '../store/jobs/setbacks.ts';
import { WAITING_CODES } from '../workflows/contract.ts';
import type { Setback, Verdict } from '../workflows/results.ts';
import type { Deps } from './deps.ts';
import { findRevokeEnd } from './revoke-end.ts';
import { keepTokensWithJob } from './revoke-kept.ts';

/** Refusals of our own database. Only a repair helps, so tries are at least a minute apart. */
const OURS = ['DataRefused', 'SchemaMismatch'];
const REPAIR_PAUSE_SECONDS = 60;

/** Every failure of a provider waits, or ends the job; `callWithFreshToken` makes another failure of a stale token. */
type FinalType = Exclude<ProviderErrorType, keyof typeof WAITING_CODES | 'TokenStale'>;

/** Failures after which no retry can succeed. */
const FINAL_CODES: Readonly<Record<FinalType | 'NotAllowed' | 'NotWanted', JobErrorCode>> = {
  GrantDead: 'RECONNECT_REQUIRED',
  PermissionMissing: 'CAPABILITY_UNAVAILABLE',
  AccountUnusable: 'ACCOUNT_UNUSABLE',
  AccountMismatch: 'ACCOUNT_MISMATCH',
  NotAllowed: 'CAPABILITY_UNAVAILABLE',
  NotFound: 'CONTENT_NOT_FOUND',
  UnsupportedUrl: 'UNSUPPORTED_URL',
  NotWanted: 'CONNECTION_DISCONNECTED',
};

/**
 * They end a job for the grant that its try has used, and nothing else: the connection has lost it in the same moment, or a reconnect
 * has replaced it.
 */
const OF_A_GRANT = ['GrantDead', 'NotWanted'];
async function hasLiveGrant({ sql }: Deps, { connectionId }: ReadJob): Promise<boolean> {
  const connection = await findConnection(sql, connectionId);
  return connection?.status === 'CONNECTED' && connection.standing.grantLive;
}

const findCode = (codes: Readonly<Record<string, JobErrorCode>>, type: string): JobErrorCode | undefined => codes[type];
const findFinalCode = (type: string) => findCode(FINAL_CODES, type);
const findWaitingCode = (type: string) => findCode(WAITING_CODES, type);

const MINUTE = 60;
const READ_PATIENCE_SECONDS = 60 * MINUTE;
const READ_LONGEST_WAIT_SECONDS = 15 * MINUTE;
/** An unknown shape may be a temporary fault. After this many in a row the provider's contract has changed. */
const CONTRACT_TRIES = 3;
const UNEXPECTED_TRIES = 5;
const REVOKE_LONGEST_WAIT_SECONDS = 60 * MINUTE;

/** 5 s, doubled with each try, at most `most` seconds. */
const backOff = (tries: number, most: number) => Math.min(most, 5 * 2 ** Math.min(tries - 1, 12));

/**
 * Waits for our own rate limit, or for a database that was away and has just recorded this. The provider has not failed: they count
 * as no try and lengthen no back-off.
 */
const OWN_DELAYS = ['OwnRateLimit', 'DatabaseAway'];
const RATE_LIMIT_LONGEST_WAIT_SECONDS = 60;
const getOwnDelay = ({ retryAfterSeconds }: Setback) =>
  Math.min(RATE_LIMIT_LONGEST_WAIT_SECONDS, Math.max(1, retryAfterSeconds ?? 0));

/** Only codes are stored, of bounded length. */
const readAnswer = ({ answer = null }: Setback) =>
  answer !== null && /^[A-Z][A-Z0-9_]{0,39}$/.test(answer) ? answer : null;

const leastPause = ({ type }: Setback) => (OURS.includes(type) ? REPAIR_PAUSE_SECONDS : 0);

/** Records failed tries and decides whether to retry. */
export const createSetbackActivities = (deps: Deps) => ({
  /**
   * A caller's read gives up after an hour, or at once when the wait would exceed 15 minutes. A read of our own waits, up
   * to 24 h at a time.
   */
  async recordReadSetback({ jobId, setback: reported }: { jobId: JobId; setback: Setback }): Promise<Verdict> {
    const job = await findReadJob(deps.sql, jobId);
    if (job?.status !== 'RUNNING' && job?.status !== 'QUEUED') {
      return { ended: true, code: job?.errorCode ?? findFinalCode(reported.type) ?? 'INTERNAL' };
    }
    const isOutdated = OF_A_GRANT.includes(reported.type) && (await hasLiveGrant(deps, job));
    const setback = isOutdated ? { ...reported, type: 'RetryLater' } : reported;
    const isPaced = OWN_DELAYS.includes(setback.type);
    const tries = isPaced ? job.tries : job.tries + 1;
    const wait = isPaced
      ? getOwnDelay(setback)
      : Math.max(
          Math.min(setback.retryAfterSeconds ?? 0, LONGEST_PAUSE_SECONDS),
          leastPause(setback),
          backOff(tries, READ_LONGEST_WAIT_SECONDS),
        );
    const inARow = setback.type === job.failureType ? job.failuresInARow + 1 : 1;
    const end = readEnd(job, setback, inARow, wait);
    if (end !== null) {
      await endInRows(deps, job, end);
      return { ended: true, code: end };
    }
    const code = findWaitingCode(setback.type) ?? 'INTERNAL';
    if (isPaced) return await planNextTry(deps, { code, tries, waitSeconds: wait });
    const books = await recordReadSetback(deps.sql, jobId, {
      type: setback.type,
      inARow,
      code,
      answer: readAnswer(setback),
      waitSeconds: wait,
    });
    // The job has ended in the meantime.
    if (books === undefined) return { ended: true, code: (await findReadJob(deps.sql, jobId))?.errorCode ?? code };
    return { ended: false, code, tries, waitSeconds: wait, ...toInstants(books) };
  },

  /**
   * A revoke is retried for 72 hours, 5 s to 1 h apart. Then it has failed, and we ask the person to remove the app. A
   * refusal of our own database never fails a revoke: it waits for a repair, as an erase does.
   */
  async recordDisconnectSetback({ jobId, setback }: { jobId: JobId; setback: Setback }): Promise<Verdict> {
    const job = await findDisconnectJob(deps.sql, jobId);
    if (!job || (job.status !== 'RUNNING' && job.status !== 'QUEUED'))
      return { ended: true, code: job?.errorCode ?? 'INTERNAL', revoke: findRevokeEnd(job) };
    const code = findWaitingCode(setback.type) ?? findFinalCode(setback.type) ?? 'INTERNAL';
    if (OWN_DELAYS.includes(setback.type))
      return await planNextTry(deps, { code, tries: job.tries, waitSeconds: getOwnDelay(setback) });
    const tries = job.tries + 1;
    if (job.secondsLeft === 0 && !OURS.includes(setback.type))
      return await failRevoke(deps, job, { code, answer: readAnswer(setback) }, tries);
    const waitSeconds = getDisconnectWait(job, setback, tries);
    const books = await recordDisconnectSetback(deps.sql, jobId, { code, answer: readAnswer(setback), waitSeconds });
    return { ended: false, code, tries, waitSeconds, ...toInstants(books) };
  },
});

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
    await recordDisconnectSetback(tx, jobId, { code, answer, waitSeconds: 0 });
    const creatorAction = 'REMOVE_APP_AT_PROVIDER';
    return await endDisconnectJob(tx, jobId, { status: 'FAILED', creatorAction, errorCode: code });
  });
  deps.log.error('A revoke has failed for good: the grant may still exist', { jobId, provider, code, tries });
  return { ended: true, code, revoke: findRevokeEnd(ended) };
}

/**
 * As long as the provider asks, within limits: an erase waits for the revoke, whose last try is at its deadline. An erase has no
 * deadline, and a revoke that waits for a repair of ours may be past it.
 */
function getDisconnectWait({ secondsLeft }: DisconnectJob, setback: Setback, tries: number): number {
  const asked = Math.max(
    setback.retryAfterSeconds ?? 0,
    leastPause(setback),
    backOff(tries, REVOKE_LONGEST_WAIT_SECONDS),
  );
  const untilDeadline = secondsLeft ? Math.ceil(secondsLeft) : REVOKE_LONGEST_WAIT_SECONDS;
  return Math.min(asked, untilDeadline, REVOKE_LONGEST_WAIT_SECONDS);
}

const toInstants = ({ nextRetryAt, firstFailedAt }: { nextRetryAt: Date; firstFailedAt: Date }) => ({
  nextTryAt: nextRetryAt.toISOString(),
  failingSince: firstFailedAt.toISOString(),
});

/** The wait before a try that no failure precedes. */
async function planNextTry(
  deps: Deps,
  plan: { code: JobErrorCode; tries: number; waitSeconds: number },
): Promise<Verdict> {
  const nextTryAt = new Date((await getBusinessTime(deps.sql)).getTime() + plan.waitSeconds * 1000).toISOString();
  return { ended: false, ...plan, nextTryAt, failingSince: null };
}

/** The code that a read ends with now, or null while a retry is useful. */
function readEnd(job: ReadJob, { type }: Setback, inARow: number, waitSeconds: number): JobErrorCode | null {
  const final = findFinalCode(type);
  if (final !== undefined) return final;
  if (type === 'DataRefused') return 'INTERNAL';
  if (type === 'ContractBroken' && inARow >= CONTRACT_TRIES) return 'PROVIDER_CONTRACT';
  if (type === 'Unexpected' && inARow >= UNEXPECTED_TRIES) return 'INTERNAL';
  // A try that our own database has stopped says nothing about the provider: the next one says how the read ends.
  if (job.requestedBy === 'SERVICE' || type === 'DatabaseAway') return null;
  if (waitSeconds > READ_LONGEST_WAIT_SECONDS) return 'PROVIDER_RATE_LIMITED';
  if (job.ageSeconds + waitSeconds <= READ_PATIENCE_SECONDS) return null;
  return findWaitingCode(type) ?? 'INTERNAL';
}

/** Error codes after which a caller can continue the scan. */
const PARTLY: readonly JobErrorCode[] = ['PROVIDER_UNAVAILABLE', 'PROVIDER_RATE_LIMITED', 'PROVIDER_CONTRACT'];
/** The same for a scan that has read its window but could not recheck the posts that no page showed. */
const PARTLY_AT_END: readonly JobErrorCode[] = [...PARTLY, 'CONTENT_NOT_FOUND', 'INTERNAL'];

/** Ends the job. Posts that a scan stored before the failure still count, and a caller can continue the scan. */
async function endInRows(deps: Deps, job: ReadJob, code: JobErrorCode): Promise<void> {
  const left = job.reachedEnd ? PARTLY_AT_END.includes(code) : job.itemCount > 0 && PARTLY.includes(code);
  const partly = job.kind === 'SCAN' && left;
  await inTransaction(deps.sql, async (tx) => {
    await lockConnectionById(tx, job.connectionId);
    const ended = partly
      ? await endReadJob(tx, job.jobId, { status: 'SUCCEEDED', incompleteReason: 'PROVIDER_UNAVAILABLE' })
      : await endReadJob(tx, job.jobId, { status: 'FAILED', errorCode: code });
    if (ended && job.kind === 'SCAN') await moveSyncToEnd(tx, job, partly ? 'PARTIAL' : 'FAILED');
  });
}

import { endDisconnectJob } from '../domain/disconnecting/end-disconnect-job.ts';
import { endReadJob } from '../domain/reading/end-read-job.ts';
import type { JobId } from '../ids.ts';
import { LONGEST_PAUSE_SECONDS } from '../providers/provider.ts';
import { lockConnectionById } from '../store/connections.ts';
import { findDisconnectJob } from '../store/disconnect-jobs.ts';
import { moveGrantToDead } from '../store/grants.ts';
import { findReadJob, type JobErrorCode, type ReadJob } from '../store/read-jobs.ts';
import { moveSyncToEnd } from '../store/scans.ts';
import { recordDisconnectSetback, recordReadSetback } from '../store/setbacks.ts';
import { inTransaction } from '../store/sql.ts';
import type { Deps } from './deps.ts';
import { findRevokeEnd, type RevokeEnd } from './revoke-end.ts';
import { keepTokensWithJob } from './revoke-kept.ts';

/** A failed try, as the workflow saw it: a failure type, and how long the provider asked us to wait. */
export interface Setback {
  readonly type: string;
  readonly retryAfterSeconds: number | null;
}

/** The end of what was tried; of a revoke also how it has ended. */
export interface Ended {
  readonly ended: true;
  readonly code: string;
  readonly revoke?: RevokeEnd | undefined;
}

/** What follows from a setback: another try after a wait, or the end. Times are ISO 8601. */
export type Verdict =
  | Ended
  | {
      readonly ended: false;
      readonly code: string;
      readonly tries: number;
      readonly waitSeconds: number;
      readonly nextTryAt: string;
      /** Not in the histories of an earlier version. */
      readonly failingSince?: string;
    };

/** Why a wait is on, for rows, admin and the Temporal UI alike. */
const WAITING: Readonly<Record<string, JobErrorCode>> = {
  RetryLater: 'PROVIDER_UNAVAILABLE',
  QuotaSpent: 'PROVIDER_RATE_LIMITED',
  Paused: 'AUTHORIZATION_SUSPENDED',
  ContractBroken: 'PROVIDER_CONTRACT',
  ClientRejected: 'PROVIDER_UNAVAILABLE',
  Unexpected: 'INTERNAL',
  SchemaMismatch: 'INTERNAL',
  DataRefused: 'INTERNAL',
};

/** What our own database refuses. Only a repair helps, so tries are a minute apart at least. */
const OURS = ['DataRefused', 'SchemaMismatch'];
const REPAIR_PAUSE_SECONDS = 60;

/** Failures no wait can mend. */
const FINAL: Readonly<Record<string, JobErrorCode>> = {
  GrantDead: 'RECONNECT_REQUIRED',
  PermissionMissing: 'CAPABILITY_UNAVAILABLE',
  AccountUnusable: 'CAPABILITY_UNAVAILABLE',
  NotAllowed: 'CAPABILITY_UNAVAILABLE',
  NotFound: 'CONTENT_NOT_FOUND',
  UnsupportedUrl: 'UNSUPPORTED_URL',
  NotWanted: 'CONNECTION_DISCONNECTED',
};

const MINUTE = 60;
const READ_PATIENCE_SECONDS = 60 * MINUTE;
const READ_LONGEST_WAIT_SECONDS = 15 * MINUTE;
/** An unknown shape may be a passing fault; after this many it is a contract we do not know. */
const CONTRACT_TRIES = 3;
const UNEXPECTED_TRIES = 5;
const REVOKE_LONGEST_WAIT_SECONDS = 60 * MINUTE;

/** 5 s, doubled with each try, at most `most`. */
const backOff = (tries: number, most: number) => Math.min(most, 5 * 2 ** Math.min(tries - 1, 12));

const leastPause = ({ type }: Setback) => (OURS.includes(type) ? REPAIR_PAUSE_SECONDS : 0);

/** Keeping the books of what did not work, and deciding whether it is worth another try. */
export const createSetbackActivities = (deps: Deps) => ({
  /** A caller's read gives up after an hour, or at once when told to wait over 15 minutes; ours wait, 24 h at a time. */
  async recordReadSetback({ jobId, setback }: { jobId: JobId; setback: Setback }): Promise<Verdict> {
    const job = await findReadJob(deps.sql, jobId);
    if (job?.status !== 'RUNNING' && job?.status !== 'QUEUED') {
      return { ended: true, code: job?.errorCode ?? FINAL[setback.type] ?? 'INTERNAL' };
    }
    const tries = job.tries + 1;
    const wait = Math.max(
      Math.min(setback.retryAfterSeconds ?? 0, LONGEST_PAUSE_SECONDS),
      leastPause(setback),
      backOff(tries, READ_LONGEST_WAIT_SECONDS),
    );
    const end = readEnd(job, setback, tries, wait);
    if (end !== null) {
      await endInRows(deps, job, end);
      return { ended: true, code: end };
    }
    const code = WAITING[setback.type] ?? 'INTERNAL';
    const books = await recordReadSetback(deps.sql, jobId, { code, waitSeconds: wait });
    // It has ended meanwhile.
    if (books === undefined) return { ended: true, code: (await findReadJob(deps.sql, jobId))?.errorCode ?? code };
    return { ended: false, code, tries, waitSeconds: wait, ...inHistory(books) };
  },

  /**
   * A revoke is tried for 72 hours, 5 s to 1 h apart; then it has failed, and the person is asked to remove the app. It
   * does not fail for what our own database refuses: that, and an erase, wait for repair.
   */
  async recordDisconnectSetback({ jobId, setback }: { jobId: JobId; setback: Setback }): Promise<Verdict> {
    const job = await findDisconnectJob(deps.sql, jobId);
    if (!job || (job.status !== 'RUNNING' && job.status !== 'QUEUED'))
      return { ended: true, code: job?.errorCode ?? 'INTERNAL', revoke: findRevokeEnd(job) };
    const code = WAITING[setback.type] ?? FINAL[setback.type] ?? 'INTERNAL';
    const tries = job.tries + 1;
    if (job.secondsLeft === 0 && !OURS.includes(setback.type)) {
      if (job.erasureId === null) await keepTokensWithJob(deps, job);
      const ended = await inTransaction(deps.sql, async (tx) => {
        // From here on the job holds the only copy, and takes it along when its receipt ends. For a person who is to be
        // forgotten there is none.
        if (job.grantId !== null) await moveGrantToDead(tx, job.grantId);
        await recordDisconnectSetback(tx, jobId, { code, waitSeconds: 0 });
        return await endDisconnectJob(tx, jobId, {
          status: 'FAILED',
          creatorAction: 'REMOVE_APP_AT_PROVIDER',
          errorCode: code,
        });
      });
      deps.log.error('A revoke has failed for good: the grant may live on', {
        jobId,
        provider: job.provider,
        code,
        tries,
      });
      return { ended: true, code, revoke: findRevokeEnd(ended) };
    }
    const asked = Math.max(
      setback.retryAfterSeconds ?? 0,
      leastPause(setback),
      backOff(tries, REVOKE_LONGEST_WAIT_SECONDS),
    );
    // Whatever a provider asks for: the erase waits for this, and the last try is when the time is over, not after it.
    const left = job.secondsLeft === null || job.secondsLeft === 0 ? asked : Math.ceil(job.secondsLeft);
    const waitSeconds = Math.min(asked, REVOKE_LONGEST_WAIT_SECONDS, left);
    const books = await recordDisconnectSetback(deps.sql, jobId, { code, waitSeconds });
    return { ended: false, code, tries, waitSeconds, ...inHistory(books) };
  },
});

const inHistory = ({ nextRetryAt, firstFailedAt }: { nextRetryAt: Date; firstFailedAt: Date }) => ({
  nextTryAt: nextRetryAt.toISOString(),
  failingSince: firstFailedAt.toISOString(),
});

/** The code a read ends with now, or null while another try is worth it. */
function readEnd(job: ReadJob, { type }: Setback, tries: number, waitSeconds: number): JobErrorCode | null {
  const final = FINAL[type];
  if (final !== undefined) return final;
  if (type === 'DataRefused') return 'INTERNAL';
  if (type === 'ContractBroken' && tries >= CONTRACT_TRIES) return 'PROVIDER_CONTRACT';
  if (type === 'Unexpected' && tries >= UNEXPECTED_TRIES) return 'INTERNAL';
  if (job.requestedBy === 'SERVICE') return null;
  if (waitSeconds > READ_LONGEST_WAIT_SECONDS) return 'PROVIDER_RATE_LIMITED';
  if (job.ageSeconds + waitSeconds <= READ_PATIENCE_SECONDS) return null;
  return WAITING[type] ?? 'INTERNAL';
}

/** Ends that leave a scan something to go on with. */
const PARTLY: readonly JobErrorCode[] = ['PROVIDER_UNAVAILABLE', 'PROVIDER_RATE_LIMITED'];
/** Of one that has read its window and could not ask for what it had not seen. */
const PARTLY_AT_END: readonly JobErrorCode[] = [...PARTLY, 'PROVIDER_CONTRACT', 'CONTENT_NOT_FOUND', 'INTERNAL'];

/** What a scan has stored before the provider went away still counts, and can be continued. */
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

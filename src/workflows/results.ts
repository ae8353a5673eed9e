/** The results of activities on which workflows decide: ids, closed codes and instants only. */

import type { JobErrorCode, ResultCode } from '../basics/failure-codes.ts';

/** How a revoke has ended, for its workflow: closed codes only. */
export type RevokeEnd =
  | { readonly status: 'SUCCEEDED'; readonly creatorAction: 'REMOVE_APP_AT_PROVIDER' | null }
  /** An operator can retry it while its tokens are kept. */
  | { readonly status: 'FAILED'; readonly code: string; readonly tokensKept: boolean };

/** A failed try as the workflow saw it: the failure's type, the wait that the provider requested, and its answer. */
export interface FailedTry {
  readonly type: string;
  readonly retryAfterSeconds: number | null;
  /** See `Failure`. Absent from an older build. */
  readonly answer?: string | null;
  /** See `Failure`. Absent from an older build. */
  readonly call?: string | null;
  /** When the next try was due, ISO 8601, if a signal caused this one before it. */
  readonly plannedAt?: string;
  /** The failed tries of this run that a signal caused before their time, with this one: they lengthen no pause. */
  readonly early?: number;
}

/** The work has ended; for a revoke, with its outcome. */
export interface Ended {
  readonly ended: true;
  readonly code: string;
  readonly revoke?: RevokeEnd | undefined;
}

/** The decision after a failed try: another try after a wait, or the end. Times are ISO 8601. */
export type Verdict =
  | Ended
  | {
      readonly ended: false;
      readonly code: JobErrorCode;
      readonly tries: number;
      readonly waitSeconds: number;
      readonly nextRetryAt: string;
      /** Null while nothing has failed. */
      readonly failingSince: string | null;
    };

/** Whether the job is done, or needs another step. */
export interface Step {
  readonly done: boolean;
  /** Present in the last step of a scan. */
  readonly scan?: ScanEnd | undefined;
}

/** How a scan has ended, for its workflow. Instants are ISO 8601. */
export interface ScanEnd {
  readonly posts: number;
  readonly publishedAfter: string | null;
  readonly publishedBefore: string | null;
  /** Null if the scan has read its whole window. */
  readonly incompleteReason: string | null;
  /** Whether a caller may continue it. */
  readonly continuable: boolean;
}

/** The deliveries that wait at a webhook endpoint. */
export interface WaitingDeliveries {
  /** Counted up to 10. */
  readonly count: number;
  /** The time of the oldest one's event, ISO 8601. */
  readonly since: string;
  /** The most that one of them has had, of the 10 that each gets. */
  readonly tries: number;
  /** `HTTP_` and the status of the last answer, or the code of a try without one; null if none has been tried. */
  readonly lastAnswer: string | null;
}

export interface SettledAttempt {
  /** UNFINISHED: it was to expire, and has time left by the database's clock. */
  readonly status: 'COMPLETED' | 'DENIED' | 'FAILED' | 'EXPIRED' | 'CANCELED' | 'UNFINISHED';
  readonly resultCode: ResultCode | null;
}

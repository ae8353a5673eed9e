/** What activities answer to workflows, as far as workflows decide by it: ids, closed codes and instants only. */

import type { JobErrorCode, ResultCode } from '../basics/codes.ts';

/** How a revoke has ended, for its workflow: closed codes only. */
export type RevokeEnd =
  | { readonly status: 'SUCCEEDED'; readonly creatorAction: 'REMOVE_APP_AT_PROVIDER' | null }
  /** An operator can retry it while its tokens are kept. */
  | { readonly status: 'FAILED'; readonly code: string; readonly tokensKept: boolean };

/** A failed try as the workflow saw it: the failure's type, how long the provider asked us to wait, and what it answered. */
export interface Setback {
  readonly type: string;
  readonly retryAfterSeconds: number | null;
  /** See `Failure`. An older build does not say it. */
  readonly answer?: string | null;
}

/** The work has ended; a revoke also says how. */
export interface Ended {
  readonly ended: true;
  readonly code: string;
  readonly revoke?: RevokeEnd | undefined;
}

/** The decision after a setback: another try after a wait, or the end. Times are ISO 8601. */
export type Verdict =
  | Ended
  | {
      readonly ended: false;
      readonly code: JobErrorCode;
      readonly tries: number;
      readonly waitSeconds: number;
      readonly nextTryAt: string;
      /** Null while nothing has failed. */
      readonly failingSince: string | null;
    };

/** Whether the job is done, or needs another step. */
export interface Step {
  readonly done: boolean;
}

export interface SettledAttempt {
  /** UNFINISHED: it was to expire, and has time left by the database's clock. */
  readonly status: 'COMPLETED' | 'DENIED' | 'FAILED' | 'EXPIRED' | 'CANCELED' | 'UNFINISHED';
  readonly resultCode: ResultCode | null;
}

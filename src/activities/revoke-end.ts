import type { DisconnectJob } from '../store/disconnect-jobs.ts';

/** What one try came to. `spared`: not sent, because others use what it would have ended. `unknowable`: perhaps ended, perhaps not. */
export type RevokeOutcome = 'revoked' | 'alreadyEnded' | 'impossible' | 'spared' | 'unknowable';

/** How a revoke has ended, as its workflow tells it: closed codes only. */
export type RevokeEnd =
  | { readonly status: 'SUCCEEDED'; readonly creatorAction: 'REMOVE_APP_AT_PROVIDER' | null }
  /** With its tokens kept it can be pushed. */
  | { readonly status: 'FAILED'; readonly code: string; readonly tokensKept: boolean };

/** @returns undefined of a job that is gone, or has not ended. */
export function findRevokeEnd(job: DisconnectJob | undefined): RevokeEnd | undefined {
  if (job?.status === 'SUCCEEDED') return { status: job.status, creatorAction: job.creatorAction };
  if (job?.status !== 'FAILED') return undefined;
  return { status: job.status, code: job.errorCode ?? 'INTERNAL', tokensKept: job.keepsTokens };
}

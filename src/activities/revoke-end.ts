import type { DisconnectJob } from '../store/disconnect-jobs.ts';

/** The result of one try. `spared`: not sent, because others use the same grant. `unknowable`: we cannot tell whether it ended. */
export type RevokeOutcome = 'revoked' | 'alreadyEnded' | 'impossible' | 'spared' | 'unknowable';

/** How a revoke has ended, for its workflow: closed codes only. */
export type RevokeEnd =
  | { readonly status: 'SUCCEEDED'; readonly creatorAction: 'REMOVE_APP_AT_PROVIDER' | null }
  /** An operator can retry it while its tokens are kept. */
  | { readonly status: 'FAILED'; readonly code: string; readonly tokensKept: boolean };

/** @returns undefined for a job that is gone or has not ended. */
export function findRevokeEnd(job: DisconnectJob | undefined): RevokeEnd | undefined {
  if (job?.status === 'SUCCEEDED') return { status: job.status, creatorAction: job.creatorAction };
  if (job?.status !== 'FAILED') return undefined;
  return { status: job.status, code: job.errorCode ?? 'INTERNAL', tokensKept: job.keepsTokens };
}

import type { GrantInUseReason } from '../domain/access/denial.ts';
import type { DisconnectJob } from '../store/jobs/disconnect-jobs.ts';
import type { RevokeEnd } from '../workflows/results.ts';

/** The result of one try. A `GrantInUseReason` sent no request. `unknowable`: we cannot know whether it ended. */
export type RevokeOutcome = 'revoked' | 'alreadyEnded' | 'impossible' | 'unknowable' | GrantInUseReason;

/** @returns undefined for a job that is gone or has not ended. */
export function findRevokeEnd(job: DisconnectJob | undefined): RevokeEnd | undefined {
  if (job?.status === 'SUCCEEDED') return { status: job.status, creatorAction: job.creatorAction };
  if (job?.status !== 'FAILED') return undefined;
  return { status: job.status, code: job.errorCode ?? 'INTERNAL', tokensKept: job.keepsTokens };
}

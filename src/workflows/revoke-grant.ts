import * as wf from '@temporalio/workflow';
import type { ProviderName } from '../basics/codes.ts';
import type { JobId } from '../basics/ids.ts';
import { callSoon, localStep, Priority, proxyGrants } from './calls.ts';
import type { InputOf } from './contract.ts';
import { showEnd } from './progress.ts';
import type { RevokeEnd } from './results.ts';
import { retryUntilSettled } from './retry-until-settled.ts';

export const recordDisconnectFailure = localStep('recordDisconnectFailure', { summary: 'record the failed try' });

/** Revokes the grant of an attempt that made no connection, or retries a failed revoke. */
export async function revokeGrant(input: InputOf<'revokeGrant'>): Promise<void> {
  const { jobId, provider } = input;
  const continueAsNew = () => wf.continueAsNew<typeof revokeGrant>(input);
  const end = await wf.CancellationScope.nonCancellable(() => settleRevoke(jobId, provider, continueAsNew));
  markRevokeFailed(end);
  showEnd(describeRevokeEnd(jobId, end), findFailure(end));
}

/** Retries a revoke until its job is SUCCEEDED or FAILED. @returns undefined if an earlier run's result is unknown. */
export async function settleRevoke(
  jobId: JobId,
  provider: ProviderName,
  continueAsNew: () => Promise<never>,
): Promise<RevokeEnd | undefined> {
  const queued = proxyGrants(provider, 'revoke', Priority.revoke);
  const settled = await retryUntilSettled(
    'REVOKE',
    () => callSoon(provider, 'tryRevoke', { jobId }, queued, 'revoke'),
    (failedTry) => recordDisconnectFailure({ jobId, failedTry }),
    continueAsNew,
  );
  return 'ended' in settled ? settled.ended.revoke : settled.result;
}

/**
 * Makes a run with a failed revoke searchable. The run itself completes like any other, since nothing of ours failed. It
 * overwrites `JobKind`, which is no longer needed at the end of the run.
 */
export function markRevokeFailed(end: RevokeEnd | undefined): void {
  if (end?.status !== 'FAILED') return;
  wf.upsertSearchAttributes([{ key: { name: 'JobKind', type: 'KEYWORD' }, value: 'REVOKE_FAILED' }]);
}

export const findFailure = (end: RevokeEnd | undefined): string | null => (end?.status === 'FAILED' ? end.code : null);

/** Describes a revoke's end for the Temporal UI. */
export function describeRevokeEnd(jobId: JobId, end: RevokeEnd | undefined): string {
  if (end === undefined) return 'The revoke has settled; its job has the result.';
  if (end.status === 'SUCCEEDED') {
    return end.creatorAction === null
      ? 'The revoke has SUCCEEDED.'
      : 'The revoke has SUCCEEDED; we ask the person to remove the app at the platform.';
  }
  const next = end.tokensKept
    ? `While we keep its tokens, an operator can retry job ${jobId} in the console or the admin API`
    : 'We keep no tokens to retry it with: we ask the person to remove the app';
  return `The revoke has FAILED (${end.code}): the grant may still exist. ${next}.`;
}

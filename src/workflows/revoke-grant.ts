import * as wf from '@temporalio/workflow';
import type { RevokeEnd } from '../activities/revoke-end.ts';
import type { JobId } from '../ids.ts';
import type { ProviderName } from '../providers/provider.ts';
import { Priority, proxyProvider, store } from './calls.ts';
import type { RevokeGrantInput } from './contract.ts';
import { retryUntilSettled } from './retry-until-settled.ts';

/** Gives a grant back that came to nothing, or tries a failed revoke again. */
export async function revokeGrant(input: RevokeGrantInput): Promise<void> {
  const { jobId, provider } = input;
  const inNewRun = () => wf.continueAsNew<typeof revokeGrant>(input);
  const end = await wf.CancellationScope.nonCancellable(() => settleRevoke(jobId, provider, inNewRun));
  markRevokeFailed(end);
  wf.setCurrentDetails(describeRevokeEnd(jobId, end));
}

/** Tries a revoke until its job says SUCCEEDED or FAILED. @returns undefined where a run of before did not tell. */
export async function settleRevoke(
  jobId: JobId,
  provider: ProviderName,
  inNewRun: () => Promise<never>,
): Promise<RevokeEnd | undefined> {
  const { tryRevoke } = proxyProvider(provider, 'revoke', Priority.release);
  const settled = await retryUntilSettled(
    'revoke',
    () => tryRevoke({ jobId }),
    (setback) => store.recordDisconnectSetback({ jobId, setback }),
    inNewRun,
  );
  return 'ended' in settled ? settled.ended.revoke : settled.result;
}

/**
 * A run whose revoke has failed closes like any other: nothing of ours is broken. This is how it is found, by the
 * attribute that said what it does, of which nothing is left to do.
 */
export function markRevokeFailed(end: RevokeEnd | undefined): void {
  if (end?.status !== 'FAILED') return;
  wf.upsertSearchAttributes([{ key: { name: 'JobKind', type: 'KEYWORD' }, value: 'REVOKE_FAILED' }]);
}

/** What the Temporal UI says of a revoke that is over. */
export function describeRevokeEnd(jobId: JobId, end: RevokeEnd | undefined): string {
  if (end === undefined) return 'The revoke has settled; its job says how.';
  if (end.status === 'SUCCEEDED') {
    return end.creatorAction === null
      ? 'The revoke has SUCCEEDED.'
      : 'The revoke has SUCCEEDED; the person is asked to remove the app at the platform.';
  }
  const next = end.tokensKept
    ? `While its tokens are kept, push job ${jobId} from the console or the admin API`
    : 'Nothing is left to push it with: the person is asked to remove the app';
  return `The revoke has FAILED (${end.code}): the grant may live on. ${next}.`;
}

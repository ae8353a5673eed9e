import * as wf from '@temporalio/workflow';
import type { JobId } from '../ids.ts';
import type { ProviderName } from '../providers/provider.ts';
import { atProvider, Priority, store } from './calls.ts';
import type { RevokeGrantInput } from './contract.ts';
import { persist } from './persist.ts';

/** Gives a grant back that came to nothing, or tries a failed revoke again. */
export async function revokeGrant({ jobId, provider }: RevokeGrantInput): Promise<void> {
  await wf.CancellationScope.nonCancellable(() => settleRevoke(jobId, provider));
  wf.setCurrentDetails('Settled; the job has its result.');
}

/** Tries a revoke until its job says SUCCEEDED or FAILED. */
export async function settleRevoke(jobId: JobId, provider: ProviderName): Promise<void> {
  const { revoke } = atProvider(provider, 'revoke', Priority.release);
  await persist(
    'revoke',
    () => revoke({ jobId }),
    (setback) => store.noteReleaseSetback({ jobId, setback }),
  );
}

import { localStep } from '../../src/workflows/calls.ts';
import type { InputOf } from '../../src/workflows/contract.ts';
import { retryUntilSettled } from '../../src/workflows/retry-until-settled.ts';

const recordReadFailure = localStep('recordReadFailure', { summary: 'record the failed try' });

/** A build whose code throws where it calls the platform. */
const defect = async (): Promise<never> => {
  throw new TypeError('A defect of this build.');
};

export async function contentLookup({ jobId }: InputOf<'contentLookup'>): Promise<void> {
  await retryUntilSettled('LOOKUP', defect, (failedTry) => recordReadFailure({ jobId, failedTry }), defect);
}

export const scan = contentLookup;

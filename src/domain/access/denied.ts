import type { ErrorCode } from '../../basics/errors.ts';
import type { FailureType } from '../../basics/failures.ts';

/** A denial: the error that a caller receives, and the failure of work in progress. */
export interface Denied<Code extends ErrorCode = ErrorCode, Failure extends FailureType = FailureType> {
  readonly code: Code;
  readonly message: string;
  readonly failure: Failure;
}

import type { ErrorCode } from '../../basics/errors.ts';
import type { FailureType } from '../../basics/failures.ts';

/** Why something may not happen now: the error that a caller receives, and the failure of work that was under way. */
export interface Denied<Code extends ErrorCode = ErrorCode, Failure extends FailureType = FailureType> {
  readonly code: Code;
  readonly message: string;
  readonly failure: Failure;
}

import type { ErrorCode } from '../../basics/codes.ts';
import { ServiceError } from '../../basics/errors.ts';
import type { ResultCode } from '../../basics/failure-codes.ts';
import type { FailureType } from '../../basics/failures.ts';

/**
 * Why a revoke is not sent, and the tokens are only discarded. `IN_USE`: the same person has another grant in use. `UNPROVEN`: the
 * platform has not named the person, so another grant may be in use.
 */
export type GrantInUseReason = 'IN_USE' | 'UNPROVEN';

type DenialReason = FailureType | ResultCode | GrantInUseReason;

/**
 * Why a rule denies something. A rule `may…` returns its denial, or else its permit, its result or undefined. A rule `require…` throws
 * the denial as a `ServiceError`.
 */
export interface Denial<Reason extends DenialReason = DenialReason> {
  /** The failure that ends work in progress, the result code of an attempt, or why a revoke is not sent. */
  readonly reason: Reason;
}

/** The denial of a request, with the error that the caller receives. */
export interface CallerDenial<Reason extends DenialReason = DenialReason, Code extends ErrorCode = ErrorCode>
  extends Denial<Reason> {
  readonly code: Code;
  readonly message: string;
}

export const isDenial = (answer: object | undefined): answer is Denial => answer !== undefined && 'reason' in answer;

export const toServiceError = ({ code, message }: CallerDenial): ServiceError => new ServiceError(code, message);

export const isGrantInUse = (reason: string): reason is GrantInUseReason =>
  reason === 'IN_USE' || reason === 'UNPROVEN';

import type { JobErrorCode, ResultCode } from '../../basics/codes.ts';

/** A code of a closed set and its meaning. */
export interface Failure {
  readonly code: string;
  readonly message: string;
}

/** Explains each code of a failed try or job to the person on call. */
const FAILURES: Readonly<Record<JobErrorCode, string>> = {
  PROVIDER_UNAVAILABLE: 'The provider did not answer, or answered with an error of its own.',
  PROVIDER_RATE_LIMITED: 'The provider limits our calls, or its quota is used up.',
  RECONNECT_REQUIRED: 'The grant has ended at the provider. Only the person can connect again.',
  CAPABILITY_UNAVAILABLE: 'The grant, the policy or the provider does not cover this.',
  ACCOUNT_UNUSABLE:
    'The account can no longer be served: its channel is gone, or it is no professional account any more. Its owner must change that at the provider.',
  ACCOUNT_MISMATCH: "The provider answered about another account than the connection's. Nothing of it is stored.",
  AUTHORIZATION_SUSPENDED: 'The registration is paused, or the connection is suspended.',
  CONTENT_NOT_FOUND: 'The provider does not return this post for this account.',
  UNSUPPORTED_URL: 'The URL does not belong to a post at this provider.',
  CONNECTION_DISCONNECTED: 'The connection was disconnected in the meantime.',
  PROVIDER_CONTRACT: 'The provider sent an unknown answer. Its API may have changed.',
  INTERNAL: 'The service failed. Search the log for the correlation id.',
};

/** The next step of a job that has not ended. */
const NEXT_STEPS: Readonly<Partial<Record<JobErrorCode, string>>> = {
  PROVIDER_UNAVAILABLE: 'The job retries.',
  PROVIDER_RATE_LIMITED: 'The job retries when the provider allows it.',
  AUTHORIZATION_SUSPENDED: 'The job continues when that ends.',
};

/** Values of `resultCode`, for a person on call. */
const RESULTS: Readonly<Record<ResultCode, string>> = {
  ACCESS_DENIED: 'The person or the provider denied access.',
  MISSING_PERMISSION: 'No requested capability was granted.',
  ACCOUNT_UNUSABLE:
    'The account has nothing to connect, such as a Google account without a channel or a personal Instagram account.',
  PARTIAL_PERMISSION: 'Connected with fewer capabilities than requested.',
  ACCOUNT_MISMATCH: 'The person chose another account than the one to reconnect.',
  ACCOUNT_DISCONNECTING: 'An account of the same person is being disconnected.',
  EXCHANGE_FAILED: 'The code could not be exchanged for tokens, or the answer was lost.',
  CLIENT_REFUSED:
    'The provider refuses our client, its request or its settings, or refuses it for this account. Test the registration, and compare its checklist.',
  PROVIDER_UNAVAILABLE: 'The provider could not be reached in time, or reported a failure of its own.',
  INTERNAL: 'The service failed or was interrupted. Search the log for the correlation id.',
  REGISTRATION_PAUSED: 'The registration was paused in the meantime.',
  POLICY_CHANGED: 'The app, its tenant or its policy no longer allows it.',
  EXPIRED: 'The attempt did not finish within 10 minutes.',
  CANCELED: 'The attempt was canceled.',
};

/** A row may have a code of a newer version. */
const find = (texts: Readonly<Record<string, string>>, code: string): string | undefined => texts[code];

/** @param open true if the job has not ended. Then the message also names the next step. */
export function describeFailure(code: string | null, { open }: { open: boolean }): Failure | null {
  if (code === null) return null;
  const cause = find(FAILURES, code) ?? 'An unknown failure.';
  const next = open ? find(NEXT_STEPS, code) : undefined;
  return { code, message: next === undefined ? cause : `${cause} ${next}` };
}

export const describeResult = (code: string | null): string | null =>
  code === null ? null : (find(RESULTS, code) ?? null);

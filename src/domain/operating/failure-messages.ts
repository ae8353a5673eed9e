/** A closed code, and what it means. */
export interface Failure {
  readonly code: string;
  readonly message: string;
}

/** Every code by which a try or a job fails, for a person on call: what it means, and what helps. */
const FAILURES: Readonly<Record<string, string>> = {
  PROVIDER_UNAVAILABLE: 'The provider did not answer, or answered with an error of its own.',
  PROVIDER_RATE_LIMITED: 'The provider wants fewer calls, or its quota is used up.',
  RECONNECT_REQUIRED: 'The grant has ended at the provider. Only the person can connect again.',
  CAPABILITY_UNAVAILABLE: 'The grant, the policy or the provider does not cover this.',
  AUTHORIZATION_SUSPENDED: 'The registration is paused, or the connection on hold.',
  CONTENT_NOT_FOUND: 'The provider shows no such post of this account.',
  UNSUPPORTED_URL: 'The URL is not one of a post at this provider.',
  CONNECTION_DISCONNECTED: 'The connection was disconnected meanwhile.',
  PROVIDER_CONTRACT: 'The provider answered in a form we do not know: its interface may have changed.',
  INTERNAL: 'We failed. The log has more under the correlation id.',
};

/** What follows from some of them, of a job that has not ended. */
const WHAT_FOLLOWS: Readonly<Record<string, string>> = {
  PROVIDER_UNAVAILABLE: 'It is tried again.',
  PROVIDER_RATE_LIMITED: 'It is tried again when it said.',
  AUTHORIZATION_SUSPENDED: 'It goes on when that ends.',
};

/** Values of `resultCode`, for a person on call. */
const RESULTS: Readonly<Record<string, string>> = {
  ACCESS_DENIED: 'The person, or the provider, said no.',
  MISSING_PERMISSION: 'No requested capability was granted, or the account could not be read.',
  PARTIAL_PERMISSION: 'Connected with fewer capabilities than were asked for.',
  ACCOUNT_MISMATCH: 'The person came back with another account than the one to renew.',
  ACCOUNT_DISCONNECTING: 'An account of the same person is being disconnected.',
  EXCHANGE_FAILED: 'The code could not be traded for tokens, or the answer to that was lost.',
  PROVIDER_UNAVAILABLE: 'The provider could not be reached in time.',
  REGISTRATION_PAUSED: 'The registration was paused meanwhile.',
  POLICY_CHANGED: 'The app, its tenant or its policy no longer allows it.',
  EXPIRED: 'It was not finished within 10 minutes.',
  CANCELED: 'It was called off.',
};

/** @param open whether the job it is of has not ended: then it also says what follows. */
export function describeFailure(code: string | null, { open }: { open: boolean }): Failure | null {
  if (code === null) return null;
  const what = FAILURES[code] ?? 'An unknown failure.';
  const next = open ? WHAT_FOLLOWS[code] : undefined;
  return { code, message: next === undefined ? what : `${what} ${next}` };
}

export const describeResult = (code: string | null): string | null => (code === null ? null : (RESULTS[code] ?? null));

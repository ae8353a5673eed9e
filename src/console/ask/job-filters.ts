import type { JobFilter, JobStatus, StuckFragment } from '../generated/operations.ts';

/** In the page's address and in its choice of failures: of those no failure is known. */
const NO_FAILURE = 'NONE';

/** What can be chosen as the last failure. */
export const FAILURES = [
  NO_FAILURE,
  'PROVIDER_UNAVAILABLE',
  'PROVIDER_RATE_LIMITED',
  'PROVIDER_CONTRACT',
  'RECONNECT_REQUIRED',
  'CAPABILITY_UNAVAILABLE',
  'AUTHORIZATION_SUSPENDED',
  'CONTENT_NOT_FOUND',
  'UNSUPPORTED_URL',
  'CONNECTION_DISCONNECTED',
  'INTERNAL',
] as const;

/** @param failure a code, `NO_FAILURE`, or null for any. To the API a code left out is any as well, never none. */
export const ofFailure = (failure: string | null): Pick<JobFilter, 'lastFailure' | 'neverFailed'> =>
  failure === NO_FAILURE ? { neverFailed: true } : { lastFailure: failure };

type Group = Pick<StuckFragment['groups'][number], 'appId' | 'provider' | 'kind' | 'lastFailure'>;

/** Exactly the jobs of one group, counted among those in `statuses`; among all where it names none. */
export const filterOfGroup = (
  { appId, provider, kind, lastFailure }: Group,
  statuses: readonly JobStatus[],
): JobFilter => ({
  stuck: true,
  appId,
  provider,
  kinds: [kind],
  ...(statuses.length > 0 && { statuses: [...statuses] }),
  ...ofFailure(lastFailure?.code ?? NO_FAILURE),
});

/** The same, as the page of jobs is asked for them. */
export const addressOfGroup = ({ appId, provider, kind, lastFailure }: Group, statuses: readonly JobStatus[]): string =>
  `/jobs?${new URLSearchParams({
    stuck: 'true',
    app: appId,
    provider,
    kind,
    ...(statuses.length > 0 && { status: statuses.join(',') }),
    failure: lastFailure?.code ?? NO_FAILURE,
  })}`;

import type { JobFilter, JobStatus, StuckWorkDetailsFragment } from '../generated/operations.ts';

/** Stands for jobs without a known failure, in the page's URL and in the failure filter. */
export const NO_FAILURE = 'NONE';

/** @param failure a code, `NO_FAILURE`, or null for any. For the API, a missing code means any failure, so no failure needs its own field. */
export const toFailureFilter = (failure: string | null): Pick<JobFilter, 'lastFailure' | 'neverFailed'> =>
  failure === NO_FAILURE ? { neverFailed: true } : { lastFailure: failure };

type Group = Pick<StuckWorkDetailsFragment['groups'][number], 'appId' | 'provider' | 'kind' | 'lastFailure'>;

/** Selects exactly the jobs of one group that have one of `statuses`; an empty list means any status. */
export const toGroupFilter = (
  { appId, provider, kind, lastFailure }: Group,
  statuses: readonly JobStatus[],
): JobFilter => ({
  stuck: true,
  appId,
  provider,
  kinds: [kind],
  ...(statuses.length > 0 && { statuses: [...statuses] }),
  ...toFailureFilter(lastFailure?.code ?? NO_FAILURE),
});

/** The URL of the jobs page with the same filter. */
export const toGroupUrl = ({ appId, provider, kind, lastFailure }: Group, statuses: readonly JobStatus[]): string =>
  `/jobs?${new URLSearchParams({
    stuck: 'true',
    app: appId,
    provider,
    kind,
    ...(statuses.length > 0 && { status: statuses.join(',') }),
    failure: lastFailure?.code ?? NO_FAILURE,
  })}`;

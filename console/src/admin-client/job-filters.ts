import { OPEN_JOB } from '../../../src/basics/codes.ts';
import type { JobFilter, JobStatus, StuckWorkDetailsFragment } from '../generated/operations.ts';

/** Stands for jobs without a known failure, in the page's URL and in the failure filter. */
export const NO_FAILURE = 'NONE';

/** Stands for jobs whose last try failed, whatever the code. */
export const ANY_FAILURE = 'ANY';

/** @param failure a code, `NO_FAILURE`, `ANY_FAILURE`, or null for all jobs. The API has a field of its own for each but the code. */
export function toFailureFilter(failure: string | null): Pick<JobFilter, 'lastFailure' | 'neverFailed'> {
  if (failure === NO_FAILURE || failure === ANY_FAILURE) return { neverFailed: failure === NO_FAILURE };
  return { lastFailure: failure };
}

/** The open jobs whose last try failed. */
export const RETRYING_URL = `/jobs?status=${OPEN_JOB.join(',')}&failure=${ANY_FAILURE}`;

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

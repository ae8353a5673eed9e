import { Button, Text } from '@mantine/core';
import { Link } from 'wouter';
import { DISCONNECT_JOB_KINDS, JOB_STATUSES, OPEN_JOB, READ_JOB_KINDS } from '../../../src/basics/codes.ts';
import { useAdminQuery, usePaginatedQuery } from '../admin-client/hooks.ts';
import { ANY_FAILURE, NO_FAILURE, RETRYING_URL, toFailureFilter } from '../admin-client/job-filters.ts';
import { BulkRetryButton, BulkRetryStatus } from '../components/bulk-retry.tsx';
import { EmptyState, Paginated } from '../components/data-table.tsx';
import { anyOf, oneOf, oneOrOther, onlyIf } from '../components/filters/filter-kinds.tsx';
import { FilterBar, NoMatches, useFilters } from '../components/filters/filters.tsx';
import { APP_FILTER, PROVIDER_FILTER } from '../components/filters/shared-filters.tsx';
import { timeRange } from '../components/filters/time-range.tsx';
import { JobTable } from '../components/job-table.tsx';
import { NoWorker, useIsWorkerAway } from '../components/no-worker.tsx';
import { Page } from '../components/page.tsx';
import { RowCount } from '../components/row-count.tsx';
import { StuckGroups } from '../components/stuck-groups.tsx';
import {
  JOB_ERROR_CODES,
  JobCountDocument,
  type JobDetailsFragment,
  type JobFilter,
  type JobStatus,
  JobsDocument,
  type StuckWorkDetailsFragment,
  StuckWorkDocument,
} from '../generated/operations.ts';
import { useRetries } from '../retries.tsx';
import { formatCount, shortenId } from '../texts/format.ts';
import { isRevokeJob, JOB_TITLES } from '../texts/jobs.ts';
import { JOB_STATES } from '../texts/states.ts';

/** What the filter calls the values that are no codes. */
const FAILURE_WORDS: Readonly<Partial<Record<string, string>>> = { [ANY_FAILURE]: 'any', [NO_FAILURE]: 'none' };

const [SINCE, BEFORE] = timeRange('Ended');
const FILTERS = {
  stuck: onlyIf('stuck', 'Stuck only'),
  kinds: anyOf('kind', 'Kind', [...DISCONNECT_JOB_KINDS, ...READ_JOB_KINDS], (kind) => JOB_TITLES[kind]),
  statuses: anyOf('status', 'Status', JOB_STATUSES, (status) => JOB_STATES[status].label),
  provider: PROVIDER_FILTER,
  failure: oneOf(
    'failure',
    'Last failure',
    [ANY_FAILURE, NO_FAILURE, ...JOB_ERROR_CODES],
    (code) => FAILURE_WORDS[code] ?? code,
  ),
  appId: APP_FILTER,
  // A link of its page sets it.
  bulkDisconnectId: oneOrOther('bulk', 'Bulk disconnect', [], shortenId),
  leftToPerson: onlyIf('left', 'Left to the person'),
  endedSince: SINCE,
  endedBefore: BEFORE,
};

/** As the overview counts them. */
const RETRYING: JobFilter = { statuses: OPEN_JOB, neverFailed: false, stuck: false };

/** Puts revokes first: until one settles, a person still sees the app in their account at the provider. */
const revokesFirst = (jobs: readonly JobDetailsFragment[]) => [
  ...jobs.filter(isRevokeJob),
  ...jobs.filter((job) => !isRevokeJob(job)),
];

/** Jobs by filter. Stuck jobs are sorted by how long they have been stuck. */
export function Jobs() {
  const [{ stuck, failure, ...others }, controls, clear] = useFilters(FILTERS);
  const { pollMs } = useRetries();
  const filter = { stuck, ...others, ...toFailureFilter(failure) };
  const isFiltered = [failure, ...Object.values(others)].some((value) => value !== null);
  const pages = usePaginatedQuery(JobsDocument, { filter, first: 20 }, ({ jobs }) => jobs, { pollMs });
  const stuckWork = useAdminQuery(StuckWorkDocument, { filter }, { pollMs, pause: !stuck });
  const counted = stuck ? stuckWork.data?.stuckWork : undefined;
  return (
    <Page
      title="Jobs"
      lead="Reads, revokes and erases. A retry runs the next try at once instead of at its scheduled time. You can repeat it safely."
      actions={counted?.count !== 0 && <BulkRetryButton filter={filter} label="Retry all…" />}
    >
      <NoWorker />
      <FilterBar>{controls}</FilterBar>
      <BulkRetryStatus />
      {counted && counted.count > 0 && <StuckSummary stuck={counted} statuses={filter.statuses ?? []} />}
      <Paginated
        pages={pages}
        {...(!stuck && {
          count: (listed) => <RowCount document={JobCountDocument} variables={{ filter }} of="job" listed={listed} />,
        })}
      >
        {(items) => (
          <JobTable
            jobs={stuck ? revokesFirst(items) : items}
            empty={
              stuck && !isFiltered ? (
                <NoStuckJob clear={clear} />
              ) : (
                <NoMatches
                  of={stuck ? 'stuck job' : 'job'}
                  icon="jobs"
                  clear={clear}
                  otherwise="There are no jobs. Each read, revoke and erase is one."
                />
              )
            }
          />
        )}
      </Paginated>
    </Page>
  );
}

/** Says as the overview does how many jobs are tried again: they may be what the operator looks for. */
function NoStuckJob({ clear }: { clear: (() => void) | undefined }) {
  const { pollMs } = useRetries();
  const { data } = useAdminQuery(JobCountDocument, { filter: RETRYING }, { pollMs });
  const retrying = data?.count.count ?? 0;
  return (
    <EmptyState
      icon="check"
      action={
        retrying > 0 ? (
          <Button variant="default" component={Link} href={RETRYING_URL}>
            Show the retrying
          </Button>
        ) : (
          clear && (
            <Button variant="default" onClick={clear}>
              Show all jobs
            </Button>
          )
        )
      }
    >
      No job is stuck{retrying > 0 && `, ${retrying.toLocaleString('en')} retrying after a failed try`}.
    </EmptyState>
  );
}

/** Counts all stuck jobs of the filter, of which the list shows one page. */
function StuckSummary({ stuck, statuses }: { stuck: StuckWorkDetailsFragment; statuses: readonly JobStatus[] }) {
  const { count: jobs, retryableCount, groupCount } = stuck;
  const trying = useIsWorkerAway() ? 0 : jobs - retryableCount;
  return (
    <>
      <Text fw={600}>
        {formatCount(jobs, 'job')} stuck{trying > 0 && `, ${trying.toLocaleString('en')} due, or being tried now`}
      </Text>
      {groupCount > 1 && <StuckGroups stuck={stuck} statuses={statuses} />}
    </>
  );
}

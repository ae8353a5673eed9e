import { Switch, Text } from '@mantine/core';
import { DISCONNECT_JOB_KINDS, JOB_STATUSES, READ_JOB_KINDS } from '../../../src/basics/codes.ts';
import { useAdminQuery, usePaginatedQuery } from '../admin-client/hooks.ts';
import { FAILURES, toFailureFilter } from '../admin-client/job-filters.ts';
import { FAST_POLL_MS, SLOW_POLL_MS } from '../admin-client/polling.ts';
import { AppSelect } from '../components/app-select.tsx';
import { BulkRetryButton, BulkRetryStatus } from '../components/bulk-retry.tsx';
import { EmptyState, Paginated } from '../components/data-table.tsx';
import {
  FilterBar,
  MultiSelectFilter,
  PeriodFilter,
  ProviderFilter,
  SelectFilter,
  useFilters,
} from '../components/filters.tsx';
import { JobCards } from '../components/job-card.tsx';
import { Page } from '../components/page.tsx';
import { StuckGroups } from '../components/stuck-groups.tsx';
import {
  type JobDetailsFragment,
  type JobFilter,
  type JobStatus,
  JobsDocument,
  type StuckWorkDetailsFragment,
  StuckWorkDocument,
} from '../generated/operations.ts';
import { useRetries } from '../retries.tsx';
import { formatCount } from '../texts/format.ts';
import { isRevokeJob } from '../texts/jobs.ts';
import { PROVIDERS } from '../texts/providers.ts';
import { toInstant } from '../texts/time.ts';

const KINDS = [...DISCONNECT_JOB_KINDS, ...READ_JOB_KINDS];

/** Puts revokes first: until one settles, a person still sees the app in their account at the provider. */
const revokesFirst = (jobs: readonly JobDetailsFragment[]) => [
  ...jobs.filter(isRevokeJob),
  ...jobs.filter((job) => !isRevokeJob(job)),
];

/** Jobs by filter. Stuck jobs are sorted by how long they have been stuck. */
export function Jobs() {
  const { get, getAll, set } = useFilters<
    'stuck' | 'kind' | 'status' | 'provider' | 'failure' | 'app' | 'since' | 'before'
  >();
  const { isRunning } = useRetries();
  const stuck = get('stuck') === 'true';
  const [kinds, statuses] = [getAll('kind', KINDS), getAll('status', JOB_STATUSES)];
  const [provider = null] = getAll('provider', PROVIDERS);
  const [failure = null] = getAll('failure', FAILURES);
  const [endedSince, endedBefore] = [toInstant(get('since')), toInstant(get('before'))];
  const filter: JobFilter = {
    ...(stuck && { stuck }),
    ...(kinds.length > 0 && { kinds: [...kinds] }),
    ...(statuses.length > 0 && { statuses: [...statuses] }),
    provider,
    ...toFailureFilter(failure),
    appId: get('app'),
    endedSince,
    endedBefore,
  };
  const isFiltered =
    [kinds, statuses].some(({ length }) => length > 0) ||
    [provider, failure, get('app'), endedSince, endedBefore].some(Boolean);
  const pages = usePaginatedQuery(JobsDocument, { filter, first: 20 }, ({ jobs }) => jobs, {
    pollMs: isRunning ? FAST_POLL_MS : SLOW_POLL_MS,
  });
  const stuckWork = useAdminQuery(
    StuckWorkDocument,
    { filter },
    { pollMs: isRunning ? FAST_POLL_MS : SLOW_POLL_MS, pause: !stuck },
  );
  const counted = stuck ? stuckWork.data?.stuckWork : undefined;
  return (
    <Page
      title="Jobs"
      lead="Reads, revokes and erases. A retry runs the next try at once instead of at its scheduled time. You can repeat it safely."
      actions={<BulkRetryButton filter={filter} label="Retry all…" />}
    >
      <FilterBar>
        <Switch
          label="Stuck only"
          checked={stuck}
          onChange={({ currentTarget }) => set('stuck', currentTarget.checked ? 'true' : null)}
          pb={8}
        />
        <MultiSelectFilter
          label="Kind"
          values={kinds}
          of={KINDS}
          onChange={(chosen) => set('kind', chosen.join(','))}
        />
        <MultiSelectFilter
          label="Status"
          values={statuses}
          of={JOB_STATUSES}
          onChange={(chosen) => set('status', chosen.join(','))}
        />
        <ProviderFilter value={provider} onChange={(chosen) => set('provider', chosen)} />
        <SelectFilter
          label="Last failure"
          value={failure}
          of={FAILURES}
          onChange={(chosen) => set('failure', chosen)}
        />
        <AppSelect value={get('app')} onChange={(chosen) => set('app', chosen)} />
        <PeriodFilter verb="Ended" since={endedSince} before={endedBefore} onChange={set} />
      </FilterBar>
      <BulkRetryStatus />
      {counted && counted.count > 0 && <StuckSummary stuck={counted} statuses={statuses} />}
      <Paginated pages={pages}>
        {(items) => (
          <>
            <JobCards jobs={stuck ? revokesFirst(items) : items} />
            {items.length === 0 && (
              <EmptyState>
                {stuck ? (isFiltered ? 'No stuck job matches.' : 'No job is stuck.') : 'No job matches.'}
              </EmptyState>
            )}
          </>
        )}
      </Paginated>
    </Page>
  );
}

/** Counts all stuck jobs of the filter, of which the list shows one page. */
function StuckSummary({ stuck, statuses }: { stuck: StuckWorkDetailsFragment; statuses: readonly JobStatus[] }) {
  const { count: jobs, retryableCount, groupCount } = stuck;
  const trying = jobs - retryableCount;
  return (
    <>
      <Text fw={600}>
        {formatCount(jobs, 'job')} stuck{trying > 0 && `, ${trying.toLocaleString('en')} being tried now`}
      </Text>
      {groupCount > 1 && <StuckGroups stuck={stuck} statuses={statuses} />}
    </>
  );
}

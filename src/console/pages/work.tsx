import { Switch, Text } from '@mantine/core';
import { useAsk, usePages } from '../ask/hooks.ts';
import { FAILURES, ofFailure } from '../ask/job-filters.ts';
import { CALM_MS, HURRIED_MS } from '../ask/pace.ts';
import {
  type JobFilter,
  type JobKind,
  type JobStatus,
  JobsDocument,
  type StuckFragment,
  StuckWorkDocument,
  type WorkFragment,
} from '../generated/operations.ts';
import { AppChoice } from '../parts/app-choice.tsx';
import { Choice, Choices, FilterBar, PROVIDERS, useFilters } from '../parts/filters.tsx';
import { JobCards } from '../parts/job-card.tsx';
import { Page } from '../parts/page.tsx';
import { PushedMany, PushMany } from '../parts/push-many.tsx';
import { Nothing, Paged } from '../parts/rows.tsx';
import { StuckGroups } from '../parts/stuck-groups.tsx';
import { usePushes } from '../pushes.tsx';
import { count } from '../words/count.ts';
import { isRevoke } from '../words/jobs.ts';

const KINDS: readonly JobKind[] = ['REVOKE', 'COMPENSATION', 'ERASE', 'SCAN', 'METRICS', 'LOOKUP'];
const STATUSES: readonly JobStatus[] = ['QUEUED', 'RUNNING', 'SUCCEEDED', 'FAILED', 'CANCELED'];

/** Behind a revoke stands a person who still sees the app at the platform. */
const revokesFirst = (jobs: readonly WorkFragment[]) => [
  ...jobs.filter(isRevoke),
  ...jobs.filter((job) => !isRevoke(job)),
];

/** Jobs by filter; those stuck longest first, where stuck ones are asked for. */
export function Work() {
  const { get, getAll, set } = useFilters<'stuck' | 'kind' | 'status' | 'provider' | 'failure' | 'app'>();
  const { underWay } = usePushes();
  const stuck = get('stuck') === 'true';
  const [kinds, statuses] = [getAll('kind', KINDS), getAll('status', STATUSES)];
  const [provider = null] = getAll('provider', PROVIDERS);
  const [failure = null] = getAll('failure', FAILURES);
  const filter: JobFilter = {
    ...(stuck && { stuck }),
    ...(kinds.length > 0 && { kinds: [...kinds] }),
    ...(statuses.length > 0 && { statuses: [...statuses] }),
    provider,
    ...ofFailure(failure),
    appId: get('app'),
  };
  const isNarrowed =
    [kinds, statuses].some(({ length }) => length > 0) || [provider, failure, get('app')].some(Boolean);
  const pages = usePages(JobsDocument, { filter, first: 20 }, ({ jobs }) => jobs, {
    everyMs: underWay ? HURRIED_MS : CALM_MS,
  });
  const known = useAsk(StuckWorkDocument, { filter }, { everyMs: underWay ? HURRIED_MS : CALM_MS, pause: !stuck });
  const counted = stuck ? known.data?.stuckWork : undefined;
  return (
    <Page
      title="Work"
      lead="Jobs: reads, revokes and erases. A push makes the next try at once, whatever the back-off; it is safe to repeat."
      actions={<PushMany filter={filter} label="Push all of these…" />}
    >
      <FilterBar>
        <Switch
          label="Only what is stuck"
          checked={stuck}
          onChange={({ currentTarget }) => set('stuck', currentTarget.checked ? 'true' : null)}
          pb={8}
        />
        <Choices label="Kind" values={kinds} of={KINDS} onChoose={(chosen) => set('kind', chosen.join(','))} />
        <Choices
          label="Status"
          values={statuses}
          of={STATUSES}
          onChoose={(chosen) => set('status', chosen.join(','))}
        />
        <Choice label="Provider" value={provider} of={PROVIDERS} onChoose={(chosen) => set('provider', chosen)} />
        <Choice label="Last failure" value={failure} of={FAILURES} onChoose={(chosen) => set('failure', chosen)} />
        <AppChoice value={get('app')} onChoose={(chosen) => set('app', chosen)} />
      </FilterBar>
      <PushedMany />
      {counted && counted.count > 0 && <Counted stuck={counted} statuses={statuses} />}
      <Paged pages={pages}>
        {(items) => (
          <>
            <JobCards jobs={stuck ? revokesFirst(items) : items} />
            {items.length === 0 && (
              <Nothing>
                {stuck ? (isNarrowed ? 'None of these is stuck.' : 'Nothing is stuck.') : 'There are no such jobs.'}
              </Nothing>
            )}
          </>
        )}
      </Paged>
    </Page>
  );
}

/** How much there is of what the list shows a page at a time. */
function Counted({ stuck, statuses }: { stuck: StuckFragment; statuses: readonly JobStatus[] }) {
  const { count: jobs, retryableCount, groupCount } = stuck;
  const trying = jobs - retryableCount;
  return (
    <>
      <Text fw={600}>
        {count(jobs, 'job')} stuck{trying > 0 && `, ${trying.toLocaleString('en')} of them being tried now`}
      </Text>
      {groupCount > 1 && <StuckGroups stuck={stuck} statuses={statuses} />}
    </>
  );
}

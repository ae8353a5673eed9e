import { Text } from '@mantine/core';
import { useAdminQuery } from '../../admin-client/hooks.ts';
import { Page } from '../../components/page.tsx';
import { ProblemAlert } from '../../components/problem-alert.tsx';
import { QueryState } from '../../components/query-state.tsx';
import { Time, useNow } from '../../components/time.tsx';
import { AttentionDocument, OverviewDocument, type OverviewQuery } from '../../generated/operations.ts';
import { useRetries } from '../../retries.tsx';
import { Counts } from './counts.tsx';
import { FirstSteps } from './first-steps.tsx';
import { LastDay } from './last-day.tsx';
import { Later } from './later.tsx';
import { NeedsAttention } from './needs-attention.tsx';
import { Providers } from './providers.tsx';
import { StuckJobs } from './stuck-jobs.tsx';

/** Registrations, endpoints and credentials change slowly. */
const SLOW_POLL_MS = 60_000;

const isUnused = ({ connections, openAttempts, jobs }: OverviewQuery['overview']) =>
  openAttempts === 0 && [...connections, ...jobs].every(({ count }) => count === 0);

/** The start page for operators on call: the most urgent problems. */
export function Overview() {
  const { pollMs, watched, bulk } = useRetries();
  const query = useAdminQuery(OverviewDocument, {}, { pollMs });
  const { data } = query;
  const attention = useAdminQuery(AttentionDocument, {}, { pollMs: SLOW_POLL_MS });
  const nowMs = useNow();
  // A retry that has just settled keeps its place, and the focus.
  const isCalm = data?.overview.stuckJobs === 0 && watched.length === 0 && bulk === undefined;
  const jobsFirst = !isCalm && data?.overview.workers === 'ANSWERING'; // Else what stops them comes first.
  return (
    <Page
      title="Overview"
      lead={
        data && (
          <Text size="sm" span>
            As of <Time at={data.overview.at} />
          </Text>
        )
      }
    >
      <QueryState of={query} />
      {data && (
        <>
          {jobsFirst && <StuckJobs {...data} />}
          {attention.problem && <ProblemAlert problem={attention.problem} />}
          {attention.data && <NeedsAttention data={attention.data} overview={data.overview} nowMs={nowMs} />}
          {!jobsFirst && <StuckJobs {...data} />}
          {isUnused(data.overview) && <FirstSteps />}
          <Counts overview={data.overview} />
          <Providers overview={data.overview} />
          <LastDay />
          {attention.data && <Later data={attention.data} processes={data.overview.workerProcesses} />}
        </>
      )}
    </Page>
  );
}

import { Text } from '@mantine/core';
import { useAdminQuery } from '../../admin-client/hooks.ts';
import { Page } from '../../components/page.tsx';
import { QueryState } from '../../components/query-state.tsx';
import { Time } from '../../components/time.tsx';
import { OverviewDocument } from '../../generated/operations.ts';
import { useRetries } from '../../retries.tsx';
import { Attention } from './attention.tsx';
import { Counts } from './counts.tsx';
import { LastDay } from './last-day.tsx';
import { Providers } from './providers.tsx';
import { StuckJobs } from './stuck-jobs.tsx';

/** The start page for operators on call: stuck jobs first. */
export function Overview() {
  const { pollMs } = useRetries();
  const query = useAdminQuery(OverviewDocument, {}, { pollMs });
  const { data } = query;
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
          <StuckJobs {...data} />
          <Counts overview={data.overview} />
          <LastDay />
          <Providers overview={data.overview} />
          <Attention />
        </>
      )}
    </Page>
  );
}

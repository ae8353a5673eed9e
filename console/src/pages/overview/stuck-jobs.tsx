import { Button, Text } from '@mantine/core';
import { Link } from 'wouter';
import { RETRYING_URL } from '../../admin-client/job-filters.ts';
import { BulkRetryButton, BulkRetryStatus } from '../../components/bulk-retry.tsx';
import { JobCards } from '../../components/job-card.tsx';
import { JobTable } from '../../components/job-table.tsx';
import { Section } from '../../components/page.tsx';
import { StuckGroups } from '../../components/stuck-groups.tsx';
import type { OverviewQuery } from '../../generated/operations.ts';
import { useRetries } from '../../retries.tsx';
import { formatCount } from '../../texts/format.ts';

const STUCK_REVOKES_EXPLAINED =
  'A person disconnected an account, but the revoke at the provider has not succeeded yet: they still see the app there. Retry now is always safe: if it fails, the next try stays as planned.';

/** With more stuck jobs, the section groups them and shows one line for each of those stuck longest. */
const MAX_CARDS = 3;
const MAX_ROWS = 5;

/** The stuck jobs, revokes first: until one settles, a person still sees the app in their account at the provider. */
export function StuckJobs({ overview, stuckWork, revokes, others }: OverviewQuery) {
  const { watched } = useRetries();
  const { stuckJobs, stuckRevokes, retryingJobs } = overview;
  const longest = [...revokes.items, ...others.items];
  const hasMany = stuckWork.count > MAX_CARDS;
  const otherCount = stuckJobs - stuckRevokes;
  const title = [
    stuckJobs === 0 && 'No stuck jobs',
    stuckRevokes > 0 && `${formatCount(stuckRevokes, 'revoke')} stuck`,
    otherCount > 0 && `${formatCount(otherCount, stuckRevokes > 0 ? 'other job' : 'job')} stuck`,
    retryingJobs > 0 && `${retryingJobs.toLocaleString('en')} retrying after a failed try`,
  ]
    .filter((part) => part !== false)
    .join(', ');
  return (
    <Section
      title={title}
      lead={stuckRevokes > 0 && STUCK_REVOKES_EXPLAINED}
      actions={
        stuckJobs + retryingJobs > 0 && (
          <>
            {stuckJobs === 0 ? (
              <Button component={Link} href={RETRYING_URL} variant="subtle">
                View the retrying
              </Button>
            ) : (
              <Button component={Link} href="/jobs?stuck=true" variant="subtle">
                View all stuck jobs
              </Button>
            )}
            {stuckJobs > 1 && <BulkRetryButton filter={{ stuck: true }} label="Retry all stuck jobs…" />}
          </>
        )
      }
    >
      <BulkRetryStatus />
      {hasMany && (
        <>
          <StuckGroups stuck={stuckWork} />
          <Text size="sm" c="dimmed">
            Stuck longest:
          </Text>
        </>
      )}
      {hasMany ? <JobTable jobs={longest.slice(0, MAX_ROWS)} empty="" /> : <JobCards jobs={longest} />}
      {stuckJobs === 0 && watched.length === 0 && (
        <Text size="sm" c="dimmed">
          {overview.workers === 'ANSWERING' && (overview.failingWorkflows ?? 0) === 0
            ? retryingJobs > 0
              ? 'Every other revoke, erase and read is progressing, waits for one of these, or has finished.'
              : 'Every revoke, erase and read is progressing or has finished.'
            : 'Accepted work may wait: see the problems on this page.'}
        </Text>
      )}
    </Section>
  );
}

import { Stack, Text } from '@mantine/core';
import { formatProvider } from '../../../src/basics/format-provider.ts';
import type { JobDetailsFragment } from '../generated/operations.ts';
import { useRetries, type WatchedRetry } from '../retries.tsx';
import { describeLastTry, isJobOpen, JOB_TITLES } from '../texts/jobs.ts';
import { AppLink } from './app-link.tsx';
import { DataTable } from './data-table.tsx';
import { JobStatusBadge, RetryButton, RetryNote } from './job-card.tsx';
import { InternalLink } from './links.tsx';
import { PersonName } from './names.tsx';
import { Time, TimeUntil } from './time.tsx';

/** One line for each job. Retried jobs come first and stay after they have settled and left the list. */
export function JobTable({ jobs, empty }: { jobs: readonly JobDetailsFragment[]; empty: string }) {
  const { watched } = useRetries();
  const retries = new Map(watched.map((retry) => [retry.jobId, retry]));
  const shown = [...watched.map(({ job }) => job), ...jobs.filter(({ id }) => !retries.has(id))];
  return (
    <DataTable
      caption="Jobs"
      items={shown}
      idOf={({ id }) => id}
      empty={empty}
      columns={[
        {
          name: 'Job',
          cell: ({ id, kind, provider }) => (
            <InternalLink href={`/jobs/${id}`}>
              {JOB_TITLES[kind]} at {formatProvider(provider)}
            </InternalLink>
          ),
        },
        { name: 'Status', cell: (job) => <JobStatusBadge job={job} /> },
        { name: 'Reason', cell: (job) => <Reason job={job} retry={retries.get(job.id)} /> },
        { name: 'App', cell: ({ appId, appName }) => <AppLink id={appId} name={appName} /> },
        { name: 'Person', cell: (job) => <PersonName of={job} /> },
        { name: 'When', cell: (job) => <When job={job} /> },
        { name: '', cell: (job) => <RetryButton job={job} size="xs" /> },
      ]}
    />
  );
}

function Reason({ job, retry }: { job: JobDetailsFragment; retry: WatchedRetry | undefined }) {
  if (retry !== undefined) return <RetryNote retry={retry} />;
  const failure = job.status === 'SUCCEEDED' ? null : (job.failure ?? job.lastFailure);
  if (failure === null) return job.stuck ? 'Silent for over 15 minutes' : '–';
  return (
    <Stack gap={0}>
      <Text size="sm" ff="monospace" title={failure.message}>
        {failure.code}
      </Text>
      {job.lastTriedAt !== null && (
        <Text size="xs" c="dimmed" title={describeLastTry(job)}>
          {job.lastAnswer?.replace('_', ' ') ?? 'no request sent'}
        </Text>
      )}
    </Stack>
  );
}

/** The end of a job; otherwise its next try, or its creation. */
const When = ({ job }: { job: JobDetailsFragment }) => {
  if (job.finishedAt !== null) return <Time at={job.finishedAt} />;
  if (isJobOpen(job) && job.nextTryAt !== null) {
    return (
      <>
        next try in <TimeUntil at={job.nextTryAt} />
      </>
    );
  }
  return <Time at={job.createdAt} />;
};

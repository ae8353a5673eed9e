import { Text, VisuallyHidden } from '@mantine/core';
import type { ReactNode } from 'react';
import { PLATFORM_NAMES } from '../../../src/basics/codes.ts';
import type { JobDetailsFragment } from '../generated/operations.ts';
import { useRetries, type WatchedRetry } from '../retries.tsx';
import { describeLastTry, describeRecovery, isJobOpen, JOB_TITLES } from '../texts/jobs.ts';
import { AppCell } from './app-link.tsx';
import { Blank, type Column, DataTable } from './data-table.tsx';
import { JobStatusDot, RetryButton, RetryNote } from './job-card.tsx';
import { InternalLink } from './links.tsx';
import { PersonName } from './names.tsx';
import { PlatformName } from './platform.tsx';
import { NextTry, TimeCell } from './time.tsx';

interface JobTableProps {
  readonly jobs: readonly JobDetailsFragment[];
  readonly empty: ReactNode;
  /** Leaves out whose it is, on the page of a connection. */
  readonly isOfOneConnection?: boolean;
}

/** One line for each job. Retried jobs come first and stay after they have settled and left the list. */
export function JobTable({ jobs, empty, isOfOneConnection = false }: JobTableProps) {
  const { watched: all } = useRetries();
  const watched = isOfOneConnection ? all.filter(({ jobId }) => jobs.some(({ id }) => id === jobId)) : all;
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
            <PlatformName of={provider}>
              <InternalLink href={`/jobs/${id}`}>
                {JOB_TITLES[kind]}
                <VisuallyHidden> at {PLATFORM_NAMES[provider]}</VisuallyHidden>
              </InternalLink>
            </PlatformName>
          ),
        },
        {
          name: 'Status',
          cell: (job) => <JobStatusDot job={job} />,
        },
        { name: 'Reason', share: 24, wraps: true, cell: (job) => <Reason job={job} retry={retries.get(job.id)} /> },
        ...(isOfOneConnection ? [] : OWNER),
        { name: 'Created', isExtra: true, cell: ({ createdAt }) => <TimeCell at={createdAt} /> },
        { name: 'Ended or next try', cell: (job) => <When job={job} /> },
        { name: '', cell: (job) => <RetryButton job={job} size="compact-sm" /> },
      ]}
    />
  );
}

const OWNER: readonly Column<JobDetailsFragment>[] = [
  { name: 'App', share: 12, isExtra: true, cell: ({ appId, appName }) => <AppCell id={appId} name={appName} /> },
  { name: 'Person', share: 18, cell: (job) => <PersonName of={job} /> },
];

function Reason({ job, retry }: { job: JobDetailsFragment; retry: WatchedRetry | undefined }) {
  if (retry !== undefined) return <RetryNote retry={retry} />;
  const failure = job.status === 'SUCCEEDED' ? null : (job.failure ?? job.lastFailure);
  const recovery = describeRecovery(job);
  if (recovery !== null) {
    return (
      <Text inherit truncate c="dimmed" title={recovery}>
        {recovery}
      </Text>
    );
  }
  if (failure === null) return job.stuck ? 'Silent for over 15 minutes' : <Blank />;
  if (job.refusedClient !== null) {
    return (
      <Text inherit truncate title={failure.message}>
        <InternalLink href={`/registrations/${job.refusedClient.registrationId}`}>{failure.message}</InternalLink>
      </Text>
    );
  }
  return (
    <Text inherit truncate title={`${failure.message} ${describeLastTry(job)}`}>
      {job.lastTriedAt !== null && <b>{job.lastAnswer?.replace('_', ' ') ?? 'No request sent'}</b>}{' '}
      <Text span inherit c="dimmed">
        {failure.code}
      </Text>
    </Text>
  );
}

/** The end of a job; otherwise its next try. */
const When = ({ job }: { job: JobDetailsFragment }) => {
  if (job.finishedAt !== null) return <TimeCell at={job.finishedAt} />;
  if (isJobOpen(job) && job.nextRetryAt !== null) return <NextTry at={job.nextRetryAt} />;
  return <Blank />;
};

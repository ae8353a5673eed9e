import { Text } from '@mantine/core';
import { useParams } from 'wouter';
import { PLATFORM_NAMES } from '../../../src/basics/codes.ts';
import { useAdminQuery } from '../admin-client/hooks.ts';
import { SLOW_POLL_MS } from '../admin-client/polling.ts';
import { AppLink } from '../components/app-link.tsx';
import { DetailColumns } from '../components/detail-columns.tsx';
import { DetailsPanel } from '../components/details-list.tsx';
import { JobStatusBadge, RefusedClientLink, RetryButton, RetryNote } from '../components/job-card.tsx';
import { CopyableText } from '../components/links.tsx';
import { LiveState } from '../components/live-state.tsx';
import { PersonLink } from '../components/names.tsx';
import { NoWorker } from '../components/no-worker.tsx';
import { Page, Section } from '../components/page.tsx';
import { PlatformName } from '../components/platform.tsx';
import { QueryState } from '../components/query-state.tsx';
import { ShortId } from '../components/short-id.tsx';
import { useNow } from '../components/time.tsx';
import { EventTimeline, type TimelineEvent } from '../components/timeline.tsx';
import { WorkflowId } from '../components/workflow-id.tsx';
import { type JobDetailsFragment, JobDocument } from '../generated/operations.ts';
import { useRetries } from '../retries.tsx';
import { toTitle } from '../texts/format.ts';
import {
  countStoredTries,
  describeLastTry,
  describeManualStep,
  describeRecovery,
  isJobOpen,
  isRevokeJob,
  JOB_PURPOSES,
  JOB_TITLES,
} from '../texts/jobs.ts';
import { getJobState } from '../texts/states.ts';
import { isOverdue } from '../texts/time.ts';

export function Job() {
  const { id } = useParams<{ id: string }>();
  const query = useAdminQuery(JobDocument, { id }, { pollMs: SLOW_POLL_MS });
  const { watched } = useRetries();
  const nowMs = useNow();
  const retry = watched.find(({ jobId }) => jobId === id);
  const state = <QueryState of={query} />;
  if (query.data === undefined) return <Page title="Job">{state}</Page>;
  const job = retry?.job ?? query.data.job;
  return (
    <Page
      title={`${JOB_TITLES[job.kind]} at ${PLATFORM_NAMES[job.provider]}`}
      badge={<JobStatusBadge job={job} />}
      lead={<CopyableText text={job.id} name="the job's id" />}
      actions={<RetryButton job={job} />}
    >
      {state}
      {isJobOpen(job) && <NoWorker />}
      <DetailColumns details={<Details job={job} />}>
        {retry && <RetryNote retry={retry} />}
        <Section title="Timeline" lead={JOB_PURPOSES[job.kind]}>
          <EventTimeline name="What happened to this job" of={listEvents(job, nowMs)} />
          {!isJobOpen(job) && job.retryable && isRevokeJob(job) && (
            <Text size="sm">Its tokens are still stored, so you can retry it.</Text>
          )}
        </Section>
        {isJobOpen(job) && <LiveState id={job.id} />}
      </DetailColumns>
    </Page>
  );
}

/** The first and the last failed try are the only ones that the service stores. */
function listEvents(job: JobDetailsFragment, nowMs: number): (TimelineEvent | false)[] {
  const { lastFailure, failure, firstFailedAt, refusedClient, recoveredFrom } = job;
  const tries = countStoredTries(job);
  const lastFailedAt = recoveredFrom?.at ?? job.lastTriedAt;
  const isOpen = isJobOpen(job);
  const end = getJobState(job);
  const why = isOpen && lastFailure !== null && (
    <>
      {describeFailure(lastFailure)}
      {refusedClient !== null && <RefusedClientLink of={refusedClient} />}
    </>
  );
  const answer = lastFailedAt === null ? '' : describeLastTry({ lastAnswer: recoveredFrom?.answer ?? job.lastAnswer });
  const isTold = isOpen && answer !== '' && lastFailure?.message.toLowerCase().includes(answer.toLowerCase()) === true;
  return [
    {
      at: job.createdAt,
      title: job.kind === 'REVOKE' ? 'The account was disconnected' : 'Created',
      text: job.kind === 'ERASE' && isOpen && tries === 0 ? 'Waiting for its revoke to settle.' : null,
      color: 'blue',
    },
    job.startedAt !== job.createdAt && { at: job.startedAt, title: 'Started', color: 'blue' },
    tries > 1 && { at: firstFailedAt, title: 'The first try failed', color: 'red' },
    tries > 0 && {
      at: lastFailedAt ?? firstFailedAt,
      title: `Try ${tries.toLocaleString('en')} failed${isTold ? '' : `: ${answer || 'no request was sent.'}`}`.replace(
        /\.$/,
        '',
      ),
      text: why,
      color: 'red',
    },
    job.stuck &&
      failure === null &&
      lastFailure === null && {
        at: job.stuckSince,
        title: 'No report since',
        text: 'Its workflow may be lost; a retry starts it again.',
        color: 'orange',
      },
    {
      at: job.finishedAt,
      title: toTitle(end.label),
      text:
        failure === null
          ? job.creatorAction === null
            ? (job.creatorActionReason ?? describeRecovery(job))
            : describeManualStep(job)
          : describeFailure(failure),
      color: end.color,
    },
    isOpen &&
      job.nextRetryAt !== null && {
        at: job.nextRetryAt,
        title: `Try ${(tries + 1).toLocaleString('en')}`,
        text: isOverdue(job.nextRetryAt, nowMs) && 'Overdue.',
        color: 'blue',
      },
    isOpen &&
      tries > 0 && {
        at: job.givesUpAt,
        title: 'The service gives up',
        text: isRevokeJob(job) && 'The person must then remove the app at the platform.',
        color: 'red',
      },
  ];
}

const describeFailure = ({ code, message }: { code: string; message: string }) => (
  <>
    {message} <code>{code}</code>
  </>
);

const Details = ({ job }: { job: JobDetailsFragment }) => (
  <DetailsPanel
    of={[
      ['Platform', <PlatformName key="platform" of={job.provider} />],
      ['App', <AppLink key="app" id={job.appId} name={job.appName} />],
      ['Tenant', job.tenantKey],
      ['Subject', <PersonLink key="person" of={job} />],
      ['Account', job.providerAccountId],
      [
        'Connection',
        job.connectionId && <ShortId id={job.connectionId} of="connection" href={`/connections/${job.connectionId}`} />,
      ],
      ['Attempt', job.attemptId && <ShortId id={job.attemptId} of="attempt" href={`/attempts/${job.attemptId}`} />],
      ['Posts read', job.itemCount],
      ['Incomplete', job.incompleteReason],
      ['Workflow', <WorkflowId key="workflow" of={job} />],
      ['Correlation id', <ShortId key="correlation" id={job.correlationId} of="request" />],
    ]}
  />
);

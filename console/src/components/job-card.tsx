import { Alert, Badge, Card, Flex, Group, Stack, Text } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { formatProvider } from '../../../src/basics/format-provider.ts';
import type { JobDetailsFragment } from '../generated/operations.ts';
import { useRetries, type WatchedRetry } from '../retries.tsx';
import { formatCount, shortenId } from '../texts/format.ts';
import {
  describeJob,
  describeLastTry,
  describeManualStep,
  describeRetry,
  isJobOpen,
  isRevokeJob,
  JOB_TITLES,
} from '../texts/jobs.ts';
import { getJobState } from '../texts/states.ts';
import { ActionButton } from './action-button.tsx';
import { AppLink } from './app-link.tsx';
import { InternalLink, TemporalLink } from './links.tsx';
import { StateBadge } from './status-badge.tsx';
import { Age, Time, TimeUntil, useNow } from './time.tsx';

const formatTitle = ({ kind, provider }: JobDetailsFragment) => `${JOB_TITLES[kind]} at ${formatProvider(provider)}`;

interface JobCardProps {
  readonly job: JobDetailsFragment;
  /** Whether the card is on the page of its connection. */
  readonly isOnConnectionPage?: boolean;
}

/** One job: its status, the reason, and a button to retry it. */
export function JobCard({ job: given, isOnConnectionPage = false }: JobCardProps) {
  const { watched } = useRetries();
  const retry = watched.find(({ jobId }) => jobId === given.id);
  const job = retry?.job ?? given;
  return (
    <Card withBorder padding="md" component="article" aria-label={describeJob(job)}>
      <Stack gap="xs">
        <Flex justify="space-between" align="flex-start" gap="md" direction={{ base: 'column', xs: 'row' }}>
          <div>
            <Group gap="xs">
              <Text fw={650}>
                <InternalLink href={`/jobs/${job.id}`}>{formatTitle(job)}</InternalLink>
              </Text>
              <JobStatusBadge job={job} />
            </Group>
            {!isOnConnectionPage && <Owner job={job} />}
          </div>
          <RetryButton job={job} />
        </Flex>
        {retry ? <RetryNote retry={retry} /> : <FailureReason job={job} />}
        <Group gap="md" fz="sm">
          {job.connectionId !== null && !isOnConnectionPage && (
            <InternalLink href={`/connections/${job.connectionId}`}>View connection</InternalLink>
          )}
          {job.attemptId !== null && <InternalLink href={`/attempts/${job.attemptId}`}>View attempt</InternalLink>}
          <TemporalLink url={job.workflowUrl}>Workflow in Temporal</TemporalLink>
        </Group>
      </Stack>
    </Card>
  );
}

/** Whose job it is: what a person or a caller names when they ask for it. */
const Owner = ({
  job: { appId, appName, tenantKey, externalSubjectId, providerAccountId, connectionId },
}: JobProps) => (
  <Text size="sm" component="div">
    App <AppLink isInline id={appId} name={appName} />
    {tenantKey !== null && <>, tenant “{tenantKey}”</>}
    {externalSubjectId !== null && <>, subject “{externalSubjectId}”</>}
    {providerAccountId !== null && <>, account {providerAccountId}</>}
    {connectionId !== null && <>, connection {shortenId(connectionId)}</>}
  </Text>
);

interface JobProps {
  readonly job: JobDetailsFragment;
}

export function JobStatusBadge({ job }: { job: JobDetailsFragment }) {
  if (job.stuck && job.stuckSince !== null) {
    return <StuckBadge since={job.stuckSince} isOpen={isJobOpen(job)} />;
  }
  return <StateBadge state={getJobState(job)} />;
}

/** The age at which the alert `AccountsRevokeStuck` fires. */
const WORRYING_MS = 60 * 60_000;

/** Amber while the service retries by itself; red once it should worry anyone. */
function StuckBadge({ since, isOpen }: { since: string; isOpen: boolean }) {
  const nowMs = useNow();
  const isWorrying = !isOpen || nowMs - Date.parse(since) >= WORRYING_MS;
  return (
    <Badge color={isWorrying ? 'red' : 'orange'} variant={isWorrying ? 'filled' : 'light'} tt="none">
      {isWorrying ? 'stuck' : 'retrying'} for <Age since={since} />
    </Badge>
  );
}

/** Retries a job. Hidden if a retry would have no effect. It stays while a retry runs, so that it keeps the focus. */
export function RetryButton({ job, size = 'sm' }: { job: JobDetailsFragment; size?: 'xs' | 'sm' }) {
  const { retry, watched } = useRetries();
  const isTrying = watched.some(({ jobId, finishedAtMs }) => jobId === job.id && finishedAtMs === undefined);
  if (!job.retryable && !isTrying) return null;
  return (
    <ActionButton
      operation="retryJob"
      label={'Retry now'}
      target={describeJob(job)}
      variant="filled"
      size={size}
      isBusy={isTrying}
      run={() => retry(job.id)}
    />
  );
}

/** Why the job is not done, and when the next try is. */
function FailureReason({ job }: { job: JobDetailsFragment }) {
  const failure = job.failure ?? job.lastFailure;
  return (
    <div>
      {failure !== null && job.status !== 'SUCCEEDED' && (
        <Text>
          <b>Reason:</b> {failure.message}{' '}
          <Text span size="sm" c="dimmed" ff="monospace">
            {failure.code}
          </Text>
        </Text>
      )}
      {failure === null && job.stuck && (
        <Text>
          <b>Reason:</b> The job has not reported for over 15 minutes. Its workflow may be lost; a retry starts it
          again.
        </Text>
      )}
      <LastTry job={job} />
      <Text size="sm" c="dimmed" component="div">
        <Attempts job={job} />
      </Text>
      {job.creatorAction !== null && <Text size="sm">{describeManualStep(job)}</Text>}
    </div>
  );
}

/** What came back, so that a provider that is down and a network of ours that is can be told apart. */
const LastTry = ({ job }: JobProps) =>
  job.lastTriedAt !== null &&
  job.status !== 'SUCCEEDED' && (
    <Text size="sm" component="div">
      Last try <Time at={job.lastTriedAt} />: {describeLastTry(job)}
    </Text>
  );

function Attempts({ job }: { job: JobDetailsFragment }) {
  const { tries, firstFailedAt, nextTryAt, givesUpAt, finishedAt, createdAt } = job;
  return (
    <>
      {tries > 0 && firstFailedAt !== null ? (
        <>
          {tries === 1 ? 'Failed once, on' : `Failed ${formatCount(tries, 'time')} since`} <Time at={firstFailedAt} />.{' '}
        </>
      ) : (
        <>
          Created <Time at={createdAt} />.{' '}
        </>
      )}
      {job.kind === 'ERASE' && isJobOpen(job) && tries === 0 && 'Waiting for its revoke to settle. '}
      {isJobOpen(job) && nextTryAt !== null && (
        <>
          Next try in <TimeUntil at={nextTryAt} />.{' '}
        </>
      )}
      {isJobOpen(job) && givesUpAt !== null && tries > 0 && (
        <>
          Gives up in <TimeUntil at={givesUpAt} />.{' '}
        </>
      )}
      {finishedAt !== null && (
        <>
          Ended <Time at={finishedAt} />.{' '}
        </>
      )}
      {!isJobOpen(job) && job.retryable && isRevokeJob(job) && 'Its tokens are still stored, so you can retry it.'}
    </>
  );
}

const COLORS = { trying: 'blue', settled: 'teal', failedAgain: 'red' } as const;

/** The live status of a retry. */
export function RetryNote({ retry }: { retry: WatchedRetry }) {
  const nowMs = useNow();
  const { state, text } = describeRetry(retry, retry.job, retry.finishedAtMs ?? nowMs);
  const { nextTryAt, givesUpAt } = retry.job;
  const note = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // The retry button is gone, so this note takes the focus for keyboard users.
    if (state !== 'trying' && document.activeElement === document.body) note.current?.focus({ preventScroll: true });
  }, [state]);
  return (
    <Alert color={COLORS[state]} p="xs" role="status" ref={note} tabIndex={-1}>
      <Text size="sm">{text}</Text>
      {state === 'failedAgain' && <LastTry job={retry.job} />}
      {state === 'failedAgain' && isJobOpen(retry.job) && nextTryAt !== null && (
        <Text size="sm">
          Next try in <TimeUntil at={nextTryAt} />.
          {givesUpAt !== null && (
            <>
              {' '}
              Gives up in <TimeUntil at={givesUpAt} />.
            </>
          )}
        </Text>
      )}
    </Alert>
  );
}

/** Job cards. Retried jobs come first and stay visible after they have settled and left the list. */
export function JobCards({ jobs }: { jobs: readonly JobDetailsFragment[] }) {
  const { watched } = useRetries();
  const others = jobs.filter(({ id }) => !watched.some(({ jobId }) => jobId === id));
  const shown = [...watched.map(({ job }) => job), ...others];
  if (shown.length === 0) return null;
  return (
    <Stack gap="sm">
      {shown.map((job) => (
        <JobCard key={job.id} job={job} />
      ))}
    </Stack>
  );
}

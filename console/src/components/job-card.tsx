import { Alert, Badge, Card, Flex, Group, Stack, Text, Tooltip } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { PLATFORM_NAMES } from '../../../src/basics/codes.ts';
import type { JobDetailsFragment } from '../generated/operations.ts';
import { useRetries, type WatchedRetry } from '../retries.tsx';
import { formatCount, shortenId } from '../texts/format.ts';
import {
  describeJob,
  describeLastTry,
  describeManualStep,
  describeRecovery,
  describeRetry,
  isJobOpen,
  isRevokeJob,
  isWaitingErase,
  JOB_TITLES,
} from '../texts/jobs.ts';
import { getJobState } from '../texts/states.ts';
import { ActionButton } from './action-button.tsx';
import { AppLink } from './app-link.tsx';
import { InternalLink, TemporalLink } from './links.tsx';
import { type LiveState, StateDot } from './status-badge.tsx';
import { Age, NextTry, Time, TimeUntil, useNow } from './time.tsx';

const formatTitle = ({ kind, provider }: JobDetailsFragment) => `${JOB_TITLES[kind]} at ${PLATFORM_NAMES[provider]}`;

interface JobCardProps {
  readonly job: JobDetailsFragment;
  /** Whether the card is on the page of its connection. */
  readonly isOnConnectionPage?: boolean;
  /** Whether the card is part of a receipt, which names no person and no account. */
  readonly isAnonymous?: boolean;
}

/** One job: its status, the reason, and a button to retry it. */
export function JobCard({ job: given, isOnConnectionPage = false, isAnonymous = false }: JobCardProps) {
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
              <Group gap="md" fz="sm">
                {job.connectionId !== null && !isOnConnectionPage && (
                  <InternalLink href={`/connections/${job.connectionId}`}>
                    {isAnonymous ? `Connection ${shortenId(job.connectionId)}` : 'View connection'}
                  </InternalLink>
                )}
                {job.attemptId !== null && (
                  <InternalLink href={`/attempts/${job.attemptId}`}>View attempt</InternalLink>
                )}
                <TemporalLink url={job.workflowUrl}>Workflow in Temporal</TemporalLink>
              </Group>
            </Group>
            {!isOnConnectionPage && !isAnonymous && <Owner job={job} />}
          </div>
          <RetryButton job={job} />
        </Flex>
        {retry ? <RetryNote retry={retry} /> : <FailureReason job={job} />}
      </Stack>
    </Card>
  );
}

/** The owner of the job, as a person or a caller names it. */
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

/** The age at which the alert `AccountsRevokeAboutToFail` fires. */
const URGENT_MS = 48 * 60 * 60_000;

/** The state of a job, amber while the service retries or once it is stuck, and red if it has ended or ends within a day. */
function getLiveStatus(job: JobDetailsFragment, nowMs: number): LiveState {
  const { stuck, stuckSince, tries, givesUpAt } = job;
  const isOpen = isJobOpen(job);
  if (stuck && stuckSince !== null) {
    const isUrgent = !isOpen || nowMs - Date.parse(stuckSince) >= URGENT_MS;
    const color = isUrgent ? 'red' : 'orange';
    return isUrgent && isOpen && givesUpAt !== null
      ? {
          label: (
            <>
              gives up in <TimeUntil at={givesUpAt} />
            </>
          ),
          color,
          meaning: 'Then only the person can end the access.',
        }
      : {
          label: (
            <>
              stuck for <Age since={stuckSince} />
            </>
          ),
          color,
          meaning: 'It has failed or been silent for over 15 minutes.',
        };
  }
  if (isOpen && tries > 0) {
    return {
      label: `retrying, try ${tries + 1}`,
      color: 'orange',
      meaning: 'A try has failed. The service tries again.',
    };
  }
  if (isWaitingErase(job)) {
    return { label: 'waits for its revoke', color: 'blue', meaning: 'It erases once the revoke has settled.' };
  }
  return getJobState(job);
}

/** Filled if it is urgent. */
export function JobStatusBadge({ job }: JobProps) {
  const { label, color, meaning } = getLiveStatus(job, useNow());
  return (
    <Tooltip label={meaning} multiline maw={320} events={{ hover: true, focus: true, touch: true }}>
      <Badge color={color} variant={job.stuck && color === 'red' ? 'filled' : 'light'} tt="none">
        {label}
      </Badge>
    </Tooltip>
  );
}

/** The same in one line of a table. */
export const JobStatusDot = ({ job }: JobProps) => <StateDot state={getLiveStatus(job, useNow())} />;

/** Retries a job. Hidden if a retry would have no effect. It stays while a retry runs, so that it keeps the focus. */
export function RetryButton({ job, size = 'sm' }: { job: JobDetailsFragment; size?: 'sm' | 'compact-sm' }) {
  const { retry, watched } = useRetries();
  const isTrying = watched.some(({ jobId, finishedAtMs }) => jobId === job.id && finishedAtMs === undefined);
  if (!job.retryable && !isTrying) return null;
  return (
    <ActionButton
      operation="retryJob"
      label={'Retry now'}
      target={describeJob(job)}
      variant={size === 'sm' ? 'filled' : 'light'}
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
        <Text size="sm">
          <b>Reason:</b> {failure.message}{' '}
          <Text span inherit c="dimmed" ff="monospace">
            {failure.code}
          </Text>
          {job.refusedClient !== null && <RefusedClientLink of={job.refusedClient} />}
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
      {(job.creatorAction !== null || job.creatorActionReason !== null) && (
        <Text size="sm">{job.creatorAction === null ? job.creatorActionReason : describeManualStep(job)}</Text>
      )}
    </div>
  );
}

/** Leads to the registration whose client the platform refuses. */
export const RefusedClientLink = ({ of }: { of: NonNullable<JobDetailsFragment['refusedClient']> }) => (
  <>
    {' '}
    <InternalLink isInline href={`/registrations/${of.registrationId}`}>
      Registration “{of.label}”
    </InternalLink>
  </>
);

/** The result of the try, which distinguishes an outage of the provider from one of our network, unless the reason has named it. */
function LastTry({ job }: JobProps) {
  if (job.lastTriedAt === null || job.status === 'SUCCEEDED') return null;
  const result = describeLastTry(job);
  const isKnown = (job.failure ?? job.lastFailure)?.message.toLowerCase().includes(result.toLowerCase()) === true;
  if (isKnown && job.tries === 1) return null;
  return (
    <Text size="sm" component="div">
      Last try <Time at={job.lastTriedAt} />
      {isKnown ? '.' : `: ${result}`}
    </Text>
  );
}

function Attempts({ job }: { job: JobDetailsFragment }) {
  const { tries, firstFailedAt, nextRetryAt, givesUpAt, finishedAt, createdAt } = job;
  return (
    <>
      {job.recoveredFrom !== null && `${describeRecovery(job)} `}
      {tries > 0 && firstFailedAt !== null && job.recoveredFrom === null ? (
        <>
          {tries === 1 ? 'Failed once, on' : `Failed ${formatCount(tries, 'time')} since`} <Time at={firstFailedAt} />.{' '}
        </>
      ) : (
        <>
          Created <Time at={createdAt} />.{' '}
        </>
      )}
      {isWaitingErase(job) && 'Waiting for its revoke to settle. '}
      {isJobOpen(job) && nextRetryAt !== null && (
        <>
          Next try <NextTry at={nextRetryAt} />.{' '}
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
  const { nextRetryAt, givesUpAt } = retry.job;
  const note = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // The retry button is gone, so this note takes the focus for keyboard users.
    if (state !== 'trying' && document.activeElement === document.body) note.current?.focus({ preventScroll: true });
  }, [state]);
  return (
    <Alert color={COLORS[state]} p="xs" role="status" ref={note} tabIndex={-1}>
      <Text size="sm">{text}</Text>
      {state === 'failedAgain' && <LastTry job={retry.job} />}
      {state === 'failedAgain' && isJobOpen(retry.job) && nextRetryAt !== null && (
        <Text size="sm">
          Next try <NextTry at={nextRetryAt} />.
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

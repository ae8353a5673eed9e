import { Alert, Badge, Card, Group, Stack, Text } from '@mantine/core';
import { useEffect, useRef } from 'react';
import type { WorkFragment } from '../generated/operations.ts';
import { usePushes, type Watched } from '../pushes.tsx';
import { count } from '../words/count.ts';
import { inFull, isOpen, isRevoke, KINDS, progressOf } from '../words/jobs.ts';
import { ActButton } from './act-button.tsx';
import { AppName } from './app-name.tsx';
import { State } from './badges.tsx';
import { TemporalLink, To } from './links.tsx';
import { Age, Time, Until, useNow } from './time.tsx';

const titleOf = ({ kind, provider }: WorkFragment) => `${KINDS[kind]} at ${provider}`;

interface JobCardProps {
  readonly job: WorkFragment;
  /** On its connection's own page. */
  readonly inStory?: boolean;
}

/** One job: what it is, why it is where it is, and what can be done about it. */
export function JobCard({ job: given, inStory = false }: JobCardProps) {
  const { watched } = usePushes();
  const push = watched.find(({ jobId }) => jobId === given.id);
  const job = push?.job ?? given;
  return (
    <Card withBorder padding="md" component="article" aria-label={inFull(job)}>
      <Stack gap="xs">
        <Group justify="space-between" align="flex-start">
          <div>
            <Group gap="xs">
              <Text fw={650}>
                <To href={`/jobs/${job.id}`}>{titleOf(job)}</To>
              </Text>
              <Standing job={job} />
            </Group>
            {!inStory && <Whose job={job} />}
          </div>
          <PushButton job={job} />
        </Group>
        {push ? <PushedNote push={push} /> : <Why job={job} />}
        <Group gap="md" fz="sm">
          {job.connectionId !== null && !inStory && (
            <To href={`/connections/${job.connectionId}`}>The connection's story</To>
          )}
          {job.attemptId !== null && <To href={`/attempts/${job.attemptId}`}>The attempt</To>}
          <TemporalLink url={job.workflowUrl}>Workflow in Temporal</TemporalLink>
        </Group>
      </Stack>
    </Card>
  );
}

const Whose = ({ job: { appId, appName, tenantKey } }: { job: WorkFragment }) => (
  <Text size="sm" component="div">
    of <AppName inText id={appId} name={appName} />
    {tenantKey !== null && <>, tenant “{tenantKey}”</>}
  </Text>
);

function Standing({ job }: { job: WorkFragment }) {
  if (job.stuck && job.stuckSince !== null) {
    return (
      <Badge color="red" tt="none">
        stuck for <Age since={job.stuckSince} />
      </Badge>
    );
  }
  return <State of={job.status} />;
}

/** Pushes a job; nothing where that would do nothing. It stays while a push is under way, so that it keeps the focus. */
function PushButton({ job }: { job: WorkFragment }) {
  const { push, watched } = usePushes();
  const isTrying = watched.some(({ jobId, seenAtMs }) => jobId === job.id && seenAtMs === undefined);
  if (!job.retryable && !isTrying) return null;
  return (
    <ActButton
      operation="retryJob"
      label={job.status === 'FAILED' ? 'Try again' : 'Push now'}
      about={inFull(job)}
      variant="filled"
      busy={isTrying}
      act={() => push(job.id)}
    />
  );
}

/** Why it has not got further, and when it is tried next. */
function Why({ job }: { job: WorkFragment }) {
  const failure = job.failure ?? job.lastFailure;
  return (
    <div>
      {failure !== null && job.status !== 'SUCCEEDED' && (
        <Text>
          <b>Why:</b> {failure.message}{' '}
          <Text span size="sm" c="dimmed" ff="monospace">
            {failure.code}
          </Text>
        </Text>
      )}
      {failure === null && job.stuck && (
        <Text>
          <b>Why:</b> Nothing has been heard of it for over 15 minutes. Its workflow may have been lost; a push starts
          it again.
        </Text>
      )}
      <Text size="sm" c="dimmed" component="div">
        <Tries job={job} />
      </Text>
      {job.creatorAction !== null && (
        <Text size="sm">The person has to remove the app at the provider by hand: the app has been told so.</Text>
      )}
    </div>
  );
}

function Tries({ job }: { job: WorkFragment }) {
  const { tries, firstFailedAt, nextTryAt, givesUpAt, finishedAt, createdAt } = job;
  return (
    <>
      {tries > 0 && firstFailedAt !== null ? (
        <>
          {tries === 1 ? 'Failed once, on' : `Failed ${count(tries, 'time')} since`} <Time at={firstFailedAt} />.{' '}
        </>
      ) : (
        <>
          Begun <Time at={createdAt} />.{' '}
        </>
      )}
      {job.kind === 'ERASE' && isOpen(job) && tries === 0 && 'Waits until its revoke has settled. '}
      {isOpen(job) && nextTryAt !== null && (
        <>
          Next try in <Until at={nextTryAt} />.{' '}
        </>
      )}
      {isOpen(job) && givesUpAt !== null && tries > 0 && (
        <>
          Gives up in <Until at={givesUpAt} />.{' '}
        </>
      )}
      {finishedAt !== null && (
        <>
          Ended <Time at={finishedAt} />.{' '}
        </>
      )}
      {!isOpen(job) && job.retryable && isRevoke(job) && 'Its tokens are still kept, so it can be tried again.'}
    </>
  );
}

const COLORS = { trying: 'blue', settled: 'teal', failedAgain: 'red' } as const;

/** What became of a push, as it happens. */
function PushedNote({ push }: { push: Watched }) {
  const nowMs = useNow();
  const { state, text } = progressOf(push, push.job, push.seenAtMs ?? nowMs);
  const { nextTryAt } = push.job;
  const note = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // The button has gone with what it was for; whoever works by keyboard goes on from here.
    if (state !== 'trying' && document.activeElement === document.body) note.current?.focus({ preventScroll: true });
  }, [state]);
  return (
    <Alert color={COLORS[state]} p="xs" role="status" ref={note} tabIndex={-1}>
      <Text size="sm">{text}</Text>
      {state === 'failedAgain' && isOpen(push.job) && nextTryAt !== null && (
        <Text size="sm">
          Next try in <Until at={nextTryAt} />.
        </Text>
      )}
    </Alert>
  );
}

/** Jobs, under those that were pushed here: these stay in sight when they have settled and left the list. */
export function JobCards({ jobs }: { jobs: readonly WorkFragment[] }) {
  const { watched } = usePushes();
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

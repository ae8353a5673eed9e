import { Alert, type ButtonProps, Progress, Text, VisuallyHidden } from '@mantine/core';
import { useRef } from 'react';
import { useClient } from 'urql';
import { useAct } from '../ask/hooks.ts';
import { type JobFilter, PushJobsDocument, StuckWorkDocument, type StuckWorkQuery } from '../generated/operations.ts';
import { usePushes } from '../pushes.tsx';
import { count } from '../words/count.ts';
import { foreseePush, progressOfMany } from '../words/jobs.ts';
import { outcomeOf } from '../words/problem.ts';
import { ActButton } from './act-button.tsx';
import type { Foresight } from './confirm-dialog.tsx';
import { useNow } from './time.tsx';

interface PushManyProps extends Pick<ButtonProps, 'size' | 'variant'> {
  readonly filter: JobFilter;
  readonly label: string;
  readonly about?: string;
}

/** Pushes all jobs of a filter, once it has said how many. */
export function PushMany({ filter, label, ...rest }: PushManyProps) {
  const client = useClient();
  const pushJobs = useAct(PushJobsDocument);
  const { notePushOfMany } = usePushes();
  const stuckBefore = useRef(0);

  async function foresee(): Promise<Foresight> {
    const asked = client.query<StuckWorkQuery>(
      StuckWorkDocument.toString(),
      { filter },
      { requestPolicy: 'network-only' },
    );
    const [stuck, dryRun] = await Promise.all([asked.toPromise().then(outcomeOf), pushJobs({ filter, dryRun: true })]);
    const foreseen = foreseePush(stuck, dryRun);
    if (!foreseen.problem) stuckBefore.current = foreseen.stuckBefore;
    return foreseen;
  }

  return (
    <ActButton
      {...rest}
      operation="retryJobs"
      label={label}
      confirm={{
        title: 'Push many jobs',
        action: 'Push them',
        text: 'Each makes its next try at once, whatever its back-off. Those that are trying just now are left alone.',
        foresee,
      }}
      act={async () => {
        const pushedAtMs = Date.now();
        const { data, problem } = await pushJobs({ filter, dryRun: false });
        if (problem) return problem;
        const { count: pushed, more } = data.retryJobs;
        const leftOut = more ? Math.max(0, stuckBefore.current - pushed) : 0;
        notePushOfMany({ filter, pushedAtMs, pushed, stuckBefore: stuckBefore.current, leftOut });
        return undefined;
      }}
    />
  );
}

/** What becomes of the last push of many, as it happens. */
export function PushedMany() {
  const { many, forgetMany } = usePushes();
  const nowMs = useNow();
  if (many === undefined) return null;
  const { stuck, overAtMs, pushed } = many;
  const progress = stuck && progressOfMany(many, stuck, overAtMs ?? nowMs);
  const begun = `Pushed ${count(pushed, 'job')}.`;
  const color = overAtMs === undefined ? 'blue' : progress?.failedAgain ? 'red' : 'teal';
  const part = (jobs: number) => (100 * jobs) / Math.max(1, many.stuckBefore, stuck?.count ?? 0);
  return (
    <Alert color={color} role="group" aria-label="Pushed" withCloseButton onClose={forgetMany} closeButtonLabel="Close">
      <Text size="sm">{progress?.text ?? begun}</Text>
      {/* Whoever listens is told of the beginning and of the end, not every second. */}
      <VisuallyHidden role="status">{overAtMs === undefined ? begun : progress?.text}</VisuallyHidden>
      {progress && (
        <Progress.Root mt="xs" aria-hidden>
          <Progress.Section value={part(progress.settled)} color="teal" />
          <Progress.Section value={part(progress.trying)} color="blue" />
          <Progress.Section value={part(progress.failedAgain)} color="red" />
        </Progress.Root>
      )}
    </Alert>
  );
}

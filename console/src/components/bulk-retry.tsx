import { Alert, type ButtonProps, Progress, Text, VisuallyHidden } from '@mantine/core';
import { useAdminMutation, useQuestion } from '../admin-client/hooks.ts';
import { type JobFilter, RetryJobsDocument, StuckWorkDocument } from '../generated/operations.ts';
import { useRetries } from '../retries.tsx';
import { formatCount } from '../texts/format.ts';
import { describeBulkRetry, previewBulkRetry } from '../texts/jobs.ts';
import { ActionButton } from './action-button.tsx';
import type { Preview } from './confirm-dialog.tsx';
import { useNow } from './time.tsx';

interface BulkRetryButtonProps extends Pick<ButtonProps, 'size' | 'variant'> {
  readonly filter: JobFilter;
  readonly label: string;
  readonly target?: string;
}

/**
 * Retries all jobs of a filter after it has shown how many. For a filter of stuck ones also those that are not stuck yet: after an
 * outage, they would wait for nothing.
 */
export function BulkRetryButton({ filter: listed, label, ...rest }: BulkRetryButtonProps) {
  const { stuck: isOfStuck, ...filter } = listed;
  const countStuck = useQuestion(StuckWorkDocument);
  const retryJobs = useAdminMutation(RetryJobsDocument);
  const { watchBulk } = useRetries();

  async function preview(): Promise<Preview> {
    const [stuck, dryRun] = await Promise.all([
      isOfStuck === true ? countStuck({ filter }) : undefined,
      retryJobs({ filter, dryRun: true }),
    ]);
    return previewBulkRetry(filter, dryRun, stuck);
  }

  return (
    <ActionButton
      {...rest}
      operation="retryJobs"
      label={label}
      confirm={{
        title: 'Retry jobs',
        action: 'Retry',
        text: 'Each job retries at once instead of waiting for its next try. Jobs that are being tried now are not affected.',
        preview,
      }}
      run={async () => {
        const retriedAtMs = Date.now();
        const { data, problem } = await retryJobs({ filter, dryRun: false });
        if (problem) return problem;
        const { count: retriedCount, correlationId: retriedBy } = data.retryJobs;
        watchBulk({ retriedBy, retriedAtMs, retriedCount });
        return undefined;
      }}
    />
  );
}

/** The live status of the last bulk retry. */
export function BulkRetryStatus() {
  const { bulk, dismissBulk } = useRetries();
  const nowMs = useNow();
  if (bulk === undefined) return null;
  const { jobs, finishedAtMs, retriedCount } = bulk;
  const progress = jobs && describeBulkRetry(bulk, jobs, nowMs);
  const startText = `Retried ${formatCount(retriedCount, 'job')}.`;
  const color = finishedAtMs === undefined ? 'blue' : progress?.failedAgain ? 'red' : 'teal';
  const part = (number: number) => (100 * number) / Math.max(1, retriedCount);
  return (
    <Alert
      color={color}
      role="group"
      aria-label="Bulk retry"
      withCloseButton
      onClose={dismissBulk}
      closeButtonLabel="Close"
    >
      <Text size="sm">{progress?.text ?? startText}</Text>
      {/* Screen readers announce the start and the end, not every second. */}
      <VisuallyHidden role="status">{finishedAtMs === undefined ? startText : progress?.text}</VisuallyHidden>
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

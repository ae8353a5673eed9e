import { Alert } from '@mantine/core';
import { useAdminQuery } from '../admin-client/hooks.ts';
import { SLOW_POLL_MS } from '../admin-client/polling.ts';
import { WorkersDocument } from '../generated/operations.ts';
import { Time } from './time.tsx';

/** Whether no worker has answered for a while. */
export const useIsWorkerAway = (): boolean =>
  useAdminQuery(WorkersDocument, {}, { pollMs: SLOW_POLL_MS }).data?.overview.workers === 'SILENT';

/** Says beside jobs that no worker runs them: their own states and next tries do not show it. */
export function NoWorker() {
  const { data } = useAdminQuery(WorkersDocument, {}, { pollMs: SLOW_POLL_MS });
  if (data?.overview.workers !== 'SILENT') return null;
  const { workersSeenAt } = data.overview;
  return (
    <Alert color="red" role="status" title="No worker runs">
      {workersSeenAt === null ? (
        'No worker answers'
      ) : (
        <>
          No worker has answered since <Time at={workersSeenAt} />
        </>
      )}
      : open jobs wait, also those with a next try.
    </Alert>
  );
}

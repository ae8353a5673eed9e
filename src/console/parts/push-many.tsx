import { useAct } from '../ask/hooks.ts';
import { type JobFilter, PushJobsDocument } from '../generated/operations.ts';
import { usePushes } from '../pushes.tsx';
import { count } from '../words/count.ts';
import { ActButton } from './act-button.tsx';

/** Pushes all jobs of a filter, once it has said how many. */
export function PushMany({ filter, label }: { filter: JobFilter; label: string }) {
  const pushJobs = useAct(PushJobsDocument);
  const { notePushOfMany } = usePushes();
  return (
    <ActButton
      operation="retryJobs"
      label={label}
      confirm={{
        title: 'Push many jobs',
        action: 'Push them',
        text: 'Each makes its next try at once, whatever its back-off. Those that are trying just now are left alone.',
        foresee: async () => {
          const { data, problem } = await pushJobs({ filter, dryRun: true });
          if (problem) return { problem };
          const { count: jobs, failedCount, more } = data.retryJobs;
          const failed = failedCount > 0 ? ` Of these, ${count(failedCount, 'revoke')} had failed for good.` : '';
          const rest = more ? ' There are more: push again when these are through.' : '';
          return {
            isNothing: jobs === 0,
            text:
              jobs === 0 ? 'None of them waits for a push.' : `${count(jobs, 'job')} will be pushed.${failed}${rest}`,
          };
        },
      }}
      act={async () => {
        const { problem } = await pushJobs({ filter, dryRun: false });
        if (!problem) notePushOfMany();
        return problem;
      }}
      done="Pushed. The list follows as they settle."
    />
  );
}

import { createContext, type ReactNode, use, useCallback, useEffect, useMemo, useState } from 'react';
import { useAdminMutation, useAdminQuery } from './admin-client/hooks.ts';
import { FAST_POLL_MS, SLOW_POLL_MS } from './admin-client/polling.ts';
import {
  type JobDetailsFragment,
  JobDocument,
  RetryJobDocument,
  RetryProgressDocument,
} from './generated/operations.ts';
import { type BulkRetry, describeRetry, isJobOpen, type JobRetry, type RetriedJobs } from './texts/jobs.ts';
import type { Problem } from './texts/problem.ts';

export interface WatchedRetry extends JobRetry {
  readonly job: JobDetailsFragment;
  /** When the page first saw the outcome; undefined while the job is being tried. */
  readonly finishedAtMs: number | undefined;
}

/** Many jobs that the operator retried together. */
export interface WatchedBulkRetry extends BulkRetry {
  /** Their states; undefined until the first answer. */
  readonly jobs: RetriedJobs | undefined;
}

interface Retries {
  readonly watched: readonly WatchedRetry[];
  /** The last bulk retry; undefined if there was none or the operator closed its status. */
  readonly bulk: WatchedBulkRetry | undefined;
  /** Ms between two polls after a retry. */
  readonly pollMs: number;
  readonly retry: (id: string) => Promise<Problem | undefined>;
  readonly watchBulk: (bulk: Omit<BulkRetry, 'finishedAtMs'>) => void;
  readonly dismissBulk: () => void;
}

const RetriesContext = createContext<Retries | undefined>(undefined);

/** The retries of this operator since the page was opened, newest first. */
export function useRetries(): Retries {
  const retries = use(RetriesContext);
  if (retries === undefined) throw new Error('useRetries needs a RetriesProvider.');
  return retries;
}

/** Remembers each retry and polls its job until it settles, on whichever page the operator is. */
export function RetriesProvider({ children }: { children: ReactNode }) {
  const [watched, setWatched] = useState<readonly WatchedRetry[]>([]);
  const [bulk, setBulk] = useState<WatchedBulkRetry>();
  const retryJob = useAdminMutation(RetryJobDocument);

  const retry = useCallback(
    async (id: string) => {
      const retriedAtMs = Date.now();
      const { data, problem } = await retryJob({ id });
      if (problem) return problem;
      const job = data.retryJob;
      const added = { jobId: id, retriedAtMs, triesBefore: job.tries, job, finishedAtMs: undefined };
      setWatched((before) => [added, ...before.filter(({ jobId }) => jobId !== id)]);
      return undefined;
    },
    [retryJob],
  );
  const update = useCallback((job: JobDetailsFragment) => {
    setWatched((all) =>
      all.map((one) => {
        if (one.jobId !== job.id) return one;
        const [before, after] = [one.job, job].map((version) => describeRetry(one, version, 0).state);
        const finishedAtMs = after === 'trying' ? undefined : after === before ? one.finishedAtMs : Date.now();
        return { ...one, job, finishedAtMs };
      }),
    );
  }, []);
  const remove = useCallback((id: string) => setWatched((before) => before.filter(({ jobId }) => jobId !== id)), []);
  const watchBulk = useCallback(
    (started: Omit<BulkRetry, 'finishedAtMs'>) => setBulk({ ...started, jobs: undefined, finishedAtMs: undefined }),
    [],
  );
  const dismissBulk = useCallback(() => setBulk(undefined), []);
  const updateBulk = useCallback((jobs: RetriedJobs) => {
    setBulk((before) => {
      if (before === undefined) return undefined;
      const isFinished = jobs.open === jobs.waiting;
      return { ...before, jobs, finishedAtMs: before.finishedAtMs ?? (isFinished ? Date.now() : undefined) };
    });
  }, []);

  const isRunning =
    (bulk !== undefined && bulk.finishedAtMs === undefined) ||
    watched.some(({ finishedAtMs }) => finishedAtMs === undefined);
  const pollMs = isRunning ? FAST_POLL_MS : SLOW_POLL_MS;
  const retries = useMemo(
    () => ({ watched, bulk, pollMs, retry, watchBulk, dismissBulk }),
    [watched, bulk, pollMs, retry, watchBulk, dismissBulk],
  );
  return (
    <RetriesContext value={retries}>
      {watched.map((one) => (
        <RetryPoller key={one.jobId} watched={one} onUpdate={update} onGone={remove} />
      ))}
      {bulk && <BulkRetryPoller key={bulk.retriedAtMs} bulk={bulk} onUpdate={updateBulk} />}
      {children}
    </RetriesContext>
  );
}

interface RetryPollerProps {
  readonly watched: WatchedRetry;
  readonly onUpdate: (job: JobDetailsFragment) => void;
  readonly onGone: (jobId: string) => void;
}

function RetryPoller({ watched: { jobId, job, finishedAtMs }, onUpdate, onGone }: RetryPollerProps) {
  const pollMs = !isJobOpen(job) ? undefined : finishedAtMs === undefined ? FAST_POLL_MS : SLOW_POLL_MS;
  const { data, problem } = useAdminQuery(JobDocument, { id: jobId }, { pollMs });
  // The erase of a connection deletes its read jobs.
  const isGone = problem?.code === 'NOT_FOUND';
  useEffect(() => {
    if (isGone) onGone(jobId);
    else if (data) onUpdate(data.job);
  }, [data, isGone, jobId, onUpdate, onGone]);
  return null;
}

interface BulkRetryPollerProps {
  readonly bulk: WatchedBulkRetry;
  readonly onUpdate: (jobs: RetriedJobs) => void;
}

function BulkRetryPoller({ bulk: { retriedBy, finishedAtMs }, onUpdate }: BulkRetryPollerProps) {
  const pollMs = finishedAtMs === undefined ? FAST_POLL_MS : SLOW_POLL_MS;
  const { data } = useAdminQuery(RetryProgressDocument, { retriedBy }, { pollMs, skipCache: true });
  useEffect(() => {
    if (data === undefined) return;
    const { open, waiting, succeeded, failed, canceled } = data;
    onUpdate({
      ...{ open: open.count, waiting: waiting.count },
      ...{ succeeded: succeeded.count, failed: failed.count, canceled: canceled.count },
    });
  }, [data, onUpdate]);
  return null;
}

import { createContext, type ReactNode, use, useCallback, useEffect, useMemo, useState } from 'react';
import { useAct, useAsk } from './ask/hooks.ts';
import { CALM_MS, HURRIED_MS } from './ask/pace.ts';
import { OneJobDocument, PushJobDocument, type WorkFragment } from './generated/operations.ts';
import { type Push, progressOf } from './words/jobs.ts';
import type { Problem } from './words/problem.ts';

/** Of pushing many, during which lists are looked at as often as when one is pushed. */
const MANY_MS = 60_000;

export interface Watched extends Push {
  readonly job: WorkFragment;
  /** When what became of it was first seen; undefined while it is being tried. */
  readonly seenAtMs: number | undefined;
}

interface Pushes {
  readonly watched: readonly Watched[];
  /** Whether something pushed has not come to anything yet. */
  readonly underWay: boolean;
  readonly push: (id: string) => Promise<Problem | undefined>;
  readonly notePushOfMany: () => void;
}

const Current = createContext<Pushes | undefined>(undefined);

/** What this person has pushed since the page was opened, newest first. */
export function usePushes(): Pushes {
  const pushes = use(Current);
  if (pushes === undefined) throw new Error('Nothing can be pushed here.');
  return pushes;
}

/** Remembers what is pushed, and looks after each until it has settled, whichever page is open. */
export function PushesWatched({ children }: { children: ReactNode }) {
  const [watched, setWatched] = useState<readonly Watched[]>([]);
  const [manyAtMs, setManyAtMs] = useState<number>();
  const pushOne = useAct(PushJobDocument);

  const push = useCallback(
    async (id: string) => {
      const pushedAtMs = Date.now();
      const { data, problem } = await pushOne({ id });
      if (problem) return problem;
      const job = data.retryJob;
      const made = { jobId: id, pushedAtMs, triesBefore: job.tries, job, seenAtMs: undefined };
      setWatched((before) => [made, ...before.filter(({ jobId }) => jobId !== id)]);
      return undefined;
    },
    [pushOne],
  );
  const see = useCallback((job: WorkFragment) => {
    setWatched((before) =>
      before.map((one) => {
        if (one.jobId !== job.id) return one;
        const [before, after] = [one.job, job].map((seen) => progressOf(one, seen, 0).state);
        const seenAtMs = after === 'trying' ? undefined : after === before ? one.seenAtMs : Date.now();
        return { ...one, job, seenAtMs };
      }),
    );
  }, []);
  const forget = useCallback((id: string) => setWatched((before) => before.filter(({ jobId }) => jobId !== id)), []);
  const notePushOfMany = useCallback(() => setManyAtMs(Date.now()), []);
  useEffect(() => {
    if (manyAtMs === undefined) return;
    const timer = setTimeout(() => setManyAtMs(undefined), MANY_MS);
    return () => clearTimeout(timer);
  }, [manyAtMs]);

  const underWay = manyAtMs !== undefined || watched.some(({ seenAtMs }) => seenAtMs === undefined);
  const pushes = useMemo(
    () => ({ watched, underWay, push, notePushOfMany }),
    [watched, underWay, push, notePushOfMany],
  );
  return (
    <Current value={pushes}>
      {watched.map((one) => (
        <Watch key={one.jobId} one={one} see={see} forget={forget} />
      ))}
      {children}
    </Current>
  );
}

interface WatchProps {
  readonly one: Watched;
  readonly see: (job: WorkFragment) => void;
  readonly forget: (jobId: string) => void;
}

function Watch({ one, see, forget }: WatchProps) {
  const isOver = one.job.status !== 'QUEUED' && one.job.status !== 'RUNNING';
  const everyMs = isOver ? undefined : one.seenAtMs === undefined ? HURRIED_MS : CALM_MS;
  const { data, problem } = useAsk(OneJobDocument, { id: one.jobId }, { everyMs });
  // A read goes with its connection.
  const isGone = problem?.code === 'NOT_FOUND';
  useEffect(() => {
    if (isGone) forget(one.jobId);
    else if (data) see(data.job);
  }, [data, isGone, one.jobId, see, forget]);
  return null;
}

import { createContext, type ReactNode, use, useCallback, useEffect, useMemo, useState } from 'react';
import { useAct, useAsk } from './ask/hooks.ts';
import { CALM_MS, HURRIED_MS } from './ask/pace.ts';
import {
  OneJobDocument,
  PushJobDocument,
  type StuckFragment,
  StuckWorkDocument,
  type WorkFragment,
} from './generated/operations.ts';
import { type Push, type PushOfMany, progressOf } from './words/jobs.ts';
import type { Problem } from './words/problem.ts';

export interface Watched extends Push {
  readonly job: WorkFragment;
  /** When what became of it was first seen; undefined while it is being tried. */
  readonly seenAtMs: number | undefined;
}

/** Many jobs that were pushed together. */
export interface WatchedMany extends PushOfMany {
  /** What is stuck of them now; undefined until that has been asked for. */
  readonly stuck: Pick<StuckFragment, 'count' | 'retryableCount'> | undefined;
  /** When nothing was being tried any more, first; undefined before. */
  readonly overAtMs: number | undefined;
}

interface Pushes {
  readonly watched: readonly Watched[];
  /** The last push of many; undefined when there was none, or nobody wants to hear of it any more. */
  readonly many: WatchedMany | undefined;
  /** Whether something pushed has not come to anything yet. */
  readonly underWay: boolean;
  readonly push: (id: string) => Promise<Problem | undefined>;
  readonly notePushOfMany: (push: PushOfMany) => void;
  readonly forgetMany: () => void;
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
  const [many, setMany] = useState<WatchedMany>();
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
  const notePushOfMany = useCallback(
    (made: PushOfMany) => setMany({ ...made, stuck: undefined, overAtMs: undefined }),
    [],
  );
  const forgetMany = useCallback(() => setMany(undefined), []);
  const seeMany = useCallback((stuck: StuckFragment) => {
    setMany((before) => {
      if (before === undefined) return undefined;
      const isOver = stuck.count === stuck.retryableCount;
      return { ...before, stuck, overAtMs: isOver ? (before.overAtMs ?? Date.now()) : undefined };
    });
  }, []);

  const underWay =
    (many !== undefined && many.overAtMs === undefined) || watched.some(({ seenAtMs }) => seenAtMs === undefined);
  const pushes = useMemo(
    () => ({ watched, many, underWay, push, notePushOfMany, forgetMany }),
    [watched, many, underWay, push, notePushOfMany, forgetMany],
  );
  return (
    <Current value={pushes}>
      {watched.map((one) => (
        <Watch key={one.jobId} one={one} see={see} forget={forget} />
      ))}
      {many && <WatchMany key={many.pushedAtMs} many={many} see={seeMany} />}
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

function WatchMany({ many, see }: { many: WatchedMany; see: (stuck: StuckFragment) => void }) {
  const everyMs = many.overAtMs === undefined ? HURRIED_MS : CALM_MS;
  // An answer from before the push would say that nothing is being tried. With one group, of which nothing is shown, the
  // question is another than that of the list, whose answer may be on its way since then.
  const { data } = useAsk(StuckWorkDocument, { filter: many.filter, first: 1 }, { everyMs, isFresh: true });
  useEffect(() => {
    if (data) see(data.stuckWork);
  }, [data, see]);
  return null;
}

import { createContext, type ReactNode, use, useEffect, useState } from 'react';
import { duration, inLocalTime, inUtc } from '../words/time.ts';

const Now = createContext(0);

/** Lets everything below it tell the time, by the second. */
export function Clock({ children }: { children: ReactNode }) {
  const [nowMs, setNowMs] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNowMs(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  return <Now value={nowMs}>{children}</Now>;
}

export const useNow = (): number => use(Now);

/** In the browser's zone; in UTC under the pointer. */
export const Time = ({ at }: { at: string }) => (
  <time dateTime={at} title={inUtc(at)}>
    {inLocalTime(at)}
  </time>
);

/** How long ago: `3 h 12 min`. */
export const Age = ({ since }: { since: string }) => (
  <time className="duration" dateTime={since} title={inUtc(since)}>
    {duration(useNow() - Date.parse(since))}
  </time>
);

/** How far ahead, to stand behind “in” or “for”: `42 min`; once it has come, `a moment`. */
export function Until({ at }: { at: string }) {
  const ms = Date.parse(at) - useNow();
  return (
    <time className="duration" dateTime={at} title={inUtc(at)}>
      {ms >= 1_000 ? duration(ms) : 'a moment'}
    </time>
  );
}

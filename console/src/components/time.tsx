import { createContext, type ReactNode, use, useEffect, useState } from 'react';
import { formatDuration, formatLocal, formatUtc } from '../texts/time.ts';

const Now = createContext(0);

/** Provides the current time to its children, updated every second. */
export function ClockProvider({ children }: { children: ReactNode }) {
  const [nowMs, setNowMs] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNowMs(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  return <Now value={nowMs}>{children}</Now>;
}

export const useNow = (): number => use(Now);

/** Shows an instant in the browser's time zone, with UTC as a tooltip. */
export const Time = ({ at }: { at: string }) => (
  <time dateTime={at} title={formatUtc(at)}>
    {formatLocal(at)}
  </time>
);

/** The time since an instant: `3 h 12 min`. */
export const Age = ({ since }: { since: string }) => (
  <time className="duration" dateTime={since} title={formatUtc(since)}>
    {formatDuration(useNow() - Date.parse(since))}
  </time>
);

/** The time until an instant, for use after “in”: `42 min`, or `a moment` once it has passed. */
export function TimeUntil({ at }: { at: string }) {
  const ms = Date.parse(at) - useNow();
  return (
    <time className="duration" dateTime={at} title={formatUtc(at)}>
      {ms >= 1_000 ? formatDuration(ms) : 'a moment'}
    </time>
  );
}

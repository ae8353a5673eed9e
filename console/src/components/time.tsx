import { Tooltip, UnstyledButton } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { createContext, type ReactNode, use, useEffect, useState } from 'react';
import { describeNextTry, formatDuration, formatLocal, formatRelative, formatShort, formatUtc } from '../texts/time.ts';
import { useZone } from '../time-zone.ts';

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

const EVENTS = { hover: true, focus: true, touch: true };

/** A time that shows UTC and how long ago it is to the pointer, the keyboard and a finger, and copies its instant. */
const Instant = ({ at, children }: { at: string; children: ReactNode }) => {
  const { copied, copy } = useClipboard();
  return (
    <Tooltip label={<Facts at={at} isCopied={copied} />} events={EVENTS} multiline>
      <UnstyledButton className="instant" fz="inherit" onClick={() => copy(new Date(at).toISOString())}>
        <time dateTime={at}>{children}</time>
      </UnstyledButton>
    </Tooltip>
  );
};

/** Ticks only while it shows. */
const Facts = ({ at, isCopied }: { at: string; isCopied: boolean }) => (
  <>
    {formatRelative(at, useNow())}
    <br />
    {formatUtc(at)}
    <br />
    {isCopied ? 'Copied' : 'Press to copy'}
  </>
);

/** An instant in the chosen time zone, within a sentence. */
export function Time({ at }: { at: string }) {
  useZone();
  return <Instant at={at}>{formatLocal(at)}</Instant>;
}

/** The time of something that is over. */
export const Span = ({ from, to }: { from: string; to: string }) => (
  <>
    from <Time at={from} /> to <Time at={to} />
  </>
);

/** An instant in a table: `19:27:05` today, `28 Nov, 19:27` on another day. */
export const TimeCell = ({ at }: { at: string }) => <Instant at={at}>{formatShort(at, useNow())}</Instant>;

/** How long ago an instant is, in a table: `48 s ago`. */
export const AgoCell = ({ at }: { at: string }) => <Instant at={at}>{formatRelative(at, useNow())}</Instant>;

/** The time since an instant, in a table. */
export const AgeCell = ({ since }: { since: string }) => (
  <Instant at={since}>{formatDuration(useNow() - Date.parse(since))}</Instant>
);

/** An instant within a link or a button. A press there follows the link. */
export const PlainTime = ({ at }: { at: string }) => (
  <time dateTime={at} title={formatUtc(at)}>
    {formatShort(at, useNow())}
  </time>
);

/** The time since an instant: `3 h 12 min`. */
export const Age = ({ since }: { since: string }) => (
  <time className="duration" dateTime={since} title={formatUtc(since)}>
    {formatDuration(useNow() - Date.parse(since))}
  </time>
);

/** When a job is tried next: `in 42 min`, or `overdue for 48 s`. */
export const NextTry = ({ at }: { at: string }) => (
  <time className="duration" dateTime={at} title={formatUtc(at)}>
    {describeNextTry(at, useNow())}
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

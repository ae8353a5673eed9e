const DAY_SECONDS = 24 * 60 * 60;

const pacificClock = new Intl.DateTimeFormat('en-US', {
  timeZone: 'America/Los_Angeles',
  hourCycle: 'h23',
  hour: 'numeric',
  minute: 'numeric',
  second: 'numeric',
});

/** How long after midnight an answer may still be about the day before: their clock is not ours. */
const SETTLING_SECONDS = 15 * 60;
const ASK_AGAIN_SECONDS = 5 * 60;

/**
 * Whole seconds until the daily quota starts again: midnight Pacific time (YouTube Data API, quota costs). Right after
 * midnight it is a few minutes: who waited for midnight asks then, and must not wait a whole day for a reset that is late.
 */
export function countSecondsToQuotaReset(now: Date): number {
  if (secondOfDay(now) < SETTLING_SECONDS) return ASK_AGAIN_SECONDS;
  const naive = DAY_SECONDS - secondOfDay(now);
  // On the two days a year that have 23 or 25 hours this does not arrive at midnight, but an hour off it.
  const arrival = secondOfDay(new Date(now.getTime() + naive * 1000));
  return arrival > DAY_SECONDS / 2 ? naive + DAY_SECONDS - arrival : naive - arrival;
}

function secondOfDay(at: Date): number {
  const parts = pacificClock.formatToParts(at);
  const part = (type: Intl.DateTimeFormatPartTypes) => Number(parts.find((one) => one.type === type)?.value);
  return part('hour') * 3600 + part('minute') * 60 + part('second');
}

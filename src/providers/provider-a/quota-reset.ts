const DAY_SECONDS = 24 * 60 * 60;

const pacificClock = new Intl.DateTimeFormat('en-US', {
  timeZone: 'America/Los_Angeles',
  hourCycle: 'h23',
  hour: 'numeric',
  minute: 'numeric',
  second: 'numeric',
});

/** The platform may still count calls for the previous day this long after midnight by our clock. */
const SETTLING_SECONDS = 15 * 60;
const RETRY_SECONDS = 5 * 60;

/**
 * Counts whole seconds until the daily quota resets, at midnight Pacific time (YouTube Data API, quota costs). Just after
 * midnight it returns 5 minutes, so that a late reset does not cost a whole day.
 */
export function countSecondsToQuotaReset(now: Date): number {
  if (secondOfDay(now) < SETTLING_SECONDS) return RETRY_SECONDS;
  const naive = DAY_SECONDS - secondOfDay(now);
  // On the two days a year with 23 or 25 hours this is an hour off midnight.
  const arrival = secondOfDay(new Date(now.getTime() + naive * 1000));
  return arrival > DAY_SECONDS / 2 ? naive + DAY_SECONDS - arrival : naive - arrival;
}

function secondOfDay(at: Date): number {
  const parts = pacificClock.formatToParts(at);
  const part = (type: Intl.DateTimeFormatPartTypes) => Number(parts.find((one) => one.type === type)?.value);
  return part('hour') * 3600 + part('minute') * 60 + part('second');
}

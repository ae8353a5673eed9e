const UNITS = [
  ['d', 86_400],
  ['h', 3_600],
  ['min', 60],
  ['s', 1],
] as const;

/** In its two largest units: `3 h 12 min`, `45 s`. Never negative. */
export function duration(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1_000));
  const largest = UNITS.findIndex(([, size]) => seconds >= size);
  if (largest === -1) return '0 s';
  let rest = seconds;
  const parts = UNITS.slice(largest, largest + 2).map(([unit, size]) => {
    const count = Math.floor(rest / size);
    rest %= size;
    return count > 0 && `${count} ${unit}`;
  });
  return parts.filter((part) => part !== false).join(' ');
}

/** Of an action somebody watches: `2.4 s`, and like any other duration from a minute on. */
export const stopwatch = (ms: number): string => (ms < 60_000 ? `${(ms / 1_000).toFixed(1)} s` : duration(ms));

const UTC = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium', timeZone: 'UTC' });

/** `21 Nov 2026, 17:25:43 UTC` */
export const inUtc = (instant: string): string => `${UTC.format(new Date(instant))} UTC`;

const LOCAL = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });

/** In the browser's own language and zone. */
export const inLocalTime = (instant: string): string => LOCAL.format(new Date(instant));

/** A day of a date field, as the instant at which it begins in UTC; null for an empty field. */
export const startOfDay = (day: string): string | null => (day === '' ? null : `${day}T00:00:00.000Z`);

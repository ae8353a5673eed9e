const UTC_NAMES = /^(?:Etc\/)?(?:UTC|UCT|Zulu|Universal|GMT)$/;

/** The zone of the browser: `Europe/Berlin (UTC+1)`. */
export const BROWSER_ZONE = describeZone(new Date());

function describeZone(at: Date): string {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  const offset = new Intl.DateTimeFormat('en', { timeZoneName: 'shortOffset' })
    .formatToParts(at)
    .find(({ type }) => type === 'timeZoneName')
    ?.value.replace('GMT', 'UTC');
  if (UTC_NAMES.test(timeZone)) return 'UTC';
  return offset === undefined ? timeZone : `${timeZone} (${offset})`;
}

/** The zone in which the console shows times. */
export type Zone = 'BROWSER' | 'UTC';

const formatsIn = (zone: Zone) => {
  const at = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat('en-GB', { ...options, ...(zone === 'UTC' && { timeZone: 'UTC' }) });
  return {
    zone,
    all: at({ dateStyle: 'medium', timeStyle: 'medium' }),
    minute: at({ dateStyle: 'medium', timeStyle: 'short' }),
    day: at({ dateStyle: 'short' }),
    year: at({ year: 'numeric' }),
    dayMinute: at({ day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' }),
    second: at({ timeStyle: 'medium' }),
    hour: at({ hour: '2-digit', minute: '2-digit' }),
  };
};

let formats = formatsIn('BROWSER');

/** From here on, the functions of this file show times in this zone. */
export function showTimesIn(zone: Zone): void {
  formats = formatsIn(zone);
}

/** The name of the chosen time zone: `Europe/Berlin (UTC+1)`, `UTC`. */
export const getZoneName = (): string => (formats.zone === 'UTC' ? 'UTC' : BROWSER_ZONE);

/** `Times are in Europe/Berlin (UTC+1). Point at one for UTC; press it to copy.` */
export const describeTimes = (): string =>
  getZoneName() === 'UTC'
    ? 'Times are in UTC. Press one to copy it.'
    : `Times are in ${BROWSER_ZONE}. Point at one for UTC; press it to copy.`;

const UNITS = [
  ['d', 86_400],
  ['h', 3_600],
  ['min', 60],
  ['s', 1],
] as const;

/** Shows the two largest units: `3 h 12 min`, `45 s`. A negative duration is `0 s`. */
export function formatDuration(ms: number): string {
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

/** A try under way has not ended either: longer than it takes to begin one and to get an answer. */
const OVERDUE_MS = 30_000;

/** Whether the next try of a job should have ended. */
export const isOverdue = (at: string, nowMs: number): boolean => nowMs - Date.parse(at) >= OVERDUE_MS;

/** When the next try of a job is: `in 4 min`; once it has passed for a while, `overdue for 48 s`. */
export function describeNextTry(at: string, nowMs: number): string {
  const ms = Date.parse(at) - nowMs;
  if (isOverdue(at, nowMs)) return `overdue for ${formatDuration(-ms)}`;
  return ms >= 1_000 ? `in ${formatDuration(ms)}` : 'in a moment';
}

/** Shows tenths of a second below one minute: `2.4 s`. For actions that the operator watches. */
export const formatElapsed = (ms: number): string =>
  ms < 60_000 ? `${(ms / 1_000).toFixed(1)} s` : formatDuration(ms);

const UTC = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium', timeZone: 'UTC' });

/** `21 Nov 2026, 17:25:43 UTC` */
export const formatUtc = (instant: string): string => `${UTC.format(new Date(instant))} UTC`;

/** `21 Nov 2026, 18:25:43`: in the chosen time zone and, like all texts of the console, in English. */
export const formatLocal = (instant: string): string => formats.all.format(new Date(instant));

const UTC_DAY = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });

/** `18:25:43` on the day of `nowMs`, `21 Nov, 18:25` in its year, otherwise `21 Nov 2026, 18:25`. In the chosen time zone. */
export function formatShort(instant: string, nowMs: number): string {
  const isSame = (format: Intl.DateTimeFormat) => format.format(new Date(instant)) === format.format(nowMs);
  if (isSame(formats.day)) return formats.second.format(new Date(instant));
  return (isSame(formats.year) ? formats.dayMinute : formats.minute).format(new Date(instant));
}

/** `27 min ago`, `in 3 h 12 min`, `now`. */
export function formatRelative(instant: string, nowMs: number): string {
  const ms = nowMs - Date.parse(instant);
  if (Math.abs(ms) < 1_000) return 'now';
  return ms > 0 ? `${formatDuration(ms)} ago` : `in ${formatDuration(-ms)}`;
}

/** `14:00`, in the chosen time zone. */
export const formatHour = (instant: string): string => formats.hour.format(new Date(instant));

/** `21 Nov`, the day in UTC. */
export const formatUtcDay = (instant: string): string => UTC_DAY.format(new Date(instant));

/** The value of a `datetime-local` field in the chosen time zone; empty for no instant, and for none that is valid. */
export function toLocalField(instant: string | null): string {
  const date = new Date(instant ?? '');
  if (Number.isNaN(date.getTime())) return '';
  if (formats.zone === 'UTC') return date.toISOString().slice(0, 16);
  const two = (value: number) => String(value).padStart(2, '0');
  const day = [date.getFullYear(), two(date.getMonth() + 1), two(date.getDate())].join('-');
  return `${day}T${two(date.getHours())}:${two(date.getMinutes())}`;
}

/** The instant of a `datetime-local` field; null for an empty one. */
export const fromLocalField = (value: string): string | null =>
  value === '' ? null : new Date(formats.zone === 'UTC' ? `${value}Z` : value).toISOString();

/** An instant from a URL; null if it is none. */
export const toInstant = (text: string | null): string | null => {
  const ms = Date.parse(text ?? '');
  return Number.isNaN(ms) ? null : new Date(ms).toISOString();
};

/** Converts the value of a date field to the start of that day in UTC; an empty field to null. */
export const toStartOfDay = (day: string): string | null => (day === '' ? null : `${day}T00:00:00.000Z`);

const UTC_DATE = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' });

/** `31 Dec 2026, 00:00 UTC` */
export const describeStartOfDay = (day: string): string => `${UTC_DATE.format(new Date(day))}, 00:00 UTC`;

/** The times that a list offers, up to now. */
export const RANGES = [
  { name: 'Last hour', ms: 3_600_000 },
  { name: 'Last 24 hours', ms: 86_400_000 },
  { name: 'Last 7 days', ms: 7 * 86_400_000 },
] as const;

/** `since 28 Nov, 19:27`, `before 19:27:00`, `28 Nov, 19:27 to 29 Nov, 08:00`; null without an end. */
export function describeRange(since: string | null, before: string | null, nowMs: number): string | null {
  if (since === null) return before === null ? null : `before ${formatShort(before, nowMs)}`;
  if (before === null) return `since ${formatShort(since, nowMs)}`;
  return `${formatShort(since, nowMs)} to ${formatShort(before, nowMs)}`;
}

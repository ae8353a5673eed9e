/** The zone of the browser, in which the console shows times: `Europe/Berlin (UTC+1)`. */
const TIME_ZONE = describeZone(new Date());

function describeZone(at: Date): string {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  const offset = new Intl.DateTimeFormat('en', { timeZoneName: 'shortOffset' })
    .formatToParts(at)
    .find(({ type }) => type === 'timeZoneName')
    ?.value.replace('GMT', 'UTC');
  return offset === undefined || timeZone === 'UTC' ? timeZone : `${timeZone} (${offset})`;
}

/** `Times are in Europe/Berlin (UTC+1). Point at one for UTC.` */
export const ZONE_NOTE = TIME_ZONE === 'UTC' ? 'Times are in UTC.' : `Times are in ${TIME_ZONE}. Point at one for UTC.`;

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

/** Shows tenths of a second below one minute: `2.4 s`. For actions that the operator watches. */
export const formatElapsed = (ms: number): string =>
  ms < 60_000 ? `${(ms / 1_000).toFixed(1)} s` : formatDuration(ms);

const UTC = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium', timeZone: 'UTC' });

/** `21 Nov 2026, 17:25:43 UTC` */
export const formatUtc = (instant: string): string => `${UTC.format(new Date(instant))} UTC`;

const LOCAL = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium' });

/** `21 Nov 2026, 18:25:43`: in the browser's time zone and, like all the console says, in English. */
export const formatLocal = (instant: string): string => LOCAL.format(new Date(instant));

const HOUR = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });
const LOCAL_MINUTE = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' });
const UTC_DAY = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });

/** `21 Nov 2026, 18:25`, in the browser's time zone. */
export const formatLocalMinute = (instant: string): string => LOCAL_MINUTE.format(new Date(instant));

/** `14:00`, in the browser's time zone. */
export const formatHour = (instant: string): string => HOUR.format(new Date(instant));

/** `21 Nov`, the day in UTC. */
export const formatUtcDay = (instant: string): string => UTC_DAY.format(new Date(instant));

/** The value of a `datetime-local` field in the browser's time zone; empty for no instant, and for none that is valid. */
export function toLocalField(instant: string | null): string {
  const date = new Date(instant ?? '');
  if (Number.isNaN(date.getTime())) return '';
  const two = (value: number) => String(value).padStart(2, '0');
  const day = [date.getFullYear(), two(date.getMonth() + 1), two(date.getDate())].join('-');
  return `${day}T${two(date.getHours())}:${two(date.getMinutes())}`;
}

/** The instant of a `datetime-local` field; null for an empty one. */
export const fromLocalField = (value: string): string | null => (value === '' ? null : new Date(value).toISOString());

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

const dateTime = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  timeZone: 'UTC',
});
const date = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' });
const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });
const time = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium', timeZone: 'UTC' });
const full = new Intl.NumberFormat('en');
const short = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });

export const formatDateTime = (instant: string): string => `${dateTime.format(new Date(instant))} UTC`;
export const formatDate = (instant: string): string => date.format(new Date(instant));
/** Without the year. */
export const formatDay = (instant: string): string => day.format(new Date(instant));
export const formatTime = (instant: string): string => `${time.format(new Date(instant))} UTC`;
/** @param count decimal digits of any length. */
export const formatCount = (count: string | bigint): string => full.format(BigInt(count));
export const formatShortCount = (count: string | bigint): string => short.format(BigInt(count));

/** Shortens `text` to `length` characters at a word boundary. */
export function truncate(text: string, length: number): string {
  const line = text.replace(/\s+/g, ' ').trim();
  if (line.length <= length) return line;
  const cut = line.slice(0, length).replace(/[\uD800-\uDBFF]$/, ''); // Does not cut an emoji in half.
  return `${cut.replace(/\s+\S*$/, '')}…`;
}

/** Returns the URL if a link may use it. Provider data is untrusted, so any other scheme than http and https is undefined. */
export function toWebUrl(url: string | null | undefined): string | undefined {
  if (!url || !URL.canParse(url)) return undefined;
  return ['https:', 'http:'].includes(new URL(url).protocol) ? url : undefined;
}

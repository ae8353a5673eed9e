const newFormat = (parts: Intl.DateTimeFormatOptions) => {
  const format = new Intl.DateTimeFormat('en-GB', { ...parts, timeZone: 'UTC' });
  return (instant: string) => format.format(new Date(instant));
};
const DAY = { day: 'numeric', month: 'short' } as const;
const dateTime = newFormat({ ...DAY, year: 'numeric', hour: '2-digit', minute: '2-digit' });
const time = newFormat({ timeStyle: 'medium' });
const full = new Intl.NumberFormat('en');
const short = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });

export const formatDateTime = (instant: string): string => `${dateTime(instant)} UTC`;
export const formatDate = newFormat({ ...DAY, year: 'numeric' });
export const formatDay = newFormat(DAY);
export const formatTime = (instant: string): string => `${time(instant)} UTC`;
/** @param count decimal digits of any length. */
export const formatCount = (count: string | bigint): string => full.format(BigInt(count));
export const formatShortCount = (count: string | bigint): string => short.format(BigInt(count));
export const countPosts = (count: number): string => (count === 1 ? '1 post' : `${count} posts`);

/** Shortens `text` to `length` characters at a word boundary. */
export function truncate(text: string, length: number): string {
  const line = text.replace(/\s+/g, ' ').trim();
  if (line.length <= length) return line;
  const cut = line.slice(0, length).replace(/[\uD800-\uDBFF]$/, ''); // Does not cut an emoji in half.
  return `${cut.replace(/\s+\S*$/, '')}…`;
}

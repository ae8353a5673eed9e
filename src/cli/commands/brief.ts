// Tables for people, in a terminal of 120 columns.

/** `27 min`: how long ago an instant was, or how far ahead. Empty for null. */
export function formatDistance(instant: string | null, nowMs: number = Date.now()): string {
  if (instant === null) return '';
  const seconds = Math.round(Math.abs(Date.parse(instant) - nowMs) / 1_000);
  const [length, unit] =
    seconds < 60 ? [1, 's'] : seconds < 3_600 ? [60, 'min'] : seconds < 172_800 ? [3_600, 'h'] : [86_400, 'd'];
  return `${Math.floor(seconds / length)} ${unit}`;
}

/** `2026-11-29 06:42:56`, in UTC. */
export const formatSecond = (instant: string): string => instant.slice(0, 19).replace('T', ' ');

export const cut = (text: string, length: number): string =>
  text.length > length ? `${text.slice(0, length - 1)}…` : text;

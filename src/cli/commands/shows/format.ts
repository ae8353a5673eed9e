import type { Cuttable } from '../../format.ts';

/** The forms of instants and texts in the columns of a terminal. */

export const msSince = (instant: string): number => Date.now() - Date.parse(instant);

/** `27 min`: how long ago an instant was, or how far ahead. Empty for null. */
export function formatDistance(instant: string | null): string {
  if (instant === null) return '';
  const seconds = Math.round(Math.abs(msSince(instant)) / 1_000);
  const [length, unit] =
    seconds < 60 ? [1, 's'] : seconds < 3_600 ? [60, 'min'] : seconds < 172_800 ? [3_600, 'h'] : [86_400, 'd'];
  return `${Math.floor(seconds / length)} ${unit}`;
}

/** When a next try is due. A worker takes it within seconds: after that, none has. */
export function formatNext(instant: string | null): string {
  if (instant === null) return '-';
  const lateMs = msSince(instant);
  if (lateMs < 0) return formatDistance(instant);
  return lateMs < 30_000 ? 'now' : 'overdue';
}

/** The service writes the use of a key at most once a minute, and a few seconds later. */
export function formatLastUse(instant: string | null): string {
  if (instant === null) return 'never';
  return msSince(instant) < 120_000 ? 'in the last 2 min' : `${formatDistance(instant)} ago`;
}

/** `2026-11-29 06:42:56`, in UTC. */
export const formatSecond = (instant: string): string => instant.slice(0, 19).replace('T', ' ');

/** A table shows more than `least` characters where its line has room for them. */
export const cut = (text: string, least: number): string | Cuttable => (text.length > least ? { text, least } : text);

export interface Failure {
  readonly code: string;
  readonly message: string;
}

export const countTries = (tries: number) => (tries === 1 ? '1 try' : `${tries} tries`);

/** The answer with the platform's own code. */
export const joinAnswer = (answer: string | null, code: string | null): string | null =>
  [answer, code].filter((part) => part !== null).join(' ') || null;

export const hostOf = (url: string) => url.replace(/^https?:\/\/([^/?]*).*$/, '$1');

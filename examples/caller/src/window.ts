import type { MetricName } from 'social-account-connection-client';
import { METRICS } from './texts.ts';

export const DAY_MS = 86_400_000;
/** The allowed difference between this server's clock, which sets the scan window, and the service's clock. */
const SKEW_MS = 5 * 60_000;

/** The periods that the page offers. The service allows at most 90 days. */
export const SPANS = [7, 30, 90] as const;
export type Span = (typeof SPANS)[number];
/** The service itself reads the last seven days of a new account, so the page opens on them. */
const FIRST_SCAN: Span = 7;

/** The posts that the page shows: those of the `days` days before `until`. */
export interface View {
  readonly days: Span;
  readonly until: Date;
  /** Whether the address names `until`, so that a later scan does not move the posts between pages. */
  readonly isPinned: boolean;
  /** Of the list of posts, from 0. */
  readonly page: number;
  /** The first day of the bar whose posts alone are listed: `2026-11-03`. */
  readonly bar: string | undefined;
  readonly metric: MetricName | undefined;
}

type Query = Readonly<Record<string, string>>;

/**
 * Parses the query string, in which any value may be missing or invalid. The window ends at `readUntil`, the last read of
 * the account. The service has not read later posts and would report a later window as incomplete.
 * @param lastSpan of the last requested scan
 */
export function parseView(
  query: Query,
  { readUntil, lastSpan }: { readUntil: string | null; lastSpan: number | undefined },
  now = new Date(),
): View {
  const given = new Date(query.until ?? Number.NaN);
  const isPinned = given <= now;
  const page = /^\d{1,3}$/.test(query.page ?? '') ? Number(query.page) : 0;
  return {
    days: parseSpan(query, lastSpan),
    until: isPinned ? given : readUntil === null ? now : new Date(readUntil),
    isPinned,
    page: isPinned ? page : 0,
    bar: isPinned && /^\d{4}-\d\d-\d\d$/.test(query.bar ?? '') ? query.bar : undefined,
    metric: (Object.keys(METRICS) as MetricName[]).find((name) => name === query.metric),
  };
}

export const parseSpan = (query: Query, otherwise?: number): Span =>
  findSpan(Number(query.days)) ?? findSpan(otherwise) ?? FIRST_SCAN;

const findSpan = (days: number | undefined) => SPANS.find((span) => span === days);

/** The window to list. It is slightly shorter than the scanned window, so that the scan has covered all of it. */
export const toListWindow = ({ days, until }: Pick<View, 'days' | 'until'>) =>
  between(until.getTime() - days * DAY_MS + SKEW_MS, until.getTime());

/** The window to scan: the last days, up to now. */
export const toScanWindow = (days: Span, now = Date.now()) => between(now - days * DAY_MS, now);

const between = (after: number, before: number) => ({
  publishedAfter: new Date(after).toISOString(),
  publishedBefore: new Date(before).toISOString(),
});

/** The query string of a view. A page after the first and a bar keep the end of the window. */
export function formatViewQuery({ days, until, isPinned, page, bar, metric }: View): string {
  const query = new URLSearchParams({ days: String(days) });
  if (metric !== undefined) query.set('metric', metric);
  if (isPinned || page > 0 || bar !== undefined) query.set('until', until.toISOString());
  if (page > 0) query.set('page', String(page));
  if (bar !== undefined) query.set('bar', bar);
  return `?${query}`;
}

/** The same view from its newest post on. */
export const toNewest = (view: View): View => ({ ...view, isPinned: false, page: 0, bar: undefined });

const DAY_MS = 86_400_000;
/** The allowed difference between this server's clock, which sets the scan window, and the service's clock. */
const SKEW_MS = 5 * 60_000;

/** The periods that the page offers. The service allows at most 90 days. */
export const SPANS = [7, 30, 90] as const;
export type Span = (typeof SPANS)[number];

/** The posts that the page shows: those of the `days` days before `until`. */
export interface View {
  readonly days: Span;
  readonly until: Date;
  /** The cursor of a page after the first. */
  readonly after: string | undefined;
}

/**
 * Parses the query string, in which any value may be missing or invalid. The first page ends at `readUntil`, the last read of
 * the account. The service has not read later posts and would report a later window as incomplete.
 */
export function parseView(query: Readonly<Record<string, string>>, readUntil: string | null, now = new Date()): View {
  const days = parseSpan(query);
  const until = new Date(query.until ?? Number.NaN);
  // A cursor belongs to one window, so a later page must also give the end of its window.
  const follows = query.after !== undefined && !Number.isNaN(until.getTime()) && until <= now;
  if (follows) return { days, until, after: query.after };
  return { days, until: readUntil === null ? now : new Date(readUntil), after: undefined };
}

export const parseSpan = (query: Readonly<Record<string, string>>): Span =>
  SPANS.find((span) => String(span) === query.days) ?? 30;

/** The window to list. It is slightly shorter than the scanned window, so that the scan has covered all of it. */
export const toListWindow = ({ days, until }: Pick<View, 'days' | 'until'>) =>
  between(until.getTime() - days * DAY_MS + SKEW_MS, until.getTime());

/** The window to scan: the last days, up to now. */
export const toScanWindow = (days: Span, now = Date.now()) => between(now - days * DAY_MS, now);

const between = (after: number, before: number) => ({
  publishedAfter: new Date(after).toISOString(),
  publishedBefore: new Date(before).toISOString(),
});

export function formatViewQuery({ days, until, after }: View): string {
  const query = new URLSearchParams({ days: String(days) });
  if (after !== undefined) {
    query.set('until', until.toISOString());
    query.set('after', after);
  }
  return `?${query}`;
}

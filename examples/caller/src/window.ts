const DAY_MS = 86_400_000;
/** Two clocks may differ by so much: ours, which a scan's window is taken from, and the service's. */
const SKEW_MS = 5 * 60_000;

/** The stretches of time the page offers; the service takes at most 90 days. */
export const SPANS = [7, 30, 90] as const;
export type Span = (typeof SPANS)[number];

/** What the page shows: posts of the last `days` days before `until`. */
export interface View {
  readonly days: Span;
  readonly until: Date;
  /** Where the page after the first begins. */
  readonly after: string | undefined;
}

/**
 * Read from the address, of which everything may be missing or wrong. A first page ends at `readUntil`, when the account's
 * posts were last read: what was published later the service does not know yet, and it says so of a window beyond.
 */
export function parseView(query: Readonly<Record<string, string>>, readUntil: string | null, now = new Date()): View {
  const days = parseSpan(query);
  const until = new Date(query.until ?? Number.NaN);
  // A cursor belongs to one window, so a page after the first has to name the end of its window too.
  const follows = query.after !== undefined && !Number.isNaN(until.getTime()) && until <= now;
  if (follows) return { days, until, after: query.after };
  return { days, until: readUntil === null ? now : new Date(readUntil), after: undefined };
}

export const parseSpan = (query: Readonly<Record<string, string>>): Span =>
  SPANS.find((span) => String(span) === query.days) ?? 30;

/** Posts to list: a little less than was scanned, so that the scan has surely covered it all. */
export const toListWindow = ({ days, until }: Pick<View, 'days' | 'until'>) =>
  between(until.getTime() - days * DAY_MS + SKEW_MS, until.getTime());

/** Posts to scan: the last days up to now. */
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

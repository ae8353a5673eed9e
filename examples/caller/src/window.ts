const DAY_MS = 86_400_000;

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

/** Read from the address, of which everything may be missing or wrong. */
export function readView(query: Readonly<Record<string, string>>, now = new Date()): View {
  const days = SPANS.find((span) => String(span) === query.days) ?? 30;
  const until = new Date(query.until ?? Number.NaN);
  // A cursor belongs to one window, so a page after the first has to name the end of its window too.
  const follows = query.after !== undefined && !Number.isNaN(until.getTime()) && until <= now;
  return follows ? { days, until, after: query.after } : { days, until: now, after: undefined };
}

export const windowOf = ({ days, until }: Pick<View, 'days' | 'until'>) => ({
  publishedAfter: new Date(until.getTime() - days * DAY_MS).toISOString(),
  publishedBefore: until.toISOString(),
});

export function viewQuery({ days, until, after }: View): string {
  const query = new URLSearchParams({ days: String(days) });
  if (after !== undefined) {
    query.set('until', until.toISOString());
    query.set('after', after);
  }
  return `?${query}`;
}

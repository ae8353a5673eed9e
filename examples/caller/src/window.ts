import type { Client, ContentItem, MetricName, PageInfo, QueryContentArgs } from 'social-account-connection-client';
import { ALL_METRICS } from './texts.ts';

export const DAY_MS = 86_400_000;
/** The allowed difference between this server's clock, which sets the scan window, and the service's clock. */
const SKEW_MS = 5 * 60_000;

/** The service allows 90 days at most. It reads the last seven of a new account automatically; the page opens on them. */
export const SPANS = [7, 30, 90] as const;
type Span = (typeof SPANS)[number];

/** The posts that the page shows: those of the `days` days before `until`. */
export interface View {
  readonly days: Span;
  readonly until: Date;
  /** Whether the address names `until`, so that a later scan does not move the posts between pages. */
  readonly isPinned: boolean;
  readonly page: number;
  /** The first day of the bar whose posts alone are listed: `2026-11-03`. */
  readonly bar: string | undefined;
  readonly metric: MetricName | undefined;
}

type Query = Readonly<Record<string, string>>;
type Key = Omit<QueryContentArgs, 'window'>;

/** @param otherwise the days of the last requested scan */
export const parseSpan = ({ days }: Query, otherwise?: number): Span =>
  SPANS.find((span) => span === Number(days)) ?? SPANS.find((span) => span === otherwise) ?? SPANS[0];

/**
 * Parses the query string, in which any value may be missing or invalid. The window ends at `readUntil`, the last read of
 * the account. The service has not read later posts and would report a later window as incomplete.
 */
export function parseView(query: Query, readUntil: string | null, lastSpan: number | undefined): View {
  const given = new Date(query.until ?? Number.NaN);
  const isPinned = given <= new Date();
  return {
    days: parseSpan(query, lastSpan),
    until: isPinned ? given : new Date(readUntil ?? Date.now()),
    isPinned,
    page: isPinned && /^\d{1,3}$/.test(query.page ?? '') ? Number(query.page) : 0,
    bar: isPinned && /^\d{4}-\d\d-\d\d$/.test(query.bar ?? '') ? query.bar : undefined,
    metric: ALL_METRICS.find((name) => name === query.metric),
  };
}

/** The query string of a changed view. A page after the first and a bar need a pinned one. */
export function formatView(view: View, changes: Partial<View> = {}): string {
  const { days, until, isPinned, page, bar, metric } = { ...view, ...changes };
  const query = new URLSearchParams({ days: String(days) });
  if (metric !== undefined) query.set('metric', metric);
  if (isPinned) query.set('until', until.toISOString());
  if (page > 0) query.set('page', String(page));
  if (bar !== undefined) query.set('bar', bar);
  return `?${query}`;
}

export const NEWEST = { isPinned: false, page: 0, bar: undefined } as const;

const between = (after: number, before: number) => ({
  publishedAfter: new Date(after).toISOString(),
  publishedBefore: new Date(before).toISOString(),
});

export const toScanWindow = (days: Span) => between(Date.now() - days * DAY_MS, Date.now());

const POSTS_PER_ANSWER = 50;
/** Bounds the memory and the calls of one page. Older posts are reached by an earlier window. */
const MAX_ANSWERS = 6;

/** The posts of a window, newest first. */
export interface WindowPosts extends Pick<PageInfo, 'completeForWindow' | 'incompleteReason'> {
  readonly items: readonly ContentItem[];
  /** Whether the window has more posts than these, all of them older. */
  readonly isCut: boolean;
}

/**
 * Reads a whole window, answer after answer, because its totals need every post. The window is slightly shorter than the
 * scanned one, so that the scan has covered all of it. @throws ServiceError as `content`
 */
export async function readWindow(service: Client, key: Key, { days, until }: View): Promise<WindowPosts> {
  const window = between(until.getTime() - days * DAY_MS + SKEW_MS, until.getTime());
  const items: ContentItem[] = [];
  let after: string | undefined;
  for (let answers = 1; ; answers += 1) {
    const page = await service.content({ ...key, window: { ...window, first: POSTS_PER_ANSWER, after } });
    items.push(...page.items);
    const { hasNextPage, endCursor, completeForWindow, incompleteReason } = page.pageInfo;
    const isCut = hasNextPage && endCursor !== null;
    if (!isCut || answers === MAX_ANSWERS) return { items, isCut, completeForWindow, incompleteReason };
    after = endCursor;
  }
}

import { READ_JOB_KINDS, REVOKE_KINDS } from '../../../src/basics/codes.ts';
import type { EndedWorkKind, EndedWorkQuery, WorkPeriod } from '../generated/operations.ts';
import { formatHour, formatUtcDay } from './time.ts';

type Count = EndedWorkQuery['endedWork']['counts'][number];

/** The kinds in the order of a connection's life, with the words for their ends. */
export const SERIES: readonly {
  readonly kind: EndedWorkKind;
  readonly title: string;
  readonly lead: string;
  readonly succeeded: string;
  readonly failed: string;
  /** Ends that are neither a success nor a fault of ours or of the platform. */
  readonly left?: string;
}[] = [
  {
    kind: 'CONNECT',
    title: 'Connects',
    lead: 'Attempts by the time at which they began.',
    succeeded: 'connected',
    failed: 'failed',
    left: 'expired, or ended by the person or the account',
  },
  {
    kind: 'READ',
    title: 'Refreshes and lookups',
    lead: 'Scans, metrics refreshes and lookups, automatic ones included.',
    succeeded: 'succeeded',
    failed: 'failed or canceled',
  },
  {
    kind: 'TOKEN_REFRESH',
    title: 'Token refreshes',
    lead: 'They leave no row of their own.',
    succeeded: 'refreshed',
    failed: 'need a reconnect',
  },
  {
    kind: 'REVOKE',
    title: 'Revokes',
    lead: 'Each end counts, also of a revoke that failed and was retried.',
    succeeded: 'revoked, or ended before',
    failed: 'failed or canceled',
    left: 'left to the person',
  },
  {
    kind: 'WEBHOOK',
    title: 'Webhook deliveries',
    lead: 'By the time of their event.',
    succeeded: 'delivered',
    failed: 'given up',
  },
];

/** One hour or day of a series. */
export interface Slot {
  readonly at: string;
  /** The end of the hour or day. */
  readonly before: string;
  readonly succeeded: number;
  readonly failed: number;
  /** Neither a success nor a fault: they expired, a person, an app or an operator ended them, or only the person can finish them. */
  readonly left: number;
  /** Whether a list can show its rows. */
  readonly rowsKept: boolean;
}

/** The failures of one reason in a series. */
export interface Reason {
  readonly outcome: string;
  readonly message: string;
  readonly count: number;
  /** The causes of their last tries, the most frequent first, without unknown causes. */
  readonly causes: readonly { readonly cause: string; readonly message: string | null; readonly count: number }[];
  readonly rowsKept: boolean;
}

const SLOT_MS: Readonly<Record<WorkPeriod, number>> = { DAY: 3_600_000, MONTH: 86_400_000 };

/** The last days of a month's counts. */
export function takeLastDays(work: EndedWorkQuery['endedWork'], days: number): EndedWorkQuery['endedWork'] {
  const sinceMs = Math.max(Date.parse(work.since), Date.parse(work.before) - days * SLOT_MS.MONTH);
  return {
    ...work,
    since: new Date(sinceMs).toISOString(),
    counts: work.counts.filter(({ at }) => Date.parse(at) >= sinceMs),
  };
}

/** Every hour or day of the period, also those without an end. */
export function listSlots(
  { since, before, counts }: EndedWorkQuery['endedWork'],
  kind: EndedWorkKind,
  period: WorkPeriod,
): Slot[] {
  const ofKind = counts.filter((count) => count.kind === kind);
  const slots: Slot[] = [];
  for (let ms = Date.parse(since); ms < Date.parse(before); ms += SLOT_MS[period]) {
    const found = ofKind.filter(({ at }) => Date.parse(at) === ms);
    slots.push({
      at: new Date(ms).toISOString(),
      before: new Date(ms + SLOT_MS[period]).toISOString(),
      succeeded: sumOf(found.filter(({ succeeded }) => succeeded)),
      failed: sumOf(found.filter((one) => !one.succeeded && !one.blameless)),
      left: sumOf(found.filter(({ blameless }) => blameless)),
      rowsKept: found.some(({ rowsKept }) => rowsKept),
    });
  }
  return slots;
}

const sumOf = (counts: readonly Count[]) => counts.reduce((sum, { count }) => sum + count, 0);

/** The reasons of failures, the most frequent first. */
export function listReasons({ counts }: EndedWorkQuery['endedWork'], kind: EndedWorkKind): Reason[] {
  const reasons = new Map<string, Count[]>();
  for (const one of counts.filter((each) => each.kind === kind && !each.succeeded)) {
    reasons.set(one.outcome, [...(reasons.get(one.outcome) ?? []), one]);
  }
  return byCount(
    [...reasons].map(([outcome, found]) => ({
      outcome,
      message: found[0]?.message ?? '',
      count: sumOf(found),
      causes: listCauses(found),
      rowsKept: found.some(({ rowsKept }) => rowsKept),
    })),
  );
}

function listCauses(counts: readonly Count[]): Reason['causes'] {
  const names = new Set(counts.flatMap(({ cause }) => cause ?? []));
  return byCount(
    [...names].map((cause) => {
      const found = counts.filter((one) => one.cause === cause);
      return { cause, message: found[0]?.causeMessage ?? null, count: sumOf(found) };
    }),
  );
}

const byCount = <Each extends { readonly count: number }>(list: Each[]): Each[] =>
  list.sort((one, other) => other.count - one.count);

/** Everything that ended in an hour or a day. */
export const sumSlot = ({ succeeded, failed, left }: Slot): number => succeeded + failed + left;

/** The most lines of the vertical axis. */
const MOST_LINES = 4;

/** The numbers of the vertical axis, from the top: multiples of 1, 2 or 5, of which the first is not below the tallest column. */
export function listTicks(slots: readonly Slot[]): number[] {
  const most = Math.max(0, ...slots.map(sumSlot));
  if (most === 0) return [0];
  const power = 10 ** Math.max(0, Math.floor(Math.log10(most)) - 1);
  const step = [1, 2, 5, 10, 20, 50].map((one) => one * power).find((one) => most / one <= MOST_LINES) ?? most;
  const lines = Math.ceil(most / step);
  return Array.from({ length: lines + 1 }, (_, index) => (lines - index) * step);
}

const COMPACT = new Intl.NumberFormat('en', { notation: 'compact' });

/** A number of the axis: `150`, or `1.5K`. */
export const formatTick = (tick: number): string => COMPACT.format(tick);

/** `14:00`, or `21 Nov`. */
export const formatSlot = (at: string, period: WorkPeriod): string =>
  period === 'DAY' ? formatHour(at) : formatUtcDay(at);

interface Rows {
  readonly since: string;
  readonly before: string;
  readonly app: string | null;
  readonly provider: string | null;
}

/** The list of the rows that a number counts. @param outcome null for all outcomes. @returns undefined if there is none. */
export function toRowsUrl(kind: EndedWorkKind, outcome: string | null, rows: Rows): string | undefined {
  if (kind === 'TOKEN_REFRESH') {
    if (outcome !== 'RECONNECT_REQUIRED') return undefined;
    return toUrl('/connections', { status: outcome, app: rows.app, provider: rows.provider });
  }
  if (outcome === 'REMOVE_APP_AT_PROVIDER') return undefined; // The list cannot tell them from real revokes.
  const [path, fixed] = LISTS[kind];
  const { provider, ...period } = rows;
  return toUrl(path, {
    ...fixed,
    ...(outcome !== null && toOutcomeFilter(kind, outcome)),
    ...period,
    ...(kind !== 'WEBHOOK' && { provider }),
  });
}

const LISTS: Readonly<Record<Exclude<EndedWorkKind, 'TOKEN_REFRESH'>, readonly [string, Record<string, string>]>> = {
  CONNECT: ['/attempts', {}],
  READ: ['/jobs', { kind: READ_JOB_KINDS.join() }],
  REVOKE: ['/jobs', { kind: REVOKE_KINDS.join() }],
  WEBHOOK: ['/webhooks', {}],
};

/** A list of its own: the outcomes that are statuses of the rows. */
const STATUSES = ['COMPLETED', 'SUCCEEDED', 'DELIVERED', 'CANCELED', 'DENIED', 'FAILED'];

function toOutcomeFilter(kind: EndedWorkKind, outcome: string): Record<string, string> {
  if (STATUSES.includes(outcome)) return { status: outcome };
  return kind === 'CONNECT' ? { result: outcome } : { status: 'FAILED', failure: outcome };
}

const toUrl = (path: string, filters: Readonly<Record<string, string | null>>): string =>
  `${path}?${new URLSearchParams(Object.entries(filters).filter((entry): entry is [string, string] => entry[1] !== null))}`;

import type { RootField } from '../kit/graphql.ts';

/** The product of a run: all that callers, people, platforms and operators did and saw, in order. The checker reads it. */
export type Entry = Note & {
  /** Milliseconds since the run began. */
  readonly at: number;
  /** The flow that it belongs to, or `run`. */
  readonly flow: string;
};

export type Note =
  /** A request of the app's backend, and its end: an answer, an error with a code, or no answer at all. */
  | { readonly type: 'asked'; readonly call: number; readonly field: RootField; readonly variables: Variables }
  | { readonly type: 'answered'; readonly call: number; readonly field: RootField; readonly value: Values }
  | { readonly type: 'refused'; readonly call: number; readonly field: RootField; readonly code: string }
  | { readonly type: 'lost'; readonly call: number; readonly field: RootField; readonly reason: string }
  /** A person in a browser. `session` is the id of the attempt or sign-in. */
  | { readonly type: 'browser'; readonly session: string; readonly step: BrowserStep; readonly account?: string }
  /** A change at the platform, after it has happened there. */
  | {
      readonly type: 'platform';
      readonly change: PlatformChange;
      readonly account: string;
      readonly post?: string;
      readonly views?: string;
    }
  /** By the name of the mutation. */
  | { readonly type: 'operator'; readonly act: string; readonly accepted: boolean }
  /** A request of an operator to erase a person, read again at the end. */
  | { readonly type: 'erasure'; readonly isComplete: boolean }
  /** All pages of one window, read one after the other. `from` is the number of entries when the reading began. */
  | {
      readonly type: 'read';
      readonly connectionId: string;
      readonly account: string;
      readonly window: Window;
      readonly from: number;
      readonly complete: boolean;
      readonly items: readonly ReadItem[];
    }
  | { readonly type: 'event'; readonly id: string; readonly event: string; readonly data: Values }
  /** A state that a connection had, in the order of its changes: for one who sees inside. */
  | { readonly type: 'state'; readonly connectionId: string; readonly status: string }
  /** Business time was moved, in addition to its own run. */
  | { readonly type: 'clock'; readonly ms: number }
  | { readonly type: 'fault'; readonly kind: string; readonly detail: string }
  /** From here on nothing is broken; from here on nothing changes any more. */
  | { readonly type: 'phase'; readonly phase: 'healed' | 'settled' };

export type BrowserStep = 'launched' | 'allowed' | 'denied' | 'returned' | 'stuck';
export type PlatformChange = 'posted' | 'edited' | 'deleted' | 'appRemoved' | 'accessExpired' | 'deletionAsked';
export interface Window {
  readonly publishedAfter: string;
  readonly publishedBefore: string;
}
export interface ReadItem {
  readonly id: string;
  readonly publishedAt: string | null;
  readonly availability: string;
  readonly views: string | null;
}
// biome-ignore lint/suspicious/noExplicitAny: requests and answers as an untyped client has them.
type Values = Readonly<Record<string, any>>;
type Variables = Values;

/** An entry that belongs to a call. */
export type CallEntry = Extract<Entry, { call: number }>;

/** Records a run. */
export class History {
  readonly entries: Entry[] = [];
  readonly #startedAt = Date.now();

  add(flow: string, note: Note): void {
    this.entries.push({ at: Date.now() - this.#startedAt, flow, ...note } as Entry);
  }
}

const POLLED: readonly string[] = ['syncJob', 'connectSessionResult', 'redeemIdpIdentityResult'];

/** Prints the history of one flow, and the faults of that time, for a person. */
export function printFlow(entries: readonly Entry[], flow: string): string {
  const own = entries.filter((entry) => entry.flow === flow);
  const [first = 0, last = 0] = [own[0]?.at, own.at(-1)?.at];
  const shown = entries.filter(
    (entry) => entry.flow === flow || (entry.type === 'fault' && entry.at >= first - 2_000 && entry.at <= last),
  );
  // Polling repeats most answers: only changes are shown.
  const seen = new Map<string, string>();
  const isNews = (entry: Entry) => {
    if (entry.type === 'asked') return !POLLED.includes(entry.field);
    if (entry.type !== 'answered' || !POLLED.includes(entry.field)) return true;
    const [key, text] = [`${entry.field} ${entry.value?.id}`, JSON.stringify(entry.value)];
    const isNew = seen.get(key) !== text;
    seen.set(key, text);
    return isNew;
  };
  return shown
    .filter(isNews)
    .map(({ at, flow: of, type, ...rest }) => {
      const text = JSON.stringify(rest, (key, value) => (/token|proof/i.test(key) ? '…' : value));
      return `${(at / 1000).toFixed(2).padStart(8)} s ${of === flow ? '' : '!! '}${type} ${text.slice(0, 700)}`;
    })
    .join('\n');
}

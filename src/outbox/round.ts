import type { Database } from '../store/driver/sql.ts';
import { type Lane, type OutboxEntry, takeDispatches } from '../store/outbox.ts';
import type { Outcome } from './entry-delivery.ts';

/** How many entries were delivered, and how many failed. */
export interface Delivery {
  readonly delivered: number;
  readonly failed: number;
}

/**
 * How many entries of each lane it delivers side by side. No lane waits for another. An operator's retry of hundreds runs as
 * fast as Temporal accepts it; bulk work leaves Temporal's time to the others.
 */
const AT_ONCE: Readonly<Record<Lane, number>> = { PERSON: 100, REQUEST: 100, BULK: 10, REFUSED: 10 };
/** The least time between two queries, so that a burst makes few statements. */
const LOOK_AGAIN_MS = 10;
/** After a crash during a delivery, another process may take the entries after this time. */
const LEASE_SECONDS = 15;
/** So many failures in a row mean that Temporal is down: further entries would fail too. */
const AWAY = 5;
/** Added to a wait for the database's clock. */
const CLOCK_SLACK_MS = 20;

/** The state of a process over all of its rounds. */
export class Knowledge {
  /** Temporal does not answer: the process tries one entry at a time until it does. */
  isSilent = false;
  /** The due times of entries that this process has postponed. */
  postponedUntilMs = 0;
  /** Counts the process's own commits. */
  commits = 0;
  /** How many of them the last query has covered. */
  looked = 0;
  /** No round takes another entry. */
  isClosed = false;
}

interface Deps {
  readonly sql: Database;
  readonly known: Knowledge;
  readonly deliver: (entry: OutboxEntry) => Promise<Outcome>;
}

/**
 * Delivers the due entries of some lanes, side by side. One query is enough if a lane has room for all due entries. Another one
 * follows when a full lane has room again, when this process has committed more, or when a delivered entry was followed by another
 * one of its workflow. A round is over when no query is left to run, or when Temporal does not answer.
 */
export class Round {
  readonly #deps: Deps;
  readonly #lanes: readonly Lane[];
  readonly #signal: AbortSignal | undefined;
  /** The deliveries in progress, and their lanes. */
  readonly #busy = new Map<Promise<void>, Lane>();
  /** Errors of our own database. */
  readonly #broken: unknown[] = [];
  #delivered = 0;
  #failed = 0;
  #failedInARow = 0;
  /** Whether another query may find entries. */
  #again = true;
  /** Lanes that the last query filled. */
  #full: readonly Lane[] = [];
  #wake = () => {};

  constructor(deps: Deps, lanes: readonly Lane[], signal?: AbortSignal) {
    this.#deps = deps;
    this.#lanes = lanes;
    this.#signal = signal;
  }

  /** @throws the first error of ours, once no delivery is in progress. */
  async run(): Promise<Delivery> {
    while (this.#again && !this.#isOver()) {
      this.#again = false;
      this.#deps.known.looked = this.#deps.known.commits;
      await this.#takeMore();
      await this.#waitToLookAgain();
    }
    await Promise.all(this.#busy.keys()); // All of them: none may run on after the connection is closed.
    if (this.#broken.length > 0) throw this.#broken[0];
    return { delivered: this.#delivered, failed: this.#failed };
  }

  #isOver(): boolean {
    const { isClosed, isSilent } = this.#deps.known;
    const isAway = this.#failedInARow >= (isSilent ? 1 : AWAY);
    return isClosed || this.#signal?.aborted === true || this.#broken.length > 0 || isAway;
  }

  /** Begins the due entries that have room. */
  async #takeMore(): Promise<void> {
    const { sql, known } = this.#deps;
    const places = this.#lanes.map((lane) => ({ lane, limit: this.#roomIn(lane) }));
    const limit = known.isSilent ? 1 - this.#busy.size : null;
    if (places.every((place) => place.limit === 0) || (limit !== null && limit <= 0)) return;
    try {
      const entries = await takeDispatches(sql, { places, leaseSeconds: LEASE_SECONDS, limit });
      for (const entry of entries) this.#begin(entry);
      const isFull = (place: (typeof places)[number]) =>
        entries.length === limit || entries.filter(({ lane }) => lane === place.lane).length === place.limit;
      this.#full = places.filter(isFull).map(({ lane }) => lane);
    } catch (error) {
      this.#broken.push(error);
    }
  }

  #begin(entry: OutboxEntry): void {
    const delivery = this.#deps
      .deliver(entry)
      .then((outcome) => this.#note(outcome))
      .catch((error: unknown) => this.#broken.push(error))
      .then(() => {
        this.#busy.delete(delivery);
        if (this.#busy.size === 0) this.#wake();
      });
    this.#busy.set(delivery, entry.lane);
  }

  /** How many more entries of the lane it may deliver now. */
  #roomIn(lane: Lane): number {
    return AT_ONCE[lane] - [...this.#busy.values()].filter((one) => one === lane).length;
  }

  #note(outcome: Outcome): void {
    const { known } = this.#deps;
    if (outcome.type === 'DELIVERED') {
      this.#delivered += 1;
      this.#again ||= outcome.isFollowed === true;
    } else this.#failed += 1;
    if (outcome.type === 'DELIVERED' || outcome.type === 'REFUSED') {
      this.#failedInARow = 0;
      known.isSilent = false;
      return;
    }
    this.#failedInARow += 1;
    known.postponedUntilMs = Math.max(
      known.postponedUntilMs,
      performance.now() + outcome.seconds * 1_000 + CLOCK_SLACK_MS,
    );
    if (outcome.type === 'UNANSWERED' && this.#failedInARow >= AWAY) known.isSilent = true;
  }

  /** Waits until another query may find entries, or until nothing is in progress. */
  async #waitToLookAgain(): Promise<void> {
    const { known } = this.#deps;
    do {
      await this.#pause(LOOK_AGAIN_MS);
      this.#again ||= known.looked !== known.commits || this.#full.some((lane) => this.#roomIn(lane) > 0);
    } while (!this.#again && this.#busy.size > 0);
  }

  /** Waits until no delivery is in progress, at most `ms`. */
  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      if (this.#busy.size === 0) return resolve();
      setTimeout(resolve, ms);
      this.#wake = resolve;
    });
  }
}

import type { Database } from '../store/driver/sql.ts';
import { type Lane, type LastTurns, type OutboxEntry, takeDispatches } from '../store/outbox.ts';
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
/** How often it looks for new entries while it delivers others. */
const LOOK_EVERY_MS = 50;
/** The least time between two looks for entries that this process committed, so that a burst makes few statements. */
const LOOK_AGAIN_MS = 10;
/** After a crash during a delivery, another process may take the entries after this time. */
const LEASE_SECONDS = 15;
/** So many failures in a row mean that Temporal is down: further entries would fail too. */
const AWAY = 5;
/** Added to a wait for the database's clock. */
const CLOCK_SLACK_MS = 20;

/** What a process knows, over all of its rounds. */
export class Knowledge {
  /** Temporal does not answer: one entry at a time finds out when it does. */
  isSilent = false;
  /** When the entries that this process has postponed are due. */
  postponedUntilMs = 0;
  /** Counts the process's own commits: a round that sees a new one looks for its entries. */
  commits = 0;
  /** No round takes another entry. */
  isClosed = false;
  turns: LastTurns = {};
}

interface Deps {
  readonly sql: Database;
  readonly known: Knowledge;
  readonly deliver: (entry: OutboxEntry) => Promise<Outcome>;
}

/**
 * Delivers the due entries of some lanes, side by side, and takes new ones while deliveries are in progress. A round is over when
 * there are no more, or when Temporal does not answer.
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
  #wake = () => {};

  constructor(deps: Deps, lanes: readonly Lane[], signal?: AbortSignal) {
    this.#deps = deps;
    this.#lanes = lanes;
    this.#signal = signal;
  }

  /** @throws the first error of ours, once no delivery is in progress. */
  async run(): Promise<Delivery> {
    let isEmpty = false;
    while (!isEmpty && !this.#isOver()) {
      const looked = { atMs: performance.now(), commits: this.#deps.known.commits };
      const isIdle = this.#busy.size === 0; // If it is not, entries may wait for an earlier one of their workflow to end.
      isEmpty = !(await this.#takeMore()) && isIdle;
      await this.#waitToLookAgain(looked);
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

  /** Begins what is due and has room. @returns false if nothing was due. */
  async #takeMore(): Promise<boolean> {
    const { sql, known } = this.#deps;
    if (known.isSilent && this.#busy.size > 0) return false;
    try {
      const { entries, passedOver, turns } = await takeDispatches(sql, {
        places: this.#lanes.map((lane) => ({ lane, limit: this.#roomIn(lane) })),
        leaseSeconds: LEASE_SECONDS,
        turns: known.turns,
        ...(known.isSilent && { limit: 1 }),
      });
      known.turns = turns;
      for (const entry of entries) this.#begin(entry);
      return entries.length + passedOver > 0;
    } catch (error) {
      this.#broken.push(error);
      return true;
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
    if (outcome.type === 'DELIVERED') this.#delivered += 1;
    else this.#failed += 1;
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

  /** Waits until nothing is in progress, a full lane has room, the process has committed more, or some time has passed. */
  async #waitToLookAgain(looked: { atMs: number; commits: number }): Promise<void> {
    const full = this.#lanes.filter((lane) => this.#roomIn(lane) === 0);
    do await this.#pause(LOOK_AGAIN_MS);
    while (
      this.#busy.size > 0 &&
      full.every((lane) => this.#roomIn(lane) === 0) &&
      this.#deps.known.commits === looked.commits &&
      performance.now() - looked.atMs < LOOK_EVERY_MS
    );
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

import { type KeyId, newId } from '../../basics/ids.ts';
import type { KeyOwner } from '../../store/apps/keys.ts';
import type { Exchange } from '../http/exchange.ts';
import { unavailable, waitFor } from '../http/in-time.ts';
import { Turns } from '../http/turns.ts';

export type FindKeyOwner = (keyId: KeyId) => Promise<KeyOwner | undefined>;

/** A healthy database finds a key within milliseconds. */
const KEY_WITHIN_MS = 3_000;
/** While none is found, the database is asked again in this time. */
const PROBE_EVERY_MS = 250;
/** Unfinished requests of all apps: some 20 KB each. A healthy process has a few dozen. */
const MAX_UNFINISHED = 2_000;

export interface ShedLimits {
  /** Refuses everything while the database may not serve. @throws ServiceError */
  readonly mayServe?: () => void;
  readonly keyWithinMs?: number;
  readonly maxUnfinished?: number;
  readonly probeEveryMs?: number;
}

/**
 * Sheds load. While the database does not answer, or too many requests are unfinished, requests are refused at once, so
 * that they neither wait in vain nor use memory.
 */
export class Shedder {
  readonly #all: Turns;
  readonly #keyWithinMs: number;
  readonly #probeEveryMs: number;
  readonly #findKeyOwner: FindKeyOwner;
  /**
   * When the unanswered questions for keys were asked, the oldest first. Without those that were asked before one that is
   * answered: they hang alone, with a connection that is lost for example, and predict nothing about the others.
   */
  readonly #askedAtMs = new Set<{ readonly atMs: number }>();
  #probedAtMs = 0;

  constructor(
    findKeyOwner: FindKeyOwner,
    { keyWithinMs = KEY_WITHIN_MS, maxUnfinished = MAX_UNFINISHED, probeEveryMs = PROBE_EVERY_MS }: ShedLimits,
  ) {
    this.#findKeyOwner = findKeyOwner;
    this.#all = new Turns({ running: maxUnfinished, waiting: 0 });
    this.#keyWithinMs = keyWithinMs;
    this.#probeEveryMs = probeEveryMs;
  }

  /** Counts a request until it ends. @throws ServiceError `UPSTREAM_UNAVAILABLE` if the service cannot serve it now. */
  enter(exchange: Exchange): void {
    const [oldest] = this.#askedAtMs;
    const isStuck = oldest !== undefined && performance.now() - oldest.atMs > this.#keyWithinMs;
    if (isStuck) this.#probe();
    if (isStuck || !this.#all.takeNow('', exchange)) throw unavailable();
  }

  /** Finds out if the database answers again. The oldest question may hang with its connection. */
  #probe(): void {
    if (performance.now() - this.#probedAtMs < this.#probeEveryMs) return;
    this.#probedAtMs = performance.now();
    this.#ask(newId<KeyId>()).catch(() => undefined); // Without an answer the next request asks again.
  }

  /** Waits for a key, but not for a database that hangs. @throws ServiceError `UPSTREAM_UNAVAILABLE` */
  async find(keyId: KeyId): Promise<KeyOwner | undefined> {
    const answer = await waitFor(
      this.#ask(keyId).then((owner) => ({ owner })),
      this.#keyWithinMs,
    );
    if (answer === undefined) throw unavailable();
    return answer.owner;
  }

  async #ask(keyId: KeyId): Promise<KeyOwner | undefined> {
    const asked = { atMs: performance.now() };
    this.#askedAtMs.add(asked);
    try {
      return await this.#findKeyOwner(keyId);
    } finally {
      this.#forget(asked);
    }
  }

  #forget(answered: { readonly atMs: number }): void {
    this.#askedAtMs.delete(answered);
    for (const asked of this.#askedAtMs) {
      if (asked.atMs >= answered.atMs) break;
      this.#askedAtMs.delete(asked);
    }
  }
}

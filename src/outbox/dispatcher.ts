import type { Client } from '@temporalio/client';
import type { Log } from '../basics/log.ts';
import type { Database } from '../store/driver/sql.ts';
import { createEntryDelivery, PROBE_SECONDS } from './entry-delivery.ts';
import { type Delivery, Knowledge, Round } from './round.ts';

/** Delivers the outbox's entries: right after a commit, or by the sweep after a crash or outage. */
export interface Dispatcher {
  /** Delivers entries that were just committed, without holding the caller. Leaves those that Temporal refused to the sweep. */
  deliverSoon(): void;
  /** Delivers all due entries, until `signal` aborts. */
  deliverDue(options?: { signal?: AbortSignal }): Promise<Delivery>;
  /** Stops after the deliveries in progress. */
  close(): Promise<void>;
}

/** A commit adds no refused entry, so it needs no query for them: the sweep retries those. */
const NEW_ENTRIES = ['PERSON', 'REQUEST', 'BULK'] as const;
const ALL_ENTRIES = [...NEW_ENTRIES, 'REFUSED'] as const;

export function createDispatcher(deps: { sql: Database; client: Client; taskQueue: string; log: Log }): Dispatcher {
  const { sql, log } = deps;
  const known = new Knowledge();
  const roundDeps = { sql, known, deliver: createEntryDelivery(deps) };
  let running: Promise<void> | undefined;
  /** Rounds in a row that left entries. */
  let failures = 0;
  let retry: NodeJS.Timeout | undefined;

  async function drain(): Promise<void> {
    do {
      try {
        const { failed } = await new Round(roundDeps, NEW_ENTRIES).run();
        failures = failed > 0 ? failures + 1 : 0;
      } catch (error) {
        failures += 1;
        log.warn('Outbox not readable', { error });
      }
      // After a failure, all wait for the next probe. If this one found nothing, there is none.
    } while (known.looked !== known.commits && !known.isClosed && !(known.isSilent && failures > 0));
    running = undefined;
    // This process retries its own entries; the sweep delivers the entries of crashed processes.
    const waitMs =
      failures > 0 ? 1_000 * Math.min(PROBE_SECONDS, 2 ** failures) : known.postponedUntilMs - performance.now();
    if (waitMs <= 0 || known.isClosed) return;
    retry = setTimeout(begin, waitMs);
    retry.unref();
  }

  function begin(): void {
    clearTimeout(retry);
    retry = undefined;
    running ??= drain();
  }

  return {
    deliverSoon() {
      known.commits += 1;
      // Regardless of the entries committed meanwhile, the next probe shows whether Temporal answers.
      if (!known.isSilent || retry === undefined) begin();
    },
    deliverDue: ({ signal } = {}) => new Round(roundDeps, ALL_ENTRIES, signal).run(),
    async close() {
      known.isClosed = true;
      await running;
    },
  };
}

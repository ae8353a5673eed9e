import { setTimeout as delay } from 'node:timers/promises';
import type { Deps } from '../activities/deps.ts';
import { disconnectRequested } from '../activities/requested-deletions.ts';
import { awaitJournal, getSecondsSince, ROUND_MS } from '../activities/sweep-round.ts';
import { endUnanswered } from '../activities/unanswered-attempts.ts';
import { SWEEPS } from '../basics/sweeps.ts';
import type { Dispatcher } from '../outbox/dispatcher.ts';
import { logOutage } from '../store/driver/log-outage.ts';
import { takeSweepTurn } from '../store/sweep-turns.ts';
import { countSweep, countSweepTurn } from '../telemetry/instruments.ts';
import type { Positions } from '../workflows/contract.ts';

/** How often a worker checks whether a round is due. */
const LOOK_EVERY_MS = 2_000;

type OwnSweepDeps = Deps & { readonly dispatcher: Pick<Dispatcher, 'deliverDue'> };

/**
 * Runs the sweeps that need no workflow (D-350). Every worker checks whether a round is due, and one starts the workflows that a
 * crash or outage left in the outbox, disconnects the connections that platforms asked us to delete, ends attempts that no person
 * answered, and writes the erasure journal.
 * None of them waits for another, or for Temporal.
 * @param findHold why nothing may be done now; undefined if it may.
 */
export function runOwnSweeps(
  deps: OwnSweepDeps,
  { findHold, lookEveryMs = LOOK_EVERY_MS }: { findHold(): string | undefined; lookEveryMs?: number },
): { close(): Promise<void> } {
  const { sql, log } = deps;
  const closing = new AbortController();
  const running = new Map<string, Promise<void>>();
  let positions: Positions = {};

  async function deliverOutbox(signal: AbortSignal): Promise<void> {
    const startedAtMs = performance.now();
    const count = (done: number, hasFailed: boolean) => {
      countSweepTurn('outbox', { done, failed: 0, hasFailed, seconds: getSecondsSince(startedAtMs) });
      countSweep('outbox', hasFailed ? 'FAILED' : 'OK');
    };
    try {
      count((await deps.dispatcher.deliverDue({ signal })).delivered, false);
    } catch (error) {
      count(0, true);
      throw error;
    }
  }

  async function deleteRequested(signal: AbortSignal): Promise<void> {
    const round = await disconnectRequested(deps, { positions, withinMs: ROUND_MS, signal });
    ({ positions } = round);
    countSweep('deletions', round.failed.length === 0 ? 'OK' : 'FAILED');
  }

  async function endAttempts(signal: AbortSignal): Promise<void> {
    const round = await endUnanswered(deps, { positions: {}, withinMs: ROUND_MS, signal });
    countSweep('attempts', round.failed.length === 0 ? 'OK' : 'FAILED');
  }

  async function writeJournal(): Promise<void> {
    await awaitJournal(deps.journal.ship()).catch((error: unknown) =>
      log.error('Erasure journal not written', { error }),
    );
  }

  /** Begins a sweep, unless this process still runs its last round. */
  function begin(name: string, work: (signal: AbortSignal) => Promise<void>): void {
    if (running.has(name)) return;
    const signal = AbortSignal.any([closing.signal, AbortSignal.timeout(ROUND_MS)]);
    const round = work(signal)
      .catch(report)
      .finally(() => running.delete(name));
    running.set(name, round);
  }

  function report(error: unknown): void {
    if (!logOutage(log, error)) log.error('A sweep failed', { error });
  }

  async function look(): Promise<void> {
    if (findHold() !== undefined || !(await takeSweepTurn(sql, SWEEPS.outbox.everySeconds))) return;
    begin('outbox', deliverOutbox);
    begin('deletions', deleteRequested);
    begin('attempts', endAttempts);
    begin('journal', writeJournal);
  }

  async function run(): Promise<void> {
    while (!closing.signal.aborted) {
      await look().catch(report);
      await delay(lookEveryMs, undefined, { signal: closing.signal }).catch(() => undefined); // Only the signal rejects it.
    }
  }

  const looking = run();
  return {
    close: async () => {
      closing.abort();
      await looking;
      await Promise.all(running.values());
    },
  };
}

import type { Deps } from '../../src/activities/deps.ts';
import { disconnectRequested } from '../../src/activities/requested-deletions.ts';
import { createSweepActivities } from '../../src/activities/sweep.ts';
import { ROUND_MS } from '../../src/activities/sweep-round.ts';
import { endUnanswered } from '../../src/activities/unanswered-attempts.ts';
import { createLog } from '../../src/basics/log.ts';
import { createJournalKeeper } from '../../src/journal/keep.ts';
import { createMac } from '../../src/vault/mac.ts';
import type { SweepRound, SweepTask } from '../../src/workflows/contract.ts';
import { runActivity } from './deps.ts';
import type { Database } from './postgres.ts';

// What tests of other folders need of the store.
export type { Due, DuePage } from '../../src/store/due.ts';

/** Runs one round of a sweep from the start. @returns the number of rows of each step, except steps without rows. */
export async function sweepOnce(sweep: (task: SweepTask) => Promise<SweepRound>): Promise<Record<string, number>> {
  return readRows(await runActivity(sweep, { positions: {} }));
}

const once = (sweep: typeof endUnanswered) => async (deps: Deps) =>
  readRows(await sweep(deps, { positions: {}, withinMs: ROUND_MS, signal: new AbortController().signal }));
/** One round of the sweep that disconnects the connections that platforms asked us to delete. */
export const sweepDeletions = once(disconnectRequested);
/** One round of the sweep that ends unanswered attempts, and deletes unredeemed claims. */
export const sweepAttempts = once(endUnanswered);

function readRows({ rows, failed, unfinished }: SweepRound): Record<string, number> {
  if (failed.length > 0) throw new Error(`Steps failed: ${failed.join(', ')}.`);
  if (unfinished.length > 0) throw new Error(`Steps were not finished: ${unfinished.join(', ')}.`);
  return Object.fromEntries(Object.entries(rows).filter(([, count]) => count > 0));
}

const TEST_MAC = createMac({ keys: [{ kid: 'test', kty: 'oct', k: 'k'.repeat(43) }] } as never);

/** One round of retention over a database. */
export function applyRetention(sql: Database, { keepsJournal = false } = {}): Promise<Record<string, number>> {
  const journal = { ...createJournalKeeper(sql, undefined), isKept: keepsJournal };
  const deps = { sql, mac: TEST_MAC, journal, log: createLog('silent') } as unknown as Parameters<
    typeof createSweepActivities
  >[0];
  return sweepOnce(createSweepActivities(deps).applyRetention);
}

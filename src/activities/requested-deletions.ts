import { disconnectAsRequested } from '../domain/disconnecting/handle-notification.ts';
import type { Due } from '../store/due.ts';
import { type ConnectionToDelete, listConnectionsToDelete } from '../store/erasures/platform-callbacks.ts';
import type { SweepRound } from '../workflows/contract.ts';
import type { Deps } from './deps.ts';
import { handleOneByOne, type RoundOptions, runRound, type Step } from './sweep-round.ts';

/** Connections of one turn, one transaction each: a second or two. */
const DELETIONS = 50;

/**
 * Disconnects the connections that platforms have asked us to delete. One that fails waits for the next round and does not delay the
 * others. Needs no workflow: each is one transaction.
 */
export async function disconnectRequested(deps: Deps, options: Omit<RoundOptions, 'log'>): Promise<SweepRound> {
  const deletions: Step = {
    batch: DELETIONS,
    list: (page) => listConnectionsToDelete(deps.sql, page),
    handle: handleOneByOne<Due>(1, async (row) => {
      const hasBegun = await disconnectAsRequested(deps, deps.sql, row as ConnectionToDelete);
      deps.outbox.deliverSoon();
      return hasBegun;
    }),
  };
  return await runRound({ deletions }, { ...options, log: deps.log });
}

import { StaleDatabaseError } from '../../basics/errors.ts';
import type { ConnectionId } from '../../basics/ids.ts';
import type { Log } from '../../basics/log.ts';
import type { JournalLine } from '../../journal/files.ts';
import type { JournalKeeper } from '../../journal/keep.ts';
import type { Recall } from '../../temporal/recall.ts';
import type { DisconnectRules } from './disconnect.ts';
import type { LostDisconnect } from './repeat-disconnect.ts';
import { findEnds, inOrderOfRepetition, repeatErasure } from './repeat-erasure.ts';

/** A streaming standby lags by less. A database that lacks older lines is a restored backup. */
const MOST_LAG_MS = 10 * 60_000;
/** More than any fail-over loses, and few enough for one transaction. */
const MOST_LINES = 1_000;

export interface RepeatLostLinesDeps extends DisconnectRules {
  readonly journal: Pick<JournalKeeper, 'listMissing' | 'repeatMissing'>;
  readonly recall: Pick<Recall, 'findDisconnect'>;
  readonly log: Log;
}

/**
 * Repeats the lines of the journal that a fail-over has lost. Disconnects keep the receipts that their callers have, if Temporal knows
 * them. No workflow is ended: one whose rows are lost fails anyway.
 * @param seenAt the last time before the fail-over at which this process reached the database
 * @throws StaleDatabaseError if the database lacks more than a fail-over loses: it is a restored backup, for an operator to replay
 */
export async function repeatLostLines(deps: RepeatLostLinesDeps, seenAt: Date): Promise<void> {
  const { journal, recall, log } = deps;
  const known = new Map<ConnectionId, LostDisconnect>();
  for (const { kind, id } of refuseRestored(await journal.listMissing(), seenAt)) {
    if (kind !== 'CONNECTION') continue;
    const found = await recall.findDisconnect(id as ConnectionId);
    if (found !== undefined) known.set(id as ConnectionId, found);
  }
  let count = 0;
  await journal.repeatMissing(async (tx, missing) => {
    const endOf = findEnds(missing);
    count = missing.length;
    for (const line of inOrderOfRepetition(refuseRestored(missing, seenAt)))
      await repeatErasure({ ...deps, endOf, findLost: (id) => known.get(id) }, tx, line);
  });
  log.warn('A fail-over has lost lines of the erasure journal: they are repeated', { count });
}

function refuseRestored(missing: readonly JournalLine[], seenAt: Date): readonly JournalLine[] {
  const oldest = Math.min(...missing.map(({ at }) => Date.parse(at)));
  if (missing.length <= MOST_LINES && oldest >= seenAt.getTime() - MOST_LAG_MS) return missing;
  throw new StaleDatabaseError('The database lacks more than a fail-over loses: run `restore replay`.');
}

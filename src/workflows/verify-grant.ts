import * as wf from '@temporalio/workflow';
import type { ConnectionId } from '../ids.ts';
import type { ProviderName } from '../providers/provider.ts';
import { Priority, proxyProvider, store } from './calls.ts';
import type { VerifyGrantInput } from './contract.ts';
import { readFailure } from './read-failure.ts';
import { countRetrySignals, isHistoryLong } from './retry-until-settled.ts';

const FIRST_WAIT_SECONDS = 60;
/** Whatever the provider asks for: connections on hold wait for the answer. */
const LONGEST_WAIT_SECONDS = 60 * 60;
/** Answers that say no, but to a grant that lives. */
const ALIVE = ['PermissionMissing', 'AccountUnusable'];

/** Where the waiting for one connection stands. Carried from one run to the next. */
export interface PendingVerification {
  readonly tries: number;
  /** No try before this, in ms since the epoch; 0 for at once. */
  readonly notBeforeMs: number;
}

const NOT_TRIED: PendingVerification = { tries: 0, notBeforeMs: 0 };

/**
 * A grant may have ended: its platform says so, or a revoke may have taken it along. Only the platform's answer to its use
 * is believed.
 */
export async function verifyGrant(input: VerifyGrantInput & { readonly pending?: PendingVerification }): Promise<void> {
  const { connectionId, provider, pending: before = NOT_TRIED } = input;
  const nudges = countRetrySignals();
  wf.setCurrentDetails('The grant may have ended: asking its platform.');
  const pending = await verifyUntilAnswered(connectionId, provider, nudges, before);
  if (pending !== undefined) await wf.continueAsNew<typeof verifyGrant>({ ...input, pending: pending() });
  wf.setCurrentDetails('Asked; the connection says what came of it.');
}

/**
 * Asks the provider until it has answered whether a connection's grant lives. One that was on hold then goes on.
 * @returns tells where it stands, when the run has to be continued as new first. Ask at the end: a nudge that comes until
 * then still counts.
 */
export async function verifyUntilAnswered(
  connectionId: ConnectionId,
  provider: ProviderName,
  nudges: () => number,
  { tries, notBeforeMs }: PendingVerification = NOT_TRIED,
): Promise<(() => PendingVerification) | undefined> {
  const { checkGrant } = proxyProvider(provider, 'does the grant live?', Priority.refresh);
  let seen = nudges();
  let waiting = 'next look';
  for (;;) {
    const waitMs = notBeforeMs - Date.now();
    if (waitMs > 0) await wf.condition(() => nudges() > seen || isHistoryLong(), waitMs, { summary: waiting });
    if (isHistoryLong()) return () => ({ tries, notBeforeMs: nudges() > seen ? 0 : notBeforeMs });
    seen = nudges(); // One that arrives while a try is under way is for what comes after it.
    try {
      await checkGrant({ connectionId });
      break;
    } catch (error) {
      const { type, retryAfterSeconds } = readFailure(error);
      if (type === 'GrantDead') return undefined; // Its row asks for a reconnect by now.
      if (ALIVE.includes(type)) break;
      const asked = Math.max(FIRST_WAIT_SECONDS * 2 ** Math.min(tries, 6), retryAfterSeconds ?? 0);
      tries += 1;
      notBeforeMs = Date.now() + Math.min(LONGEST_WAIT_SECONDS, asked) * 1000;
      waiting = `next look: ${type}`;
    }
  }
  await store.resumeSibling({ connectionId });
  return undefined;
}

import * as wf from '@temporalio/workflow';
import type { ConnectionId } from '../ids.ts';
import type { ProviderName } from '../providers/provider.ts';
import { atProvider, Priority, store } from './calls.ts';
import type { VerifyGrantInput } from './contract.ts';
import { failureOf } from './failure.ts';
import { RETRY_NOW_IN_WORDS, retryNow } from './persist.ts';

const FIRST_WAIT_SECONDS = 60;
const LONGEST_WAIT_SECONDS = 60 * 60;
/** Answers that say no, but to a grant that lives. */
const ALIVE = ['PermissionMissing', 'AccountUnusable'];

/**
 * A grant may have ended: its platform says so, or a revoke may have taken it along. Only the platform's answer to its use
 * is believed.
 */
export async function verifyGrant({ connectionId, provider }: VerifyGrantInput): Promise<void> {
  let nudges = 0;
  const nudge = () => {
    nudges += 1;
  };
  wf.setHandler(retryNow, nudge, RETRY_NOW_IN_WORDS);
  wf.setCurrentDetails('The grant may have ended: asking its platform.');
  await verify(connectionId, provider, () => nudges);
  wf.setCurrentDetails('Asked; the connection says what came of it.');
}

/** Asks the provider until it has answered whether a connection's grant lives. One that was on hold then goes on. */
export async function verify(connectionId: ConnectionId, provider: ProviderName, nudges: () => number): Promise<void> {
  const { tendGrant } = atProvider(provider, 'does the grant live?', Priority.refresh);
  for (let tries = 0; ; tries += 1) {
    const seen = nudges(); // One that arrives while a try is under way is for what comes after it.
    try {
      await tendGrant({ connectionId });
      break;
    } catch (error) {
      const { type, retryAfterSeconds } = failureOf(error);
      if (type === 'GrantDead') return; // Its row asks for a reconnect by now.
      if (ALIVE.includes(type)) break;
      const backOff = Math.min(LONGEST_WAIT_SECONDS, FIRST_WAIT_SECONDS * 2 ** Math.min(tries, 6));
      const waitMs = Math.max(backOff, retryAfterSeconds ?? 0) * 1000;
      await wf.condition(() => nudges() > seen, waitMs, { summary: `next look: ${type}` });
    }
  }
  await store.resumeSibling({ connectionId });
}

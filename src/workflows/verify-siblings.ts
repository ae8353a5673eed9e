import * as wf from '@temporalio/workflow';
import type { ConnectionId } from '../ids.ts';
import type { ProviderName } from '../providers/provider.ts';
import { atProvider, Priority, store } from './calls.ts';
import type { VerifySiblingsInput } from './contract.ts';
import { failureOf } from './failure.ts';
import { retryNow } from './persist.ts';

const FIRST_WAIT_SECONDS = 60;
const LONGEST_WAIT_SECONDS = 60 * 60;

/** After a revoke: which of the connections it may have touched still live? Those that do, go on. */
export async function verifySiblings({ jobId, provider }: VerifySiblingsInput): Promise<void> {
  let nudges = 0;
  wf.setHandler(retryNow, () => {
    nudges += 1;
  });
  const siblings = await store.listSiblings({ jobId });
  let left = siblings.length;
  const describe = () => wf.setCurrentDetails(`${left} of ${siblings.length} connection(s) still to be verified.`);
  describe();
  await Promise.all(
    siblings.map(async (connectionId) => {
      await verify(connectionId, provider, () => nudges);
      left -= 1;
      describe();
    }),
  );
}

async function verify(connectionId: ConnectionId, provider: ProviderName, nudges: () => number): Promise<void> {
  const { tendGrant } = atProvider(provider, 'does the grant live?', Priority.refresh);
  for (let tries = 0; ; tries += 1) {
    try {
      await tendGrant({ connectionId });
      await store.resumeSibling({ connectionId });
      return;
    } catch (error) {
      const { type, retryAfterSeconds } = failureOf(error);
      if (type === 'GrantDead') return; // Its row asks for a reconnect by now.
      const backOff = Math.min(LONGEST_WAIT_SECONDS, FIRST_WAIT_SECONDS * 2 ** Math.min(tries, 6));
      const seen = nudges();
      const waitMs = Math.max(backOff, retryAfterSeconds ?? 0) * 1000;
      await wf.condition(() => nudges() > seen, waitMs, { summary: `next look: ${type}` });
    }
  }
}

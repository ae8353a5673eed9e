import * as wf from '@temporalio/workflow';
import { store } from './calls.ts';
import type { VerifySiblingsInput } from './contract.ts';
import { RETRY_NOW_IN_WORDS, retryNow } from './persist.ts';
import { verify } from './verify-grant.ts';

/** After a revoke: which of the connections it may have touched still live? Those that do, go on. */
export async function verifySiblings({ jobId, provider }: VerifySiblingsInput): Promise<void> {
  let nudges = 0;
  const nudge = () => {
    nudges += 1;
  };
  wf.setHandler(retryNow, nudge, RETRY_NOW_IN_WORDS);
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

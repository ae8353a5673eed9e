import * as wf from '@temporalio/workflow';
import { store } from './calls.ts';
import type { VerifySiblingsInput } from './contract.ts';
import { retryNow } from './persist.ts';
import { verify } from './verify-grant.ts';

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

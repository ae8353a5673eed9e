import * as wf from '@temporalio/workflow';
import type { ConnectionId } from '../ids.ts';
import { store } from './calls.ts';
import type { VerifySiblingsInput } from './contract.ts';
import { countNudges } from './persist.ts';
import { type Pending, verify } from './verify-grant.ts';

/** Who is still to be verified. Carried from one run to the next. */
interface Left {
  readonly total: number;
  readonly siblings: readonly (Pending & { readonly connectionId: ConnectionId })[];
}

/** After a revoke: which of the connections it may have touched still live? Those that do, go on. */
export async function verifySiblings(input: VerifySiblingsInput & { readonly left?: Left }): Promise<void> {
  const { jobId, provider } = input;
  const nudges = countNudges();
  const { total, siblings } = input.left ?? (await listAll(jobId));
  let count = siblings.length;
  const describe = () => wf.setCurrentDetails(`${count} of ${total} connection(s) still to be verified.`);
  describe();
  const pending = await Promise.all(
    siblings.map(async ({ connectionId, ...before }) => {
      const after = await verify(connectionId, provider, nudges, before);
      if (after !== undefined) return [() => ({ connectionId, ...after() })];
      count -= 1;
      describe();
      return [];
    }),
  );
  const left = { total, siblings: pending.flat().map((tell) => tell()) };
  if (left.siblings.length > 0) await wf.continueAsNew<typeof verifySiblings>({ ...input, left });
}

async function listAll(jobId: VerifySiblingsInput['jobId']): Promise<Left> {
  const ids = await store.listSiblings({ jobId });
  return { total: ids.length, siblings: ids.map((connectionId) => ({ connectionId, tries: 0, notBeforeMs: 0 })) };
}

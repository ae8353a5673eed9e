/** The workflows as a later release may change them: a disconnect has a step more, behind a patch. */
import * as wf from '@temporalio/workflow';
import type { DisconnectInput } from '../../src/workflows/contract.ts';
import * as workflows from '../../src/workflows/index.ts';

export * from '../../src/workflows/index.ts';

export const NEXT_PATCH = 'pause-before-disconnect';

export async function disconnect(input: DisconnectInput): Promise<void> {
  if (wf.patched(NEXT_PATCH)) await wf.sleep('10 milliseconds', { summary: 'a step of the next release' });
  await workflows.disconnect(input);
}

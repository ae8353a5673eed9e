import { expect } from 'vitest';
import { type BulkDisconnectId, newId } from '../../src/basics/ids.ts';
import { failure, newAttempt, newReadJob, newSignIn, quiet } from '../kit/fake-activities.ts';
import { test } from '../kit/temporal.ts';

const lose = async () => Promise.reject(failure('RowLost'));
const notWanted = async () => Promise.reject(failure('NotWanted'));

test.for([
  ['scan', newReadJob, { runScanStep: lose }],
  ['revokeGrant', newReadJob, { tryRevoke: lose }],
  ['connectAttempt', newAttempt, { obtainGrant: notWanted, endAttempt: lose }],
  ['identityAttempt', newSignIn, { endIdentityAttempt: lose }],
  ['disconnectAll', () => ({ bulkDisconnectId: newId<BulkDisconnectId>() }), { disconnectBatch: lose }],
] as const)('%s fails if a fail-over has lost its row, and never ends COMPLETED', async (row, { temporal }) => {
  const [type, newInput, losing] = row;
  await temporal.run({ ...quiet, ...losing }, async (start) => {
    const run = await start(type, newInput(await temporal.now()) as never);
    const error = await run.result().catch((cause: unknown) => cause);
    expect(JSON.stringify(error, ['name', 'cause', 'type'])).toContain('"type":"RowLost"');
    expect((await run.describe()).status.name).toBe('FAILED');
  });
});

import { expect } from 'vitest';
import { dispatchVerification } from '../../src/domain/disconnecting/dispatch-verification.ts';
import { inTransaction } from '../../src/store/driver/sql.ts';
import { findDisconnectJob } from '../../src/store/jobs/disconnect-jobs.ts';
import { openStage } from '../kit/activity-stage.ts';
import { test } from '../kit/postgres.ts';

test.for([
  ['PROVIDER_B', 'a sibling', 1],
  ['PROVIDER_B', 'no sibling', 0],
  ['PROVIDER_C', 'a sibling', 0], // Only the person can end a grant there.
] as const)('a revoke at %s beside %s starts %i verifications', async ([provider, beside, count], { sql }) => {
  const stage = await openStage(sql);
  const principal = 'one person';
  const connection = await stage.newConnection({ provider, principal });
  if (beside === 'a sibling') await stage.newConnection({ provider, principal });
  const { revokeJobId } = await stage.disconnect(connection);
  const revoke = await findDisconnectJob(sql, revokeJobId);
  if (!revoke) throw new Error('There is no revoke.');
  await inTransaction(sql, (tx) => dispatchVerification(stage.deps, tx, revoke));
  const started = await sql`
    select from outbox where workflow_type = 'verifySiblings' and position(${revokeJobId}::text in workflow_id) > 0
  `;
  expect(started).toHaveLength(count);
});

import { describe, expect } from 'vitest';
import { getUsableGrant } from '../../src/activities/grant-tokens.ts';
import { refreshTokens } from '../../src/activities/tokens.ts';
import type { ConnectionId, JobId } from '../../src/basics/ids.ts';
import { ProviderError } from '../../src/providers/provider.ts';
import { openStage, type Stage, useGrant } from '../kit/activity-stage.ts';
import { runActivity } from '../kit/deps.ts';
import { asWorker, inTransaction, test } from '../kit/postgres.ts';
import { moveExpiredGrantsToDead } from '../kit/seed.ts';

const MAY_LIVE = { status: 'FAILED', creatorAction: 'REMOVE_APP_AT_PROVIDER' };
const ENDED = { status: 'SUCCEEDED', creatorAction: null };

/** As after a fail-over: the tokens were stored on an earlier timeline. `test/failover` proves that one changes it. */
const failOver = (stage: Stage) =>
  stage.sql`update account_grant set tokens_timeline = '00000000' where tokens_timeline = '00000001'`;

async function receiptOf(stage: Stage, connectionId: ConnectionId) {
  const [job] = await stage.sql`
    select job_id from disconnect_job where connection_id = ${connectionId} and kind = 'REVOKE'
  `;
  const jobId = job?.jobId as JobId;
  await runActivity(stage.activities.tryRevoke, { jobId });
  return await stage.job('disconnect_job', jobId);
}

const refuseTokens = (stage: Stage) => {
  stage.provider.revoke.mockRejectedValue(new ProviderError('TokenStale', 'Stale.'));
  stage.provider.refresh.mockRejectedValue(new ProviderError('GrantDead', 'Spent.'));
};

async function connect(stage: Stage) {
  const connection = await stage.newConnection();
  await stage.sql`update account_grant set tokens_timeline = current_timeline() where grant_id = ${connection.grantId}`;
  return connection;
}

describe('a fail-over that may have lost the rotation of a token', () => {
  test.for([
    [true, MAY_LIVE],
    [false, ENDED],
  ] as const)('also counts for the tokens of another call: fail-over %s', async ([hasFailedOver, receipt], { sql }) => {
    const stage = await openStage(sql);
    const [connection, other] = [await connect(stage), await connect(stage)];
    const { signal } = new AbortController();
    let calls = 0;
    const used = useGrant(stage.deps, connection.grantId, signal, async () => {
      calls += 1;
      if (calls > 1) throw new ProviderError('GrantDead', 'Ended.');
      await refreshTokens(stage.deps, await getUsableGrant(stage.deps, connection.grantId), signal);
      if (hasFailedOver) await failOver(stage);
      await stage.refuseBefore(connection.grantId);
      stage.provider.readAccount.mockRejectedValueOnce(new ProviderError('GrantDead', 'Ended.')); // The other account works.
      throw new ProviderError('TokenStale', 'Stale.');
    });
    await expect(used).rejects.toMatchObject({ type: 'GrantDead' });
    expect(calls).toBe(2);
    refuseTokens(stage);
    expect(await stage.connectionStatus(other.connectionId)).toBe('CONNECTED');
    await stage.disconnect(connection);
    expect(await receiptOf(stage, connection.connectionId)).toMatchObject(receipt);
  });

  test('makes the end of a refresh token by the clock no proof', async ({ sql }) => {
    const stage = await openStage(sql);
    const connection = await connect(stage);
    await failOver(stage);
    await stage.sql`update account_grant set refresh_expires_at = business_now() where grant_id = ${connection.grantId}`;
    await inTransaction(asWorker(sql), (tx) => moveExpiredGrantsToDead(tx, [connection.connectionId]));
    expect(await stage.connectionStatus(connection.connectionId)).toBe('RECONNECT_REQUIRED');
    await stage.disconnect(connection);
    expect(await receiptOf(stage, connection.connectionId)).toMatchObject(MAY_LIVE);
  });
});

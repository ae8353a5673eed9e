import { describe, expect } from 'vitest';
import { type ConnectionId, type JobId, newId } from '../../src/basics/ids.ts';
import { type Stage, stageTest as test } from '../kit/activity-stage.ts';
import { runActivity } from '../kit/deps.ts';
import { seedContent } from '../kit/seed.ts';

/** A connection with a post, and the receipts that a caller got for a disconnect whose rows a fail-over has lost. */
async function lose(stage: Stage) {
  const connection = await stage.newConnection();
  await seedContent(stage.sql, connection.connectionId, { publishedAt: new Date() });
  return { ...connection, revokeJobId: newId<JobId>(), eraseJobId: newId<JobId>() };
}

const countPosts = async ({ sql }: Stage, connectionId: ConnectionId) =>
  (await sql`select from content_item where connection_id = ${connectionId}`).length;

describe('an accepted disconnect whose rows are lost', () => {
  test('is carried out again under the receipts that the caller has', async ({ sql, stage }) => {
    const [going, other] = [await lose(stage), await lose(stage)];
    const { connectionId, revokeJobId, eraseJobId } = going;
    await runActivity(stage.activities.purgeContent, { connectionId, revokeJobId, eraseJobId });
    expect(await stage.connectionStatus(connectionId)).toBe('DISCONNECTED');
    expect(await countPosts(stage, connectionId)).toBe(0);
    await runActivity(stage.activities.tryRevoke, { jobId: revokeJobId });
    await runActivity(stage.activities.eraseConnection, { connectionId, eraseJobId });
    expect(await stage.job('disconnect_job', revokeJobId)).toMatchObject({ status: 'SUCCEEDED', kind: 'REVOKE' });
    expect(await stage.job('disconnect_job', eraseJobId)).toMatchObject({ status: 'SUCCEEDED', kind: 'ERASE' });
    expect(stage.provider.revoke).toHaveBeenCalledOnce();
    // Its workflow runs already, and no other connection is disconnected.
    expect(await sql`select from outbox where workflow_id = ${`disconnect/${connectionId}`}`).toHaveLength(0);
    expect(await stage.connectionStatus(other.connectionId)).toBe('CONNECTED');
    expect(await countPosts(stage, other.connectionId)).toBe(1);
  });

  test('keeps the end of its revoke if the platform had confirmed it', async ({ sql, stage }) => {
    const { connectionId, grantId, revokeJobId, eraseJobId } = await lose(stage);
    await runActivity(stage.activities.purgeContent, { connectionId, revokeJobId, eraseJobId, revoked: true });
    const SUCCEEDED = { status: 'SUCCEEDED', creatorAction: null };
    expect(await stage.job('disconnect_job', revokeJobId)).toMatchObject(SUCCEEDED);
    expect(await runActivity(stage.activities.tryRevoke, { jobId: revokeJobId })).toEqual(SUCCEEDED);
    expect(stage.provider.revoke).not.toHaveBeenCalled();
    expect(await sql`select status, sealed_tokens from account_grant where grant_id = ${grantId}`).toEqual([
      { status: 'DEAD', sealedTokens: null },
    ]);
    await runActivity(stage.activities.eraseConnection, { connectionId, eraseJobId });
    expect(await sql`select from connection where connection_id = ${connectionId}`).toHaveLength(0);
  });
});

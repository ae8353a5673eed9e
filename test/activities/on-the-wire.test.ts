import { describe, expect } from 'vitest';
import { failureOf, useGrant } from '../kit/activity-stage.ts';
import { moveClock, SECOND_MS } from '../kit/clock.ts';
import { runActivity } from '../kit/deps.ts';
import { proves } from '../kit/proofs.ts';
import { open, plainAccount, signal, test } from '../kit/wire-stage.ts';

describe('PROVIDER_B, with single-use refresh tokens', () => {
  test('may have accepted a refresh with a lost answer: the person is asked to reconnect', async ({
    sql,
    sandbox,
    http,
  }) => {
    proves('A lost answer to a refresh');
    const { stage, connect, expireToken } = await open(sql, sandbox, http);
    const { grant, connection } = await connect('PROVIDER_B', plainAccount(sandbox, 'PROVIDER_B'));
    await expireToken(grant.grantId);
    sandbox.control.addFault({ provider: 'PROVIDER_B', route: 'token', what: { kind: 'answerLost' } });
    const use = () => useGrant(stage.deps, grant.grantId, signal, async () => 'ok');
    await expect(use()).rejects.toMatchObject({ type: 'RetryLater', outcomeUnknown: true });
    expect(await stage.connectionStatus(connection.connectionId)).toBe('CONNECTED');
    await moveClock(sql, 91 * SECOND_MS);
    await expect(use()).rejects.toMatchObject({ type: 'GrantDead' });
    expect(await stage.connectionStatus(connection.connectionId)).toBe('RECONNECT_REQUIRED');
  });

  test('is revoked with a stale access token after a refresh', async ({ sql, sandbox, http }) => {
    proves('Revoke with the right token');
    const { stage, connect, expireToken, live } = await open(sql, sandbox, http);
    const account = plainAccount(sandbox, 'PROVIDER_B');
    const { grant, connection } = await connect('PROVIDER_B', account);
    sandbox.control.expireTokens(account, 'access');
    await expireToken(grant.grantId);
    const { revokeJobId } = await stage.disconnect(connection);
    await runActivity(stage.activities.tryRevoke, { jobId: revokeJobId });
    expect(await stage.job('disconnect_job', revokeJobId)).toMatchObject({ status: 'SUCCEEDED', creatorAction: null });
    expect(live(account)).toHaveLength(0);
  });

  test('reports a grant that the person removed: the connection asks for a reconnect', async ({
    sql,
    sandbox,
    http,
  }) => {
    proves('The person has removed the app');
    const { stage, connect } = await open(sql, sandbox, http);
    const account = plainAccount(sandbox, 'PROVIDER_B');
    const { connection } = await connect('PROVIDER_B', account);
    sandbox.control.removeApp(account, { notify: false });
    const { connectionId } = connection;
    await sql`update read_job set status = 'CANCELED', finished_at = business_now() where connection_id = ${connectionId}`;
    const { jobId } = await stage.newScan(connectionId);
    expect(await failureOf(runActivity(stage.activities.runScanStep, { jobId }))).toMatchObject({ type: 'GrantDead' });
    expect(await stage.connectionStatus(connection.connectionId)).toBe('RECONNECT_REQUIRED');
  });
});

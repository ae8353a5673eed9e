import { describe, expect, onTestFinished } from 'vitest';
import { refreshTokens } from '../../src/activities/tokens.ts';
import { ProviderError } from '../../src/providers/provider.ts';
import { openStage, type Stage, useGrant } from '../kit/activity-stage.ts';
import { businessNow, MINUTE_MS, moveClock, SECOND_MS } from '../kit/clock.ts';
import { newTokens } from '../kit/fake-provider.ts';
import { test } from '../kit/postgres.ts';

const signal = new AbortController().signal;
const inFuture = (ms: number) => new Date(Date.now() + ms);

/** Uses a grant. @returns the access tokens that were tried. */
function user({ deps }: Stage, grantId: Parameters<typeof useGrant>[1], answers: (Error | 'ok')[] = ['ok']) {
  const tried: string[] = [];
  const used = useGrant(deps, grantId, signal, async ({ accessToken }) => {
    tried.push(accessToken.reveal());
    const answer = answers.shift() ?? 'ok';
    if (answer !== 'ok') throw answer;
    return answer;
  });
  return { used, tried };
}

const stale = () => new ProviderError('TokenStale', 'Stale.');
const dead = () => new ProviderError('GrantDead', 'Dead.');

describe('callWithFreshToken', () => {
  for (const [leftMs, refreshes] of [
    [2 * MINUTE_MS - 5 * SECOND_MS, 1],
    [2 * MINUTE_MS + 30 * SECOND_MS, 0],
  ] as const) {
    test(`refreshes ${refreshes} time(s) first if a token expires in ${leftMs / 1000} s`, async ({ sql }) => {
      const stage = await openStage(sql);
      const old = newTokens({ accessExpiresAt: inFuture(leftMs) });
      const fresh = newTokens();
      stage.provider.refresh.mockResolvedValueOnce(fresh);
      const { grantId } = await stage.newConnection({ tokens: old });
      const { used, tried } = user(stage, grantId);
      await used;
      expect(stage.provider.refresh).toHaveBeenCalledTimes(refreshes);
      expect(tried).toEqual([(refreshes === 1 ? fresh : old).accessToken.reveal()]);
      expect((await stage.grant(grantId)).generation).toBe(1 + refreshes);
    });
  }

  test('does not refresh a stale token that was replaced meanwhile', async ({ sql }) => {
    const stage = await openStage(sql);
    const { grantId } = await stage.newConnection();
    let calls = 0;
    const result = await useGrant(stage.deps, grantId, signal, async () => {
      calls += 1;
      if (calls > 1) return 'ok';
      await refreshTokens(stage.deps, await stage.grant(grantId), signal);
      throw stale();
    });
    expect(result).toBe('ok');
    expect(stage.provider.refresh).toHaveBeenCalledOnce();
  });

  // A platform that has just issued a token accepts the grant, unless it reports its end.
  test.for([
    [stale, 'RetryLater', 'CONNECTED'],
    [dead, 'GrantDead', 'RECONNECT_REQUIRED'],
  ] as const)('judges a grant whose fresh token is refused: %#', async ([answer, type, status], { sql }) => {
    const stage = await openStage(sql);
    const { grantId, connectionId } = await stage.newConnection();
    await stage.refuseBefore(grantId);
    stage.provider.readAccount.mockRejectedValueOnce(answer());
    await expect(user(stage, grantId, [stale(), answer()]).used).rejects.toMatchObject({ type });
    expect(stage.provider.refresh).toHaveBeenCalledOnce();
    expect(await stage.connectionStatus(connectionId)).toBe(status);
  });

  for (const status of ['CONNECTED', 'SUSPENDED'] as const) {
    test(`moves a ${status} connection in the statement that marks its grant dead`, async ({ sql }) => {
      const stage = await openStage(sql);
      const { grantId, connectionId } = await stage.newConnection({ status });
      await stage.refuseBefore(grantId);
      stage.provider.readAccount.mockRejectedValue(dead());
      await expect(user(stage, grantId, [dead()]).used).rejects.toMatchObject({ type: 'GrantDead' });
      expect(await stage.grant(grantId)).toMatchObject({ status: 'DEAD', sealedTokens: null });
      expect(await stage.connectionStatus(connectionId)).toBe('RECONNECT_REQUIRED');
    });
  }

  test('does not change a connection that is being disconnected if its grant dies', async ({ sql }) => {
    const stage = await openStage(sql);
    const connection = await stage.newConnection();
    await stage.disconnect(connection);
    stage.provider.readAccount.mockRejectedValue(dead());
    await expect(user(stage, connection.grantId, [dead()]).used).rejects.toMatchObject({ type: 'GrantDead' });
    expect(await stage.connectionStatus(connection.connectionId)).toBe('DISCONNECTED');
  });

  test('does not change the connection if a replaced grant dies', async ({ sql }) => {
    const stage = await openStage(sql);
    const connection = await stage.newConnection();
    await sql`update account_grant set status = 'PENDING' where grant_id = ${connection.grantId}`;
    await sql`
      insert into account_grant (grant_id, attempt_id, scope_id, provider, registration_id, connection_id, status,
        permissions, obtained_at)
      select gen_random_uuid(), gen_random_uuid(), scope_id, provider, registration_id, connection_id, 'LIVE', permissions,
        obtained_at
      from account_grant where grant_id = ${connection.grantId}
    `;
    stage.provider.readAccount.mockRejectedValue(dead());
    await expect(user(stage, connection.grantId, [dead()]).used).rejects.toMatchObject({ type: 'GrantDead' });
    expect(await stage.connectionStatus(connection.connectionId)).toBe('CONNECTED');
  });

  for (const answer of [stale, dead]) {
    test(`keeps the grant of an account that works, although a call answers ${answer().type}`, async ({ sql }) => {
      const stage = await openStage(sql);
      const { grantId, connectionId } = await stage.newConnection();
      await stage.newConnection();
      await expect(user(stage, grantId, [stale(), answer()]).used).rejects.toMatchObject({ type: 'RetryLater' });
      expect((await stage.grant(grantId)).status).toBe('LIVE');
      expect(await stage.connectionStatus(connectionId)).toBe('CONNECTED');
    });
  }

  for (const type of ['RetryLater', 'QuotaSpent', 'PermissionMissing', 'ClientRejected', 'ContractBroken'] as const) {
    test(`keeps the grant live after ${type}`, async ({ sql }) => {
      const stage = await openStage(sql);
      const { grantId, connectionId } = await stage.newConnection();
      const failure = new ProviderError(type, 'No.');
      await expect(user(stage, grantId, [failure]).used).rejects.toBe(failure);
      await expect(user(stage, grantId, [stale(), failure]).used, 'with a fresh token').rejects.toMatchObject({ type });
      expect((await stage.grant(grantId)).status).toBe('LIVE');
      expect(await stage.connectionStatus(connectionId)).toBe('CONNECTED');
    });
  }
});

describe('a refresh', () => {
  for (const type of ['RetryLater', 'ClientRejected', 'ContractBroken'] as const) {
    test(`releases its claim after ${type}, so that the next one may try`, async ({ sql }) => {
      const stage = await openStage(sql);
      const { grantId, connectionId } = await stage.newConnection({
        tokens: newTokens({ accessExpiresAt: inFuture(0) }),
      });
      stage.provider.refresh.mockRejectedValueOnce(new ProviderError(type, 'No.'));
      await expect(user(stage, grantId).used).rejects.toMatchObject({ type });
      expect(await stage.grant(grantId)).toMatchObject({ status: 'LIVE', refreshClaim: null, generation: 1 });
      expect(await stage.connectionStatus(connectionId)).toBe('CONNECTED');
      // A refused client is retried after some minutes.
      await sql`update registration set rejected_at = rejected_at - interval '5 minutes'`;
      expect(await user(stage, grantId).used).toBe('ok');
    });
  }

  test('keeps its claim for 90 s after a lost answer, then is tried a second time', async ({ sql }) => {
    const stage = await openStage(sql);
    const { grantId } = await stage.newConnection({ tokens: newTokens({ accessExpiresAt: await businessNow(sql) }) });
    stage.provider.refresh.mockRejectedValueOnce(new ProviderError('RetryLater', 'Lost.', { outcomeUnknown: true }));
    await expect(user(stage, grantId).used).rejects.toMatchObject({ type: 'RetryLater', outcomeUnknown: true });
    const claimed = await stage.grant(grantId);
    expect(claimed).toMatchObject({ status: 'LIVE', generation: 1, refreshLost: false });
    expect(claimed.refreshClaim).not.toBeNull();

    onTestFinished(() => moveClock(sql, -91 * SECOND_MS)); // Other tests make tokens by the real clock.
    await moveClock(sql, 89 * SECOND_MS);
    await expect(user(stage, grantId).used).rejects.toMatchObject({ type: 'RetryLater', retryAfterSeconds: 10 });
    expect(stage.provider.refresh).toHaveBeenCalledOnce();

    await moveClock(sql, 2 * SECOND_MS);
    expect(await user(stage, grantId).used).toBe('ok');
    expect(stage.provider.refresh).toHaveBeenCalledTimes(2);
    expect(await stage.grant(grantId)).toMatchObject({ generation: 2, refreshClaim: null });
  });
});

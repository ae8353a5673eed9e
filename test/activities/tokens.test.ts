import { describe, expect } from 'vitest';
import type { ConnectionStatus, ProviderErrorType } from '../../src/basics/codes.ts';
import { ProviderError } from '../../src/providers/provider.ts';
import { openStage, type Stage, stageTest as test, useGrant } from '../kit/activity-stage.ts';
import { MINUTE_MS, SECOND_MS } from '../kit/clock.ts';
import { newTokens } from '../kit/fake-provider.ts';

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
const dead = () => new ProviderError('GrantDead', 'Dead.', { status: 400, platformCode: 'invalid_grant' });

describe('callWithFreshToken', () => {
  for (const [leftMs, refreshes] of [
    [2 * MINUTE_MS - 5 * SECOND_MS, 1],
    [2 * MINUTE_MS + 30 * SECOND_MS, 0],
  ] as const) {
    test(`refreshes ${refreshes} time(s) first if a token expires in ${leftMs / 1000} s`, async ({ stage }) => {
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

  const no = (type: ProviderErrorType) => new ProviderError(type, 'No.');
  const FAILURES = ['RetryLater', 'QuotaSpent', 'PermissionMissing', 'ClientRejected', 'ContractBroken'] as const;
  /** The answers to a call and to its repetition with a fresh token, what the account's own read says, and the end of the grant. */
  const ENDS: readonly (readonly [Error[], Error | null, ProviderErrorType, ConnectionStatus, ConnectionStatus])[] = [
    [[dead()], dead(), 'GrantDead', 'CONNECTED', 'RECONNECT_REQUIRED'],
    [[dead()], dead(), 'GrantDead', 'SUSPENDED', 'RECONNECT_REQUIRED'],
    [[stale(), dead()], dead(), 'GrantDead', 'CONNECTED', 'RECONNECT_REQUIRED'],
    // A platform that has just issued a token accepts the grant, unless it reports its end.
    [[stale(), stale()], stale(), 'RetryLater', 'CONNECTED', 'CONNECTED'],
    [[stale(), stale()], null, 'RetryLater', 'CONNECTED', 'CONNECTED'],
    [[stale(), dead()], null, 'RetryLater', 'CONNECTED', 'CONNECTED'],
    ...FAILURES.flatMap((type) =>
      [[no(type)], [stale(), no(type)]].map((answers) => [answers, null, type, 'CONNECTED', 'CONNECTED'] as const),
    ),
  ];
  test.for(ENDS)(
    'after %s, and %s of the account, a call fails with %s: a %s connection is %s',
    async (row, { sql }) => {
      const [answers, account, type, before, after] = row;
      const stage = await openStage(sql);
      const { grantId, connectionId } = await stage.newConnection({ status: before });
      await stage.newConnection(); // Another account works.
      await stage.refuseBefore(grantId);
      if (account) stage.provider.readAccount.mockRejectedValueOnce(account);
      await expect(user(stage, grantId, [...answers]).used).rejects.toMatchObject({ type });
      expect(stage.provider.refresh).toHaveBeenCalledTimes(answers.length - 1);
      const { status, sealedTokens } = await stage.grant(grantId);
      expect([status, sealedTokens === null]).toEqual(after === 'CONNECTED' ? ['LIVE', false] : ['DEAD', true]);
      expect(await stage.connectionStatus(connectionId)).toBe(after);
      const [end] =
        await sql`select ended_by, ended_answer, ended_answer_code from account_grant where grant_id = ${grantId}`;
      const told = after === 'CONNECTED' ? [null, null, null] : ['READ', 'HTTP_400', 'invalid_grant'];
      expect(Object.values(end ?? {})).toEqual(told);
    },
  );

  test('does not change a connection that is being disconnected if its grant dies', async ({ stage }) => {
    const connection = await stage.newConnection();
    await stage.disconnect(connection);
    stage.provider.readAccount.mockRejectedValue(dead());
    await expect(user(stage, connection.grantId, [dead()]).used).rejects.toMatchObject({ type: 'GrantDead' });
    expect(await stage.connectionStatus(connection.connectionId)).toBe('DISCONNECTED');
  });
});

import { describe, expect } from 'vitest';
import { ProviderError } from '../../src/providers/provider.ts';
import { failureOf, openStage, type Stage } from '../kit/activity-stage.ts';
import { moveClock, SECOND_MS } from '../kit/clock.ts';
import { runActivity } from '../kit/deps.ts';
import { test } from '../kit/postgres.ts';

/** Longer than a claim is valid. */
const LAPSED_MS = 91 * SECOND_MS;

/** A revoke job with a grant that a crashed worker left claimed by `holder`, long ago. */
async function leftBehind(stage: Stage, holder: 'a revoke' | 'a refresh') {
  const connection = await stage.newConnection();
  const { revokeJobId } = await stage.disconnect(connection);
  const claim = holder === 'a revoke' ? revokeJobId : stage.sql`gen_random_uuid()`;
  await stage.sql`
    update account_grant set refresh_claim = ${claim}, refresh_claimed_at = business_now()
    where grant_id = ${connection.grantId}
  `;
  await moveClock(stage.sql, LAPSED_MS);
  return revokeJobId;
}

describe('a revoke that finds the grant ended', () => {
  test('succeeds if its own earlier try crashed after the provider revoked', async ({ sql }) => {
    const stage = await openStage(sql);
    const jobId = await leftBehind(stage, 'a revoke');
    stage.provider.revoke.mockResolvedValueOnce('alreadyEnded');
    const end = { status: 'SUCCEEDED', creatorAction: null };
    expect(await runActivity(stage.activities.tryRevoke, { jobId })).toEqual(end);
    expect(await stage.job('disconnect_job', jobId)).toMatchObject(end);
    expect(await runActivity(stage.activities.tryRevoke, { jobId })).toEqual(end); // Its answer may have been lost.
  });

  test('fails after a lost refresh, even with a provider outage in between', async ({ sql }) => {
    const stage = await openStage(sql);
    const jobId = await leftBehind(stage, 'a refresh');
    stage.provider.revoke
      .mockRejectedValueOnce(new ProviderError('RetryLater', 'Away.'))
      .mockResolvedValueOnce('alreadyEnded');
    expect(await failureOf(runActivity(stage.activities.tryRevoke, { jobId }))).toMatchObject({ type: 'RetryLater' });
    await moveClock(sql, LAPSED_MS);
    expect(await runActivity(stage.activities.tryRevoke, { jobId })).toEqual({
      status: 'FAILED',
      code: 'PROVIDER_UNAVAILABLE',
      tokensKept: false,
    });
    expect(await stage.job('disconnect_job', jobId)).toMatchObject({
      status: 'FAILED',
      creatorAction: 'REMOVE_APP_AT_PROVIDER',
    });
  });

  test('fails if its own refresh was cut off', async ({ sql }) => {
    const stage = await openStage(sql);
    const { grantId, ...connection } = await stage.newConnection();
    const { revokeJobId: jobId } = await stage.disconnect(connection);
    stage.provider.revoke.mockRejectedValueOnce(new ProviderError('TokenStale', 'Stale.'));
    let claimed: string | null = null;
    stage.provider.refresh.mockImplementationOnce(async () => {
      claimed = (await stage.grant(grantId)).refreshClaim;
      throw new ProviderError('RetryLater', 'Lost.', { outcomeUnknown: true });
    });
    await failureOf(runActivity(stage.activities.tryRevoke, { jobId }));
    expect(claimed).not.toBe(jobId);
    expect((await stage.grant(grantId)).refreshClaim).toBe(claimed);
    stage.provider.revoke.mockResolvedValueOnce('alreadyEnded');
    await moveClock(sql, LAPSED_MS);
    await runActivity(stage.activities.tryRevoke, { jobId });
    expect((await stage.job('disconnect_job', jobId)).status).toBe('FAILED');
  });
});

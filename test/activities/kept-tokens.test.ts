import { randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import { keepTokensWithJob } from '../../src/activities/revoke-kept.ts';
import type { ProviderErrorType } from '../../src/basics/codes.ts';
import type { JobId } from '../../src/basics/ids.ts';
import { ProviderError, type Tokens } from '../../src/providers/provider.ts';
import { failureOf, openStage, type Stage } from '../kit/activity-stage.ts';
import { HOUR_MS, moveClock, SECOND_MS } from '../kit/clock.ts';
import { runActivity } from '../kit/deps.ts';
import { newTokens } from '../kit/fake-provider.ts';
import { inTransaction, test } from '../kit/postgres.ts';
import { claimKeptRefresh, insertErasure } from '../kit/seed.ts';
import { findDisconnectJob, requeueRevokes } from '../kit/seed-jobs.ts';

/** Longer than a claim is valid. */
const LAPSED_MS = 91 * SECOND_MS;
const FAILED = { status: 'FAILED', creatorAction: 'REMOVE_APP_AT_PROVIDER', sealedTokens: null };

/** A permanently failed and reopened revoke: its job holds the only copy of the grant's tokens. */
async function openedAgain(stage: Stage, { tokens = newTokens(), refreshWasLost = false } = {}): Promise<JobId> {
  const connection = await stage.newConnection({ tokens });
  const { revokeJobId: jobId } = await stage.disconnect(connection);
  await moveClock(stage.sql, 72 * HOUR_MS);
  if (refreshWasLost) {
    await stage.sql`
      update account_grant set refresh_claim = gen_random_uuid(), refresh_claimed_at = business_now()
      where grant_id = ${connection.grantId}
    `;
  }
  const failedTry = { type: 'RetryLater', retryAfterSeconds: null };
  await runActivity(stage.activities.recordDisconnectFailure, { jobId, failedTry });
  await inTransaction(stage.sql, (tx) => requeueRevokes(tx, [jobId]));
  if (refreshWasLost) await moveClock(stage.sql, LAPSED_MS);
  return jobId;
}

/**
 * A platform that rotates: each refresh token works once, a revoke needs a live access token, and a refusal looks the
 * same whether the grant has ended or not.
 */
function rotatingPlatform(stage: Stage, first: Tokens) {
  const far = { refreshToken: first.refreshToken?.reveal(), accessToken: '', revoked: false };
  stage.provider.refresh.mockImplementation(async (_client, held) => {
    if (far.revoked || held.refreshToken?.reveal() !== far.refreshToken) throw new ProviderError('GrantDead', 'Dead.');
    const fresh = newTokens();
    far.refreshToken = fresh.refreshToken?.reveal();
    far.accessToken = fresh.accessToken.reveal();
    return fresh;
  });
  stage.provider.revoke.mockImplementation(async (_client, held) => {
    if (far.revoked || held.accessToken.reveal() !== far.accessToken) throw new ProviderError('TokenStale', 'Stale.');
    far.revoked = true;
    return 'revoked';
  });
  return far;
}

/** The call of a killed worker never returns. */
const killed = () => new Promise<never>(() => undefined);
type Step =
  | 'before the refresh'
  | 'after the rotation'
  | 'before the answer is stored'
  | 'before the revoke'
  | 'after it';

/** Crashes the worker at a step of the next try. @returns when it has reached the step. */
async function dieAt(stage: Stage, step: Step, jobId: JobId): Promise<void> {
  const { provider, deps } = stage;
  const refresh = provider.refresh.getMockImplementation();
  const revoke = provider.revoke.getMockImplementation();
  if (!refresh || !revoke) throw new Error('The platform has not been set up.');
  await new Promise<void>((reached) => {
    const die = () => {
      reached();
      return killed();
    };
    if (step === 'before the refresh') provider.refresh.mockImplementationOnce(die);
    if (step === 'after the rotation')
      provider.refresh.mockImplementationOnce(async (...call) => refresh(...call).then(die));
    if (step === 'before the answer is stored') {
      const { sealGrant } = deps.vault;
      const vault = deps.vault as { sealGrant: typeof sealGrant };
      vault.sealGrant = () => {
        vault.sealGrant = sealGrant;
        return die();
      };
    }
    if (step === 'before the revoke') provider.revoke.mockImplementationOnce(revoke).mockImplementationOnce(die);
    if (step === 'after it')
      provider.revoke
        .mockImplementationOnce(revoke)
        .mockImplementationOnce(async (...call) => revoke(...call).then(die));
    void runActivity(stage.activities.tryRevoke, { jobId });
  });
}

/** The step at which the worker crashes, and how the job then ends. */
const DEATHS: readonly (readonly [Step, 'SUCCEEDED' | 'FAILED'])[] = [
  ['before the refresh', 'SUCCEEDED'],
  ['after the rotation', 'FAILED'],
  ['before the answer is stored', 'FAILED'],
  ['before the revoke', 'SUCCEEDED'],
  ['after it', 'SUCCEEDED'],
];

describe('a revoke with kept tokens after a worker crash', () => {
  for (const [step, end] of DEATHS) {
    test(`${step} ends ${end} on retry, and never reports a live grant as revoked`, async ({ sql }) => {
      const stage = await openStage(sql);
      const tokens = newTokens();
      const jobId = await openedAgain(stage, { tokens });
      const far = rotatingPlatform(stage, tokens);
      await dieAt(stage, step, jobId);
      await moveClock(sql, LAPSED_MS);
      await runActivity(stage.activities.tryRevoke, { jobId });
      expect(await stage.job('disconnect_job', jobId)).toMatchObject(
        end === 'FAILED' ? FAILED : { status: 'SUCCEEDED', creatorAction: null, sealedTokens: null },
      );
      expect(far.revoked).toBe(end === 'SUCCEEDED');
    });
  }
});

describe('kept tokens', () => {
  test('stay while a refresh of them is in flight', async ({ sql }) => {
    const stage = await openStage(sql);
    const tokens = newTokens();
    const jobId = await openedAgain(stage, { tokens });
    rotatingPlatform(stage, tokens);
    await dieAt(stage, 'before the refresh', jobId);
    expect(await failureOf(runActivity(stage.activities.tryRevoke, { jobId }))).toMatchObject({ type: 'RetryLater' });
    expect(stage.provider.revoke).toHaveBeenCalledOnce();
  });

  test('wait until an unanswered refresh is certainly lost; a refusal then proves nothing', async ({ sql }) => {
    const stage = await openStage(sql);
    const jobId = await openedAgain(stage);
    stage.provider.revoke.mockRejectedValue(new ProviderError('TokenStale', 'Stale.'));
    stage.provider.refresh
      .mockRejectedValueOnce(new ProviderError('RetryLater', 'Lost.', { outcomeUnknown: true }))
      .mockRejectedValueOnce(new ProviderError('RetryLater', 'Away.'))
      .mockRejectedValueOnce(new ProviderError('GrantDead', 'Spent.'));
    const lost = await failureOf(runActivity(stage.activities.tryRevoke, { jobId }));
    expect(lost).toMatchObject({ type: 'RetryLater', retryAfterSeconds: 95, outcomeUnknown: true });
    await moveClock(sql, LAPSED_MS);
    expect(await failureOf(runActivity(stage.activities.tryRevoke, { jobId }))).toMatchObject({ type: 'RetryLater' });
    await moveClock(sql, LAPSED_MS);
    await runActivity(stage.activities.tryRevoke, { jobId });
    expect(await stage.job('disconnect_job', jobId)).toMatchObject(FAILED);
  });

  test('are kept, and the revoke is not over, if the platform is away after their refresh', async ({ sql }) => {
    const stage = await openStage(sql);
    const tokens = newTokens();
    const jobId = await openedAgain(stage, { tokens });
    const far = rotatingPlatform(stage, tokens);
    stage.provider.revoke
      .mockRejectedValueOnce(new ProviderError('TokenStale', 'Stale.'))
      .mockRejectedValueOnce(new ProviderError('RetryLater', 'Away.'));
    expect(await failureOf(runActivity(stage.activities.tryRevoke, { jobId }))).toMatchObject({ type: 'RetryLater' });
    expect(far.revoked).toBe(false);
    await runActivity(stage.activities.tryRevoke, { jobId });
    expect(far.revoked).toBe(true);
    expect(await stage.job('disconnect_job', jobId)).toMatchObject({ status: 'SUCCEEDED', sealedTokens: null });
  });

  test('inherit the uncertainty of a lost refresh from their grant', async ({ sql }) => {
    const stage = await openStage(sql);
    const jobId = await openedAgain(stage, { refreshWasLost: true });
    stage.provider.revoke.mockResolvedValueOnce('alreadyEnded');
    await runActivity(stage.activities.tryRevoke, { jobId });
    expect(await stage.job('disconnect_job', jobId)).toMatchObject(FAILED);
  });

  test('prove the end of their grant by a refusal if no refresh was lost', async ({ sql }) => {
    const stage = await openStage(sql);
    const jobId = await openedAgain(stage);
    stage.provider.revoke.mockRejectedValueOnce(new ProviderError('TokenStale', 'Stale.'));
    stage.provider.refresh.mockRejectedValueOnce(new ProviderError('GrantDead', 'Dead.'));
    await runActivity(stage.activities.tryRevoke, { jobId });
    expect(await stage.job('disconnect_job', jobId)).toMatchObject({ status: 'SUCCEEDED', creatorAction: null });
  });
});

describe('a revoke with kept tokens', () => {
  const error = (type: ProviderErrorType) => new ProviderError(type, 'No.');

  test.for([
    { refused: 'first', by: 'GrantDead', calls: 1 },
    { refused: 'after a refresh', by: 'GrantDead', calls: 2 },
    { refused: 'after a refresh', by: 'TokenStale', calls: 2 },
  ] as const)('has succeeded if the platform refuses it $refused with $by', async ({ by, calls }, { sql }) => {
    const stage = await openStage(sql);
    const jobId = await openedAgain(stage);
    if (calls === 2) stage.provider.revoke.mockRejectedValueOnce(error('TokenStale'));
    stage.provider.revoke.mockRejectedValueOnce(error(by));
    await runActivity(stage.activities.tryRevoke, { jobId });
    expect(await stage.job('disconnect_job', jobId)).toMatchObject({ status: 'SUCCEEDED', sealedTokens: null });
    expect(stage.provider.revoke).toHaveBeenCalledTimes(calls);
    expect(stage.provider.refresh).toHaveBeenCalledTimes(calls - 1);
  });

  test.for([
    { type: 'ContractBroken', tokens: newTokens() },
    { type: 'TokenStale', tokens: newTokens({ refreshToken: null }) },
  ] as const)('refreshes nothing after $type, if that would not help', async ({ type, tokens }, { sql }) => {
    const stage = await openStage(sql);
    const jobId = await openedAgain(stage, { tokens });
    stage.provider.revoke.mockRejectedValueOnce(error(type));
    expect(await failureOf(runActivity(stage.activities.tryRevoke, { jobId }))).toMatchObject({ type });
    expect(stage.provider.refresh).not.toHaveBeenCalled();
    expect((await stage.job('disconnect_job', jobId)).sealedTokens).not.toBeNull();
  });

  test('leaves a refresh to the one that has begun it, and tries again at once after one that has failed', async ({
    sql,
  }) => {
    const stage = await openStage(sql);
    const jobId = await openedAgain(stage);
    const tryIt = () => failureOf(runActivity(stage.activities.tryRevoke, { jobId }));
    stage.provider.revoke.mockRejectedValueOnce(error('TokenStale'));
    stage.provider.refresh.mockRejectedValueOnce(error('RetryLater'));
    expect(await tryIt()).toMatchObject({ type: 'RetryLater' });
    expect(stage.provider.refresh).toHaveBeenCalledTimes(1);
    stage.provider.revoke.mockImplementationOnce(async () => {
      await claimKeptRefresh(stage.deps.sql, jobId, randomUUID());
      throw error('TokenStale');
    });
    expect(await tryIt()).toMatchObject({ type: 'RetryLater' });
    expect(stage.provider.refresh).toHaveBeenCalledTimes(1);
  });
});

describe('during the erasure of a person', () => {
  /** An operator starts the erasure while the revoke is in progress or reopened. */
  async function forget(stage: Stage, jobId: JobId): Promise<void> {
    const { appId, scopeId, scopeMac } = await stage.job('disconnect_job', jobId);
    const subject = { appId, scopeId, scopeMac, scopeMacs: [scopeMac], connectionIds: [] };
    await inTransaction(stage.sql, (tx) => insertErasure(tx, subject));
  }

  const fail = async (stage: Stage, jobId: JobId) => {
    await moveClock(stage.sql, 72 * HOUR_MS);
    const failedTry = { type: 'RetryLater', retryAfterSeconds: null };
    return await runActivity(stage.activities.recordDisconnectFailure, { jobId, failedTry });
  };

  test('a revoke that fails permanently keeps no tokens', async ({ sql }) => {
    const stage = await openStage(sql);
    const connection = await stage.newConnection();
    const { revokeJobId: jobId } = await stage.disconnect(connection);
    await forget(stage, jobId);
    expect(await fail(stage, jobId)).toMatchObject({ ended: true, revoke: { status: 'FAILED', tokensKept: false } });
    expect(await stage.job('disconnect_job', jobId)).toMatchObject(FAILED);
    expect(await stage.grant(connection.grantId)).toMatchObject({ status: 'DEAD', sealedTokens: null });
  });

  test('a slow worker that has not seen the erasure keeps no tokens', async ({ sql }) => {
    const stage = await openStage(sql);
    const { revokeJobId: jobId } = await stage.disconnect(await stage.newConnection());
    const seen = await findDisconnectJob(sql, jobId);
    if (!seen) throw new Error('There is no such job.');
    await forget(stage, jobId);
    await keepTokensWithJob(stage.deps, seen);
    expect(await stage.job('disconnect_job', jobId)).toMatchObject({
      erasureId: expect.any(String),
      sealedTokens: null,
    });
  });

  test('a worker keeps no tokens if its job has ended meanwhile', async ({ sql }) => {
    const stage = await openStage(sql);
    const { revokeJobId: jobId } = await stage.disconnect(await stage.newConnection());
    await moveClock(sql, 72 * HOUR_MS);
    const failedTry = { type: 'RetryLater', retryAfterSeconds: null };
    const { sealGrant } = stage.deps.vault;
    const vault = stage.deps.vault as { sealGrant: typeof sealGrant };
    vault.sealGrant = async (...sealing) => {
      vault.sealGrant = sealGrant;
      await runActivity(stage.activities.tryRevoke, { jobId });
      return await sealGrant(...sealing);
    };
    await runActivity(stage.activities.recordDisconnectFailure, { jobId, failedTry });
    expect(await stage.job('disconnect_job', jobId)).toMatchObject({ status: 'SUCCEEDED', sealedTokens: null });
  });

  test('a reopened revoke with kept tokens discards them when it fails', async ({ sql }) => {
    const stage = await openStage(sql);
    const jobId = await openedAgain(stage);
    await forget(stage, jobId);
    expect((await stage.job('disconnect_job', jobId)).sealedTokens).not.toBeNull();
    expect(await fail(stage, jobId)).toMatchObject({ ended: true });
    expect(await stage.job('disconnect_job', jobId)).toMatchObject(FAILED);
  });
});

import { randomBytes } from 'node:crypto';
import { describe, expect, vi } from 'vitest';
import { createIdentityActivities, createIssuerActivityGroup } from '../../src/activities/identity.ts';
import type { AttemptId } from '../../src/basics/ids.ts';
import type { IdentityClaims, SignIn } from '../../src/identity/sign-in.ts';
import { ProviderError } from '../../src/providers/provider.ts';
import { associatedData } from '../../src/vault/associated-data.ts';
import { failureOf, openStage } from '../kit/activity-stage.ts';
import { MINUTE_MS, moveClock } from '../kit/clock.ts';
import { runActivity } from '../kit/deps.ts';
import { MARK } from '../kit/fake-provider.ts';
import { type Database, test } from '../kit/postgres.ts';
import { setEnabled } from '../kit/seed.ts';
import { identityAttempts, seedSignIn } from '../kit/seed-attempts.ts';

const CLAIMS: IdentityClaims = {
  issuer: 'https://idp.example',
  idpSub: `${MARK}-sub`,
  email: `${MARK}@example.org`,
  emailVerified: true,
  name: null,
  pictureUrl: null,
};

async function open(sql: Database) {
  const stage = await openStage(sql);
  const { deps, seeded } = stage;
  const sealedSecret = await deps.sealInbox(`${MARK}-client-secret`, associatedData.issuerSecret(seeded.issuerId));
  await sql`update identity_issuer set sealed_client_secret = ${sealedSecret} where issuer_id = ${seeded.issuerId}`;
  const signIn = {
    discover: vi.fn<SignIn['discover']>(async () => ({}) as Awaited<ReturnType<SignIn['discover']>>),
    redeem: vi.fn<SignIn['redeem']>(async () => CLAIMS),
  };

  /** A sign-in with a callback that was just accepted. */
  async function newSignIn(): Promise<AttemptId> {
    const signIn = await seedSignIn(sql, seeded, {}, async (tx, attemptId) => {
      await identityAttempts.moveToAuthorizing(tx, attemptId, {
        stateSha256: randomBytes(32),
        browserSha256: randomBytes(32),
        sealedNonce: await deps.sealInbox(`${MARK}-nonce`, associatedData.identityNonce(attemptId)),
        sealedCodeVerifier: await deps.sealInbox(`${MARK}-verifier`, associatedData.identityCodeVerifier(attemptId)),
      });
      await identityAttempts.moveToExchanging(
        tx,
        attemptId,
        await deps.sealInbox(`${MARK}-code`, associatedData.identityCode(attemptId)),
      );
    });
    return signIn.attemptId;
  }
  const activities = { ...createIssuerActivityGroup({ ...deps, signIn }), ...createIdentityActivities(deps) };
  const whole = async (attemptId: AttemptId) => {
    const [row] = await sql`select * from identity_attempt where attempt_id = ${attemptId}`;
    return row;
  };
  return { deps, seeded, signIn, newSignIn, activities, whole };
}

describe('exchangeIdentityCode', () => {
  test('keeps the code if the issuer is unreachable or certainly did not receive it', async ({ sql }) => {
    const { signIn, newSignIn, activities } = await open(sql);
    const attemptId = await newSignIn();
    signIn.discover.mockRejectedValueOnce(new ProviderError('RetryLater', 'Away.'));
    signIn.redeem.mockRejectedValueOnce(new ProviderError('RetryLater', 'Busy.'));
    for (let tries = 0; tries < 2; tries += 1) {
      await expect(runActivity(activities.exchangeIdentityCode, { attemptId })).rejects.toMatchObject({
        type: 'RetryLater',
      });
    }
    await runActivity(activities.exchangeIdentityCode, { attemptId });
    expect((await identityAttempts.find(sql, attemptId))?.status).toBe('COMPLETED');
  });

  test.for([
    new ProviderError('RetryLater', 'The answer was lost.', { outcomeUnknown: true }),
    new ProviderError('ContractBroken', 'The issuer refused the code.'),
    new Error('A fault of ours.'),
  ])('does not send a code again after: %s', async (error, { sql }) => {
    const { activities, newSignIn, signIn } = await open(sql);
    const attemptId = await newSignIn();
    signIn.redeem.mockRejectedValueOnce(error);
    await expect(runActivity(activities.exchangeIdentityCode, { attemptId })).rejects.toThrow();
    await expect(runActivity(activities.exchangeIdentityCode, { attemptId })).rejects.toThrow('sent before');
    expect(signIn.redeem).toHaveBeenCalledTimes(1);
  });

  test('asks an issuer nothing for an app that is disabled, not even in the middle', async ({ sql }) => {
    const { activities, newSignIn, signIn, whole, seeded } = await open(sql);
    const [attemptId, later] = [await newSignIn(), await newSignIn()];
    await setEnabled(sql, seeded.app.appId, false);
    expect(await failureOf(runActivity(activities.exchangeIdentityCode, { attemptId }))).toEqual({
      type: 'NotWanted',
    });
    expect(signIn.discover).not.toHaveBeenCalled();
    expect(await whole(attemptId)).toMatchObject({ exchangeClaimedAt: null });
    await setEnabled(sql, seeded.app.appId, true);
    signIn.redeem.mockImplementationOnce(async (_configuration, _issuer, { admit }) => {
      await setEnabled(sql, seeded.app.appId, false);
      await admit();
      return CLAIMS;
    });
    const failure = failureOf(runActivity(activities.exchangeIdentityCode, { attemptId: later }));
    expect(await failure).toEqual({ type: 'NotWanted' });
    expect(await whole(later)).toMatchObject({ sealedClaims: null });
  });

  test('stores no claims from an answer after the deadline', async ({ sql }) => {
    const { signIn, newSignIn, activities, whole } = await open(sql);
    const attemptId = await newSignIn();
    signIn.redeem.mockImplementationOnce(async () => {
      await moveClock(sql, 10 * MINUTE_MS);
      return CLAIMS;
    });
    await expect(runActivity(activities.exchangeIdentityCode, { attemptId })).rejects.toMatchObject({
      type: 'NotWanted',
    });
    expect(await runActivity(activities.endIdentityAttempt, { attemptId, status: 'FAILED' })).toBe('EXPIRED');
    expect(await whole(attemptId)).toMatchObject({ status: 'EXPIRED', sealedClaims: null, sealedCode: null });
  });
});

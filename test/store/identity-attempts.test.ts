import { randomBytes } from 'node:crypto';
import { expect } from 'vitest';
import type { AttemptId } from '../../src/basics/ids.ts';
import {
  identityAttempts,
  moveIdentityAttemptToEnd,
  redeemIdentityResult,
  unclaimIdentityExchange,
} from '../../src/store/attempts/identity-attempts.ts';
import { type Database, inTransaction } from '../../src/store/driver/sql.ts';
import { asApi, asWorker, test } from '../kit/postgres.ts';
import { at, seedApp } from '../kit/seed.ts';
import { answerSignIn, launchSignIn, seedSignIn } from '../kit/seed-attempts.ts';

async function openSignIn(sql: Database) {
  const seeded = await seedApp(sql);
  const proofSha256 = randomBytes(32);
  const attempt = await seedSignIn(sql, seeded, { resultProofSha256: proofSha256 }, answerSignIn);
  const key = { appId: seeded.app.appId, attemptId: attempt.attemptId, tenantKey: seeded.tenantKey, proofSha256 };
  const read = async () => (await identityAttempts.find(sql, attempt.attemptId)) ?? expect.fail('It is gone.');
  return { attempt, read, redeem: () => inTransaction(asApi(sql), (tx) => redeemIdentityResult(tx, key)) };
}
const complete = (sql: Database, attemptId: AttemptId) =>
  moveIdentityAttemptToEnd(asWorker(sql), attemptId, { status: 'COMPLETED', sealedClaims: 'claims' });

test('a sign-in is completed before its deadline, not at it', async ({ sql }) => {
  const [late, early] = [await openSignIn(sql), await openSignIn(sql)];
  expect(await at(sql, late.attempt.expiresAt, 0, () => complete(sql, late.attempt.attemptId))).toBe(false);
  expect(await late.read()).toMatchObject({ status: 'PENDING', stage: 'EXCHANGING' });
  expect(await at(sql, early.attempt.expiresAt, -1, () => complete(sql, early.attempt.attemptId))).toBe(true);
  expect(await early.read()).toMatchObject({ status: 'COMPLETED', stage: 'DONE', sealedCode: null });
});

test('a sign-in that is redeemed after its deadline has ended, without a secret', async ({ sql }) => {
  const [{ attempt, read, redeem }, other] = [await openSignIn(sql), await openSignIn(sql)];
  expect(await at(sql, attempt.expiresAt, -1, redeem)).toEqual({ status: 'PENDING', sealedClaims: null });
  expect(await read()).toMatchObject({ status: 'PENDING', sealedCode: 'code' });
  expect(await at(sql, attempt.expiresAt, 0, redeem)).toEqual({ status: 'EXPIRED', sealedClaims: null });
  expect(await read()).toMatchObject({
    status: 'EXPIRED',
    stage: 'DONE',
    sealedCode: null,
    sealedNonce: null,
    sealedCodeVerifier: null,
  });
  expect(await at(sql, attempt.expiresAt, 0, redeem)).toBeUndefined();
  expect(await other.read()).toMatchObject({ status: 'PENDING', sealedCode: 'code' });
});

test('a completed sign-in is redeemed once, with its claims', async ({ sql }) => {
  const { attempt, redeem, read } = await openSignIn(sql);
  await complete(sql, attempt.attemptId);
  expect(await redeem()).toEqual({ status: 'COMPLETED', sealedClaims: 'claims' });
  expect(await redeem()).toBeUndefined();
  expect(await read()).toMatchObject({ status: 'COMPLETED' });
});

test('a sign-in that fails at its deadline has expired, and not a millisecond before', async ({ sql }) => {
  const [late, early] = [await openSignIn(sql), await openSignIn(sql)];
  const fail = ({ attempt }: typeof late, ms: number) =>
    at(sql, attempt.expiresAt, ms, () =>
      moveIdentityAttemptToEnd(asWorker(sql), attempt.attemptId, { status: 'FAILED' }),
    );
  expect([await fail(late, 0), await fail(early, -1)]).toEqual([false, true]);
  expect([(await late.read()).status, (await early.read()).status]).toEqual(['EXPIRED', 'FAILED']);
});

test('the exchange of a sign-in can be claimed again once it is given back, and no other', async ({ sql }) => {
  const [own, other, ended] = [await openSignIn(sql), await openSignIn(sql), await openSignIn(sql)];
  const claim = ({ attempt }: typeof own) => identityAttempts.claimExchange(asWorker(sql), attempt.attemptId);
  for (const one of [own, other, ended]) expect([await claim(one), await claim(one)]).toEqual([true, false]);
  await complete(sql, ended.attempt.attemptId);
  for (const { attempt } of [own, ended]) await unclaimIdentityExchange(asWorker(sql), attempt.attemptId);
  expect([await claim(own), await claim(other), await claim(ended)]).toEqual([true, false, false]);
  expect((await ended.read()).exchangeClaimedAt).toBeInstanceOf(Date);
});

test('a sign-in is found at each of its stages', async ({ sql }) => {
  const seeded = await seedApp(sql);
  for (const [stage, advance] of [
    ['CREATED', undefined],
    ['AUTHORIZING', launchSignIn],
    ['EXCHANGING', answerSignIn],
  ] as const) {
    const { attemptId } = await seedSignIn(sql, seeded, {}, advance);
    expect(await identityAttempts.find(sql, attemptId)).toMatchObject({ status: 'PENDING', stage });
  }
});

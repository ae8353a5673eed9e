import { randomBytes } from 'node:crypto';
import { expect } from 'vitest';
import type { AttemptId } from '../../src/basics/ids.ts';
import {
  identityAttempts,
  moveIdentityAttemptToEnd,
  redeemIdentityResult,
} from '../../src/store/attempts/identity-attempts.ts';
import { type Database, inTransaction } from '../../src/store/driver/sql.ts';
import { asApi, asWorker, test } from '../kit/postgres.ts';
import { at, seedApp } from '../kit/seed.ts';
import { answerSignIn, seedSignIn } from '../kit/seed-attempts.ts';

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

import { expect } from 'vitest';
import { type AttemptId, newId } from '../../src/basics/ids.ts';
import { findAdminSignIn } from '../../src/store/attempts/admin-sign-ins.ts';
import { moveIdentityAttemptToEnd } from '../../src/store/attempts/identity-attempts.ts';
import { asApi, test } from '../kit/postgres.ts';
import { at, seedApp } from '../kit/seed.ts';
import { answerSignIn, seedSignIn } from '../kit/seed-attempts.ts';

test('an operator finds each sign-in with its own app, tenant and issuer', async ({ sql }) => {
  const [one, other] = [await seedApp(sql), await seedApp(sql)];
  for (const seeded of [one, other]) {
    const { attemptId, expiresAt } = await seedSignIn(sql, seeded);
    const [app] = await sql`select name from app where app_id = ${seeded.app.appId}`;
    const [issuer] = await sql`select issuer from identity_issuer where issuer_id = ${seeded.issuerId}`;
    expect(await findAdminSignIn(asApi(sql), attemptId)).toMatchObject({
      attemptId,
      appId: seeded.app.appId,
      appName: app?.name,
      tenantKey: seeded.tenantKey,
      issuerId: seeded.issuerId,
      issuer: issuer?.issuer,
      status: 'PENDING',
      expiresAt,
      finishedAt: null,
    });
  }
  expect(await findAdminSignIn(asApi(sql), newId<AttemptId>())).toBeUndefined();
});

test('a sign-in is EXPIRED at its deadline, and one that has ended keeps its end', async ({ sql }) => {
  const seeded = await seedApp(sql);
  const pending = await seedSignIn(sql, seeded, {}, answerSignIn);
  const ended = await seedSignIn(sql, seeded, {}, answerSignIn);
  await moveIdentityAttemptToEnd(sql, ended.attemptId, { status: 'FAILED' });
  const statusAt = async (attempt: typeof pending, ms: number) =>
    (await at(sql, attempt.expiresAt, ms, () => findAdminSignIn(asApi(sql), attempt.attemptId)))?.status;
  expect([await statusAt(pending, -1), await statusAt(pending, 0)]).toEqual(['PENDING', 'EXPIRED']);
  expect([await statusAt(ended, -1), await statusAt(ended, 0)]).toEqual(['FAILED', 'FAILED']);
});

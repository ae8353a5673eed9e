import { expect } from 'vitest';
import {
  deleteRejection,
  getCallLimits,
  insertRejection,
  recordAcceptance,
  updateQuotaSpent,
} from '../../src/store/registrations/registrations.ts';
import { moveClock } from '../kit/clock.ts';
import { test } from '../kit/postgres.ts';
import { seedApp } from '../kit/seed.ts';

test('a provider’s answer about a client holds for that client and its secret alone', async ({ sql }) => {
  const { PROVIDER_A: registrationId, PROVIDER_B: otherId } = (await seedApp(sql)).registrations;
  const states = async () =>
    await sql`
      select accepted_at is not null as accepted, rejected_at is not null as rejected from registration
      where registration_id in (${registrationId}, ${otherId}) order by registration_id = ${otherId}
    `.then((rows) => rows.map(({ accepted, rejected }) => (rejected ? 'rejected' : accepted ? 'accepted' : 'unknown')));
  // Both have the same secret.
  const [current, replaced] = ['sealed', 'replaced'].map((sealedClientSecret) => ({
    registrationId,
    sealedClientSecret,
  }));
  if (!current || !replaced) throw new Error('There are two.');
  await recordAcceptance(sql, replaced);
  expect(await states()).toEqual(['unknown', 'unknown']);
  await recordAcceptance(sql, current);
  expect(await states()).toEqual(['accepted', 'unknown']);
  expect(await insertRejection(sql, replaced)).toBe(false);
  expect(await insertRejection(sql, current)).toBe(true);
  expect(await insertRejection(sql, current)).toBe(false);
  expect(await states()).toEqual(['rejected', 'unknown']);
  expect(await insertRejection(sql, { ...current, registrationId: otherId })).toBe(true);
  expect(await deleteRejection(sql, registrationId)).toBe(true);
  expect(await deleteRejection(sql, registrationId)).toBe(false);
  expect(await states()).toEqual(['unknown', 'rejected']);
});

test('a used up quota delays the calls of its registration until it ends', async ({ sql }) => {
  const { PROVIDER_A: registrationId, PROVIDER_B: otherId } = (await seedApp(sql)).registrations;
  await updateQuotaSpent(sql, registrationId, 60);
  const { quotaSeconds } = await getCallLimits(sql, registrationId);
  expect(quotaSeconds).toBeGreaterThan(50);
  expect(await getCallLimits(sql, otherId)).toMatchObject({ quotaSeconds: 0 });
  await moveClock(sql, 61_000);
  expect(await getCallLimits(sql, registrationId)).toMatchObject({ quotaSeconds: 0 });
});

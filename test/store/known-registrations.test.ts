import { expect, onTestFinished } from 'vitest';
import type { RegistrationId } from '../../src/basics/ids.ts';
import { listRegistrations, updateRegistrationSecret } from '../../src/store/registrations/known-registrations.ts';
import {
  claimProbe,
  deleteQuotaSpent,
  getCallLimits,
  recordAcceptance,
  updateQuotaSpent,
} from '../../src/store/registrations/registrations.ts';
import { createTestDatabase, test } from '../kit/postgres.ts';
import { freezeClock, rejectClient, seedApp } from '../kit/seed.ts';

const START = new Date('2026-03-01T12:00:00Z');
const second = (count: number) => new Date(START.getTime() + count * 1_000);

/** Two apps, each with a registration of each provider, in a database whose clock stands. */
async function open() {
  const { sql, drop } = await createTestDatabase();
  onTestFinished(drop);
  const setClock = (count: number) => freezeClock(sql, second(count));
  await setClock(0);
  const [one, other] = [await seedApp(sql), await seedApp(sql)];
  const [id, beside] = [one.registrations.PROVIDER_A, other.registrations.PROVIDER_A];
  const show = async (registrationId: RegistrationId) =>
    (await listRegistrations(sql, [registrationId]))[0] ?? expect.fail('It is gone.');
  return { sql, setClock, one, other, id, beside, show };
}

test('a new client secret begins anew: nothing is known of it, and of another client as much as before', async () => {
  const { sql, setClock, id, beside, show } = await open();
  for (const each of [id, beside]) {
    await recordAcceptance(sql, { registrationId: each, sealedClientSecret: 'sealed' });
    await claimProbe(sql, each);
  }
  const accepted = async () =>
    (await sql`select registration_id from registration where accepted_at is not null`).map(
      (row) => row.registrationId,
    );
  expect((await accepted()).toSorted()).toEqual([id, beside].toSorted());
  await setClock(10);
  expect(await updateRegistrationSecret(sql, id, { sealed: 'new', expiresAt: second(600) })).toBe(true);
  expect(await show(id)).toMatchObject({ testedAt: null, secretSetAt: second(10), secretExpiresAt: second(600) });
  expect(await accepted()).toEqual([beside]);
  expect(await show(beside)).toMatchObject({ testedAt: second(0), secretExpiresAt: null });
  await rejectClient(sql, beside);
  expect(await show(beside)).toMatchObject({ rejectedAt: second(10), rejectionAnswer: 'HTTP_401' });
  await updateRegistrationSecret(sql, beside, { sealed: 'newer', expiresAt: null });
  expect(await show(beside)).toMatchObject({ rejectedAt: null, rejectionAnswer: null, testedAt: null });
});

test('a used-up quota lasts until its end, or until an operator ends it', async () => {
  const { sql, setClock, id, beside, show } = await open();
  for (const each of [id, beside]) await updateQuotaSpent(sql, each, 60);
  const left = async (of = id) => [(await getCallLimits(sql, of)).quotaSeconds, (await show(of)).quotaSpentUntil];
  expect(await left()).toEqual([60, second(60)]);
  expect(await deleteQuotaSpent(sql, id)).toBe(true);
  expect(await deleteQuotaSpent(sql, id)).toBe(false);
  expect(await left()).toEqual([0, null]);
  await setClock(30.5);
  expect(await left(beside)).toEqual([30, second(60)]);
  await setClock(60);
  expect(await left(beside)).toEqual([0, null]);
  expect(await deleteQuotaSpent(sql, beside)).toBe(false);
  await setClock(3_600);
  expect(await left(beside)).toEqual([0, null]);
});

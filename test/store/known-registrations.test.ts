import { expect, onTestFinished } from 'vitest';
import type { RegistrationId } from '../../src/basics/ids.ts';
import { listRegistrations, updateRegistrationSecret } from '../../src/store/registrations/known-registrations.ts';
import {
  claimProbe,
  deleteQuotaSpent,
  findProviderOfRegistration,
  getCallLimits,
  listRejectedRegistrations,
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
  expect(await show(beside)).toMatchObject({ rejectedAt: second(10) });
  await updateRegistrationSecret(sql, beside, { sealed: 'newer', expiresAt: null });
  expect(await show(beside)).toMatchObject({ rejectedAt: null, testedAt: null });
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

test('a refused client is probed again 50 seconds after its last probe', async () => {
  const { sql, setClock, id, one, other } = await open();
  await setClock(5);
  await rejectClient(sql, id);
  const list = () => listRejectedRegistrations(sql, { after: null, limit: 10 });
  const found = { id, registrationId: id, provider: 'PROVIDER_A' };
  expect(await list()).toEqual([{ ...found, dueAt: second(5) }]); // It was never probed.
  await setClock(20);
  await claimProbe(sql, id);
  await setClock(69.999);
  expect(await list()).toEqual([]);
  await setClock(70);
  expect(await list()).toEqual([{ ...found, dueAt: second(20) }]);
  expect(await claimProbe(sql, id)).toBe(false);
  await setClock(80);
  expect(await claimProbe(sql, id)).toBe(true);
  expect(await findProviderOfRegistration(sql, one.registrations.PROVIDER_C)).toBe('PROVIDER_C');
  expect(await findProviderOfRegistration(sql, other.registrations.PROVIDER_B)).toBe('PROVIDER_B');
});

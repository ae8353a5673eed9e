import { expect, onTestFinished } from 'vitest';
import type { RegistrationId } from '../../src/basics/ids.ts';
import { insertCallbackSecret } from '../../src/store/erasures/platform-callbacks.ts';
import {
  countAffected,
  deleteRegistrationApp,
  listRegistrations,
  updateRegistrationSecret,
} from '../../src/store/registrations/known-registrations.ts';
import {
  claimProbe,
  deleteQuotaSpent,
  findProviderOfRegistration,
  getCallLimits,
  insertRegistrationApp,
  listRejectedRegistrations,
  recordAcceptance,
  updateQuotaSpent,
} from '../../src/store/registrations/registrations.ts';
import { createTestDatabase, test } from '../kit/postgres.ts';
import { freezeClock, rejectClient, seedApp, seedConnection } from '../kit/seed.ts';
import { insertJob } from '../kit/seed-jobs.ts';

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

test('what a change of a registration touches: its live connections, and their open reads', async () => {
  const { sql, one, other, id, beside, show } = await open();
  await insertRegistrationApp(sql, id, other.app.appId);
  const guest = { ...other, registrations: { ...other.registrations, PROVIDER_A: id } };
  const connect = async (seeded: typeof one, status: 'CONNECTED' | 'SUSPENDED' | 'DISCONNECTED') => {
    const connectionId = await seedConnection(sql, seeded, {
      scope: seeded.newScope(),
      provider: 'PROVIDER_A',
      status,
    });
    const read = { kind: 'LOOKUP', provider: 'PROVIDER_A', connectionId } as const;
    await insertJob(sql, seeded, { ...read, status: 'QUEUED' });
    await insertJob(sql, seeded, { ...read, status: 'CANCELED', finishedAt: second(0) });
    return connectionId;
  };
  for (const status of ['CONNECTED', 'SUSPENDED', 'DISCONNECTED'] as const) await connect(one, status);
  await connect(guest, 'CONNECTED');
  await connect(other, 'CONNECTED');
  expect(await countAffected(sql, id, null)).toEqual({ connectionCount: 3, openJobCount: 3 });
  expect(await countAffected(sql, id, other.app.appId)).toEqual({ connectionCount: 1, openJobCount: 1 });
  expect((await show(id)).connectionCount).toBe(3);
  expect((await show(beside)).connectionCount).toBe(1);
  expect(await deleteRegistrationApp(sql, id, one.app.appId)).toBe(true);
  expect((await show(id)).apps.map(({ appId }) => appId)).toEqual([other.app.appId]);
  expect((await show(beside)).apps.map(({ appId }) => appId)).toEqual([other.app.appId]);
});

test('the secrets of callbacks are listed oldest first, each at its registration', async () => {
  const { sql, setClock, id, beside, show } = await open();
  const secretOf = (number: number) => `00000000-0000-4000-9000-00000000000${number}`;
  for (const [number, at, of] of [
    [3, 0, id],
    [2, 1, id],
    [1, 1, id],
    [4, 0, beside],
  ] as const) {
    await setClock(at);
    await insertCallbackSecret(sql, {
      secretId: secretOf(number),
      registrationId: of,
      sealedSecret: 'sealed',
    } as never);
  }
  expect((await show(id)).callbackSecrets.map((secret) => secret.id)).toEqual([3, 1, 2].map(secretOf));
  expect((await show(beside)).callbackSecrets.map((secret) => secret.id)).toEqual([secretOf(4)]);
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

import { expect } from 'vitest';
import { forgetRejection, markRejected } from '../../../src/store/registrations.ts';
import { test } from '../../kit/postgres.ts';
import { seedApp } from '../../kit/seed.ts';
import { callerOf, createDeps } from './caller.ts';

test('status answers ok', async ({ database: { sql } }) => {
  const call = callerOf(await createDeps(sql), await seedApp(sql));
  expect(await call('status')).toEqual({ ok: true, message: expect.any(String) });
});

test('integrationReadiness has one entry a provider, by policy and by a registration that can be used', async ({
  database: { sql },
}) => {
  const seeded = await seedApp(sql);
  const call = callerOf(await createDeps(sql), seeded);
  const readyAt = async () => {
    const { providers } = await call('integrationReadiness');
    return providers.map(({ provider, available }: { provider: string; available: boolean }) => [provider, available]);
  };
  const all = (a: boolean, b: boolean, c: boolean) => [
    ['PROVIDER_A', a],
    ['PROVIDER_B', b],
    ['PROVIDER_C', c],
  ];
  expect(await readyAt()).toEqual(all(true, true, true));
  await sql`delete from app_policy where app_id = ${seeded.app.appId} and provider = 'PROVIDER_A'`;
  await sql`update registration set paused_at = business_now() where registration_id = ${seeded.registrations.PROVIDER_B}`;
  expect(await readyAt()).toEqual(all(false, false, true));
  await markRejected(sql, seeded.registrations.PROVIDER_C, 'CLIENT');
  expect(await readyAt()).toEqual(all(false, false, false));
  await forgetRejection(sql, seeded.registrations.PROVIDER_C);
  expect(await readyAt()).toEqual(all(false, false, true));
  await sql`delete from registration_app where app_id = ${seeded.app.appId}`;
  expect(await readyAt()).toEqual(all(false, false, false));
});

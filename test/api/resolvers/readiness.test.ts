import { describe, expect } from 'vitest';
import type { Database } from '../../../src/store/driver/sql.ts';
import { deleteRejection } from '../../../src/store/registrations/registrations.ts';
import { callerOf, createDeps } from '../../kit/caller.ts';
import { test } from '../../kit/postgres.ts';
import { rejectClient, type SeededApp, seedApp } from '../../kit/seed.ts';

test('status answers ok', async ({ sql }) => {
  const call = callerOf(await createDeps(sql), await seedApp(sql));
  expect(await call('status')).toEqual({ ok: true, message: expect.any(String) });
});

test('integrationReadiness has one entry per provider, by policy and usable registration', async ({ sql }) => {
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
  await rejectClient(sql, seeded.registrations.PROVIDER_C);
  expect(await readyAt()).toEqual(all(false, false, false));
  await deleteRejection(sql, seeded.registrations.PROVIDER_C);
  expect(await readyAt()).toEqual(all(false, false, true));
  await sql`delete from registration_app where app_id = ${seeded.app.appId}`;
  expect(await readyAt()).toEqual(all(false, false, false));
});

describe('integrationReadiness requires everything that a connect requires:', () => {
  const readiness = async (
    sql: Database,
    seeded: SeededApp,
    deployment: 'development' | 'production' = 'development',
  ) => {
    const { providers, idpIdentityAvailable } = await callerOf(
      await createDeps(sql, { deployment }),
      seeded,
    )('integrationReadiness');
    return { connect: providers.map(({ available }: { available: boolean }) => available), idpIdentityAvailable };
  };
  const ALL = [true, true, true];
  const NONE = [false, false, false];

  test('a tenant', async ({ sql }) => {
    const seeded = await seedApp(sql);
    expect(await readiness(sql, seeded)).toEqual({ connect: ALL, idpIdentityAvailable: true });
    await sql`delete from tenant where app_id = ${seeded.app.appId}`;
    expect(await readiness(sql, seeded)).toEqual({ connect: NONE, idpIdentityAvailable: false });
  });

  test('a return URL; a sign-in has its own', async ({ sql }) => {
    const seeded = await seedApp(sql);
    await sql`delete from return_url where app_id = ${seeded.app.appId}`;
    expect(await readiness(sql, seeded)).toEqual({ connect: NONE, idpIdentityAvailable: true });
    await sql`insert into return_url (app_id, url) values (${seeded.app.appId}, 'https://caller.example/back')`;
    await sql`delete from app_identity where app_id = ${seeded.app.appId}`;
    expect(await readiness(sql, seeded)).toEqual({ connect: ALL, idpIdentityAvailable: false });
  });

  test('in production, a return URL over https', async ({ sql }) => {
    const seeded = await seedApp(sql);
    const { appId } = seeded.app;
    await sql`update return_url set url = 'http://localhost:3000/back' where app_id = ${appId}`;
    await sql`update app_identity set return_url = 'http://localhost:3000/in' where app_id = ${appId}`;
    expect(await readiness(sql, seeded)).toEqual({ connect: ALL, idpIdentityAvailable: true });
    expect(await readiness(sql, seeded, 'production')).toEqual({ connect: NONE, idpIdentityAvailable: false });
    await sql`insert into return_url (app_id, url) values (${appId}, 'https://caller.example/back')`;
    expect((await readiness(sql, seeded, 'production')).connect).toEqual(ALL);
  });
});

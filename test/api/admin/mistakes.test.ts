import { describe, expect } from 'vitest';
import { refusalOf, useAdmin } from '../../kit/operator.ts';
import { test } from '../../kit/postgres.ts';
import { seedApp, seedConnection } from '../../kit/seed.ts';

const { admin, operator } = useAdmin();

const newApp = async () => (await operator.run('createApp', { input: { name: 'Mistake' } })).id;
const deleteApp = (id: string) => operator.run('deleteApp', { id });
const findApp = (id: string) => operator.run('app', { id });
const useOf = async (id: string) => await operator.run('appUse', { id }, 'connectionCount deletable');

describe('an app that was registered by mistake', () => {
  test('can be deleted with its settings, and no other app', async ({ sql }) => {
    const [id, other, { registrations }] = [await newApp(), await newApp(), await seedApp(sql)];
    for (const appId of [id, other]) {
      await operator.run('addTenant', { appId, tenantKey: 'main' }, 'tenantKey');
      await operator.run('addReturnUrl', { appId, url: 'https://a.example/' });
      await operator.run('setPolicy', { appId, provider: 'PROVIDER_A', capabilities: ['PROFILE'] });
      await operator.run('serveApp', { registrationId: registrations.PROVIDER_A, appId });
    }
    expect(await useOf(id)).toEqual({ connectionCount: 0, deletable: true });
    expect(await deleteApp(id)).toBe(true);
    expect((await refusalOf(findApp(id))).code).toBe('NOT_FOUND');
    expect(await findApp(other)).toEqual({ id: other });
    expect(await useOf(other)).toEqual({ connectionCount: 0, deletable: true });
  });

  test('stays while a key of it works, and after the first connect', async ({ sql, seeded }) => {
    const { appId } = seeded.app;
    expect(await useOf(appId)).toEqual({ connectionCount: 0, deletable: false });
    expect(await refusalOf(deleteApp(appId))).toMatchObject({ code: 'BAD_USER_INPUT' });
    await operator.run('revokeKey', { id: seeded.keyId });
    expect(await useOf(appId)).toEqual({ connectionCount: 0, deletable: true });
    await seedConnection(sql, seeded, { scope: seeded.newScope() });
    expect(await useOf(appId)).toEqual({ connectionCount: 1, deletable: false });
    expect((await refusalOf(deleteApp(appId))).message).toMatch(/^BAD_USER_INPUT: .*in use, or was/);
    expect(await findApp(appId)).toEqual({ id: appId });
  });
});

test('an issuer that was stored by mistake can be deleted, and none that an app uses or used lately', async ({
  sql,
}) => {
  const remove = (id: string) => operator.run('deleteIdentityIssuer', { id });
  const [seeded, other] = [await seedApp(sql), await seedApp(sql)];
  const mistake = await operator.run('createIdentityIssuer', {
    input: { issuer: 'https://typo.example', clientId: 'client', clientSecret: 'hush' },
  });
  for (const { issuerId } of [seeded, other])
    expect((await refusalOf(remove(issuerId))).message).toMatch(/^BAD_USER_INPUT: .*An app uses this issuer/);
  expect(await remove(mistake.id)).toBe(true);
  expect((await refusalOf(remove(mistake.id))).code).toBe('NOT_FOUND');
  const left = await operator.run('identityIssuers', {});
  const ids = left.map(({ id }: { id: string }) => id);
  expect([ids.includes(mistake.id), ids.includes(seeded.issuerId)]).toEqual([false, true]);
});

const remove = (id: string) => operator.run('deleteRegistration', { id });
const find = (id: string) => operator.run('registration', { id });

test('a registration that was stored by mistake stays while it serves an app, and after the first connect through it', async ({
  sql,
}) => {
  const seeded = await seedApp(sql);
  const id = seeded.registrations.PROVIDER_B;
  expect(await refusalOf(remove(id))).toMatchObject({ code: 'BAD_USER_INPUT' });
  await seedConnection(sql, seeded, { scope: seeded.newScope() });
  await operator.run('stopServingApp', { registrationId: id, appId: seeded.app.appId }, 'dryRun');
  expect(await refusalOf(remove(id))).toMatchObject({ code: 'BAD_USER_INPUT' });
  expect(await find(id)).toEqual({ id });
});

describe('an admin token', () => {
  const create = (input: object) =>
    operator.run('createAdminToken', { input }, 'token { id label role expiresAt } secret');

  test('made by an admin has its role, signs in at once, and is shown once', async () => {
    const input = { label: ' Grace, on call ', role: 'VIEWER', idempotencyKey: 'once' };
    const made = await create(input);
    expect(made.token).toMatchObject({ label: 'Grace, on call', role: 'VIEWER' });
    const days = (Date.parse(made.token.expiresAt) - Date.now()) / 86_400_000;
    expect(days).toBeGreaterThan(89.9);
    expect(days).toBeLessThanOrEqual(90);
    const headers = { authorization: `Bearer ${made.secret}` };
    expect((await admin.ask('{ me { id role } }', {}, headers)).data.me).toEqual({ id: made.token.id, role: 'VIEWER' });
    expect(await create(input)).toEqual({ token: made.token, secret: null });
  });

  test('lives 90 days at most', async () => {
    const expiresAt = new Date(Date.now() + 91 * 86_400_000).toISOString();
    const refusal = await refusalOf(create({ label: 'Long', role: 'VIEWER', expiresAt }));
    expect(refusal.message).toMatch(/^BAD_USER_INPUT: .*at most 90 days/);
  });
});

import { createHash } from 'node:crypto';
import { describe, expect } from 'vitest';
import { CONNECT_URL, callerOf, createDeps, refusalOf } from '../../kit/caller.ts';
import { test } from '../../kit/postgres.ts';
import { seedApp, seedConnection } from '../../kit/seed.ts';

describe('createConnectSession', () => {
  test('stores the attempt and its dispatch, and wakes the outbox', async ({ sql }) => {
    const kit = await createDeps(sql);
    const seeded = await seedApp(sql);
    const call = callerOf(kit, seeded);
    const scope = seeded.newScope();
    const session = await call('createConnectSession', {
      input: { scope, provider: 'PROVIDER_B', capabilities: ['PROFILE', 'CONTENT_LIST'], returnUrl: seeded.returnUrl },
    });

    expect(session.launchToken).toMatch(/^[0-9a-f]{64}$/);
    expect(session.launchUrl).toBe(`${CONNECT_URL}/api/connect/redeem`);
    const [row] = await sql`select * from connect_attempt where attempt_id = ${session.id}`;
    expect(row).toMatchObject({
      status: 'CREATED',
      capabilities: ['PROFILE', 'CONTENT_LIST'],
      returnUrl: seeded.returnUrl,
    });
    expect(row?.launchTokenSha256).toEqual(createHash('sha256').update(session.launchToken).digest());
    expect(Date.parse(session.expiresAt) - row?.createdAt.getTime()).toBe(10 * 60_000);
    expect(Date.parse(session.resultExpiresAt) - row?.createdAt.getTime()).toBe(24 * 3_600_000);
    const entries = await sql`select * from outbox where workflow_id = ${`connect/${session.id}`}`;
    expect(entries).toMatchObject([{ workflowType: 'connectAttempt', correlationId: row?.correlationId }]);
    expect(JSON.stringify(entries)).not.toContain(scope.externalSubjectId);
    expect(JSON.stringify(entries)).not.toContain(scope.tenantKey);
    expect(kit.deliveryRequests()).toBe(1);
  });

  test('refuses a request that the app’s policy forbids', async ({ sql }) => {
    const seeded = await seedApp(sql);
    const call = callerOf(await createDeps(sql), seeded);
    const input = {
      scope: seeded.newScope(),
      provider: 'PROVIDER_C',
      capabilities: ['PROFILE', 'CONTENT_METRICS'],
      returnUrl: seeded.returnUrl,
    };
    const codeFor = async (changes: object) =>
      (await refusalOf(call('createConnectSession', { input: { ...input, ...changes } }))).code;

    expect(await codeFor({ scope: { ...input.scope, tenantKey: 'another' } })).toBe('FORBIDDEN');
    expect(await codeFor({ capabilities: [] })).toBe('BAD_USER_INPUT');
    expect(await codeFor({ capabilities: ['PROFILE', 'PROFILE'] })).toBe('BAD_USER_INPUT');
    expect(await codeFor({ returnUrl: `${seeded.returnUrl}/` })).toBe('BAD_USER_INPUT');
    expect(await codeFor({ returnUrl: `${seeded.returnUrl}#` })).toBe('BAD_USER_INPUT');
    expect(await codeFor({ returnUrl: `${seeded.returnUrl}?%73s_x=1` })).toBe('BAD_USER_INPUT');

    await sql`update app_policy set capabilities = ${['PROFILE']} where app_id = ${seeded.app.appId} and provider = 'PROVIDER_C'`;
    expect(await codeFor({})).toBe('FORBIDDEN');
    await sql`delete from app_policy where app_id = ${seeded.app.appId} and provider = 'PROVIDER_C'`;
    expect(await codeFor({ capabilities: ['PROFILE'] })).toBe('FORBIDDEN');
    const scopes = await sql`select from scope where app_id = ${seeded.app.appId}`;
    expect(scopes).toHaveLength(0);
  });

  test('returns FORBIDDEN while no registration is usable, exactly when readiness says so', async ({ sql }) => {
    const seeded = await seedApp(sql);
    const call = callerOf(await createDeps(sql), seeded);
    const input = {
      scope: seeded.newScope(),
      provider: 'PROVIDER_A',
      capabilities: ['PROFILE'],
      returnUrl: seeded.returnUrl,
    };
    const registration = seeded.registrations.PROVIDER_A;
    const ready = async () => {
      const { providers } = await call('integrationReadiness');
      return providers.find(({ provider }: { provider: string }) => provider === 'PROVIDER_A').available;
    };
    for (const column of ['paused_at', 'rejected_at']) {
      await sql`update registration set ${sql(column)} = business_now() where registration_id = ${registration}`;
      expect(await ready()).toBe(false);
      expect((await refusalOf(call('createConnectSession', { input }))).code).toBe('FORBIDDEN');
      await sql`update registration set ${sql(column)} = null where registration_id = ${registration}`;
    }
    expect(await ready()).toBe(true);
    await expect(call('createConnectSession', { input })).resolves.toBeDefined();
  });

  test('accepts exactly 5 of 50 simultaneous requests for one subject and provider', async ({ sql }) => {
    const seeded = await seedApp(sql);
    const call = callerOf(await createDeps(sql), seeded);
    const scope = seeded.newScope();
    const create = (provider: string) =>
      call('createConnectSession', {
        input: { scope, provider, capabilities: ['PROFILE'], returnUrl: seeded.returnUrl },
      });
    const outcomes = await Promise.allSettled(Array.from({ length: 50 }, () => create('PROVIDER_B')));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(5);

    const refused = await refusalOf(create('PROVIDER_B'));
    expect(refused.code).toBe('RATE_LIMITED');
    expect(refused.retryAfterSeconds).toBeGreaterThan(590);
    expect(refused.retryAfterSeconds).toBeLessThanOrEqual(600);
    await expect(create('PROVIDER_C')).resolves.toBeDefined();

    const [one] = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
    await sql`update connect_attempt set status = 'CANCELED' where attempt_id = ${one.id}`;
    await expect(create('PROVIDER_B')).resolves.toBeDefined();
    await sql`update connect_attempt set expires_at = business_now() where scope_id = (
      select scope_id from connect_attempt where attempt_id = ${one.id})`;
    await expect(create('PROVIDER_B')).resolves.toBeDefined();
  });

  test('reconnects only a live connection of the same scope and provider', async ({ sql }) => {
    const seeded = await seedApp(sql);
    const call = callerOf(await createDeps(sql), seeded);
    const scope = seeded.newScope();
    const input = { scope, provider: 'PROVIDER_B', capabilities: ['PROFILE'], returnUrl: seeded.returnUrl };
    const renew = (reconnectConnectionId: string) =>
      call('createConnectSession', { input: { ...input, reconnectConnectionId } });

    for (const status of ['CONNECTED', 'SUSPENDED', 'RECONNECT_REQUIRED'] as const) {
      const target = await seedConnection(sql, seeded, { scope, status });
      const { id } = await renew(target.toUpperCase());
      const [row] = await sql`select reconnect_connection_id from connect_attempt where attempt_id = ${id}`;
      expect(row?.reconnectConnectionId).toBe(target);
    }
    for (const status of ['DISCONNECTED', 'DELETING'] as const) {
      const target = await seedConnection(sql, seeded, { scope, status });
      expect((await refusalOf(renew(target))).code).toBe('DISCONNECT_IN_PROGRESS');
    }
    const elsewhere = await seedConnection(sql, seeded, { scope: seeded.newScope() });
    const otherProvider = await seedConnection(sql, seeded, { scope, provider: 'PROVIDER_A' });
    for (const missing of [elsewhere, otherProvider, '11111111-2222-4333-8444-555555555555', 'no-id', '']) {
      expect((await refusalOf(renew(missing))).code).toBe('NOT_FOUND');
    }
  });

  test('holds new attempts until a disconnect there has settled, if siblings are suspended', async ({ sql }) => {
    const seeded = await seedApp(sql);
    const held = callerOf(await createDeps(sql, { suspendSiblings: true }), seeded);
    const free = callerOf(await createDeps(sql), seeded);
    const scope = seeded.newScope();
    const leaving = await seedConnection(sql, seeded, { scope, provider: 'PROVIDER_B', status: 'DISCONNECTED' });
    const leavingC = await seedConnection(sql, seeded, { scope, provider: 'PROVIDER_C', status: 'DISCONNECTED' });
    const inputFor = (provider: string) => ({
      input: { scope, provider, capabilities: ['PROFILE'], returnUrl: seeded.returnUrl },
    });

    expect((await refusalOf(held('createConnectSession', inputFor('PROVIDER_B')))).code).toBe('FORBIDDEN');
    const renewal = { input: { ...inputFor('PROVIDER_B').input, reconnectConnectionId: leaving } };
    expect((await refusalOf(held('createConnectSession', renewal))).code).toBe('DISCONNECT_IN_PROGRESS');
    await expect(held('createConnectSession', inputFor('PROVIDER_A'))).resolves.toBeDefined();
    await expect(held('createConnectSession', inputFor('PROVIDER_C'))).resolves.toBeDefined();
    await expect(free('createConnectSession', inputFor('PROVIDER_B'))).resolves.toBeDefined();
    await sql`update connection set status = 'DELETING' where connection_id = any(${[leaving, leavingC]})`;
    await expect(held('createConnectSession', inputFor('PROVIDER_B'))).resolves.toBeDefined();
  });
});

test('production refuses a return URL over plain http, which development accepts', async ({ sql }) => {
  const seeded = await seedApp(sql);
  const returnUrl = 'http://localhost:3000/back';
  await sql`insert into return_url (app_id, url) values (${seeded.app.appId}, ${returnUrl})`;
  await sql`update app_identity set return_url = ${returnUrl} where app_id = ${seeded.app.appId}`;
  const connect = { scope: seeded.newScope(), provider: 'PROVIDER_B', capabilities: ['PROFILE'], returnUrl };
  const signIn = { tenantKey: seeded.tenantKey, returnUrl };
  for (const deployment of ['development', 'production'] as const) {
    const call = callerOf(await createDeps(sql, { deployment }), seeded);
    for (const asked of [
      call('createConnectSession', { input: connect }),
      call('createIdpIdentitySession', { input: signIn }),
    ]) {
      if (deployment === 'development') await expect(asked).resolves.toBeDefined();
      else
        expect((await refusalOf(asked)).message).toBe(
          'BAD_USER_INPUT: input.returnUrl must begin with https:// in production.',
        );
    }
  }
});

import { describe, expect } from 'vitest';
import { holdLimits } from '../../kit/hold-limits.ts';
import { seedApp } from '../../kit/seed.ts';
import { FORM, nowSeconds, openConnected, signedRequest, stageTest as test } from './stage.ts';

describe('a removal', () => {
  for (const [provider, kind] of [
    ['PROVIDER_B', 'authorizationRemoved'],
    ['PROVIDER_C', 'deauthorize'],
  ] as const) {
    test(`from ${provider} verifies the account’s grants in every scope, and no others`, async ({ sql, stage }) => {
      const account = stage.account(provider);
      const told = await Promise.all([stage.connect(account), stage.connect(account, { status: 'SUSPENDED' })]);
      const untold = await Promise.all([
        stage.connect(stage.account(provider, 1)),
        stage.connect(account, { status: 'RECONNECT_REQUIRED' }),
        stage.connect(account, { status: 'DISCONNECTED' }),
      ]);
      await sql`
        update account_grant set status = 'DEAD', sealed_tokens = null where connection_id = any(${untold.slice(1)}::uuid[])
      `;
      const createdAt = nowSeconds();
      const delivery = await stage.send(kind, account, { createdAt });
      expect(delivery).toMatchObject({ status: 200, tries: 1 });
      for (const connectionId of told) {
        expect(await stage.dispatched(connectionId)).toEqual([
          {
            workflowType: 'verifyGrant',
            workflowId: `verify/${connectionId}/${new Date(createdAt * 1000).toISOString()}`,
            input: { connectionId, provider },
          },
        ]);
      }
      expect(await Promise.all(told.map(stage.status))).toEqual(['CONNECTED', 'SUSPENDED']);
      for (const connectionId of untold) expect(await stage.dispatched(connectionId)).toEqual([]);
      expect(stage.deliveryRequests()).toBe(1);
    });
  }

  test('received twice starts one workflow', async ({ sql }) => {
    const { stage, account, connectionId } = await openConnected(sql, 'PROVIDER_B');
    const createdAt = nowSeconds();
    for (let sent = 0; sent < 2; sent += 1)
      expect((await stage.send('authorizationRemoved', account, { createdAt })).status).toBe(200);
    expect(await stage.dispatched(connectionId)).toHaveLength(1);
  });

  test('from before the grant leaves that grant alone', async ({ sql }) => {
    const { stage, account, connectionId } = await openConnected(sql, 'PROVIDER_C', { secondsAgo: 10 });
    expect((await stage.send('deauthorize', account, { createdAt: nowSeconds() - 12 })).status).toBe(200);
    expect(await stage.dispatched(connectionId)).toEqual([]);
  });

  test('redelivered days later with its original time is still handled', async ({ sql }) => {
    const { stage, account, connectionId } = await openConnected(sql, 'PROVIDER_B', { secondsAgo: 80 * 3_600 });
    const signedAt = nowSeconds() - 72 * 3_600;
    const event = { signedAt, createdAt: signedAt };
    expect((await stage.send('authorizationRemoved', account, event)).status).toBe(200);
    expect(await stage.dispatched(connectionId)).toHaveLength(1);
    expect(stage.deliveryRequests(), 'at once, also of one connection').toBe(1);
    expect(stage.lines.find((line) => line.includes('"code":"VERIFYING"'))).toContain('"count":1');
  });

  test('caused by our own revoke is recognized; a forged one of that kind is verified', async ({ sql }) => {
    const { stage, account, connectionId } = await openConnected(sql, 'PROVIDER_B');
    const removed = async (more: object) => (await stage.send('authorizationRemoved', account, more)).status;
    expect(await removed({ reason: 5 })).toBe(200);
    expect(await stage.dispatched(connectionId)).toHaveLength(1);

    await sql`
      insert into disconnect_job (job_id, kind, status, app_id, provider, registration_id, principal_mac, correlation_id,
        started_at, finished_at)
      values (gen_random_uuid(), 'REVOKE', 'SUCCEEDED', ${stage.seeded.app.appId}, 'PROVIDER_B',
        ${stage.seeded.registrations.PROVIDER_B},
        ${stage.deps.mac.of('principal', stage.seeded.registrations.PROVIDER_B, account.principal)}, gen_random_uuid(),
        business_now(), business_now())
    `;
    expect(await removed({ reason: 5, createdAt: nowSeconds() + 1 })).toBe(200);
    expect(await stage.dispatched(connectionId)).toHaveLength(1);
    expect(stage.lines.find((line) => line.includes('"code":"OURS"'))).toContain('"count":0');
    // We revoked one grant of this account: any other notification means another grant.
    await sql`delete from outbox`;
    expect(await removed({ reason: 1 })).toBe(200);
    expect(await stage.dispatched(connectionId)).toHaveLength(1);
  });
});

describe('a callback', () => {
  test('affects only connections of the registration that its URL names', async ({ sql }) => {
    const { stage, account, connectionId: mine } = await openConnected(sql, 'PROVIDER_B');
    const other = await seedApp(sql);
    await stage.register(other);
    const theirs = await stage.connect(account, { of: other });
    expect((await stage.send('authorizationRemoved', account, {}, other)).status).toBe(200);
    expect(await stage.dispatched(theirs)).toHaveLength(1);
    expect(await stage.dispatched(mine)).toEqual([]);
  });

  test('is refused at the URL of another provider', async ({ stage }) => {
    const payload = { algorithm: 'HMAC-SHA256', issued_at: nowSeconds(), user_id: '1' };
    const body = signedRequest(payload, `secret-of-${await stage.clientId('PROVIDER_C')}`);
    const post = async (slug: string) => {
      const url = `${stage.url}/api/platform/${slug}/${stage.seeded.registrations.PROVIDER_C}/deauthorize`;
      return (await fetch(url, { method: 'POST', headers: FORM, body })).status;
    };
    expect([await post('provider-c'), await post('provider-b')]).toEqual([200, 403]);
  });

  test('signed with the secret of another registration is refused', async ({ sql }) => {
    const { stage, account, connectionId } = await openConnected(sql, 'PROVIDER_C');
    const other = await seedApp(sql);
    await stage.register(other);
    const clientId = await stage.clientId('PROVIDER_C', other);
    stage.control.registerClient({
      provider: 'PROVIDER_C',
      clientId,
      webhookUrl: stage.urlOf('PROVIDER_C', 'deauthorize'),
    });
    expect((await stage.send('deauthorize', account, {}, other)).status).toBe(403);
    expect(await stage.dispatched(connectionId)).toEqual([]);
  });

  test('forged, or with another algorithm, is refused and changes nothing', async ({ stage }) => {
    const [b, c] = [stage.account('PROVIDER_B'), stage.account('PROVIDER_C')];
    const connections = [await stage.connect(b), await stage.connect(c)];
    for (const [kind, account, more] of [
      ['authorizationRemoved', b, { isForged: true }],
      ['deauthorize', c, { isForged: true }],
      ['dataDeletion', c, { isForged: true }],
      ['dataDeletion', c, { algorithm: 'HMAC-SHA1' }],
    ] as const)
      expect((await stage.send(kind, account, more)).status).toBe(403);
    for (const connectionId of connections) {
      expect(await stage.dispatched(connectionId)).toEqual([]);
      expect(await stage.status(connectionId)).toBe('CONNECTED');
    }
  });

  test('may be signed with any secret of the registration, until that secret is removed', async ({ sql }) => {
    const { stage, account } = await openConnected(sql, 'PROVIDER_C');
    const clientId = await stage.clientId('PROVIDER_C');
    const signed = async (withMetaSecret: boolean) =>
      (await stage.send('deauthorize', account, { withMetaSecret })).status;
    expect(await signed(true)).toBe(403);
    const secretId = await stage.addSecret('PROVIDER_C', `meta-secret-of-${clientId}`);
    expect([await signed(true), await signed(false)]).toEqual([200, 200]);
    await sql`delete from platform_callback_secret where secret_id = ${secretId}`;
    expect(await signed(true)).toBe(403);
  });

  test('finds the account by either of its ids, as text or as number', async ({ sql }) => {
    const { stage, account, connectionId } = await openConnected(sql, 'PROVIDER_C');
    let createdAt = nowSeconds();
    for (const names of ['appScopedId', 'userId'] as const) {
      for (const asNumber of [false, true]) {
        expect((await stage.send('deauthorize', account, { names, asNumber, createdAt })).status).toBe(200);
        createdAt += 1;
      }
    }
    expect(await stage.dispatched(connectionId)).toHaveLength(4);
  });

  test('does not write its account or body to the log', async ({ sql }) => {
    const { stage, account } = await openConnected(sql, 'PROVIDER_C');
    for (const isForged of [false, true]) await stage.send('dataDeletion', account, { isForged });
    const log = stage.lines.join('\n');
    expect(log).toContain('"code":"DELETING"');
    for (const secret of [account.id, account.principal, 'secret-of', 'signed_request'])
      expect(log).not.toContain(secret);
  });
});

test('a sender without the secret is limited, and valid callbacks still pass', async ({ sql }) => {
  holdLimits();
  const { stage, account, connectionId } = await openConnected(sql, 'PROVIDER_C');
  const url = stage.urlOf('PROVIDER_C', 'deauthorize');
  const forged = signedRequest({ algorithm: 'HMAC-SHA256', issued_at: nowSeconds(), user_id: account.id }, 'a guess');
  const send = () =>
    fetch(url, { method: 'POST', headers: { ...FORM, 'x-forwarded-for': '203.0.113.9' }, body: forged });
  const statuses: number[] = [];
  for (let sent = 0; sent < 60; sent += 1) statuses.push((await send()).status);
  expect(statuses.slice(0, 30).every((status) => status === 403)).toBe(true);
  expect(statuses.at(-1)).toBe(429);
  expect((await stage.send('deauthorize', account)).status).toBe(200);
  expect(await stage.dispatched(connectionId)).toHaveLength(1);
});

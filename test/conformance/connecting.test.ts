import { randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import { PROVIDER_NAMES } from '../../src/basics/codes.ts';
import { CONNECT_URL, conformanceTest, iso, MINUTE, NOW, outcomeOf } from '../kit/conformance.ts';
import { freezeClock, insertReturnUrl, seedConnection, updatePolicy } from '../kit/seed.ts';

const test = conformanceTest();
const TOKEN = /^[0-9a-f]{64}$/;

describe('createConnectSession', () => {
  test('4 createConnectSession scope: an unregistered tenant is FORBIDDEN, and leaves no scope', async ({
    client,
    sql,
  }) => {
    const scope = { ...client.scope, tenantKey: 'nobody-registered-this' };
    expect(await outcomeOf(client.createSession({ scope }))).toBe('FORBIDDEN');
    expect(await sql`select from scope where app_id = ${client.seeded.app.appId}`).toHaveLength(0);
    expect(await outcomeOf(client.createSession())).toBe('answered');
  });

  test('4 createConnectSession provider: a provider that the app may not use, or that is paused, is FORBIDDEN', async ({
    client,
    sql,
  }) => {
    const { app, registrations } = client.seeded;
    await updatePolicy(sql, app.appId, 'PROVIDER_B', { capabilities: [] });
    await sql`update registration set paused_at = business_now() where registration_id = ${registrations.PROVIDER_C}`;
    const outcomes = PROVIDER_NAMES.map((provider) => outcomeOf(client.createSession({ provider })));
    expect(await Promise.all(outcomes)).toEqual(['answered', 'FORBIDDEN', 'FORBIDDEN']);
    expect(await outcomeOf(client.createSession({ provider: 'PROVIDER_D' }))).toBe('BAD_USER_INPUT');
  });

  test('4 createConnectSession capabilities: at least one, no duplicates, all allowed', async ({ client, sql }) => {
    await sql`update app_policy set capabilities = '{PROFILE,CONTENT_LIST}' where app_id = ${client.seeded.app.appId}`;
    const cases = [
      [['PROFILE'], 'answered'],
      [['CONTENT_LIST', 'PROFILE'], 'answered'],
      [[], 'BAD_USER_INPUT'],
      [['PROFILE', 'PROFILE'], 'BAD_USER_INPUT'],
      [['PROFILE', null], 'BAD_USER_INPUT'],
      [['profile'], 'BAD_USER_INPUT'],
      [['PROFILE', 'CONTENT_METRICS'], 'FORBIDDEN'],
    ] as const;
    for (const [capabilities, outcome] of cases) {
      expect(await outcomeOf(client.createSession({ capabilities })), String(capabilities)).toBe(outcome);
    }
  });

  test('4 createConnectSession returnUrl: only a registered URL, compared exactly', async ({ client, sql }) => {
    const { app, returnUrl } = client.seeded;
    const second = 'https://caller.example/back?tab=a%20b';
    // The same if an operator had registered one.
    const reserved = [
      'https://caller.example/#there',
      'https://caller.example/?ss_x=1',
      'https://caller.example/?a=1&ss_=2',
      'https://caller.example/?%73s_x=1',
    ];
    for (const url of [second, ...reserved]) await insertReturnUrl(sql, app.appId, url);
    for (const url of [returnUrl, second])
      expect(await outcomeOf(client.createSession({ returnUrl: url }))).toBe('answered');
    const wrong = [
      ...reserved,
      `${returnUrl}/`,
      `${returnUrl}?`,
      `${returnUrl}#`,
      returnUrl.replace('https', 'http'),
      returnUrl.toUpperCase(),
      `${returnUrl}?ss_session_id=1`,
      'https://caller.example/back?tab=a+b',
      'https://caller.example:443/connected',
      client.seeded.identityReturnUrl,
      'nonsense',
      '',
    ];
    for (const url of wrong)
      expect(await outcomeOf(client.createSession({ returnUrl: url })), url).toBe('BAD_USER_INPUT');
  });

  test('4 createConnectSession reconnectConnectionId + 7 code DISCONNECT_IN_PROGRESS: a live connection of the same scope and provider', async ({
    client,
    sql,
    api,
  }) => {
    const { seeded, scope } = client;
    const outcome = (reconnectConnectionId: unknown) => outcomeOf(client.createSession({ reconnectConnectionId }));
    for (const status of ['CONNECTED', 'SUSPENDED', 'RECONNECT_REQUIRED'] as const) {
      const id = await seedConnection(sql, seeded, { scope, status });
      expect(await outcome(id.toUpperCase())).toBe('answered');
    }
    for (const status of ['DISCONNECTED', 'DELETING'] as const) {
      expect(await outcome(await seedConnection(sql, seeded, { scope, status }))).toBe('DISCONNECT_IN_PROGRESS');
    }
    const stranger = await api.newCaller();
    const missing = [
      await seedConnection(sql, seeded, { scope: client.for().scope }),
      await seedConnection(sql, seeded, { scope, provider: 'PROVIDER_A' }),
      await seedConnection(sql, stranger.seeded, { scope: stranger.scope }),
      randomUUID(),
      'no-id',
      '',
    ];
    for (const id of missing) expect(await outcome(id), id).toBe('NOT_FOUND');
    expect(await outcome(null)).toBe('answered');
  });

  test('4 createConnectSession result + 4 endpoint launch + 8 launch token: id, URL, a token of 64 hexadecimal digits and both deadlines', async ({
    client,
    sql,
  }) => {
    await freezeClock(sql, new Date(NOW));
    const [session, other] = await Promise.all([client.createSession(), client.createSession()]);
    expect(session).toEqual({
      id: expect.any(String),
      launchUrl: `${CONNECT_URL}/api/connect/redeem`,
      launchToken: expect.stringMatching(TOKEN),
      expiresAt: iso(NOW + 10 * MINUTE),
      resultExpiresAt: iso(NOW + 24 * 60 * MINUTE),
    });
    expect(new Set([session.id, other.id, session.launchToken, other.launchToken]).size).toBe(4);
  });
});

describe('launching', () => {
  test('8 launch token + 5 authentication 9: a token works once, in the form of its own flow', async ({ client }) => {
    const { launchToken, id } = await client.createSession();
    expect((await client.launch('identity', launchToken)).status).toBe(404);
    expect(await client.outcome('connectSessionResult', { id: launchToken })).toBe('NOT_FOUND');
    expect(
      (await fetch(`${client.urls[0]}/api/connect/redeem?launchToken=${launchToken}`, { redirect: 'manual' })).status,
    ).toBe(405);
    expect((await client.ask('connectSessionResult', { id })).status).toBe('CREATED');
    expect((await client.launch('connect', launchToken)).status).toBe(200);
    expect((await client.launch('connect', launchToken)).status).toBe(409);
    expect((await client.ask('connectSessionResult', { id })).status).toBe('AUTHORIZING');
  });

  test('8 launch token: a token works until a millisecond before the deadline', async ({ client, sql }) => {
    await freezeClock(sql, new Date(NOW));
    const [early, late] = [await client.createSession(), await client.createSession()];
    await freezeClock(sql, new Date(NOW + 10 * MINUTE - 1));
    expect((await client.launch('connect', early.launchToken)).status).toBe(200);
    await freezeClock(sql, new Date(NOW + 10 * MINUTE));
    expect((await client.launch('connect', late.launchToken)).status).toBe(410);
  });

  test('D launch origin: a page of another site launches nothing and spends nothing', async ({ client, api }) => {
    const { launchToken, id } = await client.createSession();
    for (const origin of [
      'https://evil.example',
      'null',
      'https://caller.example.evil.example',
      'http://caller.example',
    ]) {
      const response = await fetch(`${api.url}/api/connect/redeem`, {
        method: 'POST',
        redirect: 'manual',
        headers: { origin },
        body: new URLSearchParams({ launchToken }),
      });
      expect([response.status, response.headers.get('location')], origin).toEqual([403, null]);
    }
    expect((await client.ask('connectSessionResult', { id })).status).toBe('CREATED');
    expect((await client.launch('connect', launchToken)).status).toBe(200);
  });

  test('5 authentication 8: logs and rows have no token, proof or key in plain text', async ({ client, api, sql }) => {
    const session = await client.createSession();
    await client.launch('connect', session.launchToken);
    const signIn = await client.createSignIn();
    await client.ask('redeemIdpIdentityResult', { ...client.scope, id: signIn.id, resultProof: signIn.resultProof });
    const secret = client.seeded.key.split('.')[1] ?? '';
    const rows = await sql`
      select row_to_json(t)::text as text from (
        select (select json_agg(a) from connect_attempt a) as a, (select json_agg(i) from identity_attempt i) as i,
          (select json_agg(k) from app_key k) as k, (select json_agg(o) from outbox o) as o
      ) t
    `;
    const written = api.lines.join('\n') + String(rows[0]?.text);
    expect(written).toContain(session.id);
    for (const value of [session.launchToken, signIn.launchToken, signIn.resultProof, secret]) {
      expect(written.includes(value)).toBe(false);
    }
  });
});

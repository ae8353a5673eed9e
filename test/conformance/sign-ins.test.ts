import { describe, expect } from 'vitest';
import { CONNECT_URL, conformanceTest, iso, MINUTE, NOW, outcomeOf } from '../kit/conformance.ts';
import { refusalOf } from '../kit/graphql.ts';
import { freezeClock } from '../kit/seed.ts';
import { seedSignIn } from './rows.ts';

const test = conformanceTest();
const TOKEN = /^[0-9a-f]{64}$/;

describe('createIdpIdentitySession', () => {
  test('4 createIdpIdentitySession tenantKey: a tenant that is not registered is FORBIDDEN', async ({ client }) => {
    expect(await outcomeOf(client.createSignIn())).toBe('answered');
    expect(await outcomeOf(client.createSignIn({ tenantKey: 'nobody-registered-this' }))).toBe('FORBIDDEN');
  });

  test("4 createIdpIdentitySession returnUrl: exactly the app's, not one for connecting", async ({ client }) => {
    const { identityReturnUrl, returnUrl } = client.seeded;
    for (const url of [returnUrl, `${identityReturnUrl}/`, identityReturnUrl.toUpperCase(), '']) {
      expect(await outcomeOf(client.createSignIn({ returnUrl: url })), url).toBe('BAD_USER_INPUT');
    }
  });

  test('4 createIdpIdentitySession result: id, URL, token, proof and both deadlines', async ({ client, sql }) => {
    await freezeClock(sql, new Date(NOW));
    const session = await client.createSignIn();
    expect(session).toEqual({
      id: expect.any(String),
      launchUrl: `${CONNECT_URL}/api/identity/redeem`,
      launchToken: expect.stringMatching(TOKEN),
      resultProof: expect.stringMatching(TOKEN),
      expiresAt: iso(NOW + 10 * MINUTE),
      resultExpiresAt: iso(NOW + 20 * MINUTE),
    });
    expect(session.launchToken).not.toBe(session.resultProof);
  });

  test('4 createIdpIdentitySession errors: CAPABILITY_UNAVAILABLE where the flow is off or was never set up', async ({
    client,
    sql,
  }) => {
    await sql`update app_identity set enabled = false where app_id = ${client.seeded.app.appId}`;
    expect(await outcomeOf(client.createSignIn())).toBe('CAPABILITY_UNAVAILABLE');
    await sql`delete from app_identity where app_id = ${client.seeded.app.appId}`;
    expect(await outcomeOf(client.createSignIn())).toBe('CAPABILITY_UNAVAILABLE');
  });

  test('8 unfinished sign-ins + 7 code RATE_LIMITED: 20 of an app over all tenants, then when to come back', async ({
    client,
    sql,
  }) => {
    await freezeClock(sql, new Date(NOW));
    await sql`insert into tenant (app_id, tenant_key) values (${client.seeded.app.appId}, 'second')`;
    const sessions = [];
    for (let n = 0; n < 20; n += 1)
      sessions.push(await client.createSignIn(n % 2 === 0 ? {} : { tenantKey: 'second' }));
    expect(await refusalOf(client.createSignIn())).toMatchObject({ code: 'RATE_LIMITED', retryAfterSeconds: 600 });
    await sql`update identity_attempt set status = 'FAILED' where attempt_id = ${sessions[0].id}`;
    expect(await outcomeOf(client.createSignIn())).toBe('answered');
    expect(await outcomeOf(client.createSignIn())).toBe('RATE_LIMITED');
    await freezeClock(sql, new Date(NOW + 10 * MINUTE));
    expect(await outcomeOf(client.createSignIn())).toBe('answered');
  });
});

test('4 redeemIdpIdentityResult: id, tenant and proof have to be of one sign-in of this app, or nothing is spent', async ({
  client,
  api,
  sql,
}) => {
  const [mine, other] = await Promise.all([client.createSignIn(), client.createSignIn()]);
  for (const { id } of [mine, other]) await seedSignIn(api, id, 'COMPLETED');
  const stranger = await api.newCaller();
  for (const [app, key] of [
    [client, 'second'],
    [stranger, client.scope.tenantKey],
  ] as const) {
    await sql`insert into tenant (app_id, tenant_key) values (${app.seeded.app.appId}, ${key})`;
  }
  const right = { id: mine.id, tenantKey: client.scope.tenantKey, resultProof: mine.resultProof };
  const wrong = [
    { ...right, resultProof: other.resultProof },
    { ...right, resultProof: mine.launchToken },
    { ...right, resultProof: mine.resultProof.toUpperCase() },
    { ...right, resultProof: '' },
    { ...right, id: other.id },
    { ...right, id: 'no-id' },
    { ...right, tenantKey: 'second' },
    { ...right, tenantKey: 'nobody-registered-this' },
  ];
  for (const args of wrong) expect(await client.outcome('redeemIdpIdentityResult', args)).toBe('NOT_FOUND');
  expect(await stranger.outcome('redeemIdpIdentityResult', right)).toBe('NOT_FOUND');
  expect(await client.ask('redeemIdpIdentityResult', right)).toMatchObject({ status: 'COMPLETED' });
});

import { expect } from 'vitest';
import { createOpen } from '../../src/vault/open.ts';
import { readAllRows } from '../kit/all-rows.ts';
import { type Running, serviceTest, type User } from '../kit/at-work.ts';
import type { Answer } from '../kit/graphql.ts';
import { Secrets } from '../kit/leaks.ts';
import { insertAdminToken } from '../kit/seed.ts';

const test = serviceTest({});

const isSealed = (value: unknown): value is string =>
  typeof value === 'string' && /^[\w-]+\.[\w-]*\.[\w-]+\.[\w-]+\.[\w-]+$/.test(value);
const isHash = (value: unknown): value is string => typeof value === 'string' && /^\\x[0-9a-f]{64}$/.test(value);

/** All that a thief could hope for: credentials in every state of their life, and where the dump keeps them. */
async function live(service: Running, user: User) {
  const inAWeek = new Date(Date.now() + 7 * 86_400_000);
  await insertAdminToken(service.sql, { label: 'on-call', role: 'VIEWER', expiresAt: inAWeek });
  const account = user.account('PROVIDER_B', /^No posts/);
  const connectionId = await user.connect('PROVIDER_B', account);
  await user.connect('PROVIDER_C', user.account('PROVIDER_C', /^No posts/));
  // A revoke that waits, with the tokens that it needs.
  const stranger = await service.newUser(user);
  const other = await stranger.connect('PROVIDER_B', user.account('PROVIDER_B', /right to left/));
  const down = { kind: 'status', status: 503 } as const;
  service.control.addFault({ provider: 'PROVIDER_B', route: 'revoke', what: down, times: null });
  const { revokeJobId } = await stranger.ask('disconnectConnection', { connectionId: other });
  await stranger.waiting(other, revokeJobId);
  const created = await user.newAttempt('PROVIDER_C');
  const launched = await user.newAttempt('PROVIDER_C');
  const { location, cookie } = await user.launch('connect', launched.launchToken);
  const signIn = await user.createSignIn();
  await user.launch('identity', (await user.createSignIn()).launchToken);
  const done = await user.createSignIn();
  const page = await user.browser.launch(done, user.seeded.returnUrl);
  const [person] = service.control.people();
  await user.agree(page, person?.sub ?? '', ['email', 'profile']);
  const { key } = user.seeded;
  return { account, connectionId, created, launched, location: location ?? '', cookie, signIn, done, key };
}

test('a stolen dump contains no credential in plain text and nothing that is accepted as one', async ({ service }) => {
  const user = await service.newUser();
  const url = user.urls[0] ?? '';
  const lived = await live(service, user);
  await expect
    .poll(async () => (await service.sql`select from identity_attempt where sealed_claims is not null`).length)
    .toBe(1);
  const rows = await readAllRows(service.sql);

  const secrets = new Secrets();
  secrets.add('api key', lived.key.slice(lived.key.indexOf('.') + 1));
  secrets.add('launch token', lived.created.launchToken, lived.launched.launchToken, lived.signIn.launchToken);
  secrets.add('result proof', lived.signIn.resultProof, lived.done.resultProof);
  secrets.add('state', new URL(lived.location).searchParams.get('state'));
  secrets.add('cookie', lived.cookie.slice(lived.cookie.indexOf('=') + 1));
  for (const { tokens } of service.control.grants()) for (const { kind, value } of tokens) secrets.add(kind, value);
  for (const { clientSecret } of service.control.clients()) secrets.add('client secret', clientSecret);
  for (const { claims } of service.control.people()) secrets.add('claim', (claims as Answer).email);
  expect(secrets.count('access') + secrets.count('refresh')).toBeGreaterThan(4);
  const writings = rows.map(({ table, values }) => ({ where: table, text: JSON.stringify(values) }));
  expect(secrets.findIn(writings)).toEqual([]);

  const values = rows.flatMap(({ table, values: row }) =>
    Object.entries(row).flatMap(([column, value]) =>
      [value].flat().map((one) => ({ place: `${table}.${column}`, value: one })),
    ),
  );
  const sealed = values.filter(({ value }) => isSealed(value));
  const hashes = values
    .filter(({ value }) => isHash(value))
    .map(({ place, value }) => ({ place, value: String(value).slice(2) }));
  // The places are filled, so that the attempts below are about all of them.
  const placesOf = (those: readonly { place: string }[]) => new Set(those.map(({ place }) => place)).size;
  expect(placesOf(sealed)).toBeGreaterThanOrEqual(6);
  expect(placesOf(hashes)).toBeGreaterThanOrEqual(6);

  const accepted: string[] = [];
  let tries = 0;
  const attempt = async (what: string, isAccepted: () => Promise<boolean>) => {
    tries += 1;
    if (await isAccepted()) accepted.push(what);
  };
  const graphql = async (path: string, authorization: string, query: string) => {
    const headers = { 'content-type': 'application/json', authorization, 'x-forwarded-for': crypto.randomUUID() };
    const response = await fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify({ query }) });
    return (await response.json()) as Answer;
  };
  const READY = '{ integrationReadiness { idpIdentityAvailable } }';
  const APPS = '{ apps { items { id } } }';
  // The credentials themselves work, so a refusal below means something.
  expect((await graphql('/graphql', `Bearer ${lived.key}`, READY)).data).toBeTruthy();

  const { keyId, tenantKey, returnUrl } = user.seeded;
  const adminIds = rows.filter(({ table }) => table === 'admin_token').map(({ values: row }) => String(row.token_id));
  const launch = async (flow: string, token: string) => {
    const headers = { origin: new URL(returnUrl).origin, 'x-forwarded-for': crypto.randomUUID() };
    const body = new URLSearchParams({ launchToken: token });
    return (
      (await fetch(`${url}/api/${flow}/redeem`, { method: 'POST', headers, body, redirect: 'manual' })).status < 400
    );
  };
  for (const { place, value } of hashes) {
    const forms = [value, Buffer.from(value, 'hex').toString('base64url')];
    await attempt(
      `${place} as a key`,
      async () => !(await graphql('/graphql', `Bearer ${keyId}.${value}`, READY)).errors,
    );
    for (const id of adminIds) {
      await attempt(`${place} as an admin token`, async () => {
        return !(await graphql('/api/admin/graphql', `Bearer ${id}.${value}`, APPS)).errors;
      });
    }
    for (const flow of ['connect', 'identity']) await attempt(`${place} as a launch token`, () => launch(flow, value));
    for (const form of forms) {
      await attempt(`${place} as a proof`, async () => {
        const args = { id: lived.done.id, tenantKey, resultProof: form };
        return (await user.outcome('redeemIdpIdentityResult', args)) === 'answered';
      });
      await attempt(`${place} as state and cookie`, async () => {
        const query = new URLSearchParams({ state: form, code: 'stolen' });
        const headers = { cookie: `${lived.cookie.split('=')[0]}=${form}`, 'x-forwarded-for': crypto.randomUUID() };
        const callback = `${url}/api/connect/callback/provider-c?${query}`;
        return (await fetch(callback, { headers })).status < 400; // The redirect leads to the page of a refusal.
      });
    }
  }
  // With all keys of the api: it opens its own values, and no token, code or client secret.
  const edge = await createOpen(JSON.parse(service.keys.VAULT_EDGE_KEYS));
  for (const { table, values: row } of rows) {
    for (const [column, value] of Object.entries(row).filter(([, one]) => isSealed(one))) {
      for (const id of Object.values(row).filter((one) => typeof one === 'string' && /^[0-9a-f-]{36}$/.test(one))) {
        const opened = await edge(String(value), { table, column, row: String(id) }).then(
          () => true,
          () => false,
        );
        if (opened && `${table}.${column}` !== 'identity_attempt.sealed_claims')
          accepted.push(`${table}.${column} opens`);
      }
    }
  }
  expect(accepted).toEqual([]);
  expect(tries).toBeGreaterThan(100);
});

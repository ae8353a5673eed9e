import { describe, expect } from 'vitest';
import { isSameOrigin } from '../../../src/api/admin/session-cookie.ts';
import { ORIGIN, useAdmin } from '../../kit/operator.ts';
import { type Database, test } from '../../kit/postgres.ts';
import { seedApp, seedConnection } from '../../kit/seed.ts';

const ME = JSON.stringify({ query: '{ me { id role } }' });
const GRAPHQL = '/api/admin/graphql';
const SESSION = '/api/admin/session';
const JSON_TYPE = { 'content-type': 'application/json' };

const { admin } = useAdmin();
let addresses = 0;
/** Each test sends from its own address. */
let address = '';
test.beforeEach(() => {
  addresses += 1;
  address = `10.1.0.${addresses}`;
});

const ask = async (headers: Record<string, string>, from = address) => {
  const response = await admin.send(GRAPHQL, {
    method: 'POST',
    body: ME,
    headers: { ...JSON_TYPE, ...headers },
    address: from,
  });
  const body = (await response.json()) as { data?: { me: object } | null; errors?: { extensions: { code: string } }[] };
  return body.data?.me ?? body.errors?.[0]?.extensions.code;
};

const signIn = (body: string, headers: Record<string, string> = {}) =>
  admin.send(SESSION, { method: 'POST', body, headers: { ...JSON_TYPE, origin: ORIGIN, ...headers }, address });

/** Signs in. @returns the Cookie header of later requests. */
async function begin(token: string, before = ''): Promise<string> {
  const response = await signIn(JSON.stringify({ token }), { cookie: before });
  expect(response.status).toBe(204);
  return response.headers.get('set-cookie')?.split(';')[0] ?? '';
}

const revoke = (tokenId: string) =>
  admin.as('ADMIN')('mutation ($id: ID!) { revokeAdminToken(id: $id) { id } }', { id: tokenId });

describe('a token', () => {
  test('is refused when missing, malformed, unknown, altered, expired or revoked', async () => {
    const { tokenId, token } = await admin.newToken('ADMIN');
    const expired = await admin.newToken('ADMIN', new Date(Date.now() - 1_000));
    const revoked = await admin.newToken('ADMIN');
    await revoke(revoked.tokenId);
    const altered = `${token.slice(0, -1)}${token.endsWith('0') ? '1' : '0'}`;
    for (const text of [
      '',
      'nonsense',
      `${crypto.randomUUID()}.${'ab'.repeat(32)}`,
      altered,
      expired.token,
      revoked.token,
    ]) {
      expect(await ask({ authorization: `Bearer ${text}` }), text).toBe('UNAUTHENTICATED');
    }
    expect(await ask({})).toBe('UNAUTHENTICATED');
    expect(await ask({ authorization: `Bearer ${token}` })).toMatchObject({ id: tokenId });
  });

  test('cannot be guessed: failures from one address are delayed, valid tokens are not', async () => {
    const { token } = await admin.newToken('VIEWER');
    const before = admin.delayed();
    const guess = () => ask({ authorization: `Bearer ${crypto.randomUUID()}.${'ab'.repeat(32)}` });
    for (let i = 0; i < 20; i += 1) expect(await guess()).toBe('UNAUTHENTICATED');
    expect(admin.delayed()).toBe(before);
    const codes = await Promise.all(Array.from({ length: 60 }, guess));
    expect(new Set(codes)).toEqual(new Set(['UNAUTHENTICATED']));
    const after = admin.delayed();
    expect(after - before).toBeGreaterThan(30);
    // An address without earlier requests.
    expect(await ask({ authorization: `Bearer ${token}` })).toMatchObject({ role: 'VIEWER' });
    const cookie = await begin(token);
    expect(await ask({ cookie, origin: ORIGIN })).toMatchObject({ role: 'VIEWER' });
    expect(admin.delayed()).toBe(after);
  });
});

describe('a session', () => {
  test('lets a page of this host send requests with its cookie, until sign-out', async ({ database }) => {
    const { tokenId, token } = await admin.newToken('OPERATOR');
    const response = await signIn(JSON.stringify({ token }));
    const set = response.headers.get('set-cookie') ?? '';
    expect(set).toMatch(/^admin_session=[\w-]{43}; Max-Age=28800; Path=\/; HttpOnly; SameSite=Strict$/);
    const cookie = set.split(';')[0] ?? '';
    expect(await ask({ cookie, origin: ORIGIN })).toEqual({ id: tokenId, role: 'OPERATOR' });
    const [stored] =
      await database.sql`select row_to_json(s)::text as text from admin_session s where token_id = ${tokenId}`;
    expect(stored?.text).not.toContain(cookie.split('=')[1]);

    const out = await admin.send(SESSION, { method: 'DELETE', headers: { cookie, origin: ORIGIN }, address });
    expect(out.status).toBe(204);
    expect(out.headers.get('set-cookie')).toContain('Max-Age=0');
    expect(await ask({ cookie, origin: ORIGIN })).toBe('UNAUTHENTICATED');
  });

  test('is refused to a page of another origin', async () => {
    const cookie = await begin((await admin.newToken('ADMIN')).token);
    const foreign = [
      'https://evil.example',
      'null',
      'http://admin.test.evil.example',
      'https://admin.test',
      'admin.test',
    ];
    for (const origin of foreign) {
      expect(await ask({ cookie, origin }), origin).toBe('UNAUTHENTICATED');
    }
    expect(await ask({ cookie })).toBe('UNAUTHENTICATED');
    expect(await ask({ cookie, origin: ORIGIN })).toMatchObject({ role: 'ADMIN' });
  });

  test('over https is refused to a page loaded over http', () => {
    const from = (origin: string, host = 'admin.example') => isSameOrigin(new Headers({ origin, host }), true);
    expect(from('https://admin.example')).toBe(true);
    expect(from('https://admin.example', 'Admin.example:443')).toBe(true);
    expect(from('https://admin.example:8443', 'admin.example:8443')).toBe(true);
    expect(from('http://admin.example')).toBe(false);
    expect(from('https://admin.example:8443')).toBe(false);
    expect(isSameOrigin(new Headers({ host: 'admin.example' }), true)).toBe(false);
  });

  test('starts only from a page of this host, with JSON, and with a valid token', async () => {
    const { token } = await admin.newToken('ADMIN');
    const body = JSON.stringify({ token });
    expect((await signIn(body, { origin: 'https://evil.example' })).status).toBe(403);
    expect((await signIn(body, { 'content-type': 'text/plain' })).status).toBe(400);
    expect((await signIn('{}')).status).toBe(400);
    const refused = await signIn(JSON.stringify({ token: 'nonsense' }));
    expect(refused.status).toBe(401);
    expect(refused.headers.get('set-cookie')).toBeNull();
    expect(await refused.json()).toEqual({ code: 'UNAUTHENTICATED', message: expect.any(String) });
  });

  test('that is old allows only dry runs of what ends many things until a new sign-in replaces it', async ({ sql }) => {
    const seeded = await seedApp(sql);
    await seedConnection(sql, seeded, { scope: seeded.newScope() });
    const { tokenId, token } = await admin.newToken('ADMIN');
    const old = await begin(token);
    await sql`update admin_session set proven_at = proven_at - interval '5 minutes' where token_id = ${tokenId}`;
    const disconnectAll = async (cookie: string, isDry: boolean) => {
      const input = `{ appId: "${seeded.app.appId}", tenantKey: "${seeded.tenantKey}" }`;
      const document = `mutation { disconnectAll(input: ${input}, dryRun: ${isDry}) { connectionCount } }`;
      const { data, errors } = await admin.ask(document, {}, { cookie });
      return data?.disconnectAll.connectionCount ?? errors[0].extensions.code;
    };
    expect([await disconnectAll(old, true), await disconnectAll(old, false)]).toEqual([1, 'FRESH_SIGN_IN_REQUIRED']);
    const fresh = await begin(token, old);
    expect(await disconnectAll(fresh, false)).toBe(1);
    expect(await ask({ cookie: old, origin: ORIGIN })).toBe('UNAUTHENTICATED');
  });

  test.for([
    ['30 minutes without use', "last_used_at = business_now() - interval '30 minutes'"],
    ['8 hours', "created_at = business_now() - interval '8 hours'"],
  ])('ends after %s', async ([, change], { database }) => {
    const { tokenId, token } = await admin.newToken('ADMIN');
    const cookie = await begin(token);
    expect(await ask({ cookie, origin: ORIGIN })).toMatchObject({ role: 'ADMIN' });
    await database.sql.unsafe(`update admin_session set ${change} where token_id = '${tokenId}'`);
    expect(await ask({ cookie, origin: ORIGIN })).toBe('UNAUTHENTICATED');
  });

  test('is extended while it is used', async ({ database }) => {
    const { tokenId, token } = await admin.newToken('ADMIN');
    const cookie = await begin(token);
    await database.sql`
      update admin_session set last_used_at = business_now() - interval '29 minutes' where token_id = ${tokenId}
    `;
    expect(await ask({ cookie, origin: ORIGIN })).toMatchObject({ role: 'ADMIN' });
    const [row] = await database.sql`
      select last_used_at > business_now() - interval '1 minute' as fresh from admin_session where token_id = ${tokenId}
    `;
    expect(row?.fresh).toBe(true);
  });
});

describe('a refusal of an unknown caller', () => {
  const bearer = (text: string) => ask({ authorization: `Bearer ${text}` });
  const guess = () => bearer(`${crypto.randomUUID()}.${'ab'.repeat(32)}`);
  /** Lists the audit entries that `work` wrote, oldest first. */
  const noted = async (sql: Database, work: () => Promise<unknown>) => {
    const [before] = await sql`select coalesce(max(audit_id), 0) as id from audit_log`;
    await work();
    const rows = await sql`
      select actor, action, target, outcome from audit_log where audit_id > ${before?.id} order by audit_id
    `;
    return rows.map((row) => ({ ...row }));
  };
  const refusal = (action: string, outcome: string, target: string | null = null) => [
    { actor: 'unknown', action, target, outcome },
  ];

  test('is in the audit log for every operation', async ({ sql }) => {
    const { tokenId, token } = await admin.newToken('ADMIN');
    const cookie = await begin(token);
    const foreign = { origin: 'https://evil.example' };
    const body = JSON.stringify({ token });
    expect(await noted(sql, () => ask({ cookie, ...foreign }))).toEqual(
      refusal('authenticate', 'UNAUTHENTICATED', tokenId),
    );
    expect(await noted(sql, () => signIn(body, foreign))).toEqual(refusal('signIn', 'FORBIDDEN'));
    expect(await noted(sql, () => signIn(body, { origin: 'null' }))).toEqual(refusal('signIn', 'FORBIDDEN'));
    const signingOut = () => admin.send(SESSION, { method: 'DELETE', headers: { cookie, ...foreign }, address });
    expect(await noted(sql, signingOut)).toEqual(refusal('signOut', 'FORBIDDEN'));
    expect(await noted(sql, () => bearer('nonsense'))).toEqual(refusal('authenticate', 'UNAUTHENTICATED'));
    await sql`update admin_session set created_at = business_now() - interval '8 hours' where token_id = ${tokenId}`;
    expect(await noted(sql, () => ask({ cookie, origin: ORIGIN }))).toEqual(
      refusal('authenticate', 'UNAUTHENTICATED', tokenId),
    );
  });

  test('writes at most one burst to the audit log', async ({ sql }) => {
    const entries = await noted(sql, async () => {
      for (let i = 0; i < 100; i += 1) await guess();
    });
    const outcomes = entries.map(({ outcome }) => outcome);
    expect(outcomes.slice(0, 20)).toEqual(Array.from({ length: 20 }, () => 'UNAUTHENTICATED'));
    expect(outcomes.length).toBeLessThanOrEqual(25);
  });
});

test('secrets never appear in the log', async () => {
  const { token } = await admin.newToken('ADMIN');
  const cookie = await begin(token);
  await ask({ authorization: `Bearer ${token}` });
  const log = admin.lines.join('\n');
  expect(log).toContain('/api/admin/session');
  expect(log).not.toContain(token.split('.')[1]);
  expect(log).not.toContain(cookie.split('=')[1]);
});

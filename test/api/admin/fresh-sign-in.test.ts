import { describe, expect } from 'vitest';
import { type Answer, createTestAdmin, ORIGIN, type TestAdmin } from '../../kit/operator.ts';
import { type Database, test } from '../../kit/postgres.ts';
import { type SeededApp, seedApp, seedConnection } from '../../kit/seed.ts';

let admin: TestAdmin;
test.beforeEach(async ({ database }) => {
  admin ??= await createTestAdmin(database.sql);
});

const JSON_TYPE = { 'content-type': 'application/json', origin: ORIGIN };

/** Signs in with a token. @returns the cookie. */
async function signIn(token: string, cookie = ''): Promise<string> {
  const body = JSON.stringify({ token });
  const response = await admin.send('/api/admin/session', { method: 'POST', body, headers: { ...JSON_TYPE, cookie } });
  expect(response.status).toBe(204);
  return response.headers.get('set-cookie')?.split(';')[0] ?? '';
}

/** @returns the code of the first error, or the data. */
async function ask(headers: Record<string, string>, query: string, variables: object = {}): Promise<Answer> {
  const body = JSON.stringify({ query, variables });
  const response = await admin.send('/api/admin/graphql', {
    method: 'POST',
    body,
    headers: { ...JSON_TYPE, ...headers },
  });
  const answer = (await response.json()) as Answer;
  return answer.errors?.[0].extensions.code ?? answer.data;
}

/** Dates the operator's last proof of identity `minutes` back. */
const age = (sql: Database, minutes: number) =>
  sql`update admin_session set proven_at = proven_at - ${minutes} * interval '1 minute'`;

async function start(sql: Database) {
  const seeded = await seedApp(sql);
  const scope = seeded.newScope();
  await seedConnection(sql, seeded, { scope });
  const { tokenId, token } = await admin.newToken('ADMIN');
  return { seeded, scope, tokenId, token, cookie: await signIn(token) };
}

const ERASE =
  'mutation ($i: EraseSubjectInput!, $dry: Boolean) { eraseSubject(input: $i, dryRun: $dry) { connectionCount } }';
const DISCONNECT =
  'mutation ($i: DisconnectAllInput!, $dry: Boolean) { disconnectAll(input: $i, dryRun: $dry) { connectionCount } }';
const REMOVE = `mutation ($a: ID!, $t: String!, $c: TenantConnections!, $dry: Boolean) {
  removeTenant(appId: $a, tenantKey: $t, connections: $c, dryRun: $dry) { connectionCount }
}`;
const ISSUE = 'mutation ($i: IssueKeyInput!) { issueKey(input: $i) { key { id } } }';

/** Some operations that require a fresh sign-in, in an order in which each finds work. */
const irrevocable = ({ app, tenantKey }: SeededApp, scope: object) =>
  [
    [ISSUE, { i: { appId: app.appId } }],
    [DISCONNECT, { i: { appId: app.appId, tenantKey } }],
    [ERASE, { i: { appId: app.appId, ...scope } }],
    [REMOVE, { a: app.appId, t: tenantKey, c: 'DISCONNECT_ALL' }],
  ] as const;

describe('an operation that opens or ends something', () => {
  test('is allowed after a new sign-in, which ends the previous session', async ({ sql }) => {
    const { seeded, token, cookie } = await start(sql);
    await age(sql, 5);
    const again = await signIn(token, cookie);
    expect(await ask({ cookie: again }, ISSUE, { i: { appId: seeded.app.appId } })).toMatchObject({ issueKey: {} });
    expect(await ask({ cookie }, '{ me { id } }')).toBe('UNAUTHENTICATED');
  });

  test('can run as a dry run at any time', async ({ sql }) => {
    const { seeded, scope, cookie } = await start(sql);
    await age(sql, 60);
    for (const [document, variables] of irrevocable(seeded, scope).slice(1)) {
      expect(await ask({ cookie }, document, { ...variables, dry: true }), document).not.toBeTypeOf('string');
    }
  });
});

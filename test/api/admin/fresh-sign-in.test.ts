import { describe, expect, onTestFinished } from 'vitest';
import { makeKeys } from '../../../local/src/development-keys.ts';
import { startApi } from '../../../src/api/main.ts';
import { createLog } from '../../../src/basics/log.ts';
import { readConfig } from '../../../src/config/config.ts';
import { findChromium, openChromium } from '../../kit/chromium.ts';
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
  test('is allowed right after sign-in, and for a token sent with the request', async ({ sql }) => {
    for (const by of ['cookie', 'token'] as const) {
      const { seeded, scope, cookie, token } = await start(sql);
      if (by === 'token') await age(sql, 60);
      const headers: Record<string, string> = by === 'cookie' ? { cookie } : { authorization: `Bearer ${token}` };
      for (const [document, variables] of irrevocable(seeded, scope)) {
        expect(await ask(headers, document, variables), document).not.toBeTypeOf('string');
      }
    }
  });

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

test.skipIf(findChromium() === undefined)(
  'the console asks an operator to sign in again, and then completes the operation',
  async ({ database: { url: databaseUrl, sql } }) => {
    const settings = {
      DEPLOYMENT: 'development',
      DATABASE_URL: databaseUrl,
      CONNECT_URL: 'http://localhost:4000',
      API_PORT: '0',
    };
    const api = await startApi(readConfig('api', { ...(await makeKeys()), ...settings }), createLog('silent'));
    onTestFinished(() => api.close());
    const chromium = await openChromium();
    onTestFinished(() => chromium.close());
    const { app } = await seedApp(sql);
    const { token } = await admin.newToken('ADMIN');
    const page = await chromium.newPage();
    await page.goto(`http://127.0.0.1:${api.port}/admin/apps/${app.appId}#keys`);
    await page.getByLabel('Admin token').fill(token);
    await page.getByRole('button', { name: 'Sign in' }).click();
    const issue = page.getByRole('button', { name: 'Issue key' });
    await issue.waitFor();
    await age(sql, 5);

    const keys = async () => (await sql`select from app_key where app_id = ${app.appId}`).length;
    const again = page.getByRole('dialog', { name: 'Sign in again' });
    await issue.click();
    await again.getByLabel('Admin token').fill('not.one');
    await again.getByRole('button', { name: 'Sign in' }).click();
    await again.getByText('This token is unknown, revoked or expired.').waitFor();
    expect(await keys()).toBe(1);
    await again.getByLabel('Admin token').fill(token);
    await again.getByRole('button', { name: 'Sign in' }).click();
    await page
      .getByText(/[0-9a-f-]{36}\.[0-9a-f]{64}/)
      .first()
      .waitFor();
    expect(await again.isVisible()).toBe(false);
    expect(await keys()).toBe(2);

    // Without a new sign-in nothing changes, and the page shows the reason.
    await sql`update app_key set revoked_at = business_now() where app_id = ${app.appId}`;
    await age(sql, 5);
    await page.reload();
    await issue.click();
    await again.getByRole('button', { name: 'Close' }).click();
    await page.getByText('This needs a sign-in within the last five minutes.').waitFor();
    expect(await keys()).toBe(2);
  },
);

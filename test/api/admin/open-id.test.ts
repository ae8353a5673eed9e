import { describe, expect, onTestFinished } from 'vitest';
import { makeKeys } from '../../../local/src/development-keys.ts';
import { findFreePort } from '../../../local/src/ports.ts';
import { type Sandbox, startSandbox } from '../../../sandbox/src/server.ts';
import { startApi } from '../../../src/api/main.ts';
import { createLog } from '../../../src/basics/log.ts';
import { readConfig } from '../../../src/config/config.ts';
import { allow, Browser } from '../../kit/browser.ts';
import { apiEnvironment } from '../../kit/conformance.ts';
import { holdLimits } from '../../kit/hold-limits.ts';
import { test as postgresTest } from '../../kit/postgres.ts';

const ROWAN = 'rowan@sandbox.example';

type Stage = Awaited<ReturnType<typeof openStage>>;

const environment = async (databaseUrl: string, port: number, changes: Record<string, string>) => ({
  ...apiEnvironment(await makeKeys(), databaseUrl),
  API_PORT: String(port),
  ADMIN_URL: `http://127.0.0.1:${port}`,
  ADMIN_OIDC_CLIENT_ID: 'sandbox-idp-client-basic',
  ADMIN_OIDC_CLIENT_SECRET: 'sandbox-idp-secret',
  // An ordinary claim: every account with this address is an operator.
  ADMIN_OIDC_GROUP_CLAIM: 'email',
  ADMIN_OIDC_SCOPES: 'openid profile email',
  ADMIN_OIDC_ROLES: JSON.stringify({ [ROWAN]: 'OPERATOR' }),
  ...changes,
});

async function openStage(databaseUrl: string, sandbox: Sandbox) {
  const port = await findFreePort();
  const settings = await environment(databaseUrl, port, { ADMIN_OIDC_ISSUER: `${sandbox.url}/idp` });
  const api = await startApi(readConfig('api', settings), createLog('silent'));
  return { api, url: `http://127.0.0.1:${port}`, sandbox };
}

const test = postgresTest.extend<{ $file: { stage: Stage } }>({
  stage: [
    async ({ database }, use) => {
      const sandboxPort = await findFreePort();
      // To a browser, a different site than 127.0.0.1, like a real issuer.
      const sandbox = await startSandbox({ port: sandboxPort, url: `http://localhost:${sandboxPort}` });
      await fetch(`${sandbox.url}/idp/.well-known/openid-configuration`); // The first request loads its library.
      const stage = await openStage(database.url, sandbox);
      await use(stage);
      await stage.api.close();
      await sandbox.close();
    },
    { scope: 'file' },
  ],
});

const personLike = ({ sandbox }: Stage, note: RegExp) => {
  const found = sandbox.control.people().find((one) => note.test(one.note));
  if (found === undefined) throw new Error(`Nobody like ${note}`);
  return found.sub;
};

/** Follows the console's link to the issuer and back. */
async function signIn(stage: Stage, note: RegExp, browser = new Browser(`${stage.url}/admin`)) {
  const consent = await browser.open(`${stage.url}/api/admin/sign-in`);
  const back = await browser.submit(consent, allow(personLike(stage, note), ['openid', 'email', 'profile']));
  return { browser, back };
}

const me = async ({ url }: Stage, cookie: string) => {
  const response = await fetch(`${url}/api/admin/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: url, cookie },
    body: '{"query":"{ me { id role label } }"}',
  });
  return (await response.json()) as { data?: { me: { id: string; role: string; label: string } } };
};

const cookiesOf = ({ cookies }: Browser) =>
  Object.entries(cookies)
    .map((pair) => pair.join('='))
    .join('; ');

describe('an operator at an OpenID Connect issuer', () => {
  test('returns to the console with a session and the role of a group', async ({ stage, database }) => {
    const { browser, back } = await signIn(stage, /^E-mail address verified$/);
    expect(back.url).toBe(`${stage.url}/admin`);
    const { data } = await me(stage, cookiesOf(browser));
    expect(data?.me).toMatchObject({ role: 'OPERATOR', label: expect.stringMatching(/^OpenID /) });
    const [entry] = await database.sql`
      select actor, action, outcome from audit_log where target = ${data?.me.id ?? null}
    `;
    expect(entry).toEqual({ actor: expect.stringMatching(/^openid:./), action: 'signIn', outcome: 'DONE' });
    const [session] = await database.sql`
      select expires_at - created_at <= interval '8 hours' as brief from admin_token where token_id = ${data?.me.id ?? null}
    `;
    expect(session?.brief).toBe(true);
  });

  const eraseNobody = async ({ url }: Stage, browser: Browser) => {
    const response = await fetch(`${url}/api/admin/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: url, cookie: cookiesOf(browser) },
      body: JSON.stringify({
        query: 'mutation { eraseSubject(input: { appId: "x", tenantKey: "t", externalSubjectId: "s" }) { dryRun } }',
      }),
    });
    const { errors } = (await response.json()) as { errors: { extensions: { code: string } }[] };
    return errors[0]?.extensions.code;
  };

  test('proves their identity again before an irreversible act, and stays on the page', async ({ stage, sql }) => {
    const { browser } = await signIn(stage, /^E-mail address verified$/);
    const former = (await me(stage, cookiesOf(browser))).data?.me.id ?? '';
    // The issuer may have signed them in without a prompt.
    expect(await eraseNobody(stage, browser)).toBe('FRESH_SIGN_IN_REQUIRED');

    const consent = await browser.open(`${stage.url}/api/admin/sign-in?again=1&from=/admin/people`);
    const back = await browser.submit(
      consent,
      allow(personLike(stage, /^E-mail address verified$/), ['openid', 'email', 'profile']),
    );
    expect(back.url).toBe(`${stage.url}/admin/people`);
    expect(await eraseNobody(stage, browser)).toBe('NOT_FOUND');
    const [row] = await sql`select revoked_at is not null as ended from admin_token where token_id = ${former}`;
    expect(row?.ended).toBe(true);
  });

  test('must authenticate at the issuer again, and returns only to the console', async ({ stage }) => {
    const begin = async (query: string) =>
      await fetch(`${stage.url}/api/admin/sign-in?${query}`, { redirect: 'manual' });
    const asked = new URL((await begin('again=1')).headers.get('location') ?? '').searchParams;
    expect({ prompt: asked.get('prompt'), maxAge: asked.get('max_age') }).toEqual({ prompt: 'login', maxAge: '300' });
    for (const from of ['//evil.example', '/admin.evil', '/admin/\\evil', '/x']) {
      const cookie = (await begin(`from=${encodeURIComponent(from)}`)).headers.get('set-cookie') ?? '';
      const text = Buffer.from(cookie.split(/[=;]/)[1] ?? '', 'base64url')
        .subarray(32)
        .toString();
      expect(JSON.parse(text).returnPath, from).toBe('/admin');
    }
  });

  /** Returns from the issuer with a code that it never issued. */
  const comeBack = ({ url }: Stage, state: string, cookie: string, address: string) =>
    fetch(`${url}/api/admin/sign-in/callback?code=x&state=${state}`, {
      headers: { cookie, 'x-forwarded-for': address },
      redirect: 'manual',
    });

  test('started the sign-in here: a forged cookie redirects to no issuer', async ({ stage, database }) => {
    const refused = async () => {
      const [row] = await database.sql`select count(*)::int from audit_log where outcome = 'BAD_USER_INPUT'`;
      return row?.count as number;
    };
    const before = await refused();
    const secrets = JSON.stringify({ state: 's', nonce: 'n', codeVerifier: 'v', untilMs: Date.now() + 60_000 });
    const forged = [Buffer.from(secrets), Buffer.concat([Buffer.alloc(32), Buffer.from(secrets)])];
    for (const bytes of forged) {
      const cookie = `admin_sign_in=${bytes.toString('base64url')}`;
      expect((await comeBack(stage, 's', cookie, '10.3.0.1')).status).toBe(400);
    }
    for (let i = 0; i < 100; i += 1) await comeBack(stage, 's', 'admin_sign_in=x', '10.3.0.1');
    expect((await refused()) - before).toBeLessThanOrEqual(25);
  });

  const begin = async ({ url }: Stage) => {
    const begun = await fetch(`${url}/api/admin/sign-in`, { redirect: 'manual' });
    const asked = new URL(begun.headers.get('location') ?? '').searchParams;
    expect(asked.get('scope')).toBe('openid profile email');
    return { state: asked.get('state') ?? '', cookie: begun.headers.get('set-cookie')?.split(';')[0] ?? '' };
  };

  /** Guesses codes, each for a sign-in of its own, until one is refused unseen. @returns how many reached the issuer. */
  async function guessUntilRefused(stage: Stage, address: string, known = ''): Promise<number> {
    for (let guesses = 0; ; guesses += 1) {
      const { state, cookie } = await begin(stage);
      const { status, headers } = await comeBack(stage, state, `${cookie}${known}`, address);
      if (status !== 401) {
        expect({ status, wait: headers.get('retry-after') }).toEqual({ status: 429, wait: '2' });
        return guesses;
      }
    }
  }

  test('tries a sign-in once: a repeated one reaches no issuer, and counts against nobody else', async ({ stage }) => {
    const { state, cookie } = await begin(stage);
    const statuses = [];
    for (let i = 0; i < 40; i += 1) statuses.push((await comeBack(stage, state, cookie, '10.3.0.3')).status);
    expect([statuses[0], ...new Set(statuses.slice(1))]).toEqual([401, 400]);
    const other = await begin(stage);
    expect((await comeBack(stage, other.state, other.cookie, '10.3.0.3')).status).toBe(401);
  });

  test('is not locked out by another person behind the same address, in a browser that has signed in before', async ({
    stage: { sandbox },
    database,
  }) => {
    // Its own api: it uses up the limit of the address from which all browsers of these tests come.
    const stage = await openStage(database.url, sandbox);
    onTestFinished(() => stage.api.close());
    holdLimits();
    const { browser } = await signIn(stage, /^E-mail address verified$/);
    await guessUntilRefused(stage, '127.0.0.1');
    const back = await browser.open(`${stage.url}/api/admin/sign-in`); // The issuer knows the person and asks nothing.
    expect(back.url).toBe(`${stage.url}/admin`);
    // A browser without an earlier sign-in shares the limit of its address.
    await guessUntilRefused(stage, '127.0.0.1');
    expect((await signIn(stage, /^E-mail address verified$/)).back.status).toBe(429);

    // A known browser that guesses locks out itself, not its address.
    await guessUntilRefused(stage, '10.3.0.4', `; admin_browser=${browser.cookies.admin_browser}`);
    const other = await begin(stage);
    expect((await comeBack(stage, other.state, other.cookie, '10.3.0.4')).status).toBe(401);
  });
});

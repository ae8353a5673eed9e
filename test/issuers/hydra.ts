import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { createAdaptorServer } from '@hono/node-server';
import { Hono } from 'hono';
import { findFreePort, LOOPBACK } from '../../local/src/ports.ts';
import { isAnswering } from '../../local/src/service.ts';
import type { Browser, Page } from '../kit/browser.ts';
import { createBlankDatabase } from '../kit/postgres.ts';
import { Part } from '../kit/processes.ts';
import { openRunFolder } from '../kit/run-folder.ts';
import { type IssuerServer, PEOPLE, type Person } from './issuer-server.ts';

/** Starts Ory Hydra on a database of the tests' Postgres, and the pages for signing in that it leaves to its users. */
export async function startHydra(program: string): Promise<IssuerServer> {
  const [run, database] = [await openRunFolder(), await createBlankDatabase()];
  const [port, adminPort] = [await findFreePort(), await findFreePort()];
  const [issuer, adminUrl] = [`http://${LOOPBACK}:${port}`, `http://${LOOPBACK}:${adminPort}/admin`];
  const pages = await servePages(adminUrl);
  const env = {
    DSN: `${database.url}?sslmode=disable`,
    SECRETS_SYSTEM: randomBytes(32).toString('hex'),
    URLS_SELF_ISSUER: issuer,
    URLS_LOGIN: `${pages.url}/login`,
    URLS_CONSENT: `${pages.url}/consent`,
    SERVE_PUBLIC_HOST: LOOPBACK,
    SERVE_PUBLIC_PORT: String(port),
    SERVE_ADMIN_HOST: LOOPBACK,
    SERVE_ADMIN_PORT: String(adminPort),
    SQA_OPT_OUT: 'true',
    LOG_LEVEL: 'warn',
  };
  execFileSync(program, ['migrate', 'sql', 'up', '--read-from-env', '--yes'], { env, stdio: 'pipe' });
  const part = new Part(
    {
      name: 'hydra',
      program,
      args: ['serve', 'all', '--dev'],
      env,
      cwd: run.folder,
      stop: { signal: 'SIGTERM', patienceMs: 5_000 },
      isReady: () => isAnswering(`${issuer}/health/ready`),
    },
    run,
  );
  await part.start(120_000);

  return {
    issuer: (await (await fetch(`${issuer}/.well-known/openid-configuration`)).json()).issuer,
    groupScopes: 'groups',
    async addClient({ clientId, clientSecret, redirectUri, tokenAuthMethod, settings }) {
      await ask('POST', `${adminUrl}/clients`, {
        client_id: clientId,
        client_secret: clientSecret,
        redirect_uris: [redirectUri],
        scope: 'openid email profile groups',
        token_endpoint_auth_method: tokenAuthMethod,
        ...settings,
      });
    },
    signIn: async (browser, page, { username, password }) =>
      await browser.submit(page, [
        ['username', username],
        ['password', password],
      ]),
    async rotateKeys() {
      await ask('POST', `${adminUrl}/keys/hydra.openid.id-token`, {
        alg: 'RS256',
        use: 'sig',
        kid: randomBytes(6).toString('hex'),
      });
    },
    async close() {
      await part.stop();
      await pages.close();
      await database.drop();
      run.remove();
    },
  };
}

async function ask(method: string, url: string, body?: object) {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(url, { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) });
  const text = await response.text();
  if (!response.ok) throw new Error(`Hydra answers ${response.status} to ${method} ${url}: ${text}`);
  return JSON.parse(text);
}

/** A sign-in page that asks each time, and an invisible consent. */
async function servePages(adminUrl: string) {
  const app = new Hono();
  const decide = (kind: 'login' | 'consent', challenge: string, decision: 'accept' | 'reject', body: object) =>
    ask('PUT', `${adminUrl}/oauth2/auth/requests/${kind}/${decision}?${kind}_challenge=${challenge}`, body);
  app.get('/login', (c) =>
    c.html(`<form action="/login" method="post">
      <input type="hidden" name="challenge" value="${encodeURIComponent(c.req.query('login_challenge') ?? '')}">
      <input name="username"><input name="password" type="password"></form>`),
  );
  app.post('/login', async (c) => {
    const form = await c.req.parseBody();
    const challenge = String(form.challenge);
    const person = PEOPLE.find(({ username, password }) => username === form.username && password === form.password);
    const answer =
      person === undefined
        ? await decide('login', challenge, 'reject', { error: 'access_denied', error_description: 'No.' })
        : await decide('login', challenge, 'accept', { subject: person.id, remember: true, remember_for: 3_600 });
    return c.redirect(answer.redirect_to, 303);
  });
  app.get('/consent', async (c) => {
    const challenge = encodeURIComponent(c.req.query('consent_challenge') ?? '');
    const asked = await ask('GET', `${adminUrl}/oauth2/auth/requests/consent?consent_challenge=${challenge}`);
    const person = PEOPLE.find(({ id }) => id === asked.subject);
    const answer = await decide('consent', challenge, 'accept', {
      grant_scope: asked.requested_scope,
      session: { id_token: person === undefined ? {} : describe(person) },
    });
    return c.redirect(answer.redirect_to, 303);
  });
  const server = createAdaptorServer({ fetch: app.fetch, createServer });
  const port = await findFreePort();
  server.listen(port, LOOPBACK);
  await once(server, 'listening');
  return {
    url: `http://${LOOPBACK}:${port}`,
    async close() {
      server.close();
      await once(server, 'close');
    },
  };
}

const describe = ({ givenName, familyName, email, groups }: Person) => ({
  name: `${givenName} ${familyName}`,
  email,
  email_verified: true,
  groups,
});

/** Gives a wrong password, which our sign-in page takes for a refusal. */
export const refuse = async (browser: Browser, page: Page): Promise<Page> =>
  await browser.submit(page, [
    ['username', 'nobody'],
    ['password', ''],
  ]);

import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { findFreePort, LOOPBACK } from '../../local/src/ports.ts';
import { isAnswering } from '../../local/src/service.ts';
import type { Browser, Page } from '../kit/browser.ts';
import { Part } from '../kit/processes.ts';
import { openRunFolder } from '../kit/run-folder.ts';

const REALM = 'people';
const GROUPS = 'groups';
const READY_WITHIN_MS = 240_000;

const person = (username: string, givenName: string, familyName: string, groups: readonly string[]) => ({
  id: `id-of-${username}`,
  username,
  password: `password-of-${username}`,
  givenName,
  familyName,
  email: `${username}@people.example`,
  groups,
});
/** A person with an account at the server. */
export type Person = ReturnType<typeof person>;

/** Two operators of different roles, a person whose group has none, and one without a group. */
export const ADA = person('ada', 'Ada', 'Byron', ['staff', 'support', 'sre']);
export const NOOR = person('noor', 'Noor', 'Haddad', ['support']);
export const KIT = person('kit', 'Kit', 'Marlowe', ['staff']);
export const LEE = person('lee', 'Lee', 'Orme', []);
const PEOPLE = [ADA, NOOR, KIT, LEE];
/** The role of each group that has one. */
export const ROLES = { sre: 'OPERATOR', support: 'VIEWER' };

/** Keycloak with `PEOPLE`. */
export type Keycloak = Awaited<ReturnType<typeof startKeycloak>>;

/** A client to register at the server. */
interface ClientPlan {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly redirectUri: string;
  /** Keycloak's own settings of it. */
  readonly settings?: Readonly<Record<string, unknown>>;
}

/** Starts a built Keycloak in development mode: http, and a database in memory. */
export async function startKeycloak(home: string) {
  const run = await openRunFolder();
  const [port, managementPort] = [await findFreePort(), await findFreePort()];
  const url = `http://${LOOPBACK}:${port}`;
  const administrator = { username: 'admin', password: randomBytes(16).toString('hex') };
  const part = new Part(
    {
      name: 'keycloak',
      program: path.join(home, 'bin', 'kc.sh'),
      args: [
        'start',
        '--optimized',
        '--cache=local',
        '--http-enabled=true',
        '--hostname-strict=false',
        `--http-host=${LOOPBACK}`,
        `--http-port=${port}`,
        `--http-management-port=${managementPort}`,
      ],
      env: {
        PATH: process.env.PATH ?? '',
        ...(process.env.JAVA_HOME !== undefined && { JAVA_HOME: process.env.JAVA_HOME }),
        JAVA_OPTS_APPEND: '-XX:TieredStopAtLevel=1', // Starts in half the time.
        KC_BOOTSTRAP_ADMIN_USERNAME: administrator.username,
        KC_BOOTSTRAP_ADMIN_PASSWORD: administrator.password,
      },
      cwd: run.folder,
      stop: { signal: 'SIGTERM', patienceMs: 10_000 },
      isReady: () => isAnswering(`${url}/realms/master`),
    },
    run,
  );
  await part.start(READY_WITHIN_MS);

  const fetchToken = async (): Promise<string> => {
    const form = { grant_type: 'password', client_id: 'admin-cli', ...administrator };
    const endpoint = `${url}/realms/master/protocol/openid-connect/token`;
    const response = await fetch(endpoint, { method: 'POST', body: new URLSearchParams(form) });
    return (await response.json()).access_token;
  };
  /** Asks the admin REST API. @returns the id of the created object, from its address. */
  const administer = async (method: 'POST' | 'PUT', resource: string, body?: object): Promise<string> => {
    const response = await fetch(`${url}/admin/realms${resource}`, {
      method,
      headers: { authorization: `Bearer ${await fetchToken()}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`Keycloak answers ${response.status} to ${method} ${resource}: ${text}`);
    return response.headers.get('location')?.split('/').at(-1) ?? '';
  };

  await administer('POST', '', {
    realm: REALM,
    enabled: true,
    groups: [...new Set(PEOPLE.flatMap(({ groups }) => groups))].map((name) => ({ name })),
    users: PEOPLE.map(({ id, username, password, givenName, familyName, email, groups }) => ({
      id,
      username,
      email,
      emailVerified: true,
      firstName: givenName,
      lastName: familyName,
      enabled: true,
      groups: groups.map((group) => `/${group}`),
      credentials: [{ type: 'password', value: password }],
    })),
  });
  const scopeId = await administer('POST', `/${REALM}/client-scopes`, {
    name: GROUPS,
    protocol: 'openid-connect',
    protocolMappers: [groupMapper({ 'id.token.claim': 'true' })],
  });
  await administer('PUT', `/${REALM}/default-optional-client-scopes/${scopeId}`);

  let priority = 200;
  /** Signs with new keys from now on, of this curve or algorithm. */
  const addKeys = async (provider: string, config: Readonly<Record<string, string>>): Promise<void> => {
    priority += 1;
    const all = { priority: String(priority), enabled: 'true', active: 'true', ...config };
    await administer('POST', `/${REALM}/components`, {
      name: `${provider}-${priority}`,
      providerId: provider,
      providerType: 'org.keycloak.keys.KeyProvider',
      config: Object.fromEntries(Object.entries(all).map(([name, value]) => [name, [value]])),
    });
  };

  return {
    /** Its issuer URL, exactly. */
    issuer: `${url}/realms/${REALM}`,
    /** The scope besides `openid email profile` with which it returns a person's groups. */
    groupScope: GROUPS,
    async addClient({ clientId, clientSecret, redirectUri, settings }: ClientPlan) {
      await administer('POST', `/${REALM}/clients`, {
        clientId,
        secret: clientSecret,
        redirectUris: [redirectUri],
        ...settings,
      });
    },
    /** Answers the server's page as this person. @returns the page that the person ends at. */
    async signIn(browser: Browser, page: Page, { username, password }: Person): Promise<Page> {
      if (!page.html.includes('kc-form-login')) return page;
      return await browser.submit(page, [
        ['username', username],
        ['password', password],
      ]);
    },
    addKeys,
    async close() {
      await part.stop();
      run.remove();
    },
  };
}

/** Sends a client a person's groups, in the places that `where` names. */
const groupMapper = (where: Readonly<Record<string, string>>) => ({
  name: GROUPS,
  protocol: 'openid-connect',
  protocolMapper: 'oidc-group-membership-mapper',
  config: { 'claim.name': GROUPS, 'full.path': 'false', ...where },
});

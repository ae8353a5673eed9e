import { randomBytes, randomUUID } from 'node:crypto';
import { buildHttpUrl, findFreePort } from '../../local/src/ports.ts';
import { type Running, startService, type User, until } from '../kit/at-work.ts';
import { Browser, fetchCallback, type Page } from '../kit/browser.ts';
import type { Answer } from '../kit/graphql.ts';
import { type IssuerServer, type Person, ROLES } from './issuer-server.ts';

type Method = 'client_secret_basic' | 'client_secret_post';

/** How an app's client differs from the server's registration. */
interface AppOptions {
  readonly tokenAuthMethod?: Method;
  /** The server's own settings of the client. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** The secret that we believe to have. */
  readonly ourSecret?: string;
  /** The issuer as we spell it. */
  readonly issuer?: string;
}

/** A sign-in that waits for its person at the server. */
export interface Begun {
  readonly session: Answer;
  readonly authorizationUrl: URL;
  /** The page that the server shows. */
  readonly page: Page;
  readonly browser: Browser;
  /** Sends the browser on to our callback. */
  finish(callback: string): Promise<{ status: number; location: string | null }>;
}

/** A whole service whose apps and operators sign in at one server. */
export interface Stage {
  readonly server: IssuerServer;
  readonly service: Running;
  /** The api's base URL. */
  readonly url: string;
  /** A new app with a client of its own at the server. */
  newApp(options?: AppOptions): Promise<User>;
  begin(user: User): Promise<Begun>;
  /** Signs a person in. @returns the result that the app's backend redeems. */
  signIn(user: User, person: Person): Promise<Answer>;
  /** Waits for the end of a sign-in. */
  redeem(user: User, session: Answer): Promise<Answer>;
  /** Opens the console's sign-in. @returns the page of the server, or where the browser ended. */
  openConsole(browser: Browser, again?: boolean): Promise<Page>;
  /** Who the console's session is, if there is one. */
  me(browser: Browser): Promise<Answer>;
  close(): Promise<void>;
}

const newSecret = () => randomBytes(24).toString('hex');

export async function openStage(server: IssuerServer): Promise<Stage> {
  const port = await findFreePort();
  const url = buildHttpUrl(port);
  const operators = { clientId: `operators-${randomUUID()}`, clientSecret: newSecret() };
  await server.addClient({
    ...operators,
    redirectUri: `${url}/api/admin/sign-in/callback`,
    tokenAuthMethod: 'client_secret_basic',
  });
  const service = await startService(
    {
      ADMIN_URL: url,
      ADMIN_OIDC_ISSUER: server.issuer,
      ADMIN_OIDC_CLIENT_ID: operators.clientId,
      ADMIN_OIDC_CLIENT_SECRET: operators.clientSecret,
      ADMIN_OIDC_ROLES: JSON.stringify(ROLES),
      ADMIN_OIDC_SCOPES: `openid email profile ${server.groupScopes}`.trim(),
    },
    { port },
  );
  const stage: Stage = {
    server,
    service,
    url,
    async newApp({ tokenAuthMethod = 'client_secret_basic', settings = {}, ...ours } = {}) {
      const user = await service.newUser();
      const { appId, seeded } = user;
      const client = { clientId: randomUUID(), clientSecret: newSecret() };
      const input = [
        `issuer: "${ours.issuer ?? server.issuer}"`,
        `clientId: "${client.clientId}"`,
        `clientSecret: "${ours.ourSecret ?? client.clientSecret}"`,
        `tokenAuthMethod: ${tokenAuthMethod.toUpperCase()}`,
      ];
      await service.operate(`createIdentityIssuer(input: { ${input.join(', ')} })`);
      const [row] = await service.sql`select issuer_id from identity_issuer where client_id = ${client.clientId}`;
      await service.operate(
        `setIdentity(appId: "${appId}", issuerId: "${row?.issuerId}", returnUrl: "${seeded.identityReturnUrl}")`,
      );
      const redirectUri = `${url}/api/identity/callback/${row?.issuerId}`;
      await server.addClient({ ...client, redirectUri, tokenAuthMethod, settings });
      return user;
    },
    async begin(user) {
      const session = await user.createSignIn();
      const { location, cookie } = await user.launch('identity', session.launchToken);
      if (location === null) throw new Error('The launch leads nowhere.');
      const browser = new Browser(`${url}/api/identity/callback/`);
      return {
        session,
        authorizationUrl: new URL(location),
        page: await browser.open(location),
        browser,
        async finish(callback) {
          const response = await fetchCallback(callback, cookie);
          await response.body?.cancel();
          return { status: response.status, location: response.headers.get('location') };
        },
      };
    },
    async signIn(user, person) {
      const { session, page, browser, finish } = await stage.begin(user);
      const { url: callback } = await server.signIn(browser, page, person);
      await finish(callback);
      return await stage.redeem(user, session);
    },
    async redeem(user, { id, resultProof }) {
      return await until(async () => {
        const { tenantKey } = user.scope;
        const result = await user.ask('redeemIdpIdentityResult', { id, tenantKey, resultProof });
        return result.status !== 'PENDING' && result;
      });
    },
    openConsole: (browser, again = false) => browser.open(`${url}/api/admin/sign-in${again ? '?again=1' : ''}`),
    async me(browser) {
      const cookie = Object.entries(browser.cookies)
        .map((pair) => pair.join('='))
        .join('; ');
      const response = await fetch(`${url}/api/admin/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', origin: url, cookie },
        body: '{"query":"{ me { role label } }"}',
      });
      return (await response.json()).data?.me ?? null;
    },
    async close() {
      await service.close();
      await server.close();
    },
  };
  return stage;
}

/** Moves this process' clock against the server's while `act` runs. */
export async function withClockAt<Value>(seconds: number, act: () => Promise<Value>): Promise<Value> {
  const { now } = Date;
  Date.now = () => now() + seconds * 1_000;
  try {
    return await act();
  } finally {
    Date.now = now;
  }
}

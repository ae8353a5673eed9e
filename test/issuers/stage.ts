import { randomBytes, randomUUID } from 'node:crypto';
import { buildHttpUrl, findFreePort } from '../../local/src/ports.ts';
import { startService, type User, until } from '../kit/at-work.ts';
import { Browser, fetchCallback } from '../kit/browser.ts';
import type { Answer } from '../kit/graphql.ts';
import { type Keycloak, type Person, ROLES } from './keycloak.ts';

/** How an app's client is registered. */
interface AppOptions {
  readonly tokenAuthMethod?: 'client_secret_basic' | 'client_secret_post';
  /** The server's own settings of the client. */
  readonly settings?: Readonly<Record<string, unknown>>;
}

/** A whole service whose apps and operators sign in at one server. */
export type Stage = Awaited<ReturnType<typeof openStage>>;

const newSecret = () => randomBytes(24).toString('hex');

export async function openStage(server: Keycloak) {
  const port = await findFreePort();
  const url = buildHttpUrl(port);
  const operators = { clientId: `operators-${randomUUID()}`, clientSecret: newSecret() };
  await server.addClient({ ...operators, redirectUri: `${url}/api/admin/sign-in/callback` });
  const service = await startService(
    {
      ADMIN_URL: url,
      ADMIN_OIDC_ISSUER: server.issuer,
      ADMIN_OIDC_CLIENT_ID: operators.clientId,
      ADMIN_OIDC_CLIENT_SECRET: operators.clientSecret,
      ADMIN_OIDC_ROLES: JSON.stringify(ROLES),
      ADMIN_OIDC_SCOPES: `openid email profile ${server.groupScope}`,
    },
    { port },
  );
  /** Waits for the end of a sign-in. @returns the result that the app's backend redeems. */
  const redeem = (user: User, { id, resultProof }: Answer): Promise<Answer> =>
    until(async () => {
      const { tenantKey } = user.scope;
      const result = await user.ask('redeemIdpIdentityResult', { id, tenantKey, resultProof });
      return result.status !== 'PENDING' && result;
    });
  /** Begins a sign-in, which waits for its person at the page that the server shows. */
  const begin = async (user: User) => {
    const session = await user.createSignIn();
    const { location, cookie } = await user.launch('identity', session.launchToken);
    if (location === null) throw new Error('The launch leads nowhere.');
    const browser = new Browser(`${url}/api/identity/callback/`);
    return {
      session,
      authorizationUrl: new URL(location),
      page: await browser.open(location),
      browser,
      /** Sends the browser on to our callback. */
      async finish(callback: string): Promise<void> {
        const response = await fetchCallback(callback, cookie);
        await response.body?.cancel();
      },
    };
  };
  return {
    server,
    service,
    /** The api's base URL. */
    url,
    begin,
    redeem,
    /** A new app with a client of its own at the server. */
    async newApp({ tokenAuthMethod = 'client_secret_basic', settings = {} }: AppOptions = {}): Promise<User> {
      const user = await service.newUser();
      const { appId, seeded } = user;
      const client = { clientId: randomUUID(), clientSecret: newSecret() };
      const input = [
        `issuer: "${server.issuer}"`,
        `clientId: "${client.clientId}"`,
        `clientSecret: "${client.clientSecret}"`,
        `tokenAuthMethod: ${tokenAuthMethod.toUpperCase()}`,
      ];
      await service.operate(`createIdentityIssuer(input: { ${input.join(', ')} })`);
      const [row] = await service.sql`select issuer_id from identity_issuer where client_id = ${client.clientId}`;
      await service.operate(
        `setIdentity(appId: "${appId}", issuerId: "${row?.issuerId}", returnUrl: "${seeded.identityReturnUrl}")`,
      );
      await server.addClient({ ...client, redirectUri: `${url}/api/identity/callback/${row?.issuerId}`, settings });
      return user;
    },
    /** Signs a person in. */
    async signIn(user: User, person: Person): Promise<Answer> {
      const { session, page, browser, finish } = await begin(user);
      const { url: callback } = await server.signIn(browser, page, person);
      await finish(callback);
      return await redeem(user, session);
    },
    /** Opens the console's sign-in. @returns the page of the server, or where the browser ended. */
    openConsole: (browser: Browser, again = false) =>
      browser.open(`${url}/api/admin/sign-in${again ? '?again=1' : ''}`),
    /** Who the console's session is, if there is one. */
    async me(browser: Browser): Promise<Answer> {
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
}

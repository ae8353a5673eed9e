import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { exportJWK, generateKeyPair } from 'jose';
import { Provider } from 'oidc-provider';
import { findFreePort, LOOPBACK } from '../../local/src/ports.ts';
import { Storage } from '../../sandbox/src/idp/storage.ts';
import type { Browser, Page } from '../kit/browser.ts';
import { type IssuerServer, PEOPLE } from './issuer-server.ts';

interface StrictOptions {
  /** Its `prompt_values_supported`; absent by default. */
  readonly prompts?: readonly string[];
}

/**
 * Starts node-oidc-provider as it is, without the sandbox's changes: it refuses prompts that it does not know, its id_tokens
 * carry no more than OpenID Connect demands, and it signs with ES384.
 */
export async function startStrictProvider({ prompts }: StrictOptions = {}): Promise<IssuerServer> {
  const port = await findFreePort();
  const issuer = `http://${LOOPBACK}:${port}`;
  const storage = new Storage();
  const cookieKeys = [randomBytes(24).toString('base64url')];
  const keys: object[] = [];
  let handle: (request: IncomingMessage, response: ServerResponse) => Promise<void>;

  const build = async () => {
    const { privateKey } = await generateKeyPair('ES384', { extractable: true });
    keys.unshift({ ...(await exportJWK(privateKey)), kid: randomBytes(6).toString('hex'), use: 'sig', alg: 'ES384' });
    const provider = new Provider(issuer, {
      adapter: (model: string) => storage.adapter(model),
      jwks: { keys },
      cookies: { keys: cookieKeys },
      scopes: ['openid', 'email', 'profile', 'groups'],
      claims: { email: ['email', 'email_verified'], profile: ['name'], groups: ['groups'] },
      enabledJWA: { idTokenSigningAlgValues: ['ES384'] },
      clientDefaults: { id_token_signed_response_alg: 'ES384' },
      ...(prompts !== undefined && { discovery: { prompt_values_supported: prompts } }),
      findAccount: (_context: unknown, sub: string) => findAccount(sub),
    });
    handle = provider.callback();
  };
  await build();
  const server = createServer((request, response) => void handle(request, response));
  server.listen(port, LOOPBACK);
  await once(server, 'listening');

  return {
    issuer,
    groupScopes: 'groups',
    async addClient({ clientId, clientSecret, redirectUri, tokenAuthMethod, settings }) {
      await storage.adapter('Client').upsert(
        clientId,
        {
          client_id: clientId,
          client_secret: clientSecret,
          redirect_uris: [redirectUri],
          token_endpoint_auth_method: tokenAuthMethod,
          ...settings,
        },
        0,
      );
    },
    async signIn(browser, page, { username, password }) {
      const fields = { login: username, password };
      let shown = page;
      for (const name of ['login', 'consent']) {
        if (shown.html.includes(`name="prompt" value="${name}"`)) {
          shown = await browser.submit(shown, name === 'login' ? Object.entries(fields) : []);
        }
      }
      return shown;
    },
    rotateKeys: build,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function findAccount(sub: string) {
  const person = PEOPLE.find(({ username }) => username === sub);
  return (
    person && {
      accountId: sub,
      claims: async () => ({
        sub,
        email: person.email,
        email_verified: true,
        name: `${person.givenName} ${person.familyName}`,
        groups: person.groups,
      }),
    }
  );
}

/** Follows the link by which a person refuses on the provider's own page. */
export async function refuse(browser: Browser, page: Page): Promise<Page> {
  const href = /href="([^"]*\/abort)"/.exec(page.html)?.[1];
  if (href === undefined) throw new Error(`No way to refuse on ${page.url}.`);
  return await browser.open(new URL(href, page.url).href, page.url);
}

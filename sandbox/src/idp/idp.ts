import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { exportJWK, generateKeyPair } from 'jose';
import type { Provider } from 'oidc-provider';
import { IDP_CLIENT } from '../clients.ts';
import { createDeadEnd } from '../pages/layout.tsx';
import { isRegisteredRedirectUri } from '../redirect-uris.ts';
import type { World } from '../world.ts';
import { addIdpRoutes, misbehave } from './misbehave.ts';
import { createPeople, type Person } from './people.ts';
import { Storage, type StoredEntries } from './storage.ts';

export const IDP_PATH = '/idp';
const SCOPES = ['openid', 'email', 'profile'];
const HOUR = 3600;

interface Running {
  readonly provider: Provider;
  readonly handle: (request: IncomingMessage, response: ServerResponse) => Promise<void>;
}

/** A real OpenID provider at `/idp` that can give invalid answers on purpose. Created at its first use. */
export class Idp {
  readonly #world: World;
  readonly #seed: string;
  /** Null accepts any loopback callback of a sign-in. */
  readonly #redirectUris: readonly string[] | null;
  readonly #storage = new Storage();
  readonly #cookieKeys = [randomBytes(24).toString('base64url')];
  #keys: { readonly kid: string; readonly privateKey: CryptoKey }[] = [];
  #running: Promise<Running> | undefined;

  constructor(world: World, seed: string, redirectUris: readonly string[] | null) {
    this.#world = world;
    this.#seed = seed;
    this.#redirectUris = redirectUris;
    addIdpRoutes(world);
  }

  get issuer(): string {
    return `${this.#world.url}${IDP_PATH}`;
  }

  /** The sign-ins in progress, which `restore` brings back. */
  snapshot(): StoredEntries {
    return this.#storage.snapshot();
  }

  restore(entries: StoredEntries): void {
    this.#storage.restore(entries);
  }

  people(): readonly Person[] {
    return createPeople(this.#seed, this.#world.url);
  }

  async provider(): Promise<Provider> {
    return (await this.#start()).provider;
  }

  /** Serves requests below `/idp`, except those for the sign-in page. */
  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { handle } = await this.#start();
    // Sets both as an Express mount does: oidc-provider derives its prefix from them.
    Object.assign(request, { originalUrl: request.url, url: (request.url ?? '').slice(IDP_PATH.length) || '/' });
    await handle(request, response);
  }

  /** Switches to a new signing key. Keeps the previous one published and removes older ones. */
  async rotateKeys(): Promise<void> {
    await this.#start();
    await this.#addKey();
    this.#running = this.#build();
    await this.#running;
  }

  #start(): Promise<Running> {
    this.#running ??= this.#addKey().then(() => this.#build());
    return this.#running;
  }

  async #addKey(): Promise<void> {
    const { privateKey } = await generateKeyPair('RS256', { extractable: true });
    this.#keys = [{ kid: `sandbox-${randomBytes(6).toString('hex')}`, privateKey }, ...this.#keys].slice(0, 2);
  }

  async #build(): Promise<Running> {
    const { Provider: OidcProvider, interactionPolicy } = await import('oidc-provider');
    const policy = interactionPolicy.base();
    policy.add(new interactionPolicy.Prompt({ name: 'select_account', requestable: true }), 0);
    const keys = this.#keys.map(async ({ kid, privateKey }) => ({
      ...(await exportJWK(privateKey)),
      kid,
      use: 'sig',
      alg: 'RS256',
    }));

    const provider = new OidcProvider(this.issuer, {
      adapter: (model: string) => this.#storage.adapter(model),
      clients: [clientMetadata('client_secret_post'), clientMetadata('client_secret_basic')],
      jwks: { keys: await Promise.all(keys) },
      cookies: { keys: this.#cookieKeys },
      scopes: SCOPES,
      claims: {
        openid: ['sub'],
        email: ['email', 'email_verified'],
        profile: ['name', 'given_name', 'family_name', 'picture'],
      },
      // Like Google, includes the claims in the id_token.
      conformIdTokenClaims: false,
      responseTypes: ['code'],
      clientAuthMethods: ['client_secret_post', 'client_secret_basic'],
      pkce: { required: () => true },
      features: { devInteractions: { enabled: false } },
      interactions: { policy, url: (_context: unknown, { uid }: { uid: string }) => `${IDP_PATH}/interaction/${uid}` },
      ttl: {
        AccessToken: HOUR,
        AuthorizationCode: 60,
        IdToken: HOUR,
        Interaction: 600,
        Session: 24 * HOUR,
        Grant: 24 * HOUR,
      },
      findAccount: (_context: unknown, sub: string) => this.#findAccount(sub),
      renderError: async (context: { type: string; body: unknown }, { error }: { error: string }) => {
        context.type = 'html';
        context.body = await createDeadEnd(
          'IDP',
          'This sign-in cannot continue',
          `The OpenID provider refused the request: ${error}.`,
        ).text();
      },
    });
    provider.proxy = this.issuer.startsWith('https:'); // It listens to http itself: a proxy terminates TLS and sends a header about it.
    // Accepts any loopback callback without a list: an exact list would need the service's port.
    Object.assign(provider.Client.prototype, {
      redirectUriAllowed: (uri: string) => isRegisteredRedirectUri(uri, this.#redirectUris, '/api/'),
    });
    const [current] = this.#keys;
    if (current !== undefined) misbehave(provider, this.#world, current.privateKey);
    provider.on('server_error', (context, error) => {
      console.error(JSON.stringify({ level: 'error', msg: 'sandbox idp', path: context.path, error: error.stack }));
    });
    return { provider, handle: provider.callback() };
  }

  #findAccount(sub: string) {
    const person = this.people().find((one) => one.sub === sub);
    return person && { accountId: sub, claims: async () => ({ sub, ...person.claims }) };
  }
}

/** oidc-provider allows one authentication method for each client, so there is a client for each method. */
function clientMetadata(method: 'client_secret_post' | 'client_secret_basic') {
  return {
    client_id: method === 'client_secret_post' ? IDP_CLIENT.clientId : `${IDP_CLIENT.clientId}-basic`,
    client_secret: IDP_CLIENT.clientSecret,
    token_endpoint_auth_method: method,
    grant_types: ['authorization_code'],
    response_types: ['code'],
    redirect_uris: ['http://127.0.0.1/api/identity/callback/idp'],
  };
}

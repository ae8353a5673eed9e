import { createHash, randomUUID } from 'node:crypto';
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import { Secret } from '../../src/basics/secret.ts';
import { createSignIn, type IdentityClaims, type IssuerClient } from '../../src/identity/sign-in.ts';
import type { FetchOptions } from '../../src/providers/http.ts';
import { PERMIT } from '../kit/permit.ts';

export const ISSUER = 'https://idp.example';
export const CLIENT: IssuerClient = {
  issuer: ISSUER,
  clientId: 'client-1',
  clientSecret: new Secret('c'.repeat(40)),
  tokenAuthMethod: 'client_secret_post',
};
const ACCESS_TOKEN = 'an-access-token';
export const AT_HASH = createHash('sha256').update(ACCESS_TOKEN).digest().subarray(0, 16).toString('base64url');

const HALVES: Readonly<Record<string, readonly [hash: string, bytes: number]>> = {
  PS256: ['sha256', 16],
  ES256: ['sha256', 16],
  PS384: ['sha384', 24],
  ES384: ['sha384', 24],
  PS512: ['sha512', 32],
  ES512: ['sha512', 32],
  EdDSA: ['sha512', 32],
};
/** The `at_hash` of the access token under this algorithm (OpenID Connect Core, 3.1.3.6). */
export function atHashFor(algorithm: string): string {
  const [hash, bytes] = HALVES[algorithm] ?? ['sha256', 16];
  return createHash(hash).update(ACCESS_TOKEN).digest().subarray(0, bytes).toString('base64url');
}

type Key = { readonly kid: string; readonly alg: string; readonly pair: Awaited<ReturnType<typeof generateKeyPair>> };
export async function newKey(alg = 'RS256'): Promise<Key> {
  return { kid: randomUUID(), alg, pair: await generateKeyPair(alg, { extractable: true }) };
}

/** An issuer behind its own `fetch`. A test chooses its answers. */
export class Issuer {
  readonly asked: string[] = [];
  /** The last request for tokens. */
  tokenRequest = { authorization: null as string | null, form: new URLSearchParams() };
  metadata: Record<string, unknown> = {
    issuer: ISSUER,
    authorization_endpoint: `${ISSUER}/authorize`,
    token_endpoint: `${ISSUER}/token`,
    userinfo_endpoint: `${ISSUER}/userinfo`,
    jwks_uri: `${ISSUER}/jwks`,
    response_types_supported: ['code'],
    id_token_signing_alg_values_supported: [
      'RS256',
      'PS256',
      'ES256',
      'ES384',
      'ES512',
      'PS384',
      'PS512',
      'EdDSA',
      'HS256',
      'none',
    ],
    authorization_response_iss_parameter_supported: true,
  };
  keys: readonly Key[];
  idToken = '';
  /** Answers instead of tokens. */
  refusal: Response | Error | null = null;
  /** Answers instead of its keys. */
  keysRefusal: Error | null = null;
  userinfo: () => Response = () => Response.json({}, { status: 500 });
  nonce: string = randomUUID();

  constructor(key: Key) {
    this.keys = [key];
  }

  /** The default claims of an id_token. */
  claims(changes: JWTPayload = {}): JWTPayload {
    const now = Math.floor(Date.now() / 1000);
    const person = { email: 'rowan@example.org', email_verified: true, name: 'Rowan', picture: 'https://i.example/r' };
    const said = { iss: ISSUER, aud: CLIENT.clientId, sub: 'rowan-1', iat: now, exp: now + 300, nonce: this.nonce };
    return { ...person, ...said, ...changes };
  }

  /** Issues an id_token with these claims, signed by its first key. */
  async issue(changes: JWTPayload = {}): Promise<void> {
    const [key] = this.keys;
    if (!key) throw new Error('The issuer has no key.');
    this.idToken = await new SignJWT(this.claims(changes))
      .setProtectedHeader({ alg: key.alg, kid: key.kid })
      .sign(key.pair.privateKey);
  }

  readonly fetch = async (url: string, options: FetchOptions = {}): Promise<Response> => {
    const { pathname } = new URL(url);
    this.asked.push(pathname);
    switch (pathname) {
      case '/.well-known/openid-configuration':
        return Response.json(this.metadata);
      case '/jwks': {
        if (this.keysRefusal !== null) throw this.keysRefusal;
        const known = this.keys.map(async ({ kid, alg, pair }) => ({
          ...(await exportJWK(pair.publicKey)),
          kid,
          alg,
          use: 'sig',
        }));
        return Response.json({ keys: await Promise.all(known) });
      }
      case '/userinfo':
        return this.userinfo();
      default:
        this.tokenRequest = {
          authorization: new Headers(options.headers).get('authorization'),
          form: new URLSearchParams(String(options.body)),
        };
        if (this.refusal instanceof Error) throw this.refusal;
        return (
          this.refusal ??
          Response.json({ access_token: ACCESS_TOKEN, token_type: 'Bearer', expires_in: 300, id_token: this.idToken })
        );
    }
  };
}

/** Our back channel to an issuer. */
export function signInAt(issuer: Issuer, client = CLIENT) {
  const signIn = createSignIn({ fetch: issuer.fetch, allowHttp: false, now: () => new Date() });
  return {
    discover: () => signIn.discover(client),
    redeem: async (): Promise<IdentityClaims> =>
      await signIn.redeem(await signIn.discover(client), client, {
        code: new Secret('code'),
        codeVerifier: new Secret('v'.repeat(64)),
        nonce: new Secret(issuer.nonce),
        redirectUri: 'https://connect.example/api/identity/callback/1',
        attemptCreatedAt: new Date(Date.now() - 60_000),
        admit: async () => PERMIT,
      }),
  };
}

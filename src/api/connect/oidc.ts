import * as client from 'openid-client';
import type { Issuer } from '../../store/identity-settings.ts';

/** What a sign-in asks of its issuer. */
export interface AuthorizationRequest {
  readonly redirectUri: string;
  readonly state: string;
  readonly nonce: string;
  /** `S256`. */
  readonly codeChallenge: string;
}

type Named = Pick<Issuer, 'issuer' | 'clientId'>;

/** What the browser side asks of OpenID Connect issuers, found by discovery. */
export interface Oidc {
  /** The URL to send the browser to. @throws IssuerUnavailable */
  authorizationUrl(issuer: Named, request: AuthorizationRequest): Promise<string>;
  /** Whether the issuer says that it names itself in every answer (RFC 9207). @throws IssuerUnavailable */
  promisesIss(issuer: Named): Promise<boolean>;
}

/** Discovery did not work, and there is no good copy of what it said before. */
export class IssuerUnavailable extends Error {
  override readonly name = 'IssuerUnavailable';
}

const TIMEOUT_SECONDS = 5;
const FRESH_MS = 60 * 60 * 1000;
/** How long the last good copy serves while the issuer does not answer, and how often it is asked meanwhile. */
const STALE_MS = 24 * 60 * 60 * 1000;
const ASK_AGAIN_MS = 60 * 1000;

interface Copy {
  readonly metadata: client.ServerMetadata;
  readonly readAtMs: number;
  freshUntilMs: number;
}

export interface OidcOptions {
  readonly fetch: client.CustomFetch;
  /** Takes issuers on plain http; for development only. */
  readonly allowHttp: boolean;
  /** A clock that never goes back, in ms. */
  readonly nowMs?: () => number;
}

export function createOidc({ fetch, allowHttp, nowMs = () => performance.now() }: OidcOptions): Oidc {
  const copies = new Map<string, Copy>();
  const underway = new Map<string, Promise<Copy>>();
  const execute = allowHttp ? [client.allowInsecureRequests] : [];

  async function discover(issuer: string): Promise<Copy> {
    const options = { execute, timeout: TIMEOUT_SECONDS, [client.customFetch]: fetch };
    // The metadata is the same for every client of the issuer; the client is named where it is used.
    const metadata = (
      await client.discovery(new URL(issuer), 'any', undefined, client.None(), options)
    ).serverMetadata();
    // The library forgives a difference in writing, such as a slash at the end; here an issuer is its exact text.
    if (metadata.issuer !== issuer) throw new IssuerUnavailable('The issuer calls itself by another name.');
    const readAtMs = nowMs();
    const copy = { metadata, readAtMs, freshUntilMs: readAtMs + FRESH_MS };
    copies.set(issuer, copy);
    return copy;
  }

  /** However many ask at the same time, the issuer is asked once. */
  function discoverOnce(issuer: string): Promise<Copy> {
    const known = underway.get(issuer);
    if (known) return known;
    const started = discover(issuer).finally(() => underway.delete(issuer));
    underway.set(issuer, started);
    return started;
  }

  async function metadataOf(issuer: string): Promise<client.ServerMetadata> {
    const last = copies.get(issuer);
    if (last && nowMs() < last.freshUntilMs) return last.metadata;
    try {
      return (await discoverOnce(issuer)).metadata;
    } catch (error) {
      if (!last || nowMs() - last.readAtMs > STALE_MS) {
        throw new IssuerUnavailable('The issuer cannot be discovered.', { cause: error });
      }
      last.freshUntilMs = nowMs() + ASK_AGAIN_MS;
      return last.metadata;
    }
  }

  return {
    async authorizationUrl({ issuer, clientId }, { redirectUri, state, nonce, codeChallenge }) {
      const configuration = new client.Configuration(await metadataOf(issuer), clientId);
      for (const extend of execute) extend(configuration);
      const url = client.buildAuthorizationUrl(configuration, {
        redirect_uri: redirectUri,
        scope: 'openid email profile',
        state,
        nonce,
        code_challenge: codeChallenge,
        code_challenge_method: 'S256',
        prompt: 'select_account', // Or a shared browser would silently sign in whoever used it last.
      });
      return url.href;
    },
    async promisesIss({ issuer }) {
      return (await metadataOf(issuer)).authorization_response_iss_parameter_supported === true;
    },
  };
}

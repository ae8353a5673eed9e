import * as client from 'openid-client';
import type { Issuer } from '../store/issuers/issuers.ts';
import { createDiscovery, type DiscoveryOptions } from './discovery.ts';

/** The parameters of an authorization request (OpenID Connect Core 1.0, 3.1.2.1; RFC 7636). */
export interface AuthorizationRequest {
  readonly redirectUri: string;
  readonly state: string;
  readonly nonce: string;
  /** `S256`. */
  readonly codeChallenge: string;
}

/** The prompts to ask for, best first: otherwise a shared browser would silently sign in its last user. */
const PROMPTS = ['select_account', 'login'];
/** The prompt for an issuer whose metadata lists none. */
export type UnlistedPrompt = 'select_account' | 'login' | 'omit';

/** An issuer refuses the whole request for a prompt that it does not know. */
function choosePrompt(metadata: client.ServerMetadata, unlisted: UnlistedPrompt): { prompt?: string } {
  const { prompt_values_supported: listed } = metadata;
  if (!Array.isArray(listed)) return unlisted === 'omit' ? {} : { prompt: unlisted };
  const prompt = PROMPTS.find((value) => listed.includes(value));
  return prompt === undefined ? {} : { prompt };
}

type Named = Pick<Issuer, 'issuer' | 'clientId'>;

/** The requests of the browser side to OpenID Connect issuers. */
export interface Oidc {
  /** Builds the URL to send the browser to. @throws IssuerUnavailable */
  buildAuthorizationUrl(issuer: Named, request: AuthorizationRequest): Promise<string>;
  /** @returns true if the issuer announces in its metadata that it sends `iss` in every answer (RFC 9207). @throws IssuerUnavailable */
  sendsIss(issuer: Named): Promise<boolean>;
}

export function createOidc(options: DiscoveryOptions & { readonly unlistedPrompt?: UnlistedPrompt }): Oidc {
  const { getMetadata } = createDiscovery(options);
  const execute = options.allowHttp ? [client.allowInsecureRequests] : [];
  return {
    async buildAuthorizationUrl({ issuer, clientId }, { redirectUri, state, nonce, codeChallenge }) {
      const metadata = await getMetadata(issuer);
      const configuration = new client.Configuration(metadata, clientId);
      for (const extend of execute) extend(configuration);
      const url = client.buildAuthorizationUrl(configuration, {
        redirect_uri: redirectUri,
        scope: 'openid email profile',
        state,
        nonce,
        code_challenge: codeChallenge,
        code_challenge_method: 'S256',
        ...choosePrompt(metadata, options.unlistedPrompt ?? 'select_account'),
      });
      return url.href;
    },
    async sendsIss({ issuer }) {
      return (await getMetadata(issuer)).authorization_response_iss_parameter_supported === true;
    },
  };
}

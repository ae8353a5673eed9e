import * as client from 'openid-client';
import { checkIdToken } from './check-id-token.ts';
import { createDiscovery, type SignInOptions } from './discovery.ts';
import { meterIssuerCall } from './meter-issuer-call.ts';
import { configure, type IssuerClient } from './sign-in.ts';

/** Binds an answer to the browser that started the sign-in. The browser keeps it in a cookie. */
export interface SignInSecrets {
  readonly state: string;
  readonly nonce: string;
  readonly codeVerifier: string;
  readonly begunAtMs: number;
}

/** A person who has signed in, and their groups at the issuer. */
export interface SignedInOperator {
  /** The issuer's stable id of the person. */
  readonly sub: string;
  readonly groups: readonly string[];
  /** Whether the issuer has left the groups out, as Entra does for a person in more than 200. */
  readonly groupsLeftOut: boolean;
}

/** Signs operators in at an OpenID Connect issuer by the code flow with PKCE, state and nonce. */
export interface OperatorSignIn {
  /**
   * Builds the URL to send the browser to.
   * @param again true if the person must sign in again even if they did so recently.
   * @throws ProviderError `RetryLater` if the issuer cannot be reached.
   */
  begin(redirectUri: string, again?: boolean): Promise<{ readonly url: string; readonly secrets: SignInSecrets }>;
  /**
   * @param callbackUrl the URL with which the browser returned to the redirect URI.
   * @param again the same as for `begin`. The issuer must confirm that the person signed in within the last minutes.
   * @throws Error if the answer is not from the issuer, not for this browser, or yields no valid id_token.
   */
  finish(callbackUrl: URL, secrets: SignInSecrets, again?: boolean): Promise<SignedInOperator>;
}

/** OpenID Connect Core 1.0, 3.1.2.1: with `max_age` the issuer reports when the person signed in. */
const FRESH_SECONDS = 5 * 60;

/** An issuer that publishes its prompts refuses others. It then has only `max_age` to make the person sign in again. */
const askForLogin = ({ prompt_values_supported: listed }: client.ServerMetadata): { prompt?: string } =>
  Array.isArray(listed) && !listed.includes('login') ? {} : { prompt: 'login' };

/**
 * @param asked.scopes separated by spaces, including `openid`.
 * @param asked.groupClaim the claim that lists groups: a string or a list of strings, in the id_token or at userinfo.
 */
export function createOperatorSignIn(
  issuer: IssuerClient,
  { scopes, groupClaim }: { scopes: string; groupClaim: string },
  options: SignInOptions,
): OperatorSignIn {
  const discovery = createDiscovery(options);
  return {
    async begin(redirectUri, again = false) {
      const configuration = await configure(issuer, options, discovery);
      const secrets = {
        state: client.randomState(),
        nonce: client.randomNonce(),
        codeVerifier: client.randomPKCECodeVerifier(),
        begunAtMs: options.now().getTime(),
      };
      const url = client.buildAuthorizationUrl(configuration, {
        redirect_uri: redirectUri,
        scope: scopes,
        state: secrets.state,
        nonce: secrets.nonce,
        code_challenge: await client.calculatePKCECodeChallenge(secrets.codeVerifier),
        code_challenge_method: 'S256',
        ...(again && { ...askForLogin(configuration.serverMetadata()), max_age: String(FRESH_SECONDS) }),
      });
      return { url: url.href, secrets };
    },

    async finish(callbackUrl, { state, nonce, codeVerifier, begunAtMs }, again = false) {
      const configuration = await configure(issuer, options, discovery);
      const trade = () =>
        client.authorizationCodeGrant(configuration, callbackUrl, {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: codeVerifier,
          idTokenExpected: true,
          ...(again && { maxAge: FRESH_SECONDS }),
        });
      // Without a code no request reaches the issuer, so a forged error is not counted.
      const tokens = callbackUrl.searchParams.has('code') ? await meterIssuerCall('redeem', trade) : await trade();
      const expected = { clientId: issuer.clientId, begunAt: new Date(begunAtMs), now: options.now() };
      const { claims, sub } = await checkIdToken(tokens, expected);
      const readUserinfo = () => client.fetchUserInfo(configuration, tokens.access_token, sub);
      const isElsewhere = claims[groupClaim] === undefined && configuration.serverMetadata().userinfo_endpoint;
      const groups = (isElsewhere ? await meterIssuerCall('userinfo', readUserinfo) : claims)[groupClaim];
      const groupsLeftOut = groups === undefined && ('_claim_names' in claims || 'hasgroups' in claims);
      return { sub, groups: [groups].flat().filter((group) => typeof group === 'string'), groupsLeftOut };
    },
  };
}

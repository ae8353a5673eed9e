import * as client from 'openid-client';
import { createDiscovery, type DiscoveryOptions } from './discovery.ts';
import { meterIssuerCall } from './meter-issuer-call.ts';
import { configure, type IssuerClient, IssuerSubject } from './sign-in.ts';

/** What binds an answer to the browser that asked. Kept by the browser, in a cookie of its own. */
export interface SignInSecrets {
  readonly state: string;
  readonly nonce: string;
  readonly codeVerifier: string;
}

/** Who has signed in, and the groups the issuer counts them to. */
export interface SignedInOperator {
  /** The issuer's stable id of the person. */
  readonly sub: string;
  readonly groups: readonly string[];
}

/** Signing operators in at an OpenID Connect issuer: code flow with PKCE, state and nonce. */
export interface OperatorSignIn {
  /**
   * Where to send the browser.
   * @param again whether the person is to prove anew who they are, however lately they did.
   * @throws ProviderError `RetryLater` when the issuer cannot be found.
   */
  begin(redirectUri: string, again?: boolean): Promise<{ readonly url: string; readonly secrets: SignInSecrets }>;
  /**
   * @param callbackUrl as the browser came back, under the redirect URI.
   * @param again as it was begun: the issuer has to say that the person has proven it within the last minutes.
   * @throws Error when the answer is not the issuer's, not for this browser, or no valid id_token comes of it.
   */
  finish(callbackUrl: URL, secrets: SignInSecrets, again?: boolean): Promise<SignedInOperator>;
}

/** OpenID Connect Core 1.0, 3.1.2.1: `max_age` makes the issuer say when the person signed in. */
const FRESH_SECONDS = 5 * 60;

/**
 * @param asked.scopes with a space between them, `openid` among them.
 * @param asked.groupClaim the claim that lists groups: a text or a list of texts, in the id_token or at userinfo.
 */
export function createOperatorSignIn(
  issuer: IssuerClient,
  { scopes, groupClaim }: { scopes: string; groupClaim: string },
  options: DiscoveryOptions,
): OperatorSignIn {
  const discovery = createDiscovery(options);
  return {
    async begin(redirectUri, again = false) {
      const configuration = await configure(issuer, options, discovery);
      const secrets = {
        state: client.randomState(),
        nonce: client.randomNonce(),
        codeVerifier: client.randomPKCECodeVerifier(),
      };
      const url = client.buildAuthorizationUrl(configuration, {
        redirect_uri: redirectUri,
        scope: scopes,
        state: secrets.state,
        nonce: secrets.nonce,
        code_challenge: await client.calculatePKCECodeChallenge(secrets.codeVerifier),
        code_challenge_method: 'S256',
        ...(again && { prompt: 'login', max_age: String(FRESH_SECONDS) }),
      });
      return { url: url.href, secrets };
    },

    async finish(callbackUrl, { state, nonce, codeVerifier }, again = false) {
      const configuration = await configure(issuer, options, discovery);
      const trade = () =>
        client.authorizationCodeGrant(configuration, callbackUrl, {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: codeVerifier,
          idTokenExpected: true,
          ...(again && { maxAge: FRESH_SECONDS }),
        });
      // Without a code nothing is asked of the issuer: whoever comes here with an error of their own making counts for nothing.
      const tokens = callbackUrl.searchParams.has('code') ? await meterIssuerCall('redeem', trade) : await trade();
      const claims = tokens.claims();
      if (claims === undefined) throw new Error('The issuer gave no id_token.');
      const sub = IssuerSubject.parse(claims.sub);
      const readUserinfo = () => client.fetchUserInfo(configuration, tokens.access_token, sub);
      const groups = claims[groupClaim] ?? (await meterIssuerCall('userinfo', readUserinfo))[groupClaim];
      return { sub, groups: [groups].flat().filter((group) => typeof group === 'string') };
    },
  };
}

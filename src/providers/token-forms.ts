import type { Secret } from '../basics/secret.ts';
import type { Provider } from './provider.ts';

/** The form of an access token request (RFC 6749, section 4.1.3), with the PKCE verifier (RFC 7636, section 4.5). */
export const buildCodeForm = ({ code, redirectUri, codeVerifier }: Parameters<Provider['exchangeCode']>[1]) => ({
  grant_type: 'authorization_code',
  code: code.reveal(),
  redirect_uri: redirectUri,
  ...(codeVerifier === null ? {} : { code_verifier: codeVerifier.reveal() }),
});

/** The form of a refresh request (RFC 6749, section 6). */
export const buildRefreshForm = (refreshToken: Secret) => ({
  grant_type: 'refresh_token',
  refresh_token: refreshToken.reveal(),
});

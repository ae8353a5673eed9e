import { Secret } from '../../basics/secret.ts';
import { decodeUtf8 } from '../../basics/utf8.ts';
import {
  addSeconds,
  createFailure,
  judgeClient,
  makeUpCredential,
  readAnswer,
  readJson,
  runRepeatable,
  setOutcome,
} from '../answers.ts';
import { parseJson } from '../json.ts';
import {
  type AdoptedTokens,
  type Call,
  type Client,
  type Exchanged,
  type ForeignTokens,
  type Provider,
  ProviderError,
  type Tokens,
} from '../provider.ts';
import { buildCodeForm, buildRefreshForm } from '../token-forms.ts';
import { findOAuthErrorCode, findProviderAOAuthError } from './errors.ts';
import type { AdapterDeps } from './settings.ts';
import { IdToken, ProviderARefreshResponse, ProviderATokenResponse, TokenInfo } from './wire.ts';

export function createProviderAOAuth({
  http,
  config,
  now,
}: AdapterDeps): Pick<Provider, 'exchangeCode' | 'refresh' | 'adoptTokens' | 'revoke' | 'probeClient'> {
  const post = async (path: string, where: string, form: Record<string, string>, call: Call) =>
    await http.request({ where, method: 'POST', url: `${config.PROVIDER_A_TOKEN_URL}${path}`, form, call });

  /** Every request to the token endpoint (RFC 6749, section 3.2) authenticates the client in its body (section 2.3.1). */
  const tokenRequest = async (client: Client, where: string, form: Record<string, string>, call: Call) => {
    const credentials = { client_id: client.clientId, client_secret: client.clientSecret.reveal() };
    return await post('/token', where, { ...credentials, ...form }, call);
  };

  /** Refresh request (RFC 6749, section 6). */
  const refreshRequest = async (
    client: Client,
    tokens: Omit<Tokens, 'accessToken' | 'accessExpiresAt'>,
    call: Call,
  ): Promise<Tokens> => {
    const where = 'PROVIDER_A refresh';
    const { refreshToken } = tokens;
    if (refreshToken === null) throw createFailure('GrantDead', where);
    const askedAt = now();
    const answer = await tokenRequest(client, where, buildRefreshForm(refreshToken), call);
    const refused = findProviderAOAuthError(answer, where, now());
    if (refused) throw refused;
    const given = readAnswer(ProviderARefreshResponse, readJson(answer), { where, status: answer.status });
    const { refresh_token_expires_in: lifetime } = given;
    return {
      accessToken: new Secret(given.access_token),
      accessExpiresAt: addSeconds(askedAt, given.expires_in),
      refreshToken: given.refresh_token === undefined ? refreshToken : new Secret(given.refresh_token),
      refreshExpiresAt: lifetime === undefined ? tokens.refreshExpiresAt : addSeconds(askedAt, lifetime),
      permissions: given.scope?.length ? given.scope : tokens.permissions,
    };
  };

  /** Requests a fresh token. @throws ProviderError if the answer does not show whether the grant has ended */
  const hasEnded = async (client: Client, tokens: Tokens, call: Call): Promise<boolean> => {
    try {
      await runRepeatable(async () => await refreshRequest(client, tokens, call));
      return false;
    } catch (error) {
      if (error instanceof ProviderError && error.type === 'GrantDead') return true;
      throw error;
    }
  };

  /** Asks Google which client an access token was issued to. @returns undefined for a token that has ended */
  const findTokenInfo = async (accessToken: Secret, call: Call) => {
    const where = 'PROVIDER_A token information';
    const headers = { authorization: `Bearer ${accessToken.reveal()}` };
    const url = `${config.PROVIDER_A_TOKEN_URL}/tokeninfo`;
    const answer = await http.request({ where, method: 'POST', url, headers, form: {}, call });
    if (answer.status === 400 && findOAuthErrorCode(answer) === 'invalid_token') return undefined;
    const refused = findProviderAOAuthError(answer, where, now());
    if (refused) throw refused;
    return readAnswer(TokenInfo, readJson(answer), { where, status: answer.status });
  };

  const adopt = async (client: Client, given: ForeignTokens, call: Call): Promise<AdoptedTokens> => {
    // Asked first, because the refusal of another client's refresh token looks like the refusal of our client.
    const before = given.accessToken === null ? undefined : await findTokenInfo(given.accessToken, call);
    if (before !== undefined && before.aud !== client.clientId) return { client: 'OTHERS' };
    const tokens = await refreshRequest(client, given, call);
    const info = await findTokenInfo(tokens.accessToken, call);
    if (info === undefined) throw createFailure('RetryLater', 'PROVIDER_A token information');
    if (info.aud !== client.clientId) return { client: 'OTHERS' };
    return { client: 'OURS', tokens: { ...tokens, permissions: info.scope }, principal: info.sub ?? null };
  };

  return {
    /** Google does not rotate refresh tokens: the other system's keep working. */
    adoptTokens: async (client, tokens, call) => await runRepeatable(async () => await adopt(client, tokens, call)),

    /**
     * Access token request (RFC 6749, section 4.1.3) with the PKCE verifier (RFC 7636, section 4.5), to Google's token
     * endpoint (Using OAuth 2.0 for Web Server Applications).
     */
    async exchangeCode(client, input, call): Promise<Exchanged> {
      const where = 'PROVIDER_A code exchange';
      const askedAt = now();
      const answer = await tokenRequest(client, where, buildCodeForm(input), call);
      const refused = findProviderAOAuthError(answer, where, now());
      if (refused) throw refused;
      const given = readAnswer(ProviderATokenResponse, readJson(answer), {
        where,
        status: answer.status,
        outcomeUnknown: true,
      });
      const { refresh_token_expires_in: lifetime, id_token: idToken } = given;
      const expected = { issuer: config.PROVIDER_A_AUTHORIZE_URL, clientId: client.clientId, now: askedAt };
      const principal = idToken === undefined ? null : readSubject(idToken, expected);
      if (principal === undefined) {
        throw createFailure('ContractBroken', where, { status: answer.status, outcomeUnknown: true });
      }
      return {
        tokens: {
          accessToken: new Secret(given.access_token),
          accessExpiresAt: addSeconds(askedAt, given.expires_in),
          refreshToken: new Secret(given.refresh_token),
          refreshExpiresAt: lifetime === undefined ? null : addSeconds(askedAt, lifetime),
          permissions: given.scope,
        },
        principal,
      };
    },

    async probeClient(client, _input, call) {
      const where = 'PROVIDER_A client probe';
      const form = buildRefreshForm(new Secret(makeUpCredential('1//0')));
      return judgeClient(findProviderAOAuthError(await tokenRequest(client, where, form, call), where, now()));
    },

    /** Google does not rotate refresh tokens, so a refresh with a lost answer is safe to repeat. */
    refresh: async (client, tokens, call) =>
      await runRepeatable(async () => await refreshRequest(client, tokens, call)),

    /**
     * Revocation request (RFC 7009, section 2.1) with the refresh token: Google rejects an expired access token although
     * the grant is alive. It revokes the Google account's whole grant to our Cloud project, for all channels and clients.
     * Google also calls a token invalid that it cannot revoke ("Token is not revocable."), so a refresh must confirm it.
     */
    async revoke(client, tokens, call) {
      const where = 'PROVIDER_A revoke';
      const { accessToken, refreshToken } = tokens;
      const token = refreshToken ?? accessToken;
      const answer = await runRepeatable(() => post('/revoke', where, { token: token.reveal() }, call));
      if (answer.status === 200) return 'revoked';
      if (answer.status === 400 && findOAuthErrorCode(answer) === 'invalid_token') {
        if (refreshToken === null) throw createFailure('TokenStale', where, { status: answer.status });
        if (await hasEnded(client, tokens, call)) return 'alreadyEnded';
        throw createFailure('RetryLater', where, { status: answer.status });
      }
      const { status } = answer;
      const failed = findProviderAOAuthError(answer, where, now());
      throw failed ? setOutcome(failed, false) : createFailure('RetryLater', where, { status });
    },
  };
}

/** Tolerance between our clock and the issuer's for the times in an id_token. */
const SKEW_MS = 60_000;

/**
 * Reads the `sub` of an id_token (OpenID Connect Core 1.0, section 3.1.3.7). The signature need not be checked, because
 * the token came from the token endpoint over TLS.
 * @returns undefined for another issuer, another client or an expired token
 */
function readSubject(
  idToken: string,
  expected: { readonly issuer: string; readonly clientId: string; readonly now: Date },
): string | undefined {
  const payload = decodeUtf8(Buffer.from(idToken.split('.')[1] ?? '', 'base64url')) ?? '';
  const { data: claims } = IdToken.safeParse(parseJson(payload));
  if (claims === undefined) return undefined;
  // Google used to omit the scheme.
  const issuers = expected.issuer === GOOGLE ? [GOOGLE, new URL(GOOGLE).host] : [expected.issuer];
  const party = claims.azp ?? (claims.aud.length > 1 ? undefined : claims.aud[0]);
  const isOurs = claims.aud.includes(expected.clientId) && party === expected.clientId;
  const isLive = claims.exp * 1000 > expected.now.getTime() - SKEW_MS;
  return issuers.includes(claims.iss) && isOurs && isLive ? claims.sub : undefined;
}

const GOOGLE = 'https://accounts.google.com';

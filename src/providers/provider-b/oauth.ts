import type { z } from 'zod';
import { Secret } from '../../basics/secret.ts';
import {
  addSeconds,
  createFailure,
  judgeClient,
  makeUpCredential,
  readAnswer,
  readJson,
  runRepeatable,
} from '../answers.ts';
import type { HttpAnswer } from '../http.ts';
import type { Call, Client, Exchanged, Provider, Tokens } from '../provider.ts';
import { buildCodeForm, buildRefreshForm } from '../token-forms.ts';
import { findProviderBOAuthError, findRevocationError } from './errors.ts';
import type { AdapterDeps } from './settings.ts';
import { ProviderBRefreshResponse, ProviderBTokenResponse } from './wire.ts';

/** An access token this close to its expiry may expire before the provider checks it. */
const STALE_MARGIN_MS = 10_000;

export function createProviderBOAuth({
  http,
  config,
  now,
}: AdapterDeps): Pick<Provider, 'exchangeCode' | 'refresh' | 'adoptTokens' | 'revoke' | 'probeClient'> {
  const post = async (path: string, where: string, form: Record<string, string>, call: Call) =>
    await http.request({ where, method: 'POST', url: `${config.PROVIDER_B_API_URL}${path}`, form, call });

  /** TikTok's name for `client_id` (RFC 6749, section 2.3.1) is `client_key`. */
  const credentials = ({ clientId, clientSecret }: Client) => ({
    client_key: clientId,
    client_secret: clientSecret.reveal(),
  });

  const tokenRequest = async (client: Client, where: string, form: Record<string, string>, call: Call) =>
    await post('/v2/oauth/token/', where, { ...credentials(client), ...form }, call);

  /** A token request that ends the code or refresh token it sends, even if its answer is lost. */
  const requestTokens = async <Schema extends z.ZodType>(
    schema: Schema,
    client: Client,
    { where, form }: { where: string; form: Record<string, string> },
    call: Call,
  ): Promise<z.output<Schema>> => {
    const answer = await tokenRequest(client, where, form, call);
    const refused = findProviderBOAuthError(answer, where, now());
    if (refused) throw refused;
    return readAnswer(schema, readJson(answer), { where, status: answer.status, outcomeUnknown: true });
  };

  /** Refresh request (RFC 6749, section 6). The platform rotates the refresh token: the old one dies at once. */
  const refreshRequest = async (
    client: Client,
    tokens: Omit<Tokens, 'accessToken' | 'accessExpiresAt'>,
    call: Call,
  ): Promise<Exchanged> => {
    const where = 'PROVIDER_B refresh';
    const { refreshToken } = tokens;
    if (refreshToken === null) throw createFailure('GrantDead', where);
    const askedAt = now();
    const given = await requestTokens(
      ProviderBRefreshResponse,
      client,
      { where, form: buildRefreshForm(refreshToken) },
      call,
    );
    return {
      tokens: {
        accessToken: new Secret(given.access_token),
        accessExpiresAt: given.expires_in === undefined ? null : addSeconds(askedAt, given.expires_in),
        refreshToken: given.refresh_token === undefined ? refreshToken : new Secret(given.refresh_token),
        refreshExpiresAt:
          given.refresh_expires_in === undefined
            ? tokens.refreshExpiresAt
            : addSeconds(askedAt, given.refresh_expires_in),
        permissions: given.scope?.length ? given.scope : tokens.permissions,
      },
      principal: given.open_id ?? null,
    };
  };

  return {
    /**
     * Access token request (RFC 6749, section 4.1.3) with the PKCE verifier (RFC 7636, section 4.5). TikTok for
     * Developers, Manage User Access Tokens.
     */
    async exchangeCode(client, input, call): Promise<Exchanged> {
      const where = 'PROVIDER_B code exchange';
      const askedAt = now();
      const given = await requestTokens(ProviderBTokenResponse, client, { where, form: buildCodeForm(input) }, call);
      return {
        tokens: {
          accessToken: new Secret(given.access_token),
          accessExpiresAt: addSeconds(askedAt, given.expires_in),
          refreshToken: new Secret(given.refresh_token),
          refreshExpiresAt: addSeconds(askedAt, given.refresh_expires_in),
          permissions: given.scope,
        },
        principal: given.open_id,
      };
    },

    refresh: async (client, tokens, call) => {
      const { tokens: fresh, principal } = await refreshRequest(client, tokens, call);
      return { ...fresh, accountId: principal ?? undefined };
    },

    /** The refresh proves whose the refresh token is: TikTok takes it from the client that it was issued to, only. */
    async adoptTokens(client, given, call) {
      return { client: 'OURS', ...(await refreshRequest(client, given, call)) };
    },

    async probeClient(client, _input, call) {
      const where = 'PROVIDER_B client probe';
      const form = buildRefreshForm(new Secret(makeUpCredential('rft.')));
      return judgeClient(findProviderBOAuthError(await tokenRequest(client, where, form, call), where, now()));
    },

    /**
     * Revocation request (RFC 7009, section 2.1) with a live access token; TikTok does not accept the refresh token. It
     * rejects an expired access token as unknown although the grant is alive, and a token can end before its announced
     * time. So a rejection proves nothing about the grant: only a refresh can.
     */
    async revoke(client, { accessToken, accessExpiresAt }, call) {
      const where = 'PROVIDER_B revoke';
      const isStale = accessExpiresAt !== null && accessExpiresAt.getTime() - now().getTime() <= STALE_MARGIN_MS;
      if (isStale) throw createFailure('TokenStale', where);
      const form = { ...credentials(client), token: accessToken.reveal() };
      const answer = await runRepeatable(() => post('/v2/oauth/revoke/', where, form, call));
      if (isEmpty(answer)) return 'revoked';
      const refused = findRevocationError(answer, where, now());
      if (refused === undefined) return 'revoked';
      throw refused;
    },
  };
}

const isEmpty = ({ status, text }: HttpAnswer) => (status === 200 || status === 204) && text.trim() === '';

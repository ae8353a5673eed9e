import { createHmac } from 'node:crypto';
import { ruleOf } from '../../basics/failures.ts';
import { Secret } from '../../basics/secret.ts';
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
import { type Call, type Client, type Exchanged, type Provider, ProviderError, type Tokens } from '../provider.ts';
import { callProviderCApi, requireGoodAnswer } from './api.ts';
import {
  findProviderCApiError,
  findShortTokenError,
  mentionsCode,
  mentionsRedirectUri,
  mentionsSecretProof,
} from './errors.ts';
import type { AdapterDeps } from './settings.ts';
import { LongTokenResponse, MeAnswer, ShortTokenResponse } from './wire.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
/**
 * Meta refreshes a token only once it is 24 hours old. A token lives for 60 days, so it is old enough when less than this
 * is left. The extra hour allows for rounding in `expires_in`.
 */
const TOO_YOUNG_WHILE_LEFT_MS = 59 * DAY_MS - 60 * 60 * 1000;

export function createProviderCOAuth(
  deps: AdapterDeps,
): Pick<Provider, 'exchangeCode' | 'refresh' | 'adoptTokens' | 'revoke' | 'probeClient'> {
  const { http, config, now } = deps;

  /** Access token request (RFC 6749, section 4.1.3) for a short-lived token (Meta, Business Login for Instagram). */
  const tokenRequest = async (
    { clientId, clientSecret }: Client,
    { where, code, redirectUri }: { where: string; code: string; redirectUri: string },
    call: Call,
  ) => {
    const credentials = { client_id: clientId, client_secret: clientSecret.reveal() };
    const form = { ...credentials, grant_type: 'authorization_code', redirect_uri: redirectUri, code };
    const url = `${config.PROVIDER_C_TOKEN_URL}/oauth/access_token`;
    return await http.request({ where, method: 'POST', url, form, call });
  };

  return {
    /** Exchanges the code for a short-lived token, and that for a long-lived one. After the first step a grant exists. */
    async exchangeCode(client, { code, redirectUri }, call): Promise<Exchanged> {
      const where = 'PROVIDER_C code exchange';
      const answer = await tokenRequest(client, { where, code: code.reveal(), redirectUri }, call);
      const refused = findShortTokenError(answer, where, now());
      if (refused) throw refused;
      const given = readAnswer(ShortTokenResponse, readJson(answer), {
        where,
        status: answer.status,
        outcomeUnknown: true,
      });
      const query = {
        grant_type: 'ig_exchange_token',
        client_secret: client.clientSecret.reveal(),
        access_token: given.access_token,
      };
      const tokens = await exchangeShortToken(deps, query, given.permissions, call);
      return { tokens, principal: given.user_id };
    },

    /** Uses a made-up code, as there are no refresh tokens. Only an error message about the code gives a clear verdict. */
    async probeClient(client, { redirectUri }, call) {
      const where = 'PROVIDER_C client probe';
      const answer = await tokenRequest(client, { where, code: makeUpCredential('AQ'), redirectUri }, call);
      const proof = judgeClient(findShortTokenError(answer, where, now()));
      const isUnclear = mentionsRedirectUri(answer) || (proof.verdict === 'TAKEN' && !mentionsCode(answer));
      return isUnclear ? { verdict: 'UNCLEAR' } : proof;
    },

    /**
     * Refreshes the long-lived token (Meta, Refresh a long-lived token). It needs neither a refresh token nor the client's
     * credentials.
     */
    async refresh(_client, tokens, call): Promise<Tokens> {
      const where = 'PROVIDER_C refresh';
      const { accessToken, accessExpiresAt, permissions } = tokens;
      const leftMs = accessExpiresAt === null ? null : accessExpiresAt.getTime() - now().getTime();
      if (leftMs !== null && leftMs <= 0) throw createFailure('GrantDead', where); // An expired token cannot be refreshed.
      if (leftMs !== null && leftMs > TOO_YOUNG_WHILE_LEFT_MS) {
        throw createFailure('RetryLater', where, {
          retryAfterSeconds: Math.ceil((leftMs - TOO_YOUNG_WHILE_LEFT_MS) / 1000),
        });
      }
      const query = { grant_type: 'ig_refresh_token', access_token: accessToken.reveal() };
      // A refresh does not spend the old token, so a refresh with a lost answer is safe to repeat.
      const path = '/refresh_access_token';
      return await runRepeatable(async () => await requestLongToken(deps, { where, path, query }, permissions, call));
    },

    /**
     * Reads the account with a proof of our secret (Graph API, Securing requests): the platform refuses the proof of any
     * client but the token's own. Then reads it with a wrong proof: a platform that takes that one checks no proofs.
     */
    async adoptTokens(client, given, call) {
      const where = 'PROVIDER_C token import';
      const { accessToken } = given;
      if (accessToken === null) throw createFailure('GrantDead', where);
      const readWithProof = async (secret: Secret) => {
        const proof = createHmac('sha256', secret.reveal()).update(accessToken.reveal()).digest('hex');
        const query = { fields: 'id,user_id,username', appsecret_proof: proof };
        return await callProviderCApi(deps, { where, path: '/me', query, accessToken }, call);
      };
      const answer = await readWithProof(client.clientSecret);
      if (mentionsSecretProof(answer)) return { client: 'OTHERS' };
      const good = requireGoodAnswer(deps, answer, where);
      const { id: principal } = readAnswer(MeAnswer, good.json, good);
      const checksProofs = mentionsSecretProof(await readWithProof(new Secret(makeUpCredential(''))));
      const tokens = { ...given, accessToken, refreshToken: null, refreshExpiresAt: given.accessExpiresAt };
      return { client: checksProofs ? 'OURS' : 'UNPROVEN', tokens, principal };
    },

    /** The platform has no revocation endpoint: only the person can remove the app. */
    revoke: async () => 'impossible',
  };
}

const LONG_TOKEN_TRIES = 2;

/**
 * Exchanges a short-lived token for a long-lived one. Retries once a failure that may pass, because a failure leaves an unusable grant, and the
 * short-lived token is kept nowhere.
 */
async function exchangeShortToken(
  deps: AdapterDeps,
  query: Readonly<Record<string, string>>,
  permissions: readonly string[],
  call: Call,
): Promise<Tokens> {
  const where = 'PROVIDER_C long-lived token';
  for (let tries = 1; ; tries += 1) {
    try {
      return await requestLongToken(deps, { where, path: '/access_token', query }, permissions, call, true);
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error;
      const mayPass = ruleOf(error.type).grant.shows === 'PLATFORM_FAILED' && error.retryAfterSeconds === undefined;
      if (!mayPass || call.signal.aborted || tries === LONG_TOKEN_TRIES) throw setOutcome(error, true);
    }
  }
}

async function requestLongToken(
  { http, config, now }: AdapterDeps,
  { where, path, query }: { where: string; path: string; query: Readonly<Record<string, string>> },
  permissions: readonly string[],
  call: Call,
  cannotWait = false,
): Promise<Tokens> {
  const askedAt = now();
  const url = `${config.PROVIDER_C_API_URL}${path}?${new URLSearchParams(query)}`;
  const answer = await http.request({ where, method: 'GET', url, call, cannotWait });
  const refused = findProviderCApiError(answer, where, now());
  if (refused) throw refused;
  const given = readAnswer(LongTokenResponse, readJson(answer), { where, status: answer.status });
  const expiresAt = addSeconds(askedAt, given.expires_in);
  return {
    accessToken: new Secret(given.access_token),
    accessExpiresAt: expiresAt,
    refreshToken: null,
    refreshExpiresAt: expiresAt,
    permissions,
  };
}

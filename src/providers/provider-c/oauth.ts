import { Secret } from '../../secret.ts';
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
import type { AdapterDeps } from '../deps.ts';
import { type Call, type Exchanged, type Provider, ProviderError, type Tokens } from '../provider.ts';
import { findProviderCApiError, findShortTokenError, mentionsCode } from './errors.ts';
import { LongTokenResponse, ShortTokenResponse } from './wire.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
/** A token lives for 60 days and can be refreshed once it is a day old; an hour more makes up for what answers round. */
const YOUNG_WHILE_LEFT_MS = 59 * DAY_MS - 60 * 60 * 1000;

export function createProviderCOAuth(
  deps: AdapterDeps,
): Pick<Provider, 'exchangeCode' | 'refresh' | 'revoke' | 'probeClient'> {
  const { http, config, now } = deps;
  return {
    /** In two steps. After the first a grant stands at the provider, and only a long-lived token makes it of use. */
    async exchangeCode(client, { code, redirectUri }, call): Promise<Exchanged> {
      const where = 'PROVIDER_C code exchange';
      const form = {
        client_id: client.clientId,
        client_secret: client.clientSecret.reveal(),
        grant_type: 'authorization_code',
        redirect_uri: redirectUri,
        code: code.reveal(),
      };
      const url = `${config.PROVIDER_C_TOKEN_URL}/oauth/access_token`;
      const answer = await http.request({ where, method: 'POST', url, form, call });
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
      const tokens = await lengthen(deps, query, given.permissions, call);
      return { tokens, principal: given.user_id };
    },

    /** There is no refresh token to make up, so it is a code. Only an answer that speaks of the code tells. */
    async probeClient(client, { redirectUri }, call) {
      const where = 'PROVIDER_C client probe';
      const form = {
        client_id: client.clientId,
        client_secret: client.clientSecret.reveal(),
        grant_type: 'authorization_code',
        redirect_uri: redirectUri,
        code: makeUpCredential('AQ'),
      };
      const url = `${config.PROVIDER_C_TOKEN_URL}/oauth/access_token`;
      const answer = await http.request({ where, method: 'POST', url, form, call });
      const verdict = judgeClient(findShortTokenError(answer, where, now()));
      return verdict === 'TAKEN' && !mentionsCode(answer) ? 'UNCLEAR' : verdict;
    },

    async refresh(_client, tokens, call): Promise<Tokens> {
      const where = 'PROVIDER_C refresh';
      const { accessToken, accessExpiresAt, permissions } = tokens;
      const leftMs = accessExpiresAt === null ? null : accessExpiresAt.getTime() - now().getTime();
      if (leftMs !== null && leftMs <= 0) throw createFailure('GrantDead', where); // There is no refreshing an expired one.
      if (leftMs !== null && leftMs > YOUNG_WHILE_LEFT_MS) {
        throw createFailure('RetryLater', where, {
          retryAfterSeconds: Math.ceil((leftMs - YOUNG_WHILE_LEFT_MS) / 1000),
        });
      }
      const query = { grant_type: 'ig_refresh_token', access_token: accessToken.reveal() };
      // The old token is not used up: a refresh whose answer was lost is simply made again.
      const path = '/refresh_access_token';
      return await runRepeatable(async () => await longToken(deps, { where, path, query }, permissions, call));
    },

    /** Only the person can remove the app. */
    revoke: async () => 'impossible',
  };
}

/** The second step can be repeated, and is, once: a moment's trouble would cost the person a grant of no use. */
async function lengthen(
  deps: AdapterDeps,
  query: Readonly<Record<string, string>>,
  permissions: readonly string[],
  call: Call,
): Promise<Tokens> {
  const where = 'PROVIDER_C long-lived token';
  const attempt = async () => await longToken(deps, { where, path: '/access_token', query }, permissions, call, true);
  try {
    return await attempt().catch(async (error: unknown) => {
      const isWorthIt = error instanceof ProviderError && error.type === 'RetryLater' && !call.signal.aborted;
      if (isWorthIt && error.retryAfterSeconds === undefined) return await attempt();
      throw error;
    });
  } catch (error) {
    throw error instanceof ProviderError ? setOutcome(error, true) : error;
  }
}

async function longToken(
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

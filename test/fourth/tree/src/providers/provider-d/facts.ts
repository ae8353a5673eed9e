import { CAPABILITIES } from '../../basics/codes.ts';
import { readAuthorizationResponse } from '../authorization-response.ts';
import type { ProviderFacts } from '../facts.ts';
import { parseUrl } from '../text.ts';
import { createGoneCallback } from './callbacks.ts';
import type { Config } from './settings.ts';

export const READ = 'tiles:read';
export const COUNT = 'tiles:count';

/** PROVIDER_D speaks Mosaic, a platform that does not exist. */
export const providerDFacts = (config: Config): ProviderFacts => ({
  name: 'PROVIDER_D',
  slug: 'provider-d',
  capabilities: CAPABILITIES,
  permissionsFor: (capabilities) => (capabilities.includes('CONTENT_METRICS') ? [READ, COUNT] : [READ]),
  neededPermissions: [READ],
  isGranted: (capability, permissions) => permissions.includes(capability === 'CONTENT_METRICS' ? COUNT : READ),
  pkce: 'base64url',
  dailyQuota: { units: 50_000, timeZone: 'UTC' },
  callsPerRefresh: 5,
  contentKinds: ['IMAGE', 'VIDEO'],
  tokensNameAccount: false,
  importedFields: ['refreshToken'],
  readPostUrl: (href) => {
    const { hostname, pathname } = parseUrl(href) ?? {};
    const id = hostname === 'mosaic.example' ? /^\/[^/]+\/(tile-\d+)$/.exec(pathname ?? '')?.[1] : undefined;
    return id === undefined ? undefined : { id };
  },
  unusedPostId: 'tile-0',
  holdsSiblingsOnDisconnect: false,
  terms: [],
  longestUnprovenDays: null,
  oneClientForEachProduct: false,
  canRevoke: true,
  reachOf: () => null,
  rotatesRefreshTokens: true,
  tokenLifeDays: 30,
  buildAuthorizationRequest: ({ clientId, redirectUri, permissions, state, codeChallenge }) =>
    `${config.PROVIDER_D_LOGIN_URL}/enter?${new URLSearchParams({
      client_id: clientId,
      redirect_uri: redirectUri,
      response_type: 'code',
      scope: permissions.join(' '),
      state,
      ...(codeChallenge !== null && { code_challenge: codeChallenge, code_challenge_method: 'S256' }),
    })}`,
  readAuthorizationResponse,
  issuer: null,
  platformCallbacks: [createGoneCallback(config)],
});

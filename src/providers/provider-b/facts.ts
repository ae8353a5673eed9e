import { CAPABILITIES } from '../../basics/codes.ts';
import { type RefusalForms, readAuthorizationResponse } from '../authorization-response.ts';
import type { ProviderFacts } from '../facts.ts';
import { createEventsCallback } from './callbacks.ts';
import type { Config } from './settings.ts';
import { findPostId } from './urls.ts';

export const USER_INFO_BASIC = 'user.info.basic';
export const USER_INFO_PROFILE = 'user.info.profile';
const VIDEO_LIST = 'video.list';

/**
 * TikTok for Developers, Login Kit, error handling. `error_type` names the field of our request that does not suit. Numbers are those of
 * its SDKs: below zero for acts of the person or faults of the network, above 10000 for settings of the app.
 */
const REFUSALS: RefusalForms = {
  words: {
    client_key: 'CLIENT',
    redirect_uri: 'CLIENT',
    scope: 'CLIENT',
    code_challenge: 'CLIENT',
    response_type: 'CLIENT',
    scope_not_authorized: 'CLIENT',
    scope_permission_missed: 'CLIENT',
    app_not_approved: 'CLIENT',
    non_sandbox_target: 'CLIENT',
    invalid_params: 'CLIENT',
    internal_error: 'PLATFORM',
    rate_limit_exceeded: 'PLATFORM',
  },
  numbers: { '-1': 'PLATFORM', '-2': 'PERSON', '-3': 'PLATFORM', '-4': 'PERSON' },
  otherNumber: 'CLIENT',
};

/** PROVIDER_B speaks TikTok's Login Kit v2 and Display API v2. */
export function providerBFacts(config: Config): ProviderFacts {
  const pkce = config.PROVIDER_B_PKCE === 'none' ? null : config.PROVIDER_B_PKCE;
  return {
    name: 'PROVIDER_B',
    slug: 'provider-b',
    capabilities: CAPABILITIES,
    // Always the basic one: it identifies the account.
    permissionsFor: (capabilities) => [
      USER_INFO_BASIC,
      ...(capabilities.includes('PROFILE') ? [USER_INFO_PROFILE] : []),
      ...(capabilities.some((capability) => capability !== 'PROFILE') ? [VIDEO_LIST] : []),
    ],
    neededPermissions: [USER_INFO_BASIC],
    isGranted: (capability, permissions) =>
      permissions.includes(capability === 'PROFILE' ? USER_INFO_BASIC : VIDEO_LIST),
    pkce,
    dailyQuota: null,
    callsPerRefresh: 6,
    // A list of its own: the platform has no others.
    contentKinds: ['VIDEO', 'UNKNOWN'],
    tokensNameAccount: true,
    importedFields: ['refreshToken'],
    readPostUrl: (href) => {
      const id = findPostId(href);
      return id === undefined ? undefined : { id };
    },
    unusedPostId: '7000000000000000001',
    holdsSiblingsOnDisconnect: true,
    oneClientForEachProduct: false,
    canRevoke: true,
    terms: [],
    longestUnprovenDays: null,
    reachOf: () => null,
    rotatesRefreshTokens: true,
    tokenLifeDays: 365,
    buildAuthorizationRequest: ({ clientId, redirectUri, permissions, state, codeChallenge }) => {
      const query = new URLSearchParams({
        client_key: clientId,
        response_type: 'code',
        scope: permissions.join(','),
        redirect_uri: redirectUri,
        state,
        disable_auto_auth: '1', // Always shows the consent page, so that the person can choose the account.
      });
      if (codeChallenge !== null) {
        query.set('code_challenge', codeChallenge);
        query.set('code_challenge_method', 'S256');
      }
      return `${config.PROVIDER_B_AUTHORIZE_URL}/v2/auth/authorize/?${query}`;
    },
    readAuthorizationResponse: (query) => readAuthorizationResponse(query, REFUSALS),
    issuer: null,
    platformCallbacks: [createEventsCallback(config)],
  };
}

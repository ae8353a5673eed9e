import { CAPABILITIES } from '../../basics/codes.ts';
import { type RefusalForms, readAuthorizationResponse } from '../authorization-response.ts';
import type { ProviderFacts } from '../facts.ts';
import { dataDeletionCallback, deauthorizeCallback } from './callbacks.ts';
import type { Config } from './settings.ts';
import { findPostCode } from './urls.ts';

const BUSINESS_BASIC = 'instagram_business_basic';
export const MANAGE_INSIGHTS = 'instagram_business_manage_insights';

/**
 * Meta's dialogs refuse a client with `error_code` and `error_message`, and no `error`: 1349126 (development mode), 1349048 and 1349168
 * (redirect URI), 1349220 and 1349187 (a feature that the app may not use), 1349245 (the tester has not accepted the invitation). The
 * numbers below are the Graph API's for a fault that passes.
 */
const REFUSALS: RefusalForms = {
  words: { oauthexception: 'CLIENT', invalid_scopes: 'CLIENT' },
  numbers: { 1: 'PLATFORM', 2: 'PLATFORM', 4: 'PLATFORM', 17: 'PLATFORM', 341: 'PLATFORM' },
  otherNumber: 'CLIENT',
};

/** PROVIDER_C speaks the Instagram API with Instagram Login. */
export const providerCFacts = (config: Config): ProviderFacts => ({
  name: 'PROVIDER_C',
  slug: 'provider-c',
  capabilities: CAPABILITIES,
  permissionsFor: (capabilities) =>
    capabilities.includes('CONTENT_METRICS') ? [BUSINESS_BASIC, MANAGE_INSIGHTS] : [BUSINESS_BASIC],
  neededPermissions: [BUSINESS_BASIC],
  // The basic permission suffices for metrics: it covers likes and comments. Without the insights permission, views and
  // shares are NOT_GRANTED one by one, which is more precise than withholding all four.
  isGranted: (_capability, permissions) => permissions.includes(BUSINESS_BASIC),
  pkce: null,
  dailyQuota: null,
  callsPerRefresh: 30,
  // A list of its own: the platform has no others.
  contentKinds: ['VIDEO', 'IMAGE', 'CAROUSEL'],
  tokensNameAccount: true,
  importedFields: ['accessToken', 'accessExpiresAt', 'permissions'],
  readPostUrl: (href) => {
    const code = findPostCode(href);
    return code === undefined ? undefined : { code };
  },
  unusedPostId: '17000000000000001',
  holdsSiblingsOnDisconnect: false,
  oneClientForEachProduct: false,
  canRevoke: false,
  terms: [],
  longestUnprovenDays: null,
  reachOf: () => null,
  rotatesRefreshTokens: false,
  tokenLifeDays: 60,
  buildAuthorizationRequest: ({ clientId, redirectUri, permissions, state }) => {
    const query = new URLSearchParams({
      client_id: clientId,
      redirect_uri: redirectUri,
      response_type: 'code',
      scope: permissions.join(','),
      state,
      force_reauth: 'true', // Always asks for a login, so that the person can choose the account.
    });
    return `${config.PROVIDER_C_AUTHORIZE_URL}/oauth/authorize?${query}`;
  },
  readAuthorizationResponse: (query) => {
    const answer = readAuthorizationResponse(query, REFUSALS);
    // Redirects end in `#_`, which some clients append to the code.
    return answer.kind === 'code' ? { ...answer, code: answer.code.replace(/#_$/, '') } : answer;
  },
  issuer: null,
  platformCallbacks: [deauthorizeCallback, dataDeletionCallback],
});

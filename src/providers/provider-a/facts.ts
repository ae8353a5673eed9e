import { CAPABILITIES } from '../../basics/codes.ts';
import { type RefusalForms, readAuthorizationResponse } from '../authorization-response.ts';
import type { ProviderFacts } from '../facts.ts';
import type { Config } from './settings.ts';
import { findVideoId } from './urls.ts';

/** Serves every capability. */
const READ = 'https://www.googleapis.com/auth/youtube.readonly';
/** Adds an id_token with the account's `sub`, the account that a revoke affects. */
const IDENTITY = 'openid';

/** A client id begins with the number of its Cloud project: `<number>-<letters>.apps.googleusercontent.com`. */
const PROJECT = /^(\d+)[-.]/;

/**
 * Google, OAuth 2.0 for Web Server Applications, authorization errors. An administrator's policy refuses our client for the accounts of
 * an organization. Google shows most of these on a page of its own.
 */
const REFUSALS: RefusalForms = {
  words: {
    admin_policy_enforced: 'CLIENT',
    policy_enforced: 'CLIENT',
    access_not_configured: 'CLIENT',
    org_internal: 'CLIENT',
    disallowed_useragent: 'CLIENT',
    deleted_client: 'CLIENT',
    disabled_client: 'CLIENT',
    restricted_client: 'CLIENT',
    origin_mismatch: 'CLIENT',
    invalid_grant: 'CLIENT',
    rate_limit_exceeded: 'PLATFORM',
    backend_error: 'PLATFORM',
    internal_failure: 'PLATFORM',
  },
};

/** PROVIDER_A speaks Google OAuth 2.0 and the YouTube Data API v3. */
export const providerAFacts = (config: Config): ProviderFacts => ({
  name: 'PROVIDER_A',
  slug: 'provider-a',
  capabilities: CAPABILITIES,
  permissionsFor: () => [IDENTITY, READ],
  neededPermissions: [READ],
  isGranted: (_capability, permissions) => permissions.includes(READ),
  pkce: 'base64url',
  // YouTube Data API, quota costs: every call made here costs one of 10,000 units.
  dailyQuota: { units: 10_000, timeZone: 'America/Los_Angeles' },
  callsPerRefresh: 5,
  contentKinds: ['VIDEO'],
  tokensNameAccount: true,
  importedFields: ['refreshToken'],
  readPostUrl: (href) => {
    const id = findVideoId(href);
    return id === undefined ? undefined : { id };
  },
  unusedPostId: 'AAAAAAAAAAA',
  holdsSiblingsOnDisconnect: true,
  // YouTube API Services Developer Policies, III.A.1.
  terms: [
    { name: 'YouTube Terms of Service', url: 'https://www.youtube.com/t/terms' },
    { name: 'Google Privacy Policy', url: 'https://policies.google.com/privacy' },
  ],
  // YouTube API Services Developer Policies, III.D.2: deletion within 30 days of a revoke at Google.
  longestUnprovenDays: 29,
  // YouTube API Services Developer Policies, III.D.1.c: one project for one API client, and no other.
  oneClientForEachProduct: true,
  canRevoke: true,
  reachOf: (clientId) => PROJECT.exec(clientId)?.[1] ?? null,
  rotatesRefreshTokens: false,
  tokenLifeDays: null,
  buildAuthorizationRequest: ({ clientId, redirectUri, permissions, state, codeChallenge }) => {
    const query = new URLSearchParams({
      client_id: clientId,
      redirect_uri: redirectUri,
      response_type: 'code',
      scope: permissions.join(' '),
      state,
      // Google issues a refresh token every time only with both, also if the person has consented before.
      access_type: 'offline',
      prompt: 'consent select_account',
    });
    if (codeChallenge !== null) {
      query.set('code_challenge', codeChallenge);
      query.set('code_challenge_method', 'S256');
    }
    return `${config.PROVIDER_A_AUTHORIZE_URL}/o/oauth2/v2/auth?${query}`;
  },
  readAuthorizationResponse: (query) => readAuthorizationResponse(query, REFUSALS),
  issuer: config.PROVIDER_A_AUTHORIZE_URL,
  platformCallbacks: [],
});

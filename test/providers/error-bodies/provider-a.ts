import type { ErrorBody } from '../../providers/error-bodies/body.ts';

const oauth = (error: string, error_description: string) => ({ error, error_description });
const api = (code: number, reason: string, message: string, domain = 'youtube.common', more: object = {}) => ({
  error: { code, message, errors: [{ message, domain, reason }], ...more },
});
const DAILY =
  "Quota exceeded for quota metric 'Queries' and limit 'Queries per day' of service 'youtube.googleapis.com' for consumer 'project_number:1'.";
const UPLOADS =
  "Quota exceeded for quota metric 'Video Uploads' and limit 'Video Uploads per day' of service 'youtube.googleapis.com' for consumer 'project_number:1'.";
const MINUTE =
  "Quota exceeded for quota metric 'Queries' and limit 'Queries per minute per user' of service 'youtube.googleapis.com' for consumer 'project_number:1'.";

/** YouTube and Google's OAuth endpoints. */
export const PROVIDER_A_BODIES: readonly ErrorBody[] = [
  {
    source: 'googleapis/google-api-nodejs-client issue 1256; r-lib/httr pull request 687',
    call: 'refresh',
    status: 401,
    body: oauth('deleted_client', 'The OAuth client was deleted.'),
    type: 'ClientRejected',
  },
  {
    source: 'msjit/testcasedb issue 22',
    call: 'refresh',
    status: 401,
    body: oauth('disabled_client', 'The OAuth client was disabled.'),
    type: 'ClientRejected',
  },
  {
    source: 'Google, Using OAuth 2.0 for Web Server Applications, errors',
    call: 'refresh',
    status: 403,
    body: oauth('org_internal', 'This client is restricted to users within its organization.'),
    type: 'ClientRejected',
  },
  {
    source: 'dust-tt/dust pull request 31975; Google, Using OAuth 2.0, refresh token expiration',
    call: 'refresh',
    status: 400,
    body: oauth('admin_policy_enforced', 'Request blocked by the administrator of the account.'),
    type: 'GrantDead',
  },
  {
    source: 'twentyhq/twenty pull request 25148',
    call: 'refresh',
    status: 400,
    body: oauth('policy_enforced', 'Advanced Protection prevents access.'),
    type: 'GrantDead',
  },
  {
    source: 'closeio/sync-engine issue 1013',
    call: 'refresh',
    status: 403,
    body: oauth('access_denied', 'Account restricted'),
    type: 'GrantDead',
  },
  {
    source: 'googleapis/google-api-nodejs-client issue 2494',
    call: 'refresh',
    status: 400,
    body: oauth('invalid_grant', 'Token has been expired or revoked.'),
    type: 'GrantDead',
  },
  {
    source: 'googleapis/google-api-nodejs-client issue 2494',
    call: 'exchange',
    status: 400,
    body: oauth('invalid_grant', 'Malformed auth code.'),
    type: 'GrantDead',
  },
  {
    source: 'Google, OAuth errors: an unknown failure behind the token endpoint',
    call: 'refresh',
    status: 500,
    body: oauth('internal_failure', 'Backend Error'),
    type: 'RetryLater',
  },
  {
    source: 'googleapis/google-api-python-client issue 2753 (May 2026)',
    call: 'read',
    status: 429,
    body: api(429, 'rateLimitExceeded', UPLOADS, 'global'),
    type: 'QuotaSpent',
  },
  {
    source: 'fqscfqj/Y2A-Auto issue 124 (August 2026), same form',
    call: 'read',
    status: 429,
    body: api(429, 'rateLimitExceeded', DAILY, 'global', { status: 'RESOURCE_EXHAUSTED' }),
    type: 'QuotaSpent',
  },
  {
    source: 'Google Cloud, quota errors: the same form for a minute',
    call: 'read',
    status: 429,
    body: api(429, 'rateLimitExceeded', MINUTE, 'global', { status: 'RESOURCE_EXHAUSTED' }),
    type: 'PlatformLimit',
  },
  {
    source: 'tokland/youtube-upload issue 165',
    call: 'read',
    status: 403,
    body: api(403, 'dailyLimitExceeded', 'Daily Limit Exceeded.', 'usageLimits'),
    type: 'QuotaSpent',
  },
  {
    source: 'porjo/youtubeuploader issue 119',
    call: 'read',
    status: 403,
    body: api(
      403,
      'quotaExceeded',
      'The request cannot be completed because you have exceeded your quota.',
      'youtube.quota',
    ),
    type: 'QuotaSpent',
  },
  {
    source: 'anxdpanic/plugin.video.youtube issue 1034: a supervised account',
    call: 'read',
    status: 403,
    body: api(403, 'forbidden', 'Forbidden'),
    type: 'AccountUnusable',
  },
  {
    source: 'YouTube Data API, errors: an account without a delegation',
    call: 'read',
    status: 403,
    body: api(403, 'accountDelegationForbidden', 'The authenticated user cannot act on behalf of the account.'),
    type: 'AccountUnusable',
  },
  {
    source: 'YouTube Data API, errors',
    call: 'read',
    status: 401,
    body: api(401, 'youtubeSignupRequired', 'Unauthorized', 'youtube.header'),
    type: 'AccountUnusable',
  },
  {
    source: 'Google Cloud, service usage: the API is not enabled in the project',
    call: 'read',
    status: 403,
    body: api(
      403,
      'accessNotConfigured',
      'YouTube Data API v3 has not been used in project 1 before or it is disabled.',
      'usageLimits',
      {
        status: 'PERMISSION_DENIED',
        details: [{ reason: 'SERVICE_DISABLED' }],
      },
    ),
    type: 'ClientRejected',
  },
  {
    source: 'googleapis/googleapis, google/api/error_reason.proto: the project is suspended',
    call: 'read',
    status: 403,
    body: api(403, 'forbidden', "Permission denied: Consumer 'project_number:1' has been suspended.", 'global', {
      status: 'PERMISSION_DENIED',
      details: [{ reason: 'CONSUMER_SUSPENDED', domain: 'googleapis.com' }],
    }),
    type: 'ClientRejected',
  },
  {
    source: 'googleapis/googleapis, google/api/error_reason.proto: the limit of a day by its name',
    call: 'read',
    status: 429,
    body: api(429, 'rateLimitExceeded', 'Resource has been exhausted (e.g. check quota).', 'global', {
      status: 'RESOURCE_EXHAUSTED',
      details: [
        {
          reason: 'RATE_LIMIT_EXCEEDED',
          domain: 'googleapis.com',
          metadata: { quota_limit: 'defaultPerDayPerProject', quota_metric: 'youtube.googleapis.com/default' },
        },
        { links: [{ description: 'Request a higher quota limit.' }] },
      ],
    }),
    type: 'QuotaSpent',
  },
  {
    source: 'the same with the limit of a minute',
    call: 'read',
    status: 429,
    body: api(429, 'rateLimitExceeded', 'Resource has been exhausted (e.g. check quota).', 'global', {
      status: 'RESOURCE_EXHAUSTED',
      details: [{ reason: 'RATE_LIMIT_EXCEEDED', metadata: { quota_limit: 'defaultPerMinutePerProject' } }],
    }),
    type: 'PlatformLimit',
  },
  {
    source: 'airbytehq/airbyte, source-youtube-data: an error with a code only',
    call: 'read',
    status: 401,
    body: { error: { code: 401 } },
    type: 'TokenStale',
  },
  {
    source: 'YouTube Data API, errors of channels.list',
    call: 'read',
    status: 403,
    body: api(403, 'channelForbidden', 'The channel does not support the request.', 'youtube.channel'),
    type: 'AccountUnusable',
  },
  {
    source: 'Google, OAuth errors: a session policy of the account wants a new sign-in',
    call: 'refresh',
    status: 400,
    body: { ...oauth('invalid_grant', 'reauth related error (invalid_rapt)'), error_subtype: 'invalid_rapt' },
    type: 'GrantDead',
  },
  {
    source: 'YouTube Data API, errors',
    call: 'read',
    status: 403,
    body: api(403, 'insufficientPermissions', 'Request had insufficient authentication scopes.', 'global', {
      status: 'PERMISSION_DENIED',
      details: [{ reason: 'ACCESS_TOKEN_SCOPE_INSUFFICIENT' }],
    }),
    type: 'PermissionMissing',
  },
  {
    source: 'YouTube Data API, errors',
    call: 'read',
    status: 401,
    body: api(401, 'authError', 'Invalid Credentials', 'global', { status: 'UNAUTHENTICATED' }),
    type: 'TokenStale',
  },
];

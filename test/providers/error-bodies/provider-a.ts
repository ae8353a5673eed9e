import { listBodies } from './body.ts';

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
export const PROVIDER_A_BODIES = listBodies({
  refresh: {
    ClientRejected: [
      [
        'googleapis/google-api-nodejs-client issue 1256; r-lib/httr pull request 687',
        401,
        oauth('deleted_client', 'The OAuth client was deleted.'),
      ],
      ['msjit/testcasedb issue 22', 401, oauth('disabled_client', 'The OAuth client was disabled.')],
      [
        'Google, Using OAuth 2.0 for Web Server Applications, errors',
        403,
        oauth('org_internal', 'This client is restricted to users within its organization.'),
      ],
    ],
    GrantDead: [
      [
        'dust-tt/dust pull request 31975; Google, Using OAuth 2.0, refresh token expiration',
        400,
        oauth('admin_policy_enforced', 'Request blocked by the administrator of the account.'),
      ],
      ['twentyhq/twenty pull request 25148', 400, oauth('policy_enforced', 'Advanced Protection prevents access.')],
      ['closeio/sync-engine issue 1013', 403, oauth('access_denied', 'Account restricted')],
      [
        'googleapis/google-api-nodejs-client issue 2494',
        400,
        oauth('invalid_grant', 'Token has been expired or revoked.'),
      ],
      [
        'Google, OAuth errors: a session policy of the account wants a new sign-in',
        400,
        { ...oauth('invalid_grant', 'reauth related error (invalid_rapt)'), error_subtype: 'invalid_rapt' },
      ],
    ],
    RetryLater: [
      [
        'Google, OAuth errors: an unknown failure behind the token endpoint',
        500,
        oauth('internal_failure', 'Backend Error'),
      ],
    ],
  },
  exchange: {
    GrantDead: [
      ['googleapis/google-api-nodejs-client issue 2494', 400, oauth('invalid_grant', 'Malformed auth code.')],
    ],
  },
  read: {
    QuotaSpent: [
      [
        'googleapis/google-api-python-client issue 2753 (May 2026)',
        429,
        api(429, 'rateLimitExceeded', UPLOADS, 'global'),
      ],
      [
        'fqscfqj/Y2A-Auto issue 124 (August 2026), same form',
        429,
        api(429, 'rateLimitExceeded', DAILY, 'global', { status: 'RESOURCE_EXHAUSTED' }),
      ],
      [
        'googleapis/googleapis, google/api/error_reason.proto: the limit of a day by its name',
        429,
        api(429, 'rateLimitExceeded', 'Resource has been exhausted (e.g. check quota).', 'global', {
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
      ],
    ],
    PlatformLimit: [
      [
        'Google Cloud, quota errors: the same form for a minute',
        429,
        api(429, 'rateLimitExceeded', MINUTE, 'global', { status: 'RESOURCE_EXHAUSTED' }),
      ],
    ],
    AccountUnusable: [
      ['anxdpanic/plugin.video.youtube issue 1034: a supervised account', 403, api(403, 'forbidden', 'Forbidden')],
      [
        'YouTube Data API, errors: an account without a delegation',
        403,
        api(403, 'accountDelegationForbidden', 'The authenticated user cannot act on behalf of the account.'),
      ],
      ['YouTube Data API, errors', 401, api(401, 'youtubeSignupRequired', 'Unauthorized', 'youtube.header')],
      [
        'YouTube Data API, errors of channels.list',
        403,
        api(403, 'channelForbidden', 'The channel does not support the request.', 'youtube.channel'),
      ],
    ],
    ClientRejected: [
      [
        'Google Cloud, service usage: the API is not enabled in the project',
        403,
        api(
          403,
          'accessNotConfigured',
          'YouTube Data API v3 has not been used in project 1 before or it is disabled.',
          'usageLimits',
          {
            status: 'PERMISSION_DENIED',
            details: [{ reason: 'SERVICE_DISABLED' }],
          },
        ),
      ],
      [
        'googleapis/googleapis, google/api/error_reason.proto: the project is suspended',
        403,
        api(403, 'forbidden', "Permission denied: Consumer 'project_number:1' has been suspended.", 'global', {
          status: 'PERMISSION_DENIED',
          details: [{ reason: 'CONSUMER_SUSPENDED', domain: 'googleapis.com' }],
        }),
      ],
    ],
    TokenStale: [['airbytehq/airbyte, source-youtube-data: an error with a code only', 401, { error: { code: 401 } }]],
    PermissionMissing: [
      [
        'YouTube Data API, errors',
        403,
        api(403, 'insufficientPermissions', 'Request had insufficient authentication scopes.', 'global', {
          status: 'PERMISSION_DENIED',
          details: [{ reason: 'ACCESS_TOKEN_SCOPE_INSUFFICIENT' }],
        }),
      ],
    ],
  },
});

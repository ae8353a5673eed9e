import { listBodies } from './body.ts';

const oauth = (error: string, error_description: string) => ({ error, error_description, log_id: '2026EXAMPLE' });
const api = (code: string, message: string) => ({ data: {}, error: { code, message, log_id: '2026EXAMPLE' } });

/** TikTok. */
export const PROVIDER_B_BODIES = listBodies({
  exchange: {
    ClientRejected: [
      [
        'several public integrations: base64url challenge, client of the desktop type',
        200,
        oauth('invalid_request', 'Code verifier or code challenge is invalid.'),
      ],
      [
        'TikTok for Developers, OAuth error handling',
        200,
        oauth('invalid_request', 'Redirect_uri is not matched with the uri when requesting code.'),
      ],
    ],
  },
  refresh: {
    GrantDead: [
      [
        'TikTok for Developers, OAuth error handling; seen live in May 2026',
        200,
        oauth('invalid_grant', 'Refresh token is invalid or expired.'),
      ],
    ],
    ClientRejected: [
      [
        'TikTok for Developers, OAuth error handling',
        401,
        oauth('invalid_client', 'Client key or secret is incorrect.'),
      ],
    ],
    ContractBroken: [
      [
        'TikTok for Developers, OAuth error handling',
        200,
        oauth('access_denied', 'The resource owner or authorization server denied the request.'),
      ],
    ],
    RetryLater: [
      [
        'TikTok for Developers, OAuth error handling',
        503,
        oauth('temporarily_unavailable', 'The server is overloaded.'),
      ],
    ],
  },
  read: {
    TokenStale: [
      [
        'TikTok for Developers, API v2 error handling',
        401,
        api('access_token_invalid', 'The access token is invalid or not found in the request.'),
      ],
      [
        'the same code with HTTP 200, as several clients test for it',
        200,
        api('access_token_invalid', 'The access token is invalid or not found in the request.'),
      ],
    ],
    PermissionMissing: [
      [
        'TikTok for Developers, API v2 error handling',
        400,
        api('scope_permission_missed', 'Access token is invalid, some fields need additional scopes.'),
      ],
    ],
    PlatformLimit: [
      [
        'TikTok for Developers, API v2 error handling',
        429,
        api('rate_limit_exceeded', 'The API rate limit was exceeded.'),
      ],
    ],
    RetryLater: [
      [
        'TikTok for Developers, API v2 error handling',
        500,
        api('internal_error', 'Something is wrong. Please try again later.'),
      ],
    ],
    ContractBroken: [
      [
        'TikTok for Developers, API v2 error handling',
        400,
        api('invalid_params', 'One or more fields in request is invalid.'),
      ],
    ],
  },
});

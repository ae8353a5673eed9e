import type { ErrorBody } from '../../providers/error-bodies/body.ts';

const oauth = (error: string, error_description: string) => ({ error, error_description, log_id: '2026EXAMPLE' });
const api = (code: string, message: string) => ({ data: {}, error: { code, message, log_id: '2026EXAMPLE' } });

/** TikTok. */
export const PROVIDER_B_BODIES: readonly ErrorBody[] = [
  {
    source: 'several public integrations: base64url challenge, client of the desktop type',
    call: 'exchange',
    status: 200,
    body: oauth('invalid_request', 'Code verifier or code challenge is invalid.'),
    type: 'ClientRejected',
  },
  {
    source: 'TikTok for Developers, OAuth error handling',
    call: 'exchange',
    status: 200,
    body: oauth('invalid_request', 'Redirect_uri is not matched with the uri when requesting code.'),
    type: 'ClientRejected',
  },
  {
    source: 'TikTok for Developers, OAuth error handling; seen live in May 2026',
    call: 'refresh',
    status: 200,
    body: oauth('invalid_grant', 'Refresh token is invalid or expired.'),
    type: 'GrantDead',
  },
  {
    source: 'TikTok for Developers, OAuth error handling',
    call: 'refresh',
    status: 401,
    body: oauth('invalid_client', 'Client key or secret is incorrect.'),
    type: 'ClientRejected',
  },
  {
    source: 'TikTok for Developers, OAuth error handling',
    call: 'refresh',
    status: 200,
    body: oauth('access_denied', 'The resource owner or authorization server denied the request.'),
    type: 'ContractBroken',
  },
  {
    source: 'TikTok for Developers, OAuth error handling',
    call: 'refresh',
    status: 503,
    body: oauth('temporarily_unavailable', 'The server is overloaded.'),
    type: 'RetryLater',
  },
  {
    source: 'TikTok for Developers, API v2 error handling',
    call: 'read',
    status: 401,
    body: api('access_token_invalid', 'The access token is invalid or not found in the request.'),
    type: 'TokenStale',
  },
  {
    source: 'the same code with HTTP 200, as several clients test for it',
    call: 'read',
    status: 200,
    body: api('access_token_invalid', 'The access token is invalid or not found in the request.'),
    type: 'TokenStale',
  },
  {
    source: 'TikTok for Developers, API v2 error handling',
    call: 'read',
    status: 401,
    body: api('scope_not_authorized', 'The user did not authorize the scope required for completing this request.'),
    type: 'PermissionMissing',
  },
  {
    source: 'TikTok for Developers, API v2 error handling',
    call: 'read',
    status: 400,
    body: api('scope_permission_missed', 'Access token is invalid, some fields need additional scopes.'),
    type: 'PermissionMissing',
  },
  {
    source: 'TikTok for Developers, API v2 error handling',
    call: 'read',
    status: 429,
    body: api('rate_limit_exceeded', 'The API rate limit was exceeded.'),
    type: 'PlatformLimit',
  },
  {
    source: 'TikTok for Developers, API v2 error handling',
    call: 'read',
    status: 500,
    body: api('internal_error', 'Something is wrong. Please try again later.'),
    type: 'RetryLater',
  },
  {
    source: 'TikTok for Developers, API v2 error handling',
    call: 'read',
    status: 400,
    body: api('invalid_params', 'One or more fields in request is invalid.'),
    type: 'ContractBroken',
  },
];

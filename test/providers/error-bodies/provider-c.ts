import type { ErrorBody } from './body.ts';

const graph = (code: number, message: string, subcode?: number, type = 'OAuthException') => ({
  error: { message, type, code, ...(subcode !== undefined && { error_subcode: subcode }), fbtrace_id: 'AExample' },
});

/** Instagram, API with Instagram Login. */
export const PROVIDER_C_BODIES: readonly ErrorBody[] = [
  {
    source: 'a public incident log of September 2026: three days, every call, and then the same token worked again',
    call: 'read',
    status: 400,
    body: graph(200, 'API access blocked.'),
    type: 'ClientRejected',
  },
  {
    source: 'the same incident log',
    call: 'refresh',
    status: 400,
    body: graph(200, 'API access blocked.'),
    type: 'ClientRejected',
  },
  {
    source: 'msigley/WP-Instagram-API pull request 6: with HTTP 200',
    call: 'read',
    status: 200,
    body: graph(200, 'API access deactivated. To reactivate, go to the app dashboard.'),
    type: 'ClientRejected',
  },
  {
    source: 'public clients that special-case it',
    call: 'read',
    status: 400,
    body: graph(190, 'Error validating application. Application has been deleted.'),
    type: 'ClientRejected',
  },
  {
    source: 'public clients: a blocked app, a wrong secret and a fault at Meta give the same answer',
    call: 'read',
    status: 400,
    body: graph(101, 'Error validating application. Cannot get application info due to a system error.'),
    type: 'ClientRejected',
  },
  {
    source: 'the same text with the code of a dead token',
    call: 'read',
    status: 400,
    body: graph(190, 'Error validating application. Cannot get application info due to a system error.'),
    type: 'RetryLater',
  },
  {
    source: 'diwenne/openreply pull request 17: Standard Access, or the invitation of the tester is not accepted',
    call: 'read',
    status: 400,
    body: graph(100, 'Unsupported request - method type: get', undefined, 'IGApiException'),
    type: 'AccountUnusable',
  },
  {
    source: 'in2code-de/instagram issue 41; stevenschobert/instafeed.js issue 654: no professional account any more',
    call: 'refresh',
    status: 400,
    body: graph(100, 'Unsupported request - method type: get', undefined, 'IGApiException'),
    type: 'AccountUnusable',
  },
  {
    source: 'airbytehq/airbyte pull request 32245; geoff-maddock/events-tracker issue 1900',
    call: 'read',
    status: 400,
    body: graph(10, '(#10) Application does not have permission for this action'),
    type: 'PermissionMissing',
  },
  {
    source: 'Graph API, error handling',
    call: 'read',
    status: 403,
    body: graph(200, '(#200) Requires instagram_business_basic permission to manage the object.'),
    type: 'PermissionMissing',
  },
  {
    source: 'geoff-maddock/events-tracker issue 1900: days of an outage in May 2026, with good tokens',
    call: 'read',
    status: 400,
    body: graph(
      100,
      "Unsupported get request. Object with ID '1' does not exist, cannot be loaded due to missing permissions, or does not support this operation",
      33,
    ),
    type: 'NotFound',
  },
  {
    source: 'Graph API, error handling',
    call: 'read',
    status: 400,
    body: graph(190, 'Error validating access token: Session has expired on Tuesday.', 463),
    type: 'GrantDead',
  },
  {
    source: 'Graph API, error handling',
    call: 'read',
    status: 400,
    body: graph(190, 'Error validating access token: The user has not authorized application 1.', 458),
    type: 'GrantDead',
  },
  {
    source: 'stevenschobert/instafeed.js issue 654',
    call: 'refresh',
    status: 400,
    body: graph(
      190,
      'Error validating access token: The session has been invalidated because the user changed their password or Facebook has changed the session for security reasons.',
      460,
    ),
    type: 'GrantDead',
  },
  {
    source: 'public clients that special-case it',
    call: 'read',
    status: 400,
    body: graph(190, 'Sessions for the user are not allowed because the user is not a confirmed user.', 464),
    type: 'GrantDead',
  },
  {
    source: 'Graph API, rate limits',
    call: 'read',
    status: 403,
    body: graph(4, 'Application request limit reached', 2207051),
    type: 'RetryLater',
  },
  {
    source: 'Graph API, error handling: -1 with a publishing subcode',
    call: 'read',
    status: 400,
    body: graph(-1, 'Fatal', 2207032),
    type: 'RetryLater',
  },
  {
    source: 'Graph API, error handling',
    call: 'read',
    status: 500,
    body: graph(2, 'An unexpected error has occurred. Please retry your request later.'),
    type: 'RetryLater',
  },
];

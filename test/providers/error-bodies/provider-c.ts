import { listBodies } from './body.ts';

const graph = (code: number, message: string, subcode?: number, type = 'OAuthException') => ({
  error: { message, type, code, ...(subcode !== undefined && { error_subcode: subcode }), fbtrace_id: 'AExample' },
});

/** Instagram, API with Instagram Login. */
export const PROVIDER_C_BODIES = listBodies({
  read: {
    ClientRejected: [
      [
        'a public incident log of September 2026: three days, every call, and then the same token worked again',
        400,
        graph(200, 'API access blocked.'),
      ],
      [
        'msigley/WP-Instagram-API pull request 6: with HTTP 200',
        200,
        graph(200, 'API access deactivated. To reactivate, go to the app dashboard.'),
      ],
      [
        'public clients that special-case it',
        400,
        graph(190, 'Error validating application. Application has been deleted.'),
      ],
      [
        'public clients: a blocked app, a wrong secret and a fault at Meta give the same answer',
        400,
        graph(101, 'Error validating application. Cannot get application info due to a system error.'),
      ],
      [
        'Spring Social, several public integrations of 2026: "Require app secret" is on in the settings of the app',
        400,
        graph(100, 'API calls from the server require an appsecret_proof argument', undefined, 'GraphMethodException'),
      ],
    ],
    RetryLater: [
      [
        'the same text with the code of a dead token',
        400,
        graph(190, 'Error validating application. Cannot get application info due to a system error.'),
      ],
      [
        'public clients that halve their pages on it',
        500,
        graph(1, "Please reduce the amount of data you're asking for, then retry your request"),
      ],
      [
        'Graph API, error handling',
        500,
        graph(2, 'An unexpected error has occurred. Please retry your request later.'),
      ],
    ],
    AccountUnusable: [
      [
        'diwenne/openreply pull request 17: Standard Access, or the invitation of the tester is not accepted',
        400,
        graph(100, 'Unsupported request - method type: get', undefined, 'IGApiException'),
      ],
      [
        'gitroomhq/postiz-app, instagram.provider.ts; several public setup guides: no professional account',
        400,
        graph(10, '(#10) The user is not an Instagram Business'),
      ],
    ],
    GrantDead: [
      [
        'public clients that special-case it: the account is behind a checkpoint',
        400,
        graph(
          190,
          'Error validating access token: You cannot access the app till you log in to www.instagram.com and follow the instructions given.',
          459,
        ),
      ],
      [
        'public clients that special-case it',
        400,
        graph(190, 'Sessions for the user are not allowed because the user is not a confirmed user.', 464),
      ],
    ],
    PermissionMissing: [
      [
        'airbytehq/airbyte pull request 32245; geoff-maddock/events-tracker issue 1900',
        400,
        graph(10, '(#10) Application does not have permission for this action'),
      ],
      [
        'Graph API, error handling',
        403,
        graph(200, '(#200) Requires instagram_business_basic permission to manage the object.'),
      ],
    ],
    NotFound: [
      [
        'geoff-maddock/events-tracker issue 1900: days of an outage in May 2026, with good tokens',
        400,
        graph(
          100,
          "Unsupported get request. Object with ID '1' does not exist, cannot be loaded due to missing permissions, or does not support this operation",
          33,
        ),
      ],
    ],
    PlatformLimit: [['Graph API, rate limits', 403, graph(4, 'Application request limit reached', 2207051)]],
  },
  refresh: {
    ClientRejected: [['the same incident log', 400, graph(200, 'API access blocked.')]],
    AccountUnusable: [
      [
        'in2code-de/instagram issue 41; stevenschobert/instafeed.js issue 654: no professional account any more',
        400,
        graph(100, 'Unsupported request - method type: get', undefined, 'IGApiException'),
      ],
    ],
    GrantDead: [
      [
        'stevenschobert/instafeed.js issue 654',
        400,
        graph(
          190,
          'Error validating access token: The session has been invalidated because the user changed their password or Facebook has changed the session for security reasons.',
          460,
        ),
      ],
    ],
  },
});

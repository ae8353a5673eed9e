import { because, type Proofs, type ProviderRow } from '../../kit/behaviours-document.ts';

const named = (group: string, ...names: string[]): Proofs => {
  const [first = '', ...others] = names.map((name) => `${group} > ${name}`);
  return [first, ...others];
};
const a = (...names: string[]) => named('providers/provider-a/errors > an API error is what its reason says', ...names);
const b = (...names: string[]) =>
  named('providers/provider-b/errors > an API error is what its code says, whatever the status', ...names);
const c = (...names: string[]) =>
  named('providers/provider-c/errors > an API error is what its code says; type and status say little', ...names);

/** The error tables of the platforms, row by row: what a signal is taken for. */
export const ERRORS: Readonly<Record<string, readonly ProviderRow[]>> = {
  'Errors, by what they mean': [
    [
      'Quota used up: waits for its reset',
      {
        PROVIDER_A: a('quotaExceeded', 'dailyLimitExceeded'),
        PROVIDER_B: because('it has no daily quota.'),
        PROVIDER_C: because('its budgets are an account’s: see the limits.'),
      },
    ],
    [
      'A limit: retry later',
      {
        PROVIDER_A: a('rateLimitExceeded', 'userRateLimitExceeded', 'RATE_LIMIT_EXCEEDED', 'RESOURCE_EXHAUSTED'),
        PROVIDER_B: b('rate_limit_exceeded', 'rate_limit_exceeded with 200', '429 in HTML'),
        PROVIDER_C: c('4, the app’s limit', '17, the person’s limit', '32', '613', '80002, the account’s limit'),
      },
    ],
    [
      'Trouble of theirs: retry later',
      {
        PROVIDER_A: a('backendError', 'internalError', '502 in the API shape'),
        PROVIDER_B: b('internal_error', 'internal_error with 200', '503 in HTML'),
        PROVIDER_C: c('1', '2', 'is_transient', '502 in HTML'),
      },
    ],
    [
      'Access token stale: refresh once, repeat once',
      {
        PROVIDER_A: a('authError', 'UNAUTHENTICATED', '401 without a reason'),
        PROVIDER_B: b('access_token_invalid', 'access_token_invalid with 200'),
        PROVIDER_C: because('its one token is long-lived: see a dead grant.'),
      },
    ],
    [
      'Grant dead',
      {
        PROVIDER_A: a('authenticatedUserAccountClosed', 'authenticatedUserAccountSuspended'),
        PROVIDER_B: named(
          'providers/provider-b/errors > an OAuth error is what its code says, also with status 200',
          'invalid_grant',
          'invalid_grant with 400',
        ),
        PROVIDER_C: c(
          '190, removed by the person',
          '190, checkpoint',
          '190, password changed',
          '190, expired',
          '190, 464',
          '190, invalid',
          '102',
          'a session invalidated',
          'no business any more',
        ),
      },
    ],
    [
      'Missing permission',
      {
        PROVIDER_A: a('insufficientPermissions', 'ACCESS_TOKEN_SCOPE_INSUFFICIENT', 'insufficient_scope in a header'),
        PROVIDER_B: b('scope_not_authorized', 'scope_permission_missed'),
        PROVIDER_C: c('10', '200', '299'),
      },
    ],
    [
      'No account behind it',
      {
        PROVIDER_A: a('youtubeSignupRequired', 'authenticatedUserNotChannel'),
        PROVIDER_B: because('every account can be read.'),
        PROVIDER_C: ['providers/provider-c/account > is unusable when it is a personal one'],
      },
    ],
    [
      'Not found or private',
      {
        PROVIDER_A: a(
          'channelNotFound',
          'playlistItemsNotAccessible',
          'channelClosed',
          'channelSuspended',
          '404 without a reason',
        ),
        PROVIDER_B: because('it says nothing: the post is missing from the answer.'),
        PROVIDER_C: c('100 with 33', '24', '25'),
      },
    ],
    [
      'Our mistake',
      {
        PROVIDER_A: a('badRequest'),
        PROVIDER_B: b('invalid_params', 'invalid_file_upload'),
        PROVIDER_C: c('100 otherwise'),
      },
    ],
    [
      'Our set-up',
      { PROVIDER_A: a('accessNotConfigured'), PROVIDER_B: because('its API has no such error.'), PROVIDER_C: c('3') },
    ],
    [
      'A request that does not fit its code: that attempt fails, and nothing else',
      {
        PROVIDER_A: [
          ...named(
            'providers/provider-a/errors > an OAuth error is what its code says',
            'redirect_uri_mismatch',
            'invalid_request',
          ),
          'activities/hostile-browser > an edited redirect_uri in PROVIDER_A’s authorize URL fails that attempt only',
          'activities/hostile-browser > an injected code of another client at PROVIDER_A fails that attempt only',
        ],
        PROVIDER_B: [
          ...named(
            'providers/provider-b/errors > an OAuth error is what its code says, also with status 200',
            'invalid_request',
            'invalid_scope',
            'unsupported_grant_type',
            'unsupported_response_type',
          ),
          'activities/hostile-browser > an edited code_challenge in PROVIDER_B’s authorize URL fails that attempt only',
          'activities/hostile-browser > an edited redirect_uri in PROVIDER_B’s authorize URL fails that attempt only',
          'activities/hostile-browser > an injected code of another client at PROVIDER_B fails that attempt only',
        ],
        PROVIDER_C: [
          'activities/hostile-browser > an edited redirect_uri in PROVIDER_C’s authorize URL fails that attempt only',
          'activities/hostile-browser > an injected code of another client at PROVIDER_C fails that attempt only',
        ],
      },
    ],
    [
      'Our client refused (invalid_client and the like): no grant’s fault',
      {
        PROVIDER_A: [
          'providers/contract > PROVIDER_A > a wrong client secret is our fault and nobody’s grant',
          'providers/contract > PROVIDER_A > a request of our own with a made-up credential tells whether our client is taken',
          'activities/hostile-browser > a refusal of our client by PROVIDER_A is proven by a probe, and ends after an accepted one',
          ...named(
            'providers/provider-a/errors > an OAuth error is what its code says',
            'invalid_client',
            'unauthorized_client',
          ),
        ],
        PROVIDER_B: [
          'providers/contract > PROVIDER_B > a wrong client secret is our fault and nobody’s grant',
          'providers/contract > PROVIDER_B > a request of our own with a made-up credential tells whether our client is taken',
          'activities/hostile-browser > a refusal of our client by PROVIDER_B is proven by a probe, and ends after an accepted one',
          ...named(
            'providers/provider-b/errors > an OAuth error is what its code says, also with status 200',
            'invalid_client',
            'unauthorized_client',
          ),
        ],
        PROVIDER_C: [
          'providers/contract > PROVIDER_C > a wrong client secret is our fault and nobody’s grant',
          'providers/contract > PROVIDER_C > a request of our own with a made-up credential tells whether our client is taken',
          'activities/hostile-browser > a refusal of our client by PROVIDER_C is proven by a probe, and ends after an accepted one',
          ...named(
            'providers/provider-c/errors > the short-lived token’s endpoint refuses in a shape of its own',
            'a wrong secret',
            'a wrong client',
          ),
        ],
      },
    ],
    [
      'OAuth errors: all of them',
      {
        PROVIDER_A: ['providers/provider-a/errors > an OAuth error is what its code says > …'],
        PROVIDER_B: ['providers/provider-b/errors > an OAuth error is what its code says, also with status 200 > …'],
        PROVIDER_C: [
          'providers/provider-c/errors > the short-lived token’s endpoint refuses in a shape of its own > …',
          'providers/provider-c/errors > a refresh > …',
        ],
      },
    ],
    [
      'Codes and shapes we do not know: later, or broken, never the end of a grant',
      {
        PROVIDER_A: [
          'providers/provider-a/errors > a shape we do not know is tried again, or is broken, and never the end of a grant > …',
          ...a('403 of a reason we do not know'),
        ],
        PROVIDER_B: b(
          'a code we do not know',
          '401 in HTML',
          '200 in HTML',
          '200 of another shape',
          '200 without anything',
        ),
        PROVIDER_C: c('a code we do not know', '400 in HTML', '200 in HTML', '200 of another shape'),
      },
    ],
    [
      'Broken answers: 5xx, 429, cut short, lost, malformed, another content type',
      {
        PROVIDER_A: [
          'providers/contract > PROVIDER_A > takes …',
          'providers/contract > PROVIDER_A > reads JSON under whatever content type',
        ],
        PROVIDER_B: [
          'providers/contract > PROVIDER_B > takes …',
          'providers/contract > PROVIDER_B > reads JSON under whatever content type',
        ],
        PROVIDER_C: [
          'providers/contract > PROVIDER_C > takes …',
          'providers/contract > PROVIDER_C > reads JSON under whatever content type',
        ],
      },
    ],
  ],
};

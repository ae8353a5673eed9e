import { because, type Proofs, type ProviderRow } from './document.ts';

const named = (group: string, ...names: string[]): Proofs => {
  const [first = '', ...others] = names.map((name) => `${group} > ${name}`);
  return [first, ...others];
};
const a = (...names: string[]) =>
  named('providers/provider-a/errors > an API error is classified by its reason', ...names);
const b = (...names: string[]) =>
  named('providers/provider-b/errors > an API error is classified by its code, with any status', ...names);
const c = (...names: string[]) =>
  named('providers/provider-c/errors > an API error is classified by its code, not by type or status', ...names);

/** The error tables of the platforms, row by row: the class of each signal. */
export const ERRORS: Readonly<Record<string, readonly ProviderRow[]>> = {
  'Errors by meaning': [
    [
      'A used-up quota: waits for its reset',
      {
        PROVIDER_A: a('quotaExceeded', 'dailyLimitExceeded'),
        PROVIDER_B: because('it has no daily quota.'),
        PROVIDER_C: because('its budgets are per account: see the limits.'),
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
      'A failure of the platform: retry later',
      {
        PROVIDER_A: a('backendError', 'internalError', '502 in the API shape'),
        PROVIDER_B: b('internal_error', 'internal_error with 200', '503 in HTML'),
        PROVIDER_C: c('1', '2', 'is_transient', '502 in HTML'),
      },
    ],
    [
      'A stale access token: refresh once, repeat once',
      {
        PROVIDER_A: a('authError', 'UNAUTHENTICATED', '401 without a reason'),
        PROVIDER_B: b('access_token_invalid', 'access_token_invalid with 200'),
        PROVIDER_C: because('its only token is long-lived: see a dead grant.'),
      },
    ],
    [
      'A dead grant',
      {
        PROVIDER_A: a('authenticatedUserAccountClosed', 'authenticatedUserAccountSuspended'),
        PROVIDER_B: named(
          'providers/provider-b/errors > an OAuth error is classified by its code, also with status 200',
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
          'an invalidated session',
          'no longer a business account',
        ),
      },
    ],
    [
      'A missing permission',
      {
        PROVIDER_A: a('insufficientPermissions', 'ACCESS_TOKEN_SCOPE_INSUFFICIENT', 'insufficient_scope in a header'),
        PROVIDER_B: b('scope_not_authorized', 'scope_permission_missed'),
        PROVIDER_C: c('10', '200', '299'),
      },
    ],
    [
      'A grant without an account',
      {
        PROVIDER_A: a('youtubeSignupRequired', 'authenticatedUserNotChannel'),
        PROVIDER_B: because('every account can be read.'),
        PROVIDER_C: ['providers/provider-c/account > is unusable if it is a personal one'],
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
        PROVIDER_B: because('it reports no error: the answer omits the post.'),
        PROVIDER_C: c('100 with 33', '24', '25'),
      },
    ],
    [
      'An invalid request of ours',
      {
        PROVIDER_A: a('badRequest'),
        PROVIDER_B: b('invalid_params', 'invalid_file_upload'),
        PROVIDER_C: c('100 otherwise'),
      },
    ],
    [
      'A mistake in our setup',
      { PROVIDER_A: a('accessNotConfigured'), PROVIDER_B: because('its API has no such error.'), PROVIDER_C: c('3') },
    ],
    [
      'A request that does not match its code: only that attempt fails',
      {
        PROVIDER_A: [
          ...named(
            'providers/provider-a/errors > an OAuth error is classified by its code',
            'redirect_uri_mismatch',
            'invalid_request',
          ),
          'activities/hostile-browser > an edited redirect_uri in PROVIDER_A’s authorize URL fails that attempt only',
          'activities/hostile-browser > an injected code of another client at PROVIDER_A fails that attempt only',
        ],
        PROVIDER_B: [
          ...named(
            'providers/provider-b/errors > an OAuth error is classified by its code, also with status 200',
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
      'A refused client (invalid_client and similar): no grant ends',
      {
        PROVIDER_A: [
          'providers/contract > PROVIDER_A > a wrong client secret is our own error and ends no grant',
          'providers/contract > PROVIDER_A > a probe with a made-up credential tells whether our client is accepted',
          'activities/hostile-browser > a refusal of our client by PROVIDER_A is proven by a probe, and ends after an accepted one',
          ...named(
            'providers/provider-a/errors > an OAuth error is classified by its code',
            'invalid_client',
            'unauthorized_client',
          ),
        ],
        PROVIDER_B: [
          'providers/contract > PROVIDER_B > a wrong client secret is our own error and ends no grant',
          'providers/contract > PROVIDER_B > a probe with a made-up credential tells whether our client is accepted',
          'activities/hostile-browser > a refusal of our client by PROVIDER_B is proven by a probe, and ends after an accepted one',
          ...named(
            'providers/provider-b/errors > an OAuth error is classified by its code, also with status 200',
            'invalid_client',
            'unauthorized_client',
          ),
        ],
        PROVIDER_C: [
          'providers/contract > PROVIDER_C > a wrong client secret is our own error and ends no grant',
          'providers/contract > PROVIDER_C > a probe with a made-up credential tells whether our client is accepted',
          'activities/hostile-browser > a refusal of our client by PROVIDER_C is proven by a probe, and ends after an accepted one',
          ...named(
            'providers/provider-c/errors > the short-lived token’s endpoint has its own form of errors',
            'a wrong secret',
            'a wrong client',
          ),
        ],
      },
    ],
    [
      'OAuth errors: all of them',
      {
        PROVIDER_A: ['providers/provider-a/errors > an OAuth error is classified by its code > …'],
        PROVIDER_B: [
          'providers/provider-b/errors > an OAuth error is classified by its code, also with status 200 > …',
        ],
        PROVIDER_C: [
          'providers/provider-c/errors > the short-lived token’s endpoint has its own form of errors > …',
          'providers/provider-c/errors > a refresh > …',
        ],
      },
    ],
    [
      'Unknown codes and shapes: retried or broken, never the end of a grant',
      {
        PROVIDER_A: [
          'providers/provider-a/errors > an unknown shape is retried or broken, and never ends a grant > …',
          ...a('403 with an unknown reason'),
        ],
        PROVIDER_B: b(
          'an unknown code',
          '401 in HTML',
          '200 in HTML',
          '200 of another shape',
          '200 with an empty body',
        ),
        PROVIDER_C: c('an unknown code', '400 in HTML', '200 in HTML', '200 of another shape'),
      },
    ],
    [
      'Broken answers: 5xx, 429, truncated, lost, malformed, another content type',
      {
        PROVIDER_A: [
          'providers/contract > PROVIDER_A > takes …',
          'providers/contract > PROVIDER_A > reads JSON with any content type',
        ],
        PROVIDER_B: [
          'providers/contract > PROVIDER_B > takes …',
          'providers/contract > PROVIDER_B > reads JSON with any content type',
        ],
        PROVIDER_C: [
          'providers/contract > PROVIDER_C > takes …',
          'providers/contract > PROVIDER_C > reads JSON with any content type',
        ],
      },
    ],
  ],
};

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ProviderErrorType } from '../../../src/basics/codes.ts';
import { access, call, client, exchange, failureOf, openAdapters, tokens } from '../../kit/fake-platform.ts';
import { byBehaviour, type CasesOf, proves } from '../../kit/proofs.ts';

let adapters: Awaited<ReturnType<typeof openAdapters>>;
beforeAll(async () => {
  adapters = await openAdapters();
});
afterAll(async () => await adapters.close());

/** 12:00 UTC is 04:00 in Los Angeles. */
const TO_QUOTA_RESET = 20 * 3600;

const apiError = (status: number, reason: string | null, detail: string | null = null, name: string | null = null) => ({
  status,
  body: {
    error: {
      code: status,
      message: 'SECRETMARK what the provider says stays with us',
      ...(reason === null ? {} : { errors: [{ message: 'm', domain: 'youtube', reason }] }),
      ...(name === null ? {} : { status: name }),
      ...(detail === null
        ? {}
        : { details: [{ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: detail }] }),
    },
  },
});

describe('an API error is classified by its reason', () => {
  type Case = [string, ReturnType<typeof apiError> & { headers?: Record<string, string> }, ProviderErrorType, number?];
  const CASES: CasesOf<Case> = {
    'A used-up quota: waits for its reset': [
      [
        'quotaExceeded',
        apiError(403, 'quotaExceeded', 'RATE_LIMIT_EXCEEDED', 'PERMISSION_DENIED'),
        'QuotaSpent',
        TO_QUOTA_RESET,
      ],
      ['dailyLimitExceeded', apiError(403, 'dailyLimitExceeded'), 'QuotaSpent', TO_QUOTA_RESET],
    ],
    'A limit: retry later': [
      ['rateLimitExceeded', apiError(403, 'rateLimitExceeded'), 'PlatformLimit'],
      ['userRateLimitExceeded', apiError(429, 'userRateLimitExceeded'), 'PlatformLimit'],
      ['RATE_LIMIT_EXCEEDED', apiError(403, null, 'RATE_LIMIT_EXCEEDED'), 'PlatformLimit'],
      ['RESOURCE_EXHAUSTED', apiError(429, null, null, 'RESOURCE_EXHAUSTED'), 'PlatformLimit'],
    ],
    'A rate limit and its delay': [
      ['a delay', { ...apiError(429, 'rateLimitExceeded'), headers: { 'retry-after': '17' } }, 'PlatformLimit', 17],
      [
        'a delay as a date',
        { ...apiError(429, 'rateLimitExceeded'), headers: { 'retry-after': 'Sat, 21 Nov 2026 12:01:30 GMT' } },
        'PlatformLimit',
        90,
      ],
    ],
    'A failure of the platform: retry later': [
      ['backendError', apiError(503, 'backendError'), 'RetryLater'],
      ['internalError', apiError(500, 'internalError'), 'RetryLater'],
      ['502 in the API shape', apiError(502, null), 'RetryLater'],
    ],
    'A stale access token: refresh once, repeat once': [
      ['authError', apiError(401, 'authError'), 'TokenStale'],
      ['UNAUTHENTICATED', apiError(401, null, null, 'UNAUTHENTICATED'), 'TokenStale'],
      ['401 without a reason', apiError(401, null), 'TokenStale'],
    ],
    'A dead grant': [
      ['authenticatedUserAccountClosed', apiError(403, 'authenticatedUserAccountClosed'), 'GrantDead'],
      ['authenticatedUserAccountSuspended', apiError(403, 'authenticatedUserAccountSuspended'), 'GrantDead'],
    ],
    'A missing permission': [
      ['insufficientPermissions', apiError(403, 'insufficientPermissions'), 'PermissionMissing'],
      ['ACCESS_TOKEN_SCOPE_INSUFFICIENT', apiError(403, null, 'ACCESS_TOKEN_SCOPE_INSUFFICIENT'), 'PermissionMissing'],
      [
        'insufficient_scope in a header',
        { ...apiError(403, 'forbidden'), headers: { 'www-authenticate': 'Bearer error="insufficient_scope"' } },
        'PermissionMissing',
      ],
    ],
    'A grant without an account': [
      ['youtubeSignupRequired', apiError(401, 'youtubeSignupRequired'), 'AccountUnusable'],
      ['authenticatedUserNotChannel', apiError(403, 'authenticatedUserNotChannel'), 'AccountUnusable'],
    ],
    'Not found or private': [
      ['videoNotFound', apiError(404, 'videoNotFound'), 'NotFound'],
      ['playlistNotFound', apiError(403, 'playlistNotFound'), 'NotFound'],
      ['channelNotFound', apiError(404, 'channelNotFound'), 'NotFound'],
      ['playlistItemsNotAccessible', apiError(403, 'playlistItemsNotAccessible'), 'NotFound'],
      ['channelClosed', apiError(403, 'channelClosed'), 'NotFound'],
      ['channelSuspended', apiError(403, 'channelSuspended'), 'NotFound'],
      ['404 without a reason', apiError(404, null), 'NotFound'],
    ],
    'An invalid request of ours': [
      ['badRequest', apiError(400, 'badRequest'), 'ContractBroken'],
      ['invalidPageToken', apiError(403, 'invalidPageToken'), 'ContractBroken'],
      ['400 without a reason', apiError(400, null), 'ContractBroken'],
    ],
    'A mistake in our setup': [['accessNotConfigured', apiError(403, 'accessNotConfigured'), 'ClientRejected']],
    'Unknown codes and shapes: retried or broken, never the end of a grant': [
      ['403 with an unknown reason', apiError(403, 'somethingNew'), 'RetryLater'],
    ],
  };
  for (const [behaviour, cases] of byBehaviour(CASES)) {
    test.each(cases)('%s', async (_name, answer, type, retryAfterSeconds) => {
      proves(behaviour);
      adapters.platform.script(answer);
      const error = await failureOf(adapters.providers.PROVIDER_A.readAccount(access([]), call()));
      expect(error).toMatchObject({ type, status: answer.status, outcomeUnknown: false });
      expect(error.retryAfterSeconds).toBe(retryAfterSeconds);
      expect(adapters.platform.seen).toHaveLength(1);
    });
  }
});

describe('an unknown shape is retried or broken, and never ends a grant', () => {
  test.each<[string, { status: number; body: unknown }, ProviderErrorType]>([
    ['502 in HTML', { status: 502, body: '<html>' }, 'RetryLater'],
    ['401 in HTML', { status: 401, body: '<html>' }, 'RetryLater'],
    ['200 in HTML', { status: 200, body: '<html>' }, 'RetryLater'],
    ['200 with an empty body', { status: 200, body: '' }, 'RetryLater'],
    ['200 of another shape', { status: 200, body: { hello: 'world' } }, 'ContractBroken'],
    ['200 with an invalid id', { status: 200, body: { kind: 'k', items: [{ id: 7 }] } }, 'ContractBroken'],
  ])('%s', async (_name, answer, type) => {
    proves('Unknown codes and shapes: retried or broken, never the end of a grant');
    adapters.platform.script(answer);
    expect(await failureOf(adapters.providers.PROVIDER_A.readAccount(access([]), call()))).toMatchObject({ type });
  });
});

describe('an OAuth error is classified by its code', () => {
  proves('OAuth errors: all of them');
  const oauthError = (status: number, error: string) => ({ status, body: { error, error_description: 'SECRETMARK' } });
  type OAuthCase = [string, { status: number; body: unknown }, ProviderErrorType, boolean];
  const OAUTH_CASES: CasesOf<OAuthCase> = {
    'A dead grant': [['invalid_grant', oauthError(400, 'invalid_grant'), 'GrantDead', false]],
    'A refused client (invalid_client and similar): no grant ends': [
      ['invalid_client', oauthError(401, 'invalid_client'), 'ClientRejected', false],
      ['unauthorized_client', oauthError(401, 'unauthorized_client'), 'ClientRejected', false],
    ],
    'A request that does not match its code: only that attempt fails': [
      ['redirect_uri_mismatch', oauthError(400, 'redirect_uri_mismatch'), 'ClientRejected', false],
      ['invalid_scope', oauthError(400, 'invalid_scope'), 'ContractBroken', false],
      ['unsupported_grant_type', oauthError(400, 'unsupported_grant_type'), 'ContractBroken', false],
      ['invalid_request', oauthError(400, 'invalid_request'), 'ContractBroken', false],
    ],
    'A failure of the platform: retry later': [
      ['temporarily_unavailable', oauthError(503, 'temporarily_unavailable'), 'RetryLater', false],
    ],
    'A limit: retry later': [
      ['429', { status: 429, body: '' }, 'PlatformLimit', false],
      ['429 with the code of an outage', oauthError(429, 'temporarily_unavailable'), 'PlatformLimit', false],
    ],
    'Unknown codes and shapes: retried or broken, never the end of a grant': [
      ['an unknown code', oauthError(400, 'something_new'), 'RetryLater', true],
      ['500 in HTML', { status: 500, body: '<html>' }, 'RetryLater', true],
      ['200 in HTML', { status: 200, body: '<html>' }, 'RetryLater', true],
      ['200 without a token', { status: 200, body: { token_type: 'Bearer' } }, 'ContractBroken', true],
    ],
  };
  for (const [behaviour, cases] of byBehaviour(OAUTH_CASES)) {
    test.each(cases)('%s', async (_name, answer, type, outcomeUnknown) => {
      proves(behaviour);
      const { platform, providers } = adapters;
      platform.script(answer);
      const expected = { type, status: answer.status, outcomeUnknown };
      expect(await failureOf(providers.PROVIDER_A.exchangeCode(client, exchange, call()))).toMatchObject(expected);
      // A refresh uses up nothing here, so its outcome is never unknown.
      const refreshing = providers.PROVIDER_A.refresh(client, tokens(), call());
      expect(await failureOf(refreshing)).toMatchObject({ ...expected, outcomeUnknown: false });
    });
  }
});

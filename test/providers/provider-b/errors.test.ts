import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ProviderErrorType } from '../../../src/basics/codes.ts';
import { access, call, client, exchange, failureOf, NOW, openAdapters, tokens } from '../../kit/fake-platform.ts';
import { byBehaviour, type CasesOf, proves } from '../../kit/proofs.ts';

let adapters: Awaited<ReturnType<typeof openAdapters>>;
beforeAll(async () => {
  adapters = await openAdapters();
});
afterAll(async () => await adapters.close());

type Scripted = { status: number; body: unknown; headers?: Record<string, string> };

const apiError = (status: number, errorCode: string, headers: Record<string, string> = {}): Scripted => ({
  status,
  headers,
  body: { data: {}, error: { code: errorCode, message: 'SECRETMARK', log_id: '20261121101503' } },
});

describe('an API error is classified by its code, with any status', () => {
  type Case = [string, Scripted, ProviderErrorType, number?];
  const CASES: CasesOf<Case> = {
    'A limit: retry later': [
      ['rate_limit_exceeded', apiError(429, 'rate_limit_exceeded'), 'PlatformLimit', 60],
      ['rate_limit_exceeded with 200', apiError(200, 'rate_limit_exceeded'), 'PlatformLimit', 60],
      ['429 in HTML', { status: 429, body: '<html>' }, 'PlatformLimit', 60],
    ],
    'A rate limit and its delay': [
      ['with Retry-After', apiError(429, 'rate_limit_exceeded', { 'retry-after': '7' }), 'PlatformLimit', 7],
      [
        'with a reset in seconds',
        apiError(429, 'rate_limit_exceeded', { 'x-ratelimit-reset': '31' }),
        'PlatformLimit',
        31,
      ],
      [
        'with a reset as an instant',
        apiError(429, 'rate_limit_exceeded', { 'x-ratelimit-reset': String(NOW.getTime() / 1000 + 42) }),
        'PlatformLimit',
        42,
      ],
      [
        'with a reset that has passed',
        apiError(429, 'rate_limit_exceeded', { 'x-ratelimit-reset': '1700000000' }),
        'PlatformLimit',
        1,
      ],
      ['with a reset of zero', apiError(429, 'rate_limit_exceeded', { 'x-ratelimit-reset': '0' }), 'PlatformLimit', 60],
      [
        'with a reset that is not a number',
        apiError(429, 'rate_limit_exceeded', { 'x-ratelimit-reset': 'soon' }),
        'PlatformLimit',
        60,
      ],
    ],
    'A failure of the platform: retry later': [
      ['internal_error', apiError(500, 'internal_error'), 'RetryLater'],
      ['internal_error with 200', apiError(200, 'internal_error'), 'RetryLater'],
      ['503 in HTML', { status: 503, body: '<html>' }, 'RetryLater'],
    ],
    'A stale access token: refresh once, repeat once': [
      ['access_token_invalid', apiError(401, 'access_token_invalid'), 'TokenStale'],
      ['access_token_invalid with 200', apiError(200, 'access_token_invalid'), 'TokenStale'],
    ],
    'A missing permission': [
      ['scope_not_authorized', apiError(401, 'scope_not_authorized'), 'PermissionMissing'],
      ['scope_permission_missed', apiError(400, 'scope_permission_missed'), 'PermissionMissing'],
    ],
    'An invalid request of ours': [
      ['invalid_params', apiError(400, 'invalid_params'), 'ContractBroken'],
      ['invalid_file_upload', apiError(400, 'invalid_file_upload'), 'ContractBroken'],
    ],
    'Unknown codes and shapes: retried or broken, never the end of a grant': [
      ['an unknown code', apiError(401, 'something_new'), 'RetryLater'],
      ['401 in HTML', { status: 401, body: '<html>' }, 'RetryLater'],
      ['200 in HTML', { status: 200, body: '<html>' }, 'RetryLater'],
      ['200 of another shape', { status: 200, body: { data: { user: {} } } }, 'ContractBroken'],
      ['200 with an empty body', { status: 200, body: {} }, 'ContractBroken'],
    ],
  };
  for (const [behaviour, cases] of byBehaviour(CASES)) {
    test.each(cases)('%s', async (_name, answer, type, retryAfterSeconds) => {
      proves(behaviour);
      adapters.platform.script(answer);
      const error = await failureOf(adapters.providers.PROVIDER_B.readAccount(access(['user.info.basic']), call()));
      expect(error).toMatchObject({ type, status: answer.status, outcomeUnknown: false });
      expect(error.retryAfterSeconds).toBe(retryAfterSeconds);
      expect(adapters.platform.seen).toHaveLength(1);
    });
  }
});

describe('an OAuth error is classified by its code, also with status 200', () => {
  proves('OAuth errors: all of them');
  const oauthError = (status: number, error: string): Scripted => ({
    status,
    body: { error, error_description: 'SECRETMARK', log_id: '1' },
  });
  type OAuthCase = [string, Scripted, ProviderErrorType, boolean];
  const OAUTH_CASES: CasesOf<OAuthCase> = {
    'A dead grant': [
      ['invalid_grant', oauthError(200, 'invalid_grant'), 'GrantDead', false],
      ['invalid_grant with 400', oauthError(400, 'invalid_grant'), 'GrantDead', false],
    ],
    'A request that does not match its code: only that attempt fails': [
      ['access_denied', oauthError(200, 'access_denied'), 'ContractBroken', false],
      ['invalid_request', oauthError(200, 'invalid_request'), 'ContractBroken', false],
      ['invalid_scope', oauthError(200, 'invalid_scope'), 'ContractBroken', false],
      ['unsupported_grant_type', oauthError(200, 'unsupported_grant_type'), 'ContractBroken', false],
      ['unsupported_response_type', oauthError(200, 'unsupported_response_type'), 'ContractBroken', false],
    ],
    'A refused client (invalid_client and similar): no grant ends': [
      ['invalid_client', oauthError(200, 'invalid_client'), 'ClientRejected', false],
      ['unauthorized_client', oauthError(200, 'unauthorized_client'), 'ClientRejected', false],
    ],
    'A failure of the platform: retry later': [
      ['server_error', oauthError(200, 'server_error'), 'RetryLater', false],
      ['temporarily_unavailable', oauthError(503, 'temporarily_unavailable'), 'RetryLater', false],
    ],
    'A limit: retry later': [
      ['rate_limit_exceeded', oauthError(200, 'rate_limit_exceeded'), 'PlatformLimit', false],
      ['429', { status: 429, body: '' }, 'PlatformLimit', false],
      ['429 with the code of an outage', oauthError(429, 'server_error'), 'PlatformLimit', false],
    ],
    'Unknown codes and shapes: retried or broken, never the end of a grant': [
      ['an unknown code', oauthError(200, 'something_new'), 'RetryLater', true],
      ['500 in HTML', { status: 500, body: '<html>' }, 'RetryLater', true],
      ['200 in HTML', { status: 200, body: '<html>' }, 'RetryLater', true],
      ['200 without a token', { status: 200, body: { token_type: 'Bearer' } }, 'ContractBroken', true],
    ],
  };
  for (const [behaviour, cases] of byBehaviour(OAUTH_CASES)) {
    test.each(cases)('%s', async (_name, answer, type, outcomeUnknown) => {
      proves(behaviour);
      adapters.platform.script(answer);
      const { PROVIDER_B } = adapters.providers;
      const expected = { type, status: answer.status, outcomeUnknown };
      expect(await failureOf(PROVIDER_B.exchangeCode(client, exchange, call()))).toMatchObject(expected);
      expect(await failureOf(PROVIDER_B.refresh(client, tokens(), call()))).toMatchObject(expected);
    });
  }
});

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ProviderErrorType } from '../../../src/basics/codes.ts';
import { access, call, client, code, failureOf, openAdapters, tokens } from '../../kit/fake-platform.ts';
import { byBehaviour, type CasesOf, proves } from '../../kit/proofs.ts';

let adapters: Awaited<ReturnType<typeof openAdapters>>;
beforeAll(async () => {
  adapters = await openAdapters();
});
afterAll(async () => await adapters.close());

interface Scripted {
  status: number;
  body: unknown;
  headers?: Record<string, string>;
}
const graphError = (
  status: number,
  errorCode: number,
  more: object = {},
  headers: Record<string, string> = {},
): Scripted => ({
  status,
  headers,
  body: { error: { message: 'SECRETMARK', type: 'OAuthException', code: errorCode, fbtrace_id: 'A', ...more } },
});
const usage = (...minutes: number[]) => ({
  'x-business-use-case-usage': JSON.stringify({
    17841400123456789: minutes.map((one) => ({
      type: 'instagram',
      call_count: 96,
      estimated_time_to_regain_access: one,
    })),
  }),
});

describe('an API error is classified by its code, not by type or status', () => {
  type Case = [string, Scripted, ProviderErrorType, number?];
  const CASES: CasesOf<Case> = {
    'A limit: retry later': [
      ['4, the app’s limit', graphError(400, 4), 'PlatformLimit', 3600],
      ['17, the person’s limit', graphError(400, 17), 'PlatformLimit', 3600],
      ['32', graphError(403, 32), 'PlatformLimit', 3600],
      ['613', graphError(400, 613), 'PlatformLimit', 3600],
      ['429 with an unknown code', graphError(429, 999), 'PlatformLimit'],
      ['429 with a code of a dead grant', graphError(429, 190), 'PlatformLimit'],
    ],
    'A rate limit and its delay': [
      ['80002, the account’s limit', graphError(400, 80002, {}, usage(7)), 'PlatformLimit', 420],
      ['80002, several uses', graphError(400, 80002, {}, usage(3, 11)), 'PlatformLimit', 660],
      ['80002, without a time', graphError(400, 80002, {}, usage(0)), 'PlatformLimit', 3600],
      [
        '80002, an unreadable header',
        graphError(400, 80002, {}, { 'x-business-use-case-usage': '{' }),
        'PlatformLimit',
        3600,
      ],
    ],
    'A failure of the platform: retry later': [
      ['1', graphError(500, 1), 'RetryLater'],
      ['2', graphError(400, 2), 'RetryLater'],
      ['is_transient', graphError(400, 100, { is_transient: true }), 'RetryLater'],
      ['502 in HTML', { status: 502, body: '<html>' }, 'RetryLater'],
    ],
    'A dead grant': [
      ['190, removed by the person', graphError(400, 190, { error_subcode: 458 }), 'GrantDead'],
      ['190, checkpoint', graphError(400, 190, { error_subcode: 459 }), 'GrantDead'],
      ['190, password changed', graphError(401, 190, { error_subcode: 460 }), 'GrantDead'],
      ['190, expired', graphError(400, 190, { error_subcode: 463 }), 'GrantDead'],
      ['190, 464', graphError(400, 190, { error_subcode: 464 }), 'GrantDead'],
      ['190, invalid', graphError(400, 190, { error_subcode: 467 }), 'GrantDead'],
      ['102', graphError(400, 102), 'GrantDead'],
      ['an invalidated session', graphError(400, 999, { message: 'The session has been invalidated.' }), 'GrantDead'],
    ],
    'A grant without an account': [
      [
        'no longer a business account',
        graphError(400, 999, { message: 'The user is no longer a business account' }),
        'AccountUnusable',
      ],
      [
        'not a professional account, with the code of a permission',
        graphError(400, 10, { message: '(#10) The user is not an Instagram Business' }),
        'AccountUnusable',
      ],
    ],
    'A missing permission': [
      ['10', graphError(400, 10), 'PermissionMissing'],
      ['200', graphError(403, 200, { message: 'It lacks a permission.' }), 'PermissionMissing'],
      ['299', graphError(403, 299, { message: 'It lacks a permission.' }), 'PermissionMissing'],
    ],
    'Unknown codes and shapes: retried or broken, never the end of a grant': [
      ['200 that names no permission', graphError(403, 200), 'RetryLater'],
      ['199', graphError(400, 199), 'RetryLater'],
      ['300', graphError(400, 300), 'RetryLater'],
      ['33 with another code', graphError(400, 999, { error_subcode: 33 }), 'RetryLater'],
      ['an unknown code', graphError(400, 999), 'RetryLater'],
      ['400 in HTML', { status: 400, body: '<html>' }, 'RetryLater'],
      ['200 in HTML', { status: 200, body: '<html>' }, 'RetryLater'],
      ['200 of another shape', { status: 200, body: { hello: 'world' } }, 'ContractBroken'],
    ],
    'A mistake in our setup': [['3', graphError(400, 3), 'ClientRejected']],
    'Not found or private': [
      ['100 with 33', graphError(400, 100, { error_subcode: 33 }), 'NotFound'],
      ['24', graphError(400, 24, { error_subcode: 2207006 }), 'NotFound'],
      ['25', graphError(400, 25, { error_subcode: 2207050 }), 'NotFound'],
      ['803', graphError(404, 803), 'NotFound'],
    ],
    'An invalid request of ours': [['100 otherwise', graphError(400, 100), 'ContractBroken']],
  };
  for (const [behaviour, cases] of byBehaviour(CASES)) {
    test.each(cases)('%s', async (_name, answer, type, retryAfterSeconds) => {
      proves(behaviour);
      adapters.platform.script(answer);
      const error = await failureOf(adapters.providers.PROVIDER_C.readAccount(access([]), call()));
      expect(error).toMatchObject({ type, status: answer.status, outcomeUnknown: false });
      expect(error.retryAfterSeconds).toBe(retryAfterSeconds);
    });
  }
});

describe('the short-lived token’s endpoint has its own form of errors', () => {
  proves('OAuth errors: all of them');
  const refusal = (errorCode: number, error_message: string, status = 400): Scripted => ({
    status,
    body: { error_type: 'OAuthException', code: errorCode, error_message },
  });
  type OAuthCase = [string, Scripted, ProviderErrorType, boolean];
  const OAUTH_CASES: CasesOf<OAuthCase> = {
    'A code that is used twice': [
      ['a code used before', refusal(400, 'Matching code was not found or was already used'), 'GrantDead', false],
      ['a code below theirs', refusal(499, 'Oops'), 'GrantDead', false],
    ],
    'A refused client (invalid_client and similar): no grant ends': [
      ['a wrong secret', refusal(400, 'Error validating client secret.'), 'ClientRejected', false],
      ['a wrong client', refusal(400, 'Invalid platform app'), 'ClientRejected', false],
      [
        'a wrong redirect URI',
        refusal(
          400,
          'Error validating verification code. Please make sure your redirect_uri is identical to the one you used in the OAuth dialog request',
        ),
        'ClientRejected',
        false,
      ],
    ],
    'A limit: retry later': [
      ['a limit', refusal(429, 'Slow down', 429), 'PlatformLimit', false],
      ['a limit in the code only', refusal(429, 'Slow down'), 'PlatformLimit', false],
      ['429 with an empty body', { status: 429, body: '' }, 'PlatformLimit', false],
      ['an API error', graphError(400, 4), 'PlatformLimit', false],
    ],
    'A failure of the platform: retry later': [
      ['a platform failure in the code only', refusal(500, 'Oops'), 'RetryLater', false],
      ['a platform failure', refusal(500, 'Oops', 500), 'RetryLater', false],
    ],
    'Unknown codes and shapes: retried or broken, never the end of a grant': [
      ['500 in HTML', { status: 500, body: '<html>' }, 'RetryLater', true],
      ['200 in HTML', { status: 200, body: '<html>' }, 'RetryLater', true],
      ['200 of another shape', { status: 200, body: { access_token: 'x' } }, 'ContractBroken', true],
    ],
  };
  for (const [behaviour, cases] of byBehaviour(OAUTH_CASES)) {
    test.each(cases)('%s', async (_name, answer, type, outcomeUnknown) => {
      proves(behaviour);
      adapters.platform.script(answer);
      const exchanging = adapters.providers.PROVIDER_C.exchangeCode(client, { ...code, codeVerifier: null }, call());
      expect(await failureOf(exchanging)).toMatchObject({ type, outcomeUnknown, status: answer.status });
      expect(adapters.platform.seen).toHaveLength(1);
    });
  }
});

describe('a refresh', () => {
  proves('OAuth errors: all of them');
  test.each<[string, Scripted, ProviderErrorType]>([
    ['190', graphError(400, 190, { error_subcode: 463 }), 'GrantDead'],
    ['10', graphError(400, 10), 'PermissionMissing'],
    ['2', graphError(500, 2), 'RetryLater'],
  ])('refused with %s', async (_name, answer, type) => {
    adapters.platform.script(answer);
    expect(await failureOf(adapters.providers.PROVIDER_C.refresh(client, tokens(), call()))).toMatchObject({ type });
  });
});

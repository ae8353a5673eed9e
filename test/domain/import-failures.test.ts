import { expect, test } from 'vitest';
import { describeImportFailure } from '../../src/domain/texts/import-failures.ts';

test.each([
  ['GrantDead', 'GRANT_DEAD', false, /The person must connect again\.$/],
  ['TokenStale', 'GRANT_DEAD', false, /^The provider refused the access token\./],
  ['PermissionMissing', 'MISSING_PERMISSION', false, /does not allow reading the account/],
  ['AccountUnusable', 'ACCOUNT_UNUSABLE', false, /has no channel or professional profile/],
  ['ClientRejected', 'CLIENT_REJECTED', false, /refused our client/],
  ['RetryLater', 'PROVIDER_UNAVAILABLE', true, /did not answer, or reported a failure of its own/],
  ['PlatformLimit', 'PROVIDER_UNAVAILABLE', true, /limits our requests/],
  ['OwnRateLimit', 'OWN_RATE_LIMIT', true, /waiting for their slot/],
  ['QuotaSpent', 'QUOTA_USED_UP', true, /is used up/],
  ['ContractBroken', 'PROVIDER_CONTRACT', false, /unknown answer/],
  ['NotFound', 'PROVIDER_CONTRACT', false, /does not know the account/],
  ['UnsupportedUrl', 'PROVIDER_CONTRACT', false, /unknown answer/],
  ['BAD_LINE', 'BAD_LINE', false, /required form/],
  ['DUPLICATE_LINE', 'DUPLICATE_LINE', false, /An earlier line of this run/],
  ['NO_TOKEN', 'NO_TOKEN', false, /no token that can be used/],
  ['NOT_PERMITTED', 'NOT_PERMITTED', false, /may not connect this account/],
  ['OTHER_CLIENT', 'OTHER_CLIENT', false, /another client/],
  ['CLIENT_UNPROVEN', 'CLIENT_UNPROVEN', false, /See --accept-unproven/],
  ['TOKENS_OF_ANOTHER_SUBJECT', 'TOKENS_OF_ANOTHER_SUBJECT', false, /another subject/],
  ['IMPORT_ENDED', 'IMPORT_ENDED', false, /that grant is gone/],
  ['ANSWER_LOST', 'ANSWER_LOST', true, /Run the line again/],
  ['INTERNAL', 'INTERNAL', true, /The service failed/],
  ['ACCOUNT_DISCONNECTING', 'ACCOUNT_DISCONNECTING', true, /is being disconnected/],
  ['REGISTRATION_PAUSED', 'REGISTRATION_PAUSED', true, /was paused/],
  ['POLICY_CHANGED', 'POLICY_CHANGED', true, /no longer allows it/],
  ['ACCOUNT_MISMATCH', 'ACCOUNT_MISMATCH', false, /another account/],
  ['ALREADY_CONNECTED', 'ALREADY_CONNECTED', false, /^The grant was not imported\.$/],
] as const)('a line that ended as %s has the code %s; it can succeed later: %s', (end, code, retryable, message) => {
  expect(describeImportFailure(end)).toEqual({
    code,
    message: expect.stringMatching(message),
    retryable,
    retryAfterSeconds: null,
  });
});

test('the pause that the provider requests, and a better message, are reported', () => {
  expect(describeImportFailure('RetryLater', { retryAfterSeconds: 0 }).retryAfterSeconds).toBe(0);
  expect(describeImportFailure('BAD_LINE', { message: 'line 3 has no subject', retryAfterSeconds: 30 })).toEqual({
    code: 'BAD_LINE',
    message: 'line 3 has no subject',
    retryable: false,
    retryAfterSeconds: 30,
  });
});

import { expect, test } from 'vitest';
import { PROVIDER_ERROR_TYPES } from '../../src/basics/failures.ts';
import { describeImportFailure } from '../../src/domain/texts/import-failures.ts';
import { FAILURE_TABLE } from '../kit/failure-table.ts';

test.each(PROVIDER_ERROR_TYPES)(
  'a line that failed with %s has its code, and is retryable if it can succeed later',
  (type) => {
    const [code, when] = FAILURE_TABLE[type].line.split(' ');
    const { message, ...failure } = describeImportFailure(type);
    expect(failure).toEqual({ code, retryable: when === 'later', retryAfterSeconds: null });
    expect(message).toMatch(/^[A-Z].* .*\.$/);
  },
);

test('a line whose grant has ended asks for the person, and one of a full quota does not', () => {
  expect(describeImportFailure('GrantDead').message).toMatch(/The person must connect again\.$/);
  expect(describeImportFailure('QuotaSpent').message).toMatch(/daily quota.*is used up\.$/);
});

test.each([
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

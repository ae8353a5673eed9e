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
  expect([describeImportFailure('ANSWER_LOST').retryable, describeImportFailure('NO_TOKEN').retryable]).toEqual([
    true,
    false,
  ]);
});

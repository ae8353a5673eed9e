import { expect, test } from 'vitest';
import { describeFailure, describeResult } from '../../src/domain/texts/failure-messages.ts';

test('a failure of a job that has not ended names the next step too', () => {
  const code = 'PROVIDER_UNAVAILABLE';
  const cause = 'The provider did not answer, or reported an error of its own.';
  expect(describeFailure(code, { open: false })).toEqual({ code, message: cause });
  expect(describeFailure(code, { open: true })).toEqual({ code, message: `${cause} The job retries.` });
  expect(describeFailure('INTERNAL', { open: true })?.message).toMatch(/correlation id\.$/);
  expect(describeFailure('OF_TOMORROW', { open: true })).toEqual({
    code: 'OF_TOMORROW',
    message: 'An unknown failure.',
  });
  expect(describeFailure(null, { open: true })).toBeNull();
});

test('a result has a meaning, unless there is none or it is of another version', () => {
  expect(describeResult('EXPIRED')).toBe('The attempt did not finish within 10 minutes.');
  expect(describeResult('OF_TOMORROW')).toBeNull();
  expect(describeResult(null)).toBeNull();
});

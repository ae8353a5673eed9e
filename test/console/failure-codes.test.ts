import { expect, test } from 'vitest';
import { ATTEMPT_RESULTS, DELIVERY_FAILURES } from '../../console/src/texts/failure-codes.ts';
import { DELIVERY_FAILURES as REASONS, RESULT_CODES } from '../../src/basics/codes.ts';

test('attempts can be filtered by each result code', () => {
  expect([...ATTEMPT_RESULTS].sort()).toEqual([...RESULT_CODES].sort());
});

test('deliveries can be filtered by each reason, and by answers of the receiver', () => {
  expect(DELIVERY_FAILURES.filter((code) => !/^HTTP_[45]\d\d$/.test(code)).sort()).toEqual([...REASONS].sort());
});

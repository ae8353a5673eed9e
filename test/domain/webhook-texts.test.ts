import { expect, test } from 'vitest';
import { describeDeliveryFailure, describeFailureCode } from '../../src/domain/texts/webhook-texts.ts';

const DISABLED = 'The endpoint answered 410 Gone, so the service disabled it.';
const busy = (status: number) => `The endpoint answered ${status}: it takes no more events at the moment.`;
const redirect = (status: number) => `The endpoint answered ${status}. The service follows no redirect.`;
const other = (status: number) => `The endpoint answered ${status}. It must answer 200 to 299.`;

test.each([
  [199, other(199)],
  [200, null],
  [299, null],
  [300, redirect(300)],
  [399, redirect(399)],
  [400, other(400)],
  [409, other(409)],
  [410, DISABLED],
  [411, other(411)],
  [428, other(428)],
  [429, busy(429)],
  [430, other(430)],
  [502, other(502)],
  [503, busy(503)],
  [504, other(504)],
])('a try that was answered %i', (lastHttpStatus, message) => {
  const failure = message === null ? null : { code: `HTTP_${lastHttpStatus}`, message };
  expect(describeDeliveryFailure({ lastHttpStatus, lastFailure: null })).toEqual(failure);
  if (message !== null) expect(describeFailureCode(`HTTP_${lastHttpStatus}`)).toBe(message);
});

test('no try yet, one without an answer, and one that has failed though it was answered', () => {
  const TIMEOUT = { code: 'TIMEOUT', message: 'The endpoint did not answer within 15 seconds.' };
  expect(describeDeliveryFailure({ lastHttpStatus: null, lastFailure: null })).toBeNull();
  expect(describeDeliveryFailure({ lastHttpStatus: null, lastFailure: 'TIMEOUT' })).toEqual(TIMEOUT);
  expect(describeDeliveryFailure({ lastHttpStatus: 200, lastFailure: 'TIMEOUT' })).toEqual(TIMEOUT);
  expect(describeFailureCode('TIMEOUT')).toBe(TIMEOUT.message);
  expect(describeFailureCode('HTTP_')).toBe('An unknown failure.');
});

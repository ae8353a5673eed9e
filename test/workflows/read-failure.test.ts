import {
  ActivityFailure,
  ApplicationFailure,
  CancelledFailure,
  ServerFailure,
  TimeoutFailure,
} from '@temporalio/common';
import { describe, expect, test } from 'vitest';
import { showWait } from '../../src/workflows/progress.ts';
import { readFailure } from '../../src/workflows/read-failure.ts';

const of = (type: string | undefined, details?: object) =>
  ApplicationFailure.create({ ...(type !== undefined && { type }), ...(details && { details: [details] }) });
const inQueue = (cause: Error) => new ActivityFailure('It failed.', 'checkGrant', '1', 'TIMEOUT', undefined, cause);

describe('the failure of an activity', () => {
  const NOTHING = {
    ...{ retryAfterSeconds: null, outcomeUnknown: false, isRepeatable: false, isUnconfirmed: false },
    answer: null,
  };

  test.for([
    [of('GrantDead'), { ...NOTHING, type: 'GrantDead' }],
    [inQueue(of('GrantDead')), { ...NOTHING, type: 'GrantDead' }],
    [of('RetryLater', {}), { ...NOTHING, type: 'RetryLater' }],
    [
      of('RetryLater', { status: 503, retryAfterSeconds: 7, outcomeUnknown: true, networkCode: null }),
      { ...NOTHING, type: 'RetryLater', retryAfterSeconds: 7, outcomeUnknown: true, answer: 'HTTP_503' },
    ],
    [
      of('RetryLater', { status: null, retryAfterSeconds: null, outcomeUnknown: false, networkCode: 'ECONNRESET' }),
      { ...NOTHING, type: 'RetryLater', answer: 'ECONNRESET' },
    ],
    [of('RetryLater', { isUnconfirmed: true }), { ...NOTHING, type: 'RetryLater', isUnconfirmed: true }],
    [of('ContractBroken', { isRepeatable: true }), { ...NOTHING, type: 'ContractBroken', isRepeatable: true }],
    [inQueue(new TimeoutFailure('Timed out.', undefined, 'HEARTBEAT')), { ...NOTHING, type: 'Interrupted' }],
    [of('RetryLater', { isOurs: true }), { ...NOTHING, type: 'Interrupted' }],
    [of(undefined, { status: 500 }), { ...NOTHING, type: 'Unexpected', answer: 'HTTP_500' }],
    [inQueue(new ServerFailure('The server failed.', true)), { ...NOTHING, type: 'Unexpected' }],
  ] as const)('%#: its type, and what it says of the next try', ([error, failure]) => {
    expect(readFailure(error)).toEqual(failure);
  });
});

test('a cancellation and a defect of ours are none', () => {
  expect(() => readFailure(new CancelledFailure('Canceled.'))).toThrow(CancelledFailure);
  expect(() => readFailure(new TypeError('x is not a function'))).toThrow(TypeError);
});

test('a wait belongs to a step', () => {
  expect(() => showWait('NEXT_TRY', 0)).toThrow('showWait needs a step');
});

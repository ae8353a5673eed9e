import { expect, test } from 'vitest';
import { toFailure } from '../../src/activities/failures.ts';
import { createLog } from '../../src/basics/log.ts';
import { ProviderError } from '../../src/providers/provider.ts';
import { toFields, toLine } from '../../src/worker/telemetry.ts';

test('a line of the native library has its run, and the answer without what it quotes', () => {
  const status = (message: string) => ({ run_id: 'r', error: `code: 'Not found', message: "${message}", details: []` });
  expect(toFields(status('Workflow task not found.'))).toEqual({ runId: 'r', reason: 'Workflow task not found.' });
  expect(toFields(status('tcp 10.0.0.1'))).toEqual({ runId: 'r', error: expect.any(String) });
});

test.each([
  ['its call and the status of the answer', { call: 'refresh', status: 503 }, { call: 'refresh', status: 503 }],
  ['the code of the network', { networkCode: 'ECONNREFUSED' }, { code: 'ECONNREFUSED' }],
])('a line about a failed call of a platform has %s', (_what, answer, shown) => {
  const error = toFailure(new ProviderError('RetryLater', 'Not now.', answer), createLog('error'));
  const work = { provider: 'PROVIDER_B', correlationId: 'c', activityType: 'exchangeCode' };
  expect(toFields({ error, ...work, unknown: 1 })).toEqual({ error, ...shown, ...work });
});

test('a line about an attempt names what failed', () => {
  const lineOf = (meta: object) => toLine('Activity failed', toFields({ activityType: 'any', ...meta }));
  expect(lineOf({ attemptId: 'a', workflowType: 'connectAttempt' })).toBe('A try of a connect failed');
  expect(lineOf({ attemptId: 'a', workflowType: 'identityAttempt' })).toBe('A try of a sign-in failed');
  expect(lineOf({ workflowType: 'sweep' })).toBe('Temporal SDK: Activity failed');
});

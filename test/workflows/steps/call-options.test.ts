import { expect } from 'vitest';
import { failure, MINUTE_MS } from '../../kit/fake-activities.ts';
import { type Course, inTurn, readLines, test } from '../transcripts.ts';

const grant = { connectionId: 'c', provider: 'PROVIDER_B' };
const job = { jobId: 'j', ...grant };
const expiresAt = (nowMs: number) => new Date(nowMs + 10 * MINUTE_MS).toISOString();

/** Among them, these make each kind of call. */
const COURSES: readonly Course[] = [
  {
    type: 'connectAttempt',
    input: (nowMs: number) => ({ attemptId: 'a', provider: 'PROVIDER_B', expiresAt: expiresAt(nowMs) }),
  },
  { type: 'identityAttempt', input: (nowMs: number) => ({ attemptId: 'a', expiresAt: expiresAt(nowMs) }) },
  { type: 'scan', input: job },
  { type: 'verifySiblings', input: job },
  {
    type: 'disconnect',
    input: { ...grant, revokeJobId: 'r', eraseJobId: 'e' },
    activities: { eraseConnection: inTurn(failure('Unexpected'), undefined) },
  },
  {
    type: 'identityAttempt',
    input: (nowMs: number) => ({ attemptId: 'a', expiresAt: expiresAt(nowMs) }),
    activities: { endIdentityAttempt: inTurn(failure('DataRefused'), 'FAILED') },
  },
  { type: 'sendWebhooks', input: { endpointId: 'w' } },
  { type: 'sweep', input: { kind: 'minute' } },
];

test('how long each call may take, and how often it is tried', async ({ temporal }) => {
  const lines = (await readLines(temporal, COURSES)).flat();
  const calls = lines.flatMap(({ text, options }) => {
    if (options === undefined) return [];
    const { taskQueue, summary, priority, ...limits } = options as Record<string, unknown>;
    return [[text.split(' ').slice(0, 2).join(' '), limits] as const];
  });
  const limits = Object.fromEntries(calls);
  const provider = {
    startToCloseTimeout: '2 minutes',
    heartbeatTimeout: '15 seconds',
    retry: { initialInterval: '1 second', maximumInterval: '15 seconds', maximumAttempts: 5 },
  };
  const refusals = ['DataRefused', 'SchemaMismatch'];
  const localStep = {
    scheduleToCloseTimeout: '10 seconds',
    retry: { initialInterval: '500 milliseconds', maximumAttempts: 4, nonRetryableErrorTypes: refusals },
  };
  const untilRepaired = { initialInterval: '500 milliseconds', maximumInterval: '30 seconds' };
  const sweep = {
    startToCloseTimeout: '2 minutes',
    heartbeatTimeout: '30 seconds',
    retry: { initialInterval: '1 second', maximumInterval: '10 seconds', maximumAttempts: 3 },
  };
  expect(limits).toEqual({
    'obtainGrantInline local': { scheduleToCloseTimeout: '1 minute', retry: { maximumAttempts: 1 } },
    'obtainGrant on': provider,
    'completeAttempt local': localStep,
    'exchangeIdentityCode on': provider,
    'endIdentityAttempt local': localStep,
    'endIdentityAttempt queued': { startToCloseTimeout: '30 seconds', retry: untilRepaired },
    'runScanStepInline local': { scheduleToCloseTimeout: '1 minute', retry: { maximumAttempts: 1 } },
    'runScanStep on': provider,
    'listSiblings queued': { startToCloseTimeout: '30 seconds', retry: untilRepaired },
    'purgeContent local': localStep,
    'tryRevokeInline local': { scheduleToCloseTimeout: '1 minute', retry: { maximumAttempts: 1 } },
    'tryRevoke on': provider,
    'eraseConnection local': localStep,
    'eraseConnection queued': {
      startToCloseTimeout: '30 seconds',
      retry: { ...untilRepaired, nonRetryableErrorTypes: refusals },
    },
    'sendDueWebhooks on': {
      startToCloseTimeout: '2 minutes',
      heartbeatTimeout: '15 seconds',
      retry: { initialInterval: '1 second', maximumInterval: '30 seconds' },
    },
    'reconcileRows queued': sweep,
    'startUpkeep queued': sweep,
  });
});

import { expect, test } from 'vitest';
import { type HealthFacts, judgeEnd, judgeHealth, type RecentWork } from '../../src/domain/rules/provider-health.ts';

const FINE: HealthFacts = {
  workers: 'ANSWERING',
  work: [],
  openJobs: 0,
  failingJobs: 0,
  waitingConnects: 0,
  waitingPersons: 0,
  connectAnswer: null,
  connected: 32,
  reconnectRequired: 0,
  rejectedRegistrations: 0,
  doubtedRegistrations: 0,
  spentRegistrations: 0,
  pausedRegistrations: 0,
};
const TOO_FEW = 'Fewer than 3 failures of a kind are not judged.';
const refreshes = (succeeded: number, failed: number, usualShare: number | null = null): RecentWork[] => [
  { kind: 'TOKEN_REFRESH', succeeded, failed, usualShare },
];

test.each<[string, Partial<HealthFacts>, string, string | undefined]>([
  ['nothing happened', {}, 'QUIET', undefined],
  ['something is open', { openJobs: 1 }, 'HEALTHY', undefined],
  ['every refresh failed', { work: refreshes(0, 38) }, 'FAILING', '38 of 38 token refreshes failed.'],
  ['two of four failed: no pattern', { work: refreshes(2, 2) }, 'HEALTHY', TOO_FEW],
  [
    'two of two connections are lost: no pattern',
    { openJobs: 1, connected: 0, reconnectRequired: 2 },
    'HEALTHY',
    undefined,
  ],
  [
    'a fifth fails, usually a twentieth',
    { work: refreshes(80, 20, 0.05) },
    'DEGRADED',
    '20 of 100 token refreshes failed; usually 5 %.',
  ],
  [
    '31 of 32 connections are lost',
    { openJobs: 1, connected: 1, reconnectRequired: 31 },
    'FAILING',
    '31 of 32 connections need a reconnect.',
  ],
  ['one job waits', { openJobs: 9, failingJobs: 1 }, 'DEGRADED', '1 of 9 open jobs wait after a failed try.'],
  ['a person waits', { waitingConnects: 1, waitingPersons: 1 }, 'DEGRADED', '1 connect waits after a failed try.'],
  [
    'a person waits for three',
    { waitingConnects: 3, waitingPersons: 1 },
    'DEGRADED',
    '3 connects wait after a failed try.',
  ],
  [
    'three persons wait',
    { waitingConnects: 3, waitingPersons: 3, connectAnswer: 'HTTP_503' },
    'FAILING',
    '3 connects wait after a failed try: HTTP 503.',
  ],
  ['the client is refused', { rejectedRegistrations: 1 }, 'FAILING', 'The platform refuses our client.'],
  ['the quota is used up', { spentRegistrations: 1 }, 'DEGRADED', 'The daily quota is used up.'],
  ['an operator has paused it', { pausedRegistrations: 1 }, 'DEGRADED', '1 paused by an operator.'],
  [
    'an endpoint was given up',
    { endpoints: { enabled: 4, failing: 0, givenUp: 1, disabledHosts: [] } },
    'DEGRADED',
    '1 disabled after days of failures.',
  ],
  ['no worker runs', { workers: 'SILENT' }, 'FAILING', 'No worker runs: connects wait.'],
  [
    'no worker runs a job',
    { workers: 'SILENT', openJobs: 1 },
    'FAILING',
    'No worker runs: connects and 1 open job wait.',
  ],
  ['no worker runs, and the platform is not used', { workers: 'SILENT', connected: 0 }, 'QUIET', undefined],
  [
    'no worker sends webhooks',
    { workers: 'SILENT', connected: 0, endpoints: { enabled: 2, failing: 0, givenUp: 0, disabledHosts: [] } },
    'FAILING',
    'No worker runs: events wait.',
  ],
  [
    'Temporal does not answer',
    { workers: 'NOT_KNOWN', openJobs: 1 },
    'NOT_KNOWN',
    'Temporal does not answer: connects and 1 open job may wait.',
  ],
  [
    'Temporal does not answer, and the platform is not used',
    { workers: 'NOT_KNOWN', connected: 0 },
    'QUIET',
    undefined,
  ],
  [
    'Temporal does not answer, and there are endpoints',
    { workers: 'NOT_KNOWN', connected: 0, endpoints: { enabled: 2, failing: 0, givenUp: 0, disabledHosts: [] } },
    'NOT_KNOWN',
    'Temporal does not answer: events may wait.',
  ],
  [
    'an endpoint is disabled while events wait',
    { endpoints: { enabled: 2, failing: 0, givenUp: 0, disabledHosts: ['a.example'] } },
    'DEGRADED',
    'a.example is disabled: no events are sent there.',
  ],
  [
    'many endpoints are disabled while events wait',
    { endpoints: { enabled: 2, failing: 0, givenUp: 0, disabledHosts: ['a', 'b', 'c', 'd', 'e'] } },
    'DEGRADED',
    'a, b, c, 2 more are disabled: no events are sent there.',
  ],
  ['exactly half of the work fails', { work: refreshes(3, 3) }, 'FAILING', '3 of 6 token refreshes failed.'],
  ['a tenth fails', { work: refreshes(27, 3) }, 'DEGRADED', '3 of 30 token refreshes failed.'],
  ['less than a tenth fails', { work: refreshes(28, 3) }, 'HEALTHY', undefined],
  ['half of the jobs wait', { openJobs: 6, failingJobs: 3 }, 'FAILING', '3 of 6 open jobs wait after a failed try.'],
  [
    'half of the endpoints fail',
    { endpoints: { enabled: 6, failing: 3, givenUp: 0, disabledHosts: [] } },
    'FAILING',
    '3 of 6 endpoints fail now.',
  ],
])('health when %s', (_when, facts, level, reason) => {
  const found = judgeHealth({ ...FINE, ...facts });
  expect(found.level).toBe(level);
  expect(found.reasons).toEqual(reason === undefined ? [] : [reason]);
});

test('the worst reason comes first', () => {
  const { level, reasons } = judgeHealth({ ...FINE, spentRegistrations: 1, work: refreshes(0, 9) });
  expect(level).toBe('FAILING');
  expect(reasons).toEqual(['9 of 9 token refreshes failed.', 'The daily quota is used up.']);
});

test('what is known to fail counts for more than that Temporal does not answer', () => {
  const { level, reasons } = judgeHealth({ ...FINE, workers: 'NOT_KNOWN', pausedRegistrations: 1 });
  expect(level).toBe('DEGRADED');
  expect(reasons).toEqual(['1 paused by an operator.', 'Temporal does not answer: connects may wait.']);
});

test('an end by a person or an app does not count for the platform', () => {
  const theirs =
    `ACCESS_DENIED MISSING_PERMISSION ACCOUNT_MISMATCH ACCOUNT_DISCONNECTING REGISTRATION_PAUSED POLICY_CHANGED
    EXPIRED CANCELED DENIED CAPABILITY_UNAVAILABLE AUTHORIZATION_SUSPENDED CONTENT_NOT_FOUND UNSUPPORTED_URL
    CONNECTION_DISCONNECTED REMOVE_APP_AT_PROVIDER`.split(/\s+/);
  expect(theirs.filter((outcome) => judgeEnd(outcome) !== undefined)).toEqual([]);
  expect(['COMPLETED', 'SUCCEEDED', 'DELIVERED'].map(judgeEnd)).toEqual(Array(3).fill('succeeded'));
  expect(['RECONNECT_REQUIRED', 'PROVIDER_UNAVAILABLE', 'HTTP_500'].map(judgeEnd)).toEqual(Array(3).fill('failed'));
});

import { buildSchema, parse, validate } from 'graphql';
import { describe, expect, test } from 'vitest';
import type { JobDetailsFragment } from '../../console/src/generated/operations.ts';
import { describeAct, orderThings } from '../../console/src/texts/audit.ts';
import { describeAnswer, describeTries, getNextTry } from '../../console/src/texts/deliveries.ts';
import { buildFirstRequest } from '../../console/src/texts/first-request.ts';
import { describeRetry, previewBulkRetry } from '../../console/src/texts/jobs.ts';
import { toProblem } from '../../console/src/texts/problem.ts';
import { explainMissingRole } from '../../console/src/texts/roles.ts';
import {
  formatLocal,
  formatShort,
  fromLocalField,
  getZoneName,
  showTimesIn,
  toLocalField,
} from '../../console/src/texts/time.ts';
import { callersSchema } from '../../src/api/graphql/schema-texts.ts';

test('shows times in UTC once the operator has chosen it, and reads fields so', () => {
  const [at, now] = ['2026-11-21T23:25:43.000Z', Date.parse('2026-11-22T00:10:00.000Z')];
  showTimesIn('UTC');
  expect(getZoneName()).toBe('UTC');
  expect(formatLocal(at)).toBe('21 Nov 2026, 23:25:43');
  expect(formatShort(at, now)).toBe('21 Nov, 23:25'); // Another day, wherever the browser is.
  expect(formatShort(at, Date.parse(at) + 1_000)).toBe('23:25:43');
  expect(toLocalField(at)).toBe('2026-11-21T23:25');
  expect(fromLocalField('2026-11-21T23:25')).toBe('2026-11-21T23:25:00.000Z');
  showTimesIn('BROWSER');
  expect(fromLocalField(toLocalField(at))).toBe('2026-11-21T23:25:00.000Z');
});

const retry = { jobId: 'j', retriedAtMs: 0, triesBefore: 3 };
const failure = { code: 'PROVIDER_UNAVAILABLE', message: 'The provider did not answer.' };
const job = (changes: Partial<JobDetailsFragment>) =>
  ({
    id: 'j',
    kind: 'REVOKE',
    status: 'RUNNING',
    tries: 3,
    failure: null,
    lastFailure: failure,
    recoveredFrom: null,
    ...changes,
  }) as JobDetailsFragment;
test.each([
  [{}, { state: 'trying', text: 'Retry requested 2.4 s ago. Waiting for the try…' }],
  [{ status: 'QUEUED' }, { state: 'trying' }],
  [{ tries: 4 }, { state: 'failedAgain', text: 'Retried and failed again: The provider did not answer.' }],
  [
    { status: 'SUCCEEDED', tries: 4, recoveredFrom: { at: '', failure, answer: 'HTTP_503' } },
    {
      state: 'settled',
      text: 'The retry succeeded after 2.4 s: access at the provider is revoked. After 3 failed tries (HTTP 503).',
    },
  ],
  [
    { status: 'SUCCEEDED', creatorAction: 'REMOVE_APP_AT_PROVIDER', creatorActionReason: 'No revoke was sent.' },
    {
      text: expect.stringMatching(/: No revoke was sent\. The person still sees the app there, until they remove it/),
    },
  ],
  [{ status: 'CANCELED' }, { text: 'Ended after 2.4 s: the job was canceled.' }],
  [{ status: 'FAILED', failure }, { text: 'Ended after 2.4 s: The provider did not answer.' }],
] as const)('a retried job with %j is told as %j', (changes, told) => {
  expect(describeRetry(retry, job({ creatorAction: null, ...changes }), 2_400)).toMatchObject(told);
});

test.each([
  [{}, undefined, 'All jobs: no filter is set. 3 jobs will be retried.'],
  [
    {},
    1,
    'All stuck jobs, and others that wait for their next try. 3 jobs will be retried. 2 of them are not stuck yet.',
  ],
  [{ provider: 'PROVIDER_B' }, 3, 'Filter: TikTok. 3 jobs will be retried.'],
] as const)(
  'a retry of many with the filter %j, of which %j are stuck, says what it acts on',
  (filter, stuck, text) => {
    const retryJobs = { count: 3, failedCount: 0, more: false, correlationId: 'c' };
    const stuckWork = { count: stuck ?? 0, retryableCount: stuck ?? 0, groupCount: 1, groups: [] };
    const found = stuck === undefined ? undefined : { data: { stuckWork } };
    expect(previewBulkRetry(filter, { data: { retryJobs } }, found)).toEqual({ text, isNothing: false });
  },
);

describe('a problem', () => {
  test('of the api includes its correlation id and when to retry', () => {
    const extensions = { code: 'RATE_LIMITED', correlationId: 'c', retryAfterSeconds: 2 };
    expect(toProblem({ graphQLErrors: [{ message: 'Too many.', extensions }] })).toEqual({
      code: 'RATE_LIMITED',
      message: 'Too many. Try again in 2 s.',
      correlationId: 'c',
    });
  });
  test.each([
    ['filter.appId must be a whole id.', 'The filter’s app must be a whole id.'],
    ['filter.correlationId must be an id.', 'The filter’s correlation id must be an id.'],
    ['filter.externalSubjectId must come with tenantKey.', 'The filter’s subject must come with its tenant.'],
  ])('of a filter names its field in words: %s', (message, shown) => {
    expect(toProblem({ graphQLErrors: [{ message }] }).message).toBe(shown);
  });
  test('an answer of a proxy instead of the api is UNREACHABLE, and is shown', () => {
    const networkError = new Error('<html>Bad Gateway</html>');
    const problem = toProblem({ graphQLErrors: [], networkError, response: { status: 502 } });
    expect(problem.code).toBe('UNREACHABLE');
    expect(problem.message).toMatch(/^The api returned HTTP 502\./);
  });
});

test.each([
  [{ tries: 0, lastTriedAt: null }, 'Not tried yet', 'soon'],
  [{}, 'Being tried', null],
  [{ lastFailure: { code: 'TIMEOUT', message: 'No answer.' } }, 'No answer.', 'soon'],
  [{ status: 'DELIVERED', lastHttpStatus: 204, nextRetryAt: null }, 'Accepted', null],
] as const)('a delivery with %j is told as %s', (changes, answer, next) => {
  const sent = { status: 'PENDING', tries: 1, lastTriedAt: 'now', lastHttpStatus: null, lastFailure: null } as const;
  const delivery = { ...sent, nextRetryAt: 'soon', ...changes };
  expect([describeAnswer(delivery), getNextTry(delivery)]).toEqual([answer, next]);
  expect([describeTries(1, 3), describeTries(3, 3)]).toEqual(['1 since it was sent again', '3']);
});

test('an operator whose role may not run an operation sees which role may', () => {
  expect(explainMissingRole('VIEWER', 'retryJob')).toBe('Requires the role OPERATOR. You are signed in as VIEWER.');
  expect(explainMissingRole('OPERATOR', 'retryJob')).toBeUndefined();
  expect(explainMissingRole('OPERATOR', 'issueKey')).toMatch(/ADMIN/);
  expect(explainMissingRole('ADMIN', 'revokeAdminToken')).toBeUndefined();
});

test('the first request is one shell command with a valid query', () => {
  const command = buildFirstRequest('https://connect.example/graphql', 'id.secret');
  expect(
    command
      .split('\n')
      .slice(0, -1)
      .every((line) => line.endsWith(' \\')),
  ).toBe(true);
  expect(command).toContain("'authorization: Bearer id.secret'");
  const { query } = JSON.parse(/-d '([^']+)'/.exec(command)?.[1] ?? '') as { query: string };
  expect(validate(buildSchema(callersSchema), parse(query))).toEqual([]);
});

test.each([
  ['pauseRegistration', ['REGISTRATION'], ['paused'], ['tried to pause']],
  ['serveApp', ['REGISTRATION', 'APP'], ['let', 'serve'], ['tried to let', 'serve']],
  ['eraseSubject', ['APP', 'ERASURE'], ['erased subject of', 'with'], ['tried to erase subject of', 'with']],
] as const)('%s of %j reads as %j once done, and as %j if it was refused', (action, kinds, done, refused) => {
  const things = orderThings(
    action,
    kinds.map((kind) => ({ kind })),
  );
  expect([describeAct(action, things, 'DONE'), describeAct(action, things, 'FORBIDDEN')]).toEqual([done, refused]);
});

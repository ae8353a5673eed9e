import { buildSchema, parse, validate } from 'graphql';
import { describe, expect, test } from 'vitest';
import type { JobDetailsFragment } from '../../console/src/generated/operations.ts';
import {
  describeAct,
  describeChange,
  describeEntry,
  nameThing,
  nameUnknown,
  orderThings,
} from '../../console/src/texts/audit.ts';
import { buildFirstRequest } from '../../console/src/texts/first-request.ts';
import {
  describeBulkRetry,
  describeJob,
  describeRecovery,
  describeRetry,
  formatJobCount,
  previewBulkRetry,
} from '../../console/src/texts/jobs.ts';
import { toOutcome, toProblem, UNREACHABLE } from '../../console/src/texts/problem.ts';
import { parseProof } from '../../console/src/texts/proof-of-deletion.ts';
import { explainMissingRole } from '../../console/src/texts/roles.ts';
import { getDeliveryState } from '../../console/src/texts/states.ts';
import {
  describeNextTry,
  formatDuration,
  formatLocal,
  formatShort,
  formatUtc,
  fromLocalField,
  getZoneName,
  showTimesIn,
  toLocalField,
  toStartOfDay,
} from '../../console/src/texts/time.ts';
import { buildIssueText, describeMeaning } from '../../console/src/texts/unknown-answers.ts';
import { callersSchema } from '../../src/api/graphql/schema-texts.ts';

const SECOND = 1_000;
const HOUR = 3_600 * SECOND;

describe('a duration', () => {
  test.each([
    [-5 * SECOND, '0 s'],
    [999, '0 s'],
    [59 * SECOND, '59 s'],
    [61 * SECOND, '1 min 1 s'],
    [3 * HOUR + 12 * 60 * SECOND + 59 * SECOND, '3 h 12 min'],
    [3 * HOUR + 59 * SECOND, '3 h'],
    [26 * HOUR, '1 d 2 h'],
  ])('of %i ms is %s', (ms, text) => expect(formatDuration(ms)).toBe(text));
});

test('a delivery that waits after a failed try is not the same as a fresh one', () => {
  const failed = { code: 'HTTP_500', message: 'It answered with HTTP 500.' } as never;
  const stateOf = (status: 'PENDING' | 'DELIVERED', lastFailure: typeof failed | null, waitsForEndpoint = false) =>
    getDeliveryState({ status, lastFailure, waitsForEndpoint });
  expect(stateOf('PENDING', null)).toMatchObject({ label: 'pending', color: 'blue' });
  expect(stateOf('PENDING', failed)).toMatchObject({ label: 'retrying', color: 'orange' });
  expect(stateOf('PENDING', failed, true)).toMatchObject({ label: 'waits for endpoint', color: 'orange' });
  expect(stateOf('DELIVERED', failed)).toMatchObject({ label: 'delivered' });
});

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

test('shows an instant in UTC in every time zone', () => {
  expect(formatUtc('2026-11-21T23:25:43.000Z')).toBe('21 Nov 2026, 23:25:43 UTC');
  expect([toStartOfDay(''), toStartOfDay('2026-12-31')]).toEqual([null, '2026-12-31T00:00:00.000Z']);
});

describe('a retried job', () => {
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
      ...changes,
    }) as JobDetailsFragment;
  test.each([
    [{}, { state: 'trying', text: 'Retry requested 2.4 s ago. Trying now…' }],
    [{ status: 'QUEUED' }, { state: 'trying' }],
    [{ tries: 4 }, { state: 'failedAgain', text: 'Retried and failed again: The provider did not answer.' }],
    [{ status: 'SUCCEEDED' }, { state: 'settled', text: 'Settled after 2.4 s: access at the provider is revoked.' }],
    [
      { status: 'SUCCEEDED', creatorAction: 'REMOVE_APP_AT_PROVIDER' },
      { text: expect.stringMatching(/still sees the app there, until they remove it/) },
    ],
    [{ status: 'CANCELED' }, { text: 'Ended after 2.4 s: the job was canceled.' }],
    [{ status: 'FAILED', failure }, { text: 'Ended after 2.4 s: The provider did not answer.' }],
  ] as const)('with %j is told as %j', (changes, told) => {
    expect(describeRetry(retry, job({ creatorAction: null, ...changes }), 2_400)).toMatchObject(told);
  });
});

test('a job that succeeded after failed tries reads as a success', () => {
  const failure = { code: 'PROVIDER_UNAVAILABLE', message: 'The provider answered with HTTP 503.' };
  const textOf = (tries: number, answer: string | null) =>
    describeRecovery({ tries, recoveredFrom: { at: '2026-11-21T23:25:43.000Z', failure, answer } });
  expect(textOf(7, 'HTTP_503')).toBe('After 6 failed tries (HTTP 503).');
  expect(textOf(2, null)).toBe('After 1 failed try (PROVIDER_UNAVAILABLE).');
  expect(describeRecovery({ tries: 0, recoveredFrom: null })).toBeNull();
});

describe('a bulk retry', () => {
  const retry = { retriedBy: 'c', retriedAtMs: 0, retriedCount: 1_000, finishedAtMs: undefined };
  const none = { open: 0, waiting: 0, succeeded: 0, failed: 0, canceled: 0 };
  const over = { finishedAtMs: 2_300 }; // Each job has been tried, also if the service itself tries one once more.

  test.each([
    [{ open: 1_000 }, {}, 'Retried 1,000 jobs 2.4 s ago: 1,000 being tried.'],
    [
      { open: 300, waiting: 20, succeeded: 700 },
      {},
      'Retried 1,000 jobs 2.4 s ago: 700 settled, 280 being tried and 20 failed again.',
    ],
    [
      { open: 4, waiting: 2, succeeded: 983, failed: 5, canceled: 6 },
      {},
      'Retried 1,000 jobs 2.4 s ago: 983 settled, 2 being tried, 2 failed again, 5 failed permanently, 6 canceled and 2 deleted with their connections.',
    ],
    [{ succeeded: 1_000 }, over, 'Retried 1,000 jobs; all were tried within 2.3 s: 1,000 settled.'],
    [
      { open: 20, waiting: 19, succeeded: 980 },
      over,
      'Retried 1,000 jobs; all were tried within 2.3 s: 980 settled and 20 failed again.',
    ],
  ])('with %j is told in numbers', (jobs, more, text) => {
    expect(describeBulkRetry({ ...retry, ...more }, { ...none, ...jobs }, 2_400).text).toBe(text);
  });
});

describe('the preview of a bulk retry', () => {
  const stuck = { data: { stuckWork: { count: 7, retryableCount: 5, groupCount: 1, groups: [] } } };
  const dryRun = (count: number, failedCount = 0, more = false) => ({
    data: { retryJobs: { count, failedCount, more, correlationId: 'c' } },
  });

  test('shows the number of jobs that it will retry', () => {
    expect(previewBulkRetry({}, dryRun(5, 1, true), stuck)).toEqual({
      text: 'Filter: none. 5 jobs will be retried. Of these, 1 revoke failed permanently. There are more: retry again when these have finished.',
      isNothing: false,
    });
    expect(previewBulkRetry({}, dryRun(0), stuck)).toMatchObject({ isNothing: true });
  });

  test('repeats the filter', () => {
    const textOf = (filter: Parameters<typeof previewBulkRetry>[0]) => previewBulkRetry(filter, dryRun(1), undefined);
    expect(textOf({ provider: 'PROVIDER_B', kinds: null, statuses: [] })).toMatchObject({
      text: 'Filter: TikTok. 1 job will be retried.',
    });
    expect(
      textOf({
        ...{ provider: 'PROVIDER_A', kinds: ['REVOKE', 'ERASE'], statuses: ['QUEUED', 'RUNNING'] },
        ...{ lastFailure: 'PROVIDER_UNAVAILABLE', appId: '1f0c5a2e-0000-4000-8000-000000000000' },
      }),
    ).toMatchObject({
      text: 'Filter: YouTube, Revoke or Erase, queued or running, PROVIDER_UNAVAILABLE, app 1f0c5a2e. 1 job will be retried.',
    });
    expect(textOf({ neverFailed: true, provider: 'PROVIDER_C' })).toMatchObject({
      text: 'Filter: Instagram, no known failure. 1 job will be retried.',
    });
  });

  test('counts the jobs that a list of stuck ones does not show', () => {
    const text = 'Filter: none. 7 jobs will be retried. 2 of them are not stuck yet.';
    expect(previewBulkRetry({}, dryRun(7), stuck)).toMatchObject({ text });
    expect(previewBulkRetry({}, dryRun(7), undefined)).toMatchObject({ text: 'Filter: none. 7 jobs will be retried.' });
    expect(previewBulkRetry({}, dryRun(5), stuck)).toMatchObject({ text: 'Filter: none. 5 jobs will be retried.' });
  });

  test('fails if the jobs cannot be counted', () => {
    const unreachable = toOutcome<never>({ error: { graphQLErrors: [], networkError: new Error('Failed to fetch') } });
    expect(previewBulkRetry({}, dryRun(5), unreachable)).toEqual({ problem: UNREACHABLE });
    expect(previewBulkRetry({}, unreachable, stuck)).toEqual({ problem: UNREACHABLE });
  });
});

test.each([
  [61_000, 'in 1 min 1 s'],
  [999, 'in a moment'],
  [-29_000, 'in a moment'],
  [-30_000, 'overdue for 30 s'],
  [-95_000, 'overdue for 1 min 35 s'],
])('the next try, in %i ms, is %s', (ms, text) => {
  expect(describeNextTry(new Date(ms).toISOString(), 0)).toBe(text);
});

test('the description of a job distinguishes it from similar jobs', () => {
  const job = { kind: 'REVOKE', provider: 'PROVIDER_B', appName: 'Harbour Kitchen' } as const;
  expect(describeJob({ ...job, tenantKey: 'north' })).toBe('Revoke at TikTok of Harbour Kitchen, tenant “north”');
  expect(describeJob({ ...job, tenantKey: null })).toBe('Revoke at TikTok of Harbour Kitchen');
  expect([formatJobCount('REVOKE', 1), formatJobCount('METRICS', 1_200)]).toEqual([
    '1 revoke',
    '1,200 metrics refreshes',
  ]);
});

describe('a problem', () => {
  test('of the api includes its correlation id and when to retry', () => {
    const extensions = { code: 'RATE_LIMITED', correlationId: 'c', retryAfterSeconds: 2 };
    expect(toProblem({ graphQLErrors: [{ message: 'Too many.', extensions }] })).toEqual({
      code: 'RATE_LIMITED',
      message: 'Too many. Try again in 2 s.',
      correlationId: 'c',
    });
  });
  test('an answer of a proxy instead of the api is UNREACHABLE, and is shown', () => {
    const networkError = new Error('<html>Bad Gateway</html>');
    const problem = toProblem({ graphQLErrors: [], networkError, response: { status: 502 } });
    expect(problem.code).toBe('UNREACHABLE');
    expect(problem.message).toMatch(/^The api returned HTTP 502\./);
  });

  test('follows from a partial or missing answer', () => {
    const graphQLErrors = [{ message: 'No.', extensions: { code: 'INTERNAL' } }];
    expect(toOutcome({ data: 1 })).toEqual({ data: 1 });
    expect(toOutcome({ data: 1, error: { graphQLErrors } })).toEqual({ problem: { code: 'INTERNAL', message: 'No.' } });
    expect(toOutcome({})).toEqual({ problem: UNREACHABLE });
  });
});

test('an operator whose role may not run an operation sees which role may', () => {
  expect(explainMissingRole('VIEWER', 'retryJob')).toBe('Requires the role OPERATOR. You are signed in as VIEWER.');
  expect(explainMissingRole('OPERATOR', 'retryJob')).toBeUndefined();
  expect(explainMissingRole('OPERATOR', 'issueKey')).toMatch(/ADMIN/);
  expect(explainMissingRole('ADMIN', 'revokeAdminToken')).toBeUndefined();
});

test('the text of an issue quotes an unknown answer, and no part of it becomes markup', () => {
  const answer = {
    provider: 'PROVIDER_B',
    request: 'PROVIDER_B user info',
    status: 400,
    code: '',
    text: 'a `b` ``c``\n@someone <img>',
    madeOfIt: 'RetryLater',
    times: 1_200,
    firstSeenAt: '2026-11-21T23:25:43.000Z',
    lastSeenAt: '2026-11-22T23:25:43.000Z',
  } as const;
  expect(buildIssueText(answer, '0.1.0').split('\n')).toEqual([
    'TikTok gives an answer that version 0.1.0 does not know.',
    '',
    '- Request: `PROVIDER_B user info`',
    '- Status: 400',
    '- Code: none',
    '- Text: ``` a `b` ``c`` @someone <img> ```',
    '- Treated as: a temporary failure (`RetryLater`)',
    '- Seen: at least 1,200 times, from 2026-11-21T23:25:43.000Z to 2026-11-22T23:25:43.000Z',
  ]);
  expect(['ContractBroken', 'OfALaterVersion', 'constructor'].map(describeMeaning)).toEqual([
    'unknown format',
    'OfALaterVersion',
    'constructor',
  ]);
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

test('only a proof of deletion parses as one', () => {
  expect(parseProof('{"connectionId":"x","document":"{}","signature":"s"}')).toEqual({
    document: '{}',
    signature: 's',
  });
  expect(['', 'nonsense', '{"document":"{}"}', 'null'].map(parseProof)).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
});

test.each([
  ['pauseRegistration', ['REGISTRATION'], ['paused'], ['tried to pause']],
  ['serveApp', ['REGISTRATION', 'APP'], ['let', 'serve'], ['tried to let', 'serve']],
  ['serveApp', [], ['served app'], ['tried to serve app']],
  ['issueKey', ['APP', 'KEY'], ['issued', 'for'], ['tried to issue', 'for']],
  ['connections', ['APP'], ['read connections of'], ['tried to read connections of']],
  ['find', ['JOB', 'CONNECTION'], ['searched for', 'and'], ['tried to search for', 'and']],
  ['find', [], ['searched'], ['tried to search']],
  ['addReturnUrl', ['APP'], ['added return URL to'], ['tried to add return URL to']],
  ['rotateIdentityIssuerSecret', ['ISSUER'], ['rotated secret of'], ['tried to rotate secret of']],
  ['setIdentity', ['APP', 'ISSUER'], ['set identity of', 'at'], ['tried to set identity of', 'at']],
  ['retryJobs', ['APP', 'JOB'], ['retried', 'for'], ['tried to retry', 'for']],
  ['eraseSubject', ['APP', 'ERASURE'], ['erased subject of', 'with'], ['tried to erase subject of', 'with']],
  ['outbox retry', [], ['ran “outbox retry”'], ['tried to run “outbox retry”']],
] as const)('%s of %j reads as %j once done, and as %j if it was refused', (action, kinds, done, refused) => {
  const things = orderThings(
    action,
    kinds.map((kind) => ({ kind })),
  );
  expect([describeAct(action, things, 'DONE'), describeAct(action, things, 'FORBIDDEN')]).toEqual([done, refused]);
});

describe('an entry of the audit log reads', () => {
  const idOf = (number: number) => `${String(number).padStart(8, '0')}-0000-4000-8000-000000000000`;
  const [app, receipt] = [
    { id: idOf(90), kind: 'APP', name: 'Pier', appId: idOf(90) },
    { id: idOf(91), kind: 'ERASURE', name: null, appId: idOf(90) },
  ] as const;
  const jobs = [1, 2, 3, 4, 5].map(
    (number) => ({ id: idOf(number), kind: 'JOB', name: 'REVOKE', appId: app.id }) as const,
  );
  type Entry = Parameters<typeof describeEntry>[0];
  const read = (action: string, outcome: string, things: Entry['things'], more: Partial<Entry> = {}) => {
    const entry = { action, outcome, things, target: null, related: things.map(({ id }) => id), ...more } as Entry;
    const texts = describeEntry(entry).map((part) => {
      if (typeof part === 'string') return part;
      return 'name' in part ? nameUnknown(part.name) : `${nameThing(part.thing)} ${part.thing.id.slice(0, 8)}`;
    });
    return texts.join(' ').replaceAll(' ,', ',');
  };

  test('as a dry run, a refusal or an act', () => {
    expect(read('retryJobs', 'DRY_RUN', [app])).toBe('did a dry run: retry jobs of app “Pier” 00000090');
    expect(read('retryJobs', 'DRY_RUN', [])).toBe('did a dry run: retry jobs');
    expect(read('retryJobs', 'FORBIDDEN', [])).toBe('tried to retry jobs');
    expect(read('stopServingApp', 'DRY_RUN', [{ ...app, kind: 'REGISTRATION', name: 'Live' }, app])).toBe(
      'did a dry run: stop registration “Live” 00000090 from serving app “Pier” 00000090',
    );
  });

  test('with the number of retried jobs, also without any and after they are deleted', () => {
    expect(read('retryJobs', 'DONE', [])).toBe('retried no jobs');
    expect(read('retryJobs', 'DONE', [app])).toBe('retried no jobs for app “Pier” 00000090');
    expect(read('retryJobs', 'DONE', jobs.slice(0, 1))).toBe('retried revoke 00000001');
    expect(read('retryJobs', 'DONE', jobs.slice(0, 2))).toBe('retried 2 jobs: revoke 00000001 and revoke 00000002');
    expect(read('retryJobs', 'DONE', [app, ...jobs])).toBe(
      'retried 5 jobs: revoke 00000001, revoke 00000002 and 3 more for app “Pier” 00000090',
    );
    expect(read('retryJobs', 'DONE', jobs.slice(0, 1), { related: [idOf(1), idOf(7), 'PROVIDER_B'] })).toBe(
      'retried 2 jobs: revoke 00000001 and 1 more',
    );
    expect(read('retryJobs', 'DONE', [], { related: [idOf(7)] })).toBe('retried 1 job');
  });

  test('with the tenant and the subject, and what the rest of its things are', () => {
    const owners = ['tenant:AAAAAAAAbbbb', 'subject:CCCCCCCCdddd'];
    expect(read('eraseSubject', 'DONE', [app, receipt], { related: [app.id, receipt.id, ...owners] })).toBe(
      'erased subject of app “Pier” 00000090 with erasure receipt 00000091, tenant AAAAAAAA…, subject CCCCCCCC…',
    );
    const connection = { id: idOf(80), kind: 'CONNECTION', name: 'PROVIDER_B', appId: app.id } as const;
    const erase = { ...jobs[1], id: idOf(2), kind: 'JOB', name: 'ERASE', appId: app.id } as const;
    expect(
      read('disconnectConnection', 'DONE', [connection, jobs[0] ?? erase, erase, app], {
        target: connection.id,
        related: [idOf(1), idOf(2), app.id],
      }),
    ).toBe(
      'disconnected connection at TikTok 00000080 with revoke 00000001 and erase 00000002 for app “Pier” 00000090',
    );
    expect(read('revokeKey', 'DONE', [app], { target: idOf(7), related: [app.id] })).toBe(
      'revoked key of app “Pier” 00000090 and 1 more that no longer exists',
    );
    expect(read('revokeKey', 'DONE', [], { target: idOf(7) })).toBe('revoked key 00000007');
  });

  test('with its changes in words', () => {
    const change = (setting: string, from: string | null, to: string | null) => describeChange({ setting, from, to });
    expect(change('isRefused', 'true', 'false')).toBe('refusal cleared: the client will be tried');
    expect(change('isPaused', 'false', 'true')).toBe('paused');
    expect(change('enabled', 'true', 'false')).toBe('disabled');
    expect(change('secretSetAt', null, '2026-11-21T17:25:43.000Z')).toMatch(/^secret set at: none → 2\d Nov 2026, /);
    expect(change('suspended', 'true', 'false')).toBe('suspended: yes → no');
    expect(change('PROVIDER_A.quotaPercent', null, '30')).toBe('quota percent at YouTube: none → 30');
  });
});

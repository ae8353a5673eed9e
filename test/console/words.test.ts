import { buildSchema, parse, validate } from 'graphql';
import { describe, expect, test } from 'vitest';
import type { WorkFragment } from '../../src/console/generated/operations.ts';
import { count, listed } from '../../src/console/words/count.ts';
import { firstQuestion } from '../../src/console/words/curl.ts';
import { countOf, foreseePush, inFull, progressOf, progressOfMany } from '../../src/console/words/jobs.ts';
import { isOutage, outcomeOf, problemOf, UNREACHABLE } from '../../src/console/words/problem.ts';
import { readProof } from '../../src/console/words/proof.ts';
import { hindranceOf } from '../../src/console/words/roles.ts';
import { duration, inUtc, startOfDay, stopwatch } from '../../src/console/words/time.ts';
import { schemaText } from '../../src/generated/schema.ts';

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
  ])('of %i ms is %s', (ms, text) => expect(duration(ms)).toBe(text));

  test('that somebody watches has tenths, for the first minute', () => {
    expect([2_449, 59_940, 61_000].map(stopwatch)).toEqual(['2.4 s', '59.9 s', '1 min 1 s']);
  });
});

test('an instant is told in UTC whatever the zone', () => {
  expect(inUtc('2026-11-21T23:25:43.000Z')).toBe('21 Nov 2026, 23:25:43 UTC');
  expect([startOfDay(''), startOfDay('2026-12-31')]).toEqual([null, '2026-12-31T00:00:00.000Z']);
});

test('counts are in words', () => {
  expect([count(0, 'job'), count(1, 'job'), count(12_000, 'job')]).toEqual(['0 jobs', '1 job', '12,000 jobs']);
  expect(listed(['a', 'b', 'c'])).toBe('a, b and c');
});

describe('a pushed job', () => {
  const push = { jobId: 'j', pushedAtMs: 0, triesBefore: 3 };
  const failure = { code: 'PROVIDER_UNAVAILABLE', message: 'The provider did not answer.' };
  const job = (changes: Partial<WorkFragment>) =>
    ({
      id: 'j',
      kind: 'REVOKE',
      status: 'RUNNING',
      tries: 3,
      failure: null,
      lastFailure: failure,
      ...changes,
    }) as WorkFragment;
  const stateOf = (changes: Partial<WorkFragment>) => progressOf(push, job({ creatorAction: null, ...changes }), 2_400);

  test('is being tried until there is something new', () => {
    expect(stateOf({})).toEqual({ state: 'trying', text: 'Pushed 2.4 s ago. Trying now…' });
    expect(stateOf({ status: 'QUEUED' }).state).toBe('trying');
  });
  test('has failed again with one more failed try', () => {
    expect(stateOf({ tries: 4 })).toEqual({
      state: 'failedAgain',
      text: 'Tried again, and failed again: The provider did not answer.',
    });
  });
  test('has settled, and says so in words of its kind', () => {
    expect(stateOf({ status: 'SUCCEEDED' })).toEqual({
      state: 'settled',
      text: 'Settled after 2.4 s: our access at the provider has ended.',
    });
    expect(stateOf({ status: 'SUCCEEDED', creatorAction: 'REMOVE_APP_AT_PROVIDER' }).text).toMatch(/remove the app/);
  });
  test('has ended when it was called off or failed for good', () => {
    expect(stateOf({ status: 'CANCELED' }).text).toBe('Ended after 2.4 s: it was called off.');
    expect(stateOf({ status: 'FAILED', failure }).text).toBe('Ended after 2.4 s: The provider did not answer.');
  });
});

describe('many pushed jobs', () => {
  const push = { filter: { stuck: true }, pushedAtMs: 0, pushed: 1_000, stuckBefore: 1_000, leftOut: 0 };
  const textOf = (stuck: number, retryableCount: number, leftOut = 0) =>
    progressOfMany({ ...push, leftOut }, { count: stuck, retryableCount }, 2_400).text;

  test('are told of by how many have settled, are being tried, and have failed again', () => {
    expect(textOf(1_000, 0)).toBe('Pushed 1,000 jobs 2.4 s ago: 1,000 being tried.');
    expect(textOf(300, 20)).toBe('Pushed 1,000 jobs 2.4 s ago: 700 settled, 280 being tried and 20 failed again.');
    expect(textOf(20, 20)).toBe('Pushed 1,000 jobs; all have been tried after 2.4 s: 980 settled and 20 failed again.');
    expect(textOf(0, 0)).toBe('Pushed 1,000 jobs; all have been tried after 2.4 s: 1,000 settled.');
  });

  test('are not said to have failed again where they have not been pushed yet', () => {
    expect(textOf(600, 500, 480)).toContain('100 being tried, 20 failed again and 480 still to be pushed.');
    expect(textOf(340, 340, 400)).toContain(': 660 settled and 340 still to be pushed.');
  });

  test('never settle less than none, whatever has got stuck meanwhile', () => {
    expect(progressOfMany(push, { count: 1_200, retryableCount: 200 }, 0)).toMatchObject({ settled: 0, trying: 1_000 });
  });
});

describe('a push of many', () => {
  const stuck = { data: { stuckWork: { count: 7, retryableCount: 5, groupCount: 1, groups: [] } } };
  const dryRun = (count: number, failedCount = 0, more = false) => ({
    data: { retryJobs: { count, failedCount, more } },
  });

  test('is told of before it is made', () => {
    expect(foreseePush(stuck, dryRun(5, 1, true))).toEqual({
      text: '5 jobs will be pushed. Of these, 1 revoke had failed for good. There are more: push again when these are through.',
      isNothing: false,
      stuckBefore: 7,
    });
    expect(foreseePush(stuck, dryRun(0))).toMatchObject({ isNothing: true });
  });

  test('is not made where it could not be told afterwards how far it has come', () => {
    const unanswered = outcomeOf<never>({ error: { graphQLErrors: [], networkError: new Error('Failed to fetch') } });
    expect(foreseePush(unanswered, dryRun(5))).toEqual({ problem: UNREACHABLE });
    expect(foreseePush(stuck, unanswered)).toEqual({ problem: UNREACHABLE });
  });
});

test('a job is named so that it can be told from others like it', () => {
  const job = { kind: 'REVOKE', provider: 'PROVIDER_B', appName: 'Harbour Kitchen' } as const;
  expect(inFull({ ...job, tenantKey: 'north' })).toBe('Revoke at PROVIDER_B of Harbour Kitchen, tenant “north”');
  expect(inFull({ ...job, tenantKey: null })).toBe('Revoke at PROVIDER_B of Harbour Kitchen');
  expect([countOf('REVOKE', 1), countOf('METRICS', 1_200)]).toEqual(['1 revoke', '1,200 metrics refreshes']);
});

describe('a problem', () => {
  test('of the api is told with its correlation id, and with when to come back', () => {
    const extensions = { code: 'RATE_LIMITED', correlationId: 'c', retryAfterSeconds: 2 };
    expect(problemOf({ graphQLErrors: [{ message: 'Too many.', extensions }] })).toEqual({
      code: 'RATE_LIMITED',
      message: 'Too many. Try again in 2 s.',
      correlationId: 'c',
    });
  });
  test('without an answer is that there is none', () => {
    expect(problemOf({ graphQLErrors: [], networkError: new Error('Failed to fetch') }).code).toBe('UNREACHABLE');
  });
  test('is what comes of an answer in part, or of none', () => {
    const graphQLErrors = [{ message: 'No.', extensions: { code: 'INTERNAL' } }];
    expect(outcomeOf({ data: 1 })).toEqual({ data: 1 });
    expect(outcomeOf({ data: 1, error: { graphQLErrors } })).toEqual({ problem: { code: 'INTERNAL', message: 'No.' } });
    expect(outcomeOf({})).toEqual({ problem: UNREACHABLE });
  });
  test('is an outage where asking again may help, and nothing the question is to blame for', () => {
    const problem = (code: string) => problemOf({ graphQLErrors: [{ message: 'No.', extensions: { code } }] });
    expect(isOutage(UNREACHABLE)).toBe(true);
    expect(isOutage(problem('UPSTREAM_UNAVAILABLE'))).toBe(true);
    for (const code of ['NOT_FOUND', 'FORBIDDEN', 'UNAUTHENTICATED']) expect(isOutage(problem(code))).toBe(false);
  });
});

test('a role is told what it may not do, and why', () => {
  expect(hindranceOf('VIEWER', 'retryJob')).toBe('This takes the role OPERATOR; you are signed in as VIEWER.');
  expect(hindranceOf('OPERATOR', 'retryJob')).toBeUndefined();
  expect(hindranceOf('OPERATOR', 'issueKey')).toMatch(/ADMIN/);
  expect(hindranceOf('ADMIN', 'revokeAdminToken')).toBeUndefined();
});

test('a first question is a command of one piece, and asks what there is', () => {
  const command = firstQuestion('https://connect.example/graphql', 'id.secret');
  expect(
    command
      .split('\n')
      .slice(0, -1)
      .every((line) => line.endsWith(' \\')),
  ).toBe(true);
  expect(command).toContain("'authorization: Bearer id.secret'");
  const { query } = JSON.parse(/-d '([^']+)'/.exec(command)?.[1] ?? '') as { query: string };
  expect(validate(buildSchema(schemaText), parse(query))).toEqual([]);
});

test('a proof of deletion is told from any other text', () => {
  expect(readProof('{"connectionId":"x","document":"{}","signature":"s"}')).toEqual({ document: '{}', signature: 's' });
  expect(['', 'nonsense', '{"document":"{}"}', 'null'].map(readProof)).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
});

import { inspect } from 'node:util';
import {
  ApplicationFailure,
  CancelledFailure,
  DefaultFailureConverter,
  defaultPayloadConverter,
} from '@temporalio/common';
import postgres from 'postgres';
import { describe, expect, test } from 'vitest';
import {
  createRefusal,
  findAnswer,
  guardActivities,
  guardStoreActivities,
  isLoggedWithJob,
  toFailure,
} from '../../src/activities/failures.ts';
import { PROVIDER_ERROR_TYPES } from '../../src/basics/failures.ts';
import { createLog } from '../../src/basics/log.ts';
import { ProviderError } from '../../src/providers/provider.ts';
import { runActivity } from '../kit/deps.ts';
import { MARK } from '../kit/fake-provider.ts';

/** The text of an error that enters workflow history. */
const written = (error: unknown) =>
  JSON.stringify(new DefaultFailureConverter().errorToFailure(error, defaultPayloadConverter), (_, value) =>
    value instanceof Uint8Array || value?.type === 'Buffer' ? Buffer.from(value).toString() : value,
  );

const databaseError = (code: string) =>
  Object.assign(new postgres.PostgresError(MARK as never), { code, detail: MARK, query: MARK });

function logged() {
  const lines: string[] = [];
  return { lines, log: createLog('debug', { write: (line) => void lines.push(line) }) };
}

describe('toFailure', () => {
  for (const type of PROVIDER_ERROR_TYPES) {
    test(`reports ${type} with its details, and leaves retries to the workflow`, () => {
      const error = new ProviderError(type, 'In our own words.', {
        status: 429,
        retryAfterSeconds: 1.2,
        outcomeUnknown: true,
      });
      expect(toFailure(error, logged().log)).toMatchObject({
        name: 'ApplicationFailure',
        type,
        message: 'In our own words.',
        nonRetryable: true,
        details: [{ status: 429, retryAfterSeconds: 2, outcomeUnknown: true }],
      });
    });
  }

  test('is left to the line of its job, unless it is a defect', () => {
    expect(isLoggedWithJob(toFailure(new ProviderError('RetryLater', 'Later.'), logged().log))).toBe(true);
    expect(isLoggedWithJob(toFailure(new Error('x'), logged().log))).toBe(false);
    expect(isLoggedWithJob(new Error('x'))).toBe(false);
  });

  test('reports unknown details as null', () => {
    const failure = toFailure(new ProviderError('RetryLater', 'Later.'), logged().log);
    expect(failure).toMatchObject({ details: [{ status: null, retryAfterSeconds: null, outcomeUnknown: false }] });
  });

  const leaky: [string, unknown][] = [
    ['an error', new Error(MARK)],
    ['an error with a cause', new Error('outer', { cause: new Error(MARK) })],
    ['an error with marked properties', Object.assign(new TypeError('inner'), { url: MARK, query: MARK })],
    ['a database error', databaseError('XX000')],
    ['a string', MARK],
    ['an object', { message: MARK }],
    ['nothing', undefined],
    ['an error named by its thrower', Object.assign(new Error('x'), { name: MARK })],
  ];
  for (const [what, error] of leaky) {
    test(`writes no text of ${what} into history`, () => {
      const { log, lines } = logged();
      const failure = toFailure(error, log);
      expect(failure).toMatchObject({ name: 'ApplicationFailure', type: 'Unexpected', nonRetryable: false });
      expect(written(failure)).not.toContain(MARK);
      expect(inspect(failure, { depth: 10, showHidden: true })).not.toContain(MARK);
      expect(lines).toHaveLength(1);
    });
  }

  test.each([
    ['22021', 'DataRefused', 'error'],
    ['23505', 'DataRefused', 'error'],
    ['42501', 'SchemaMismatch', 'error'],
    ['42P01', 'SchemaMismatch', 'error'],
    ['28P01', 'SchemaMismatch', 'error'],
    ['3D000', 'SchemaMismatch', 'error'],
    ['54000', 'DataRefused', 'error'],
    ['57014', 'RetryLater', 'warn'],
    ['55P03', 'RetryLater', 'warn'],
    ['40001', 'RetryLater', 'warn'],
  ])('maps SQLSTATE %s to %s, logs its code, and writes no text of it into history', (code, type, level) => {
    const { log, lines } = logged();
    const failure = toFailure(databaseError(code), log);
    expect(failure).toMatchObject({ name: 'ApplicationFailure', type, nonRetryable: true });
    expect(written(failure)).not.toContain(MARK);
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ level, error: { code } }]);
    expect(lines.join()).not.toContain(MARK);
  });

  test.each([
    [{ status: 503 }, { status: 503 }],
    [{ networkCode: 'TIMEOUT' }, { code: 'TIMEOUT' }],
    [{}, {}],
  ])('keeps what came back of a platform for the log: %j', (details, answer) => {
    expect(findAnswer(toFailure(new ProviderError('RetryLater', 'No.', details), logged().log))).toEqual(answer);
  });

  test.each(['CONNECT_TIMEOUT', 'CONNECTION_CLOSED', 'ECONNREFUSED'])(
    'maps an unreachable database (%s) to DatabaseAway',
    (code) => {
      const failure = toFailure(Object.assign(new Error(MARK), { code }), logged().log);
      expect(failure).toMatchObject({ type: 'DatabaseAway', nonRetryable: true });
    },
  );

  // A standby, a read-only server, an unlogged table on a standby; full; shutting down, starting up; our frozen transaction.
  test.each(['25006', '0A000', '53100', '53300', '57P01', '57P03', '08006', '58030', '25P03'])(
    'maps SQLSTATE %s, an outage, to DatabaseAway',
    (code) => {
      expect(toFailure(databaseError(code), logged().log)).toMatchObject({ type: 'DatabaseAway', nonRetryable: true });
    },
  );

  test('logs an outage once a second, with its cause and the number of failures', async () => {
    const { log, lines } = logged();
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    for (let failed = 0; failed < 1_000; failed += 1) toFailure(databaseError('25006'), log);
    expect(lines).toHaveLength(1);
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    toFailure(databaseError('25006'), log);
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { level: 'error', message: 'The database is read-only', error: { code: '25006' } },
      { level: 'error', message: 'The database is read-only', count: 1_000 },
    ]);
  });

  test('writes no stack trace into history', () => {
    const { log } = logged();
    const failures = [
      toFailure(new Error('x'), log),
      toFailure(new ProviderError('GrantDead', 'Gone.'), log),
      toFailure(createRefusal('NotWanted', 'Over.'), log),
    ];
    for (const failure of failures) expect(written(failure)).not.toContain(import.meta.dirname);
    for (const failure of failures) expect(written(failure)).not.toMatch(/\.ts:\d+/);
  });

  test('passes on Temporal’s own failures and already mapped ones', () => {
    const { log, lines } = logged();
    const cancelled = new CancelledFailure('Activity cancelled');
    const mapped = ApplicationFailure.create({ type: 'NotWanted', message: 'Over.' });
    expect(toFailure(cancelled, log)).toBe(cancelled);
    expect(toFailure(mapped, log)).toBe(mapped);
    expect(lines).toEqual([]);
  });
});

describe('guardStoreActivities', () => {
  test('has Temporal retry an unexpected failure 20 times, then fails with a clear message', async () => {
    const group = guardStoreActivities(logged().log, { fails: async (_: null) => Promise.reject(new TypeError(MARK)) });
    await expect(runActivity(group.fails, null, 19)).rejects.toMatchObject({ type: 'Unexpected', nonRetryable: false });
    await expect(runActivity(group.fails, null, 20)).rejects.toMatchObject({
      type: 'Unexpected',
      message: "Unexpected TypeError. Gave up after 20 tries; the worker's log has the error.",
      nonRetryable: true,
    });
  });

  test.each([
    ['22021', { type: 'DataRefused', nonRetryable: false, nextRetryDelay: 60_000 }],
    ['42703', { type: 'SchemaMismatch', nonRetryable: false, nextRetryDelay: 60_000 }],
    ['57014', { type: 'RetryLater', nonRetryable: false }],
  ])('has Temporal retry a database refusal with %s', async (code, expected) => {
    const { asks } = guardStoreActivities(logged().log, { asks: async () => Promise.reject(databaseError(code)) });
    await expect(asks()).rejects.toMatchObject(expected);
  });
});

describe('guardActivities', () => {
  test('wraps every activity of a group', async () => {
    const { log } = logged();
    const group = guardActivities(log, {
      works: async (input: number) => input + 1,
      fails: async () => Promise.reject(new Error(MARK)),
      throws: () => {
        throw new Error(MARK);
      },
    });
    expect(await group.works(1)).toBe(2);
    await expect(group.fails()).rejects.toMatchObject({ type: 'Unexpected', message: 'Unexpected Error.' });
    await expect(group.throws()).rejects.toMatchObject({ type: 'Unexpected', message: 'Unexpected Error.' });
  });
});

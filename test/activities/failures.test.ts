import { inspect } from 'node:util';
import { metrics } from '@opentelemetry/api';
import { ApplicationFailure, DefaultFailureConverter, defaultPayloadConverter } from '@temporalio/common';
import postgres from 'postgres';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { LOOPBACK } from '../../local/src/ports.ts';
import { guardStoreActivities, holdActivities, toFailure } from '../../src/activities/failures.ts';
import { PROVIDER_ERROR_TYPES } from '../../src/basics/failures.ts';
import { createLog } from '../../src/basics/log.ts';
import { ProviderError } from '../../src/providers/provider.ts';
import { type Metrics, startMetrics } from '../../src/telemetry/metrics.ts';
import { runActivity } from '../kit/deps.ts';
import { MARK } from '../kit/fake-provider.ts';
import { keepLog } from '../kit/keep-log.ts';

/** The text of an error that enters workflow history. */
const written = (error: unknown) =>
  JSON.stringify(new DefaultFailureConverter().errorToFailure(error, defaultPayloadConverter), (_, value) =>
    value instanceof Uint8Array || value?.type === 'Buffer' ? Buffer.from(value).toString() : value,
  );

const databaseError = (code: string) =>
  Object.assign(new postgres.PostgresError(MARK as never), { code, detail: MARK, query: MARK });

let served: Metrics;
beforeAll(async () => {
  metrics.disable();
  served = await startMetrics({ host: LOOPBACK, port: 0 }, createLog('silent'));
});
afterAll(() => served.close());

/** Each counted failure so far, by its type. */
async function counted(): Promise<string[]> {
  const text = await (await fetch(`http://${LOOPBACK}:${served.port}/metrics`)).text();
  const counts = text.matchAll(/^accounts_activity_failures_total\{type="(\w+)"\} (\d+)$/gm);
  return [...counts].flatMap(([, type = '', count]) => Array.from({ length: Number(count) }, () => type));
}

const coded = (code: string) => Object.assign(new Error(MARK), { code });
const named = (name: string) => Object.assign(new Error(MARK), { name });

/** Errors of our own, what they become, and their level in the log. One that somebody has to repair is counted. */
const OWN: readonly (readonly [type: string, level: 'warn' | 'error', errors: Readonly<Record<string, unknown>>])[] = [
  [
    'DatabaseAway',
    'error',
    {
      // A standby, a read-only server, an unlogged table on a standby; full; shutting down, starting up; our frozen transaction.
      ...Object.fromEntries(
        ['25006', '0A000', '53100', '53300', '57P01', '57P03', '08006', '58030', '25P03'].map((code) => [
          `SQLSTATE ${code}`,
          databaseError(code),
        ]),
      ),
      ...Object.fromEntries(
        ['CONNECT_TIMEOUT', 'CONNECTION_CLOSED', 'ECONNREFUSED'].map((code) => [code, coded(code)]),
      ),
    },
  ],
  [
    'RetryLater',
    'warn',
    {
      'a canceled statement': databaseError('57014'),
      'a lock that is held': databaseError('55P03'),
      'a conflict': databaseError('40001'),
      'our own time-out': named('TimeoutError'),
      'our own abort': named('AbortError'),
      'a file': coded('ENOSPC'),
    },
  ],
  [
    'DataRefused',
    'error',
    {
      'a text that Postgres cannot store': databaseError('22021'),
      'a row that exists': databaseError('23505'),
      'a value beyond a limit': databaseError('54000'),
    },
  ],
  [
    'SchemaMismatch',
    'error',
    {
      'a missing right': databaseError('42501'),
      'a missing table': databaseError('42P01'),
      'a wrong password': databaseError('28P01'),
      'a missing database': databaseError('3D000'),
    },
  ],
  [
    'Unexpected',
    'error',
    {
      'a statement that is wrong': databaseError('XX000'),
      'a mistake': new TypeError(MARK),
      'a mistake with a cause': new Error('outer', { cause: new Error(MARK) }),
      'a mistake with properties': Object.assign(new TypeError('inner'), { url: MARK, query: MARK }),
      'a mistake with a code': coded('ERR_INVALID_ARG_TYPE'),
      'a mistake named by its thrower': named(MARK),
      'a text': MARK,
      'an object': { message: MARK },
      nothing: undefined,
    },
  ],
];

describe('a failure of our own', () => {
  const rows = OWN.flatMap(([type, level, errors]) =>
    Object.entries(errors).map(([title, error]) => ({ title, error, type, level })),
  );
  test.each(rows)('$title is $type, with no text of its own in history', async ({ error, type, level }) => {
    const { log, lines } = keepLog();
    const before = await counted();
    const failure = toFailure(error, log);
    expect(failure).toMatchObject({ name: 'ApplicationFailure', type, nonRetryable: type !== 'Unexpected' });
    expect(written(failure)).not.toContain(MARK);
    expect(inspect(failure, { depth: 10, showHidden: true })).not.toContain(MARK);
    const isRepaired = type !== 'DatabaseAway' && type !== 'RetryLater';
    expect((await counted()).toSorted()).toEqual([...before, ...(isRepaired ? [type] : [])].toSorted());
    if (type === 'DatabaseAway') return; // One line a second.
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ level }]);
    if (error instanceof postgres.PostgresError) {
      expect(lines.join()).toContain(`"${error.code}"`);
      expect(lines.join()).not.toContain(MARK);
    }
  });
});

test('a failure has no stack trace in history', () => {
  const { log } = keepLog();
  for (const error of [new Error('x'), new ProviderError('GrantDead', 'Gone.')])
    expect(written(toFailure(error, log))).not.toMatch(/\.ts:\d+/);
});

describe('a failure of the provider', () => {
  test.each(PROVIDER_ERROR_TYPES)('%s keeps its details, and its retries are left to the workflow', async (type) => {
    const before = await counted();
    const details = { status: 429, retryAfterSeconds: 1.2, outcomeUnknown: true, networkCode: 'ECONNRESET' };
    expect(toFailure(new ProviderError(type, 'In our own words.', details), keepLog().log)).toMatchObject({
      name: 'ApplicationFailure',
      type,
      message: 'In our own words.',
      nonRetryable: true,
      details: [{ ...details, retryAfterSeconds: 2 }],
    });
    expect(await counted()).toEqual(before);
  });
});

describe('a store activity', () => {
  test('has Temporal retry an unexpected failure 20 times, then fails with a clear message', async () => {
    const group = guardStoreActivities(keepLog().log, {
      fails: async (_: null) => Promise.reject(new TypeError(MARK)),
    });
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
    const { asks } = guardStoreActivities(keepLog().log, { asks: async () => Promise.reject(databaseError(code)) });
    await expect(asks()).rejects.toMatchObject(expected);
  });
});

test('work calls nothing while the database is older than the journal, and Temporal retries it', async () => {
  const double = vi.fn(async (input: number) => 2 * input);
  let reason: string | undefined = 'Older.';
  const { doubles } = holdActivities({ findReason: () => reason }, { doubles: double }, { areRetried: true });
  const message = 'Our own database is older than the erasure journal.';
  const failure = await doubles(4).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(ApplicationFailure);
  expect(failure).toMatchObject({ type: 'DatabaseAway', message, nonRetryable: false });
  expect(double).not.toHaveBeenCalled();
  reason = undefined;
  expect(await doubles(4)).toBe(8);
});

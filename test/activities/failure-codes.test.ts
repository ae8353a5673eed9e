import { metrics } from '@opentelemetry/api';
import { ApplicationFailure, CancelledFailure } from '@temporalio/common';
import postgres from 'postgres';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { LOOPBACK } from '../../local/src/ports.ts';
import { createLostRow, guardStoreActivities, holdActivities, toFailure } from '../../src/activities/failures.ts';
import { createLog } from '../../src/basics/log.ts';
import { ProviderError } from '../../src/providers/provider.ts';
import { type Metrics, startMetrics } from '../../src/telemetry/metrics.ts';

const log = createLog('debug', { write: () => undefined });
const databaseError = (code: string) => Object.assign(new postgres.PostgresError('No.' as never), { code });

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

test.each<[string, unknown, string, string[]]>([
  ['a failure of the provider', new ProviderError('ContractBroken', 'Odd.'), 'ContractBroken', []],
  ['an outage', databaseError('25006'), 'DatabaseAway', []],
  ['a busy database', databaseError('40001'), 'RetryLater', []],
  ['our own time-out', Object.assign(new Error(), { name: 'TimeoutError' }), 'RetryLater', []],
  ['our own abort', Object.assign(new Error(), { name: 'AbortError' }), 'RetryLater', []],
  ['a file', Object.assign(new Error(), { code: 'ENOSPC' }), 'RetryLater', []],
  ['refused data', databaseError('22021'), 'DataRefused', ['DataRefused']],
  ['a missing right', databaseError('42501'), 'SchemaMismatch', ['SchemaMismatch']],
  ['a statement that is wrong', databaseError('XX000'), 'Unexpected', ['Unexpected']],
  ['a mistake', new TypeError(), 'Unexpected', ['Unexpected']],
  ['a mistake with a code', Object.assign(new Error(), { code: 'ERR_INVALID_ARG_TYPE' }), 'Unexpected', ['Unexpected']],
  ['a mistake without an error', 'text', 'Unexpected', ['Unexpected']],
])('%s counts as failed only if somebody has to repair it', async (_, error, type, added) => {
  const before = await counted();
  expect(toFailure(error, log)).toMatchObject({ type });
  expect((await counted()).toSorted()).toEqual([...before, ...added].toSorted());
});

test.each([undefined, 'ECONNRESET'])('a failure of the provider names the code of the network: %s', (networkCode) => {
  const error = new ProviderError('RetryLater', 'Later.', networkCode === undefined ? {} : { networkCode });
  expect(toFailure(error, log)).toMatchObject({ details: [{ networkCode: networkCode ?? null }] });
});

test('a lost row is not retried', () => {
  expect(createLostRow(log, 'Lost', {})).toMatchObject({ type: 'RowLost', message: 'Lost.', nonRetryable: true });
});

describe('work of our own', () => {
  test.each([
    [0, 1_000],
    [0.5, 2_000],
    [1, 3_000],
  ])('waits one to three seconds after an outage: %d of the way', async (share, nextRetryDelay) => {
    const random = vi.spyOn(Math, 'random').mockReturnValue(share);
    const { asks } = guardStoreActivities(log, { asks: async () => Promise.reject(databaseError('25006')) });
    await expect(asks()).rejects.toMatchObject({ type: 'DatabaseAway', nonRetryable: false, nextRetryDelay });
    random.mockRestore();
  });

  test('ends as it was canceled', async () => {
    const canceled = new CancelledFailure('Canceled.');
    const { ends } = guardStoreActivities(log, { ends: async () => Promise.reject(canceled) });
    await expect(ends()).rejects.toBe(canceled);
  });

  test('passes on a failure of the provider', async () => {
    const error = new ProviderError('GrantDead', 'Dead.');
    const { ends } = guardStoreActivities(log, { ends: async () => Promise.reject(error) });
    await expect(ends()).rejects.toMatchObject({ type: 'GrantDead', nonRetryable: true });
  });
});

describe('work while the database is older than the journal', () => {
  const held = { findReason: () => 'Older.' };
  const double = vi.fn(async (input: number) => 2 * input);

  test('continues if it is not', async () => {
    const { doubles } = holdActivities({ findReason: () => undefined }, { doubles: double }, { areRetried: true });
    expect(await doubles(4)).toBe(8);
  });

  test.each([
    [true, { nonRetryable: false, nextRetryDelay: 2_000 }],
    [false, { nonRetryable: true }],
  ])('calls nothing, and is retried by Temporal: %s', async (areRetried, expected) => {
    double.mockClear();
    const random = vi.spyOn(Math, 'random').mockReturnValue(0.5);
    const { doubles } = holdActivities(held, { doubles: double }, { areRetried });
    const message = 'Our own database is older than the erasure journal.';
    const failure = await doubles(4).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ApplicationFailure);
    expect(failure).toMatchObject({ type: 'DatabaseAway', message, ...expected });
    if (!areRetried) expect((failure as ApplicationFailure).nextRetryDelay ?? undefined).toBeUndefined();
    expect(double).not.toHaveBeenCalled();
    random.mockRestore();
  });
});

import type { Client } from '@temporalio/client';
import { expect, onTestFinished, vi } from 'vitest';
import { createLog } from '../../src/basics/log.ts';
import { createDispatcher } from '../../src/outbox/dispatcher.ts';
import type { Database } from '../kit/postgres.ts';
import { aFewTurns, newDispatch, stopTime, outboxTest as test, until, watchLooks, write } from './stage.ts';

/** A dispatcher of which each start of a workflow calls the current `temporal.start`. Time stands still. */
async function open(sql: Database) {
  const temporal = { starts: 0, start: async () => {} };
  const client = {
    withDeadline: (_deadline: number, work: () => unknown) => work(),
    workflow: {
      start: () => {
        temporal.starts += 1;
        return temporal.start();
      },
    },
  } as unknown as Client;
  const { watch, sql: watched } = watchLooks(sql);
  const dispatcher = createDispatcher({ sql: watched, client, taskQueue: 'nobody', log: createLog('silent') });
  await stopTime(sql);
  /** The waits for another round, without the pauses of a round and those of the driver. */
  const waits: { ms: number; timer: NodeJS.Timeout }[] = [];
  const fake = globalThis.setTimeout;
  globalThis.setTimeout = ((work: () => void, ms: number) => {
    const timer = fake(work, ms);
    // Neither the driver's limit of a new connection, nor the remains of an earlier file.
    const isOwn = new Error().stack?.includes('/src/outbox/');
    if (isOwn && ms !== 10 && ms > 0 && ms < 60_000) waits.push({ ms, timer });
    return timer;
  }) as typeof setTimeout;
  onTestFinished(() => {
    globalThis.setTimeout = fake;
    vi.useRealTimers();
  });
  const pass = async (ms: number) => {
    await vi.advanceTimersByTimeAsync(ms);
    await settle(sql);
  };
  /** Waits for the process to wait for another round. */
  const waited = async (count: number) => {
    await until(() => waits.length === count);
    return waits[count - 1]?.ms;
  };
  return { temporal, watch, waits, waited, pass, dispatcher };
}

const fails = async () => Promise.reject(new Error('failed'));

/** Gives everything that waits for the database its time. */
async function settle(sql: Database): Promise<void> {
  for (let turns = 0; turns < 20; turns += 1) {
    await sql`select`;
    await aFewTurns();
  }
}

test('looks again after 2, 4, 5 and 5 seconds while it cannot, and no more once it could', async ({ sql }) => {
  const { watch, waits, waited, pass, dispatcher } = await open(sql);
  watch.isAway = true;
  dispatcher.deliverSoon();
  for (const [index, ms] of [2_000, 4_000, 5_000, 5_000].entries()) {
    expect(await waited(index + 1)).toBe(ms);
    expect(watch.looks).toBe(index + 1);
    if (index === 3) watch.isAway = false;
    await pass(ms);
  }
  await pass(10_000);
  expect(watch.looks).toBe(5);
  expect(waits).toHaveLength(4);
  watch.isAway = true;
  dispatcher.deliverSoon();
  expect(await waited(5)).toBe(2_000);
  await dispatcher.close();
});

test('after a success, earlier failures are retried when they are due', async ({ sql }) => {
  const { temporal, watch, waited, pass, dispatcher } = await open(sql);
  temporal.start = fails;
  await write(sql, newDispatch());
  dispatcher.deliverSoon();
  expect(await waited(1)).toBe(2_000);
  temporal.start = async () => {};
  await write(sql, newDispatch());
  dispatcher.deliverSoon(); // At once, although the process would try again after two seconds.
  expect(await waited(2)).toBe(2_020);
  const { looks } = watch;
  await pass(2_020);
  await until(() => watch.looks === looks + 1);
  await dispatcher.close();
});

import type { Client } from '@temporalio/client';
import { expect, onTestFinished, vi } from 'vitest';
import { createLog } from '../../src/basics/log.ts';
import { createDispatcher } from '../../src/outbox/dispatcher.ts';
import type { Database } from '../kit/postgres.ts';
import { newDispatch, outboxTest as test, watchLooks, write } from './stage.ts';

/** A dispatcher whose starts of workflows are those of `temporal`. The sweep, which would retry after a minute, does not run. */
function open(sql: Database) {
  const temporal = { start: vi.fn(async () => {}) };
  const client = { withDeadline: (_deadline: number, work: () => unknown) => work(), workflow: temporal };
  const { watch, sql: watched } = watchLooks(sql);
  const deps = { client: client as unknown as Client, taskQueue: 'nobody', log: createLog('silent') };
  const dispatcher = createDispatcher({ sql: watched, ...deps });
  onTestFinished(() => dispatcher.close());
  return { temporal, watch, dispatcher };
}
const left = async (sql: Database) => (await sql`select from outbox`).length;

test('looks again by itself, after a pause, while it cannot', async ({ sql }) => {
  const { watch, dispatcher } = open(sql);
  watch.isAway = true;
  const startedAt = performance.now();
  dispatcher.deliverSoon();
  await vi.waitUntil(() => watch.looks === 2, { timeout: 20_000 });
  expect(Math.floor((performance.now() - startedAt) / 1_950)).toBe(1); // After two seconds; the next pause is longer.
  watch.isAway = false;
  await write(sql, newDispatch());
  await vi.waitUntil(async () => (await left(sql)) === 0, { timeout: 20_000 });
});

test('an entry that failed is retried by the same process when it is due, also after another one succeeded', async ({
  sql,
}) => {
  const { temporal, watch, dispatcher } = open(sql);
  temporal.start.mockRejectedValueOnce(new Error('failed'));
  await write(sql, newDispatch());
  dispatcher.deliverSoon();
  await vi.waitUntil(() => temporal.start.mock.calls.length === 1);
  await write(sql, newDispatch());
  dispatcher.deliverSoon();
  await vi.waitUntil(async () => (await left(sql)) === 0, { timeout: 20_000 });
  expect(temporal.start).toHaveBeenCalledTimes(3);
  expect(watch.looks).toBeLessThanOrEqual(4);
});

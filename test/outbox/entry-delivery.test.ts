import { type Client, ServiceError } from '@temporalio/client';
import { expect } from 'vitest';
import { createEntryDelivery } from '../../src/outbox/entry-delivery.ts';
import { keepLog } from '../kit/keep-log.ts';
import type { Database } from '../kit/postgres.ts';
import { takeOne, outboxTest as test } from './stage.ts';

/** As the library throws it. */
const answered = (code: number) =>
  new ServiceError('failed', { cause: Object.assign(new Error('failed'), { code, details: '', metadata: {} }) });

function open(sql: Database, answer: () => Promise<void>) {
  const deadlines: number[] = [];
  const client = {
    withDeadline: (deadline: number, work: () => unknown) => {
      deadlines.push(deadline);
      return work();
    },
    workflow: { start: answer },
  } as unknown as Client;
  const { log, lines } = keepLog('info');
  return { deliver: createEntryDelivery({ sql, client, taskQueue: 'nobody', log }), lines, deadlines };
}

const failing = (sql: Database, error: unknown) => open(sql, async () => Promise.reject(error));

/** The entry in the outbox, with the seconds to its next try, counted from before and from after the delivery. */
async function postponed(sql: Database, work: () => Promise<unknown>) {
  const [before] = await sql`select business_now() as now`;
  await work();
  const [entry] = await sql`
    select extract(epoch from next_retry_at - ${before?.now})::float as at_most,
      extract(epoch from next_retry_at - business_now())::float as at_least from outbox
  `;
  return entry;
}

test('deletes a delivered entry, for which Temporal has five seconds', async ({ sql }) => {
  let starts = 0;
  const { deliver, deadlines } = open(sql, async () => {
    starts += 1;
  });
  const before = Date.now();
  expect(await deliver(await takeOne(sql))).toEqual({ type: 'DELIVERED', isFollowed: false });
  expect(starts).toBe(1);
  expect(await sql`select from outbox`).toHaveLength(0);
  expect(deadlines[0]).toBeGreaterThanOrEqual(before + 5_000);
  expect(deadlines[0]).toBeLessThanOrEqual(Date.now() + 5_000);
});

for (const [name, error, code, type] of [
  ['gRPC 3', answered(3), 'INVALID_ARGUMENT', 'REFUSED'],
  ['gRPC 4', answered(4), 'DEADLINE_EXCEEDED', 'UNANSWERED'],
  ['gRPC 7', answered(7), 'PERMISSION_DENIED', 'FAILED'],
  ['gRPC 8', answered(8), 'RESOURCE_EXHAUSTED', 'FAILED'],
  ['gRPC 11', answered(11), 'OUT_OF_RANGE', 'REFUSED'],
  ['gRPC 12', answered(12), 'UNIMPLEMENTED', 'REFUSED'],
  ['gRPC 14', answered(14), 'UNAVAILABLE', 'UNANSWERED'],
  ['a TypeError', new TypeError('bad'), 'UNSENDABLE', 'REFUSED'],
  ['another error', new Error('bad'), 'UNKNOWN', 'FAILED'],
] as const)
  test(`${name} is ${code}, and the entry ${type}`, async ({ sql }) => {
    const entry = await takeOne(sql);
    expect(await failing(sql, error).deliver(entry)).toMatchObject({ type });
    const isRefused = type === 'REFUSED';
    expect(await sql`select last_failure, refusals, lane from outbox`).toEqual([
      { lastFailure: code, refusals: isRefused ? 1 : 0, lane: isRefused ? 4 : 2 },
    ]);
  });

for (const [code, tries, seconds] of [
  [14, 1, 2],
  [14, 3, 5],
  [7, 1, 2],
  [7, 5, 32],
  [7, 5_000, 60],
] as const)
  test(`try ${tries} that fails with ${code} is followed by another after ${seconds} seconds`, async ({ sql }) => {
    const entry = await takeOne(sql, { tries });
    const { deliver, lines } = failing(sql, answered(code));
    const left = await postponed(sql, async () => expect(await deliver(entry)).toMatchObject({ seconds }));
    expect(left?.atMost).toBeGreaterThanOrEqual(seconds);
    expect(left?.atLeast).toBeLessThanOrEqual(seconds);
    expect(lines.filter((line) => line.includes('Workflow not started yet'))).toHaveLength(1);
  });

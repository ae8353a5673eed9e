import { describe, expect } from 'vitest';
import { type CorrelationId, newId } from '../../src/basics/ids.ts';
import { type Database, inTransaction } from '../../src/store/driver/sql.ts';
import {
  type Dispatch,
  deleteDispatches,
  insertDispatches,
  type Lane,
  postponeDispatch,
  postponeRefusedDispatch,
  takeDispatches,
} from '../../src/store/outbox.ts';
import { businessNow, SECOND_MS } from '../kit/clock.ts';
import { withoutIndexes } from '../kit/plans.ts';
import { asWorker, test as postgresTest } from '../kit/postgres.ts';
import { freezeClock, releaseClock } from '../kit/seed.ts';

/** Time stands still in an empty outbox; `wait` moves it. */
const test = postgresTest.extend<{ sql: Database; wait: (ms: number) => Promise<void> }>({
  sql: async ({ database }, use) => {
    await database.sql`truncate outbox`;
    await use(database.sql);
    await releaseClock(database.sql);
  },
  wait: async ({ sql }, use) => {
    let now = await businessNow(sql);
    await freezeClock(sql, now);
    await use(async (ms) => {
      now = new Date(now.getTime() + ms);
      await freezeClock(sql, now);
    });
  },
});

const A = '00000000-0000-4000-8000-00000000000a';
const B = '00000000-0000-4000-8000-00000000000b';
const C = '00000000-0000-4000-8000-00000000000c';

/** An entry of an app that starts a workflow, or signals it. */
const build = (workflowId: string, appId: string, changes: Partial<Dispatch> = {}): Dispatch => ({
  workflowId,
  workflowType: 'scan',
  input: {},
  searchAttributes: { AppId: appId },
  correlationId: newId<CorrelationId>(),
  traceparent: null,
  ...changes,
});
const write = (sql: Database, ...dispatches: Dispatch[]) =>
  inTransaction(sql, (tx) => insertDispatches(tx, dispatches));
const person = { lane: 'PERSON' } as const;

type Limits = Partial<Record<Lane, number>>;

async function takeAll(sql: Database, limits: Limits, options: { limit?: number } = {}) {
  const places = Object.entries(limits).map(([lane, limit]) => ({ lane: lane as Lane, limit }));
  return await withoutIndexes(asWorker(sql), (tx) => takeDispatches(tx, { places, leaseSeconds: 15, ...options }));
}
const take = async (sql: Database, limits: Limits, options: { limit?: number } = {}) =>
  (await takeAll(sql, limits, options)).map(({ workflowId }) => workflowId);

test('a lane returns the entries that have been due for longest, and the oldest of one moment, of every app', async ({
  sql,
  wait,
}) => {
  for (const name of ['c1', 'b1', 'a1', 'c2']) await write(sql, build(name, name.startsWith('c') ? C : B));
  const [oldest] = await sql`select outbox_id from outbox where workflow_id = 'c1'`;
  await wait(SECOND_MS);
  await postponeDispatch(sql, String(oldest?.outboxId), 0, 'UNAVAILABLE');
  await write(sql, build('a2', A));
  expect(await take(sql, { REQUEST: 2 })).toEqual(['b1', 'a1']);
  expect(await take(sql, { REQUEST: 2 })).toEqual(['c1', 'c2']);
  expect(await take(sql, { REQUEST: 2 })).toEqual(['a2']);
});

describe('the lanes', () => {
  test('have their own places, and hide nothing of each other', async ({ sql, wait }) => {
    await write(sql, build('later', A));
    const [later] = await sql`select outbox_id from outbox`;
    await postponeDispatch(sql, String(later?.outboxId), 600, 'UNAVAILABLE');
    await write(sql, build('bulk', C, { lane: 'BULK' }));
    await write(sql, build('request', B), build('request/2', B));
    await wait(1);
    await write(sql, build('person', B, person));
    await write(sql, build('person/a1', A, person), build('person/a2', A, person));
    const [late] = await sql`select outbox_id from outbox where workflow_id = 'person/a1'`;
    await postponeRefusedDispatch(sql, String(late?.outboxId), 60, 'INVALID');
    expect(await take(sql, { PERSON: 1, REQUEST: 1 })).toEqual(['request', 'person']);
    expect(await take(sql, { PERSON: 5 })).toEqual(['person/a2']);
    expect(await take(sql, { PERSON: 5 })).toEqual([]);
    expect(await take(sql, { REQUEST: 5 })).toEqual(['request/2']);
    expect(await take(sql, { REQUEST: 5, REFUSED: 5 })).toEqual([]);
    expect(await take(sql, { BULK: 5 })).toEqual(['bulk']);
    await wait(60 * SECOND_MS);
    expect(await takeAll(sql, { REFUSED: 5 })).toMatchObject([
      { workflowId: 'person/a1', lane: 'REFUSED', refusals: 1 },
    ]);
  });

  test('come in their order if there is a limit for all', async ({ sql, wait }) => {
    await write(sql, build('bulk', A, { lane: 'BULK' }), build('request', A), build('request/2', A));
    await wait(1);
    await write(sql, build('person', A, person), build('person/2', A, person));
    expect(await take(sql, { BULK: 5, REQUEST: 5, PERSON: 5 }, { limit: 3 })).toEqual([
      'request',
      'person',
      'person/2',
    ]);
    expect(await take(sql, { BULK: 5, REQUEST: 5, PERSON: 5 }, { limit: 1 })).toEqual(['request/2']);
  });
});

describe('an entry behind an earlier one of its workflow', () => {
  test('waits for it also if that was tried last, and is due as soon as that is delivered', async ({ sql, wait }) => {
    await write(sql, build('a', A));
    await write(sql, build('b', A));
    for (const name of ['retryNow', 'callback', 'cancel']) await write(sql, build('a', A, { signal: { name } }));
    await write(sql, build('b', A, { signal: { name: 'retryNow' } }));
    const takeOne = async () => (await takeAll(sql, { REQUEST: 1 }))[0] ?? expect.fail('Nothing is due.');
    const first = await takeOne();
    const other = await takeOne();
    expect([first.workflowId, other.workflowId]).toEqual(['a', 'b']);
    await postponeDispatch(sql, other.outboxId, 600, 'UNAVAILABLE');
    await postponeDispatch(sql, first.outboxId, 0, 'UNAVAILABLE'); // Now the last row of the table.
    await wait(2 * SECOND_MS);
    expect((await takeOne()).outboxId).toBe(first.outboxId);
    expect(await take(sql, { REQUEST: 9 })).toEqual([]);
    await write(sql, build('a', A, { signal: { name: 'retryNow' } })); // The same again: now the last row of the table.
    expect(await withoutIndexes(sql, (tx) => deleteDispatches(tx, [first.outboxId]))).toBe(true);
    const next = await takeAll(sql, { REQUEST: 9 });
    expect(next).toMatchObject([{ workflowId: 'a', signalName: 'retryNow' }]);
  });

  test('keeps its pause if it was tried before that was there', async ({ sql }) => {
    await inTransaction(sql, async (early) => {
      await insertDispatches(early, [build('a', A)]); // It commits late.
      await write(sql, build('a', A, { signal: { name: 'retryNow' } }));
      const [tried] = await takeAll(sql, { REQUEST: 9 });
      expect(tried).toMatchObject({ signalName: 'retryNow' });
      await postponeDispatch(sql, String(tried?.outboxId), 60, 'UNAVAILABLE');
    });
    const [start] = await takeAll(sql, { REQUEST: 9 });
    expect(start).toMatchObject({ signalName: null });
    await deleteDispatches(sql, [String(start?.outboxId)]);
    expect(await take(sql, { REQUEST: 9 })).toEqual([]);
  });
});

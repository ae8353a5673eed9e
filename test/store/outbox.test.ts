import fc from 'fast-check';
import { describe, expect } from 'vitest';
import { type CorrelationId, newId } from '../../src/basics/ids.ts';
import { type Database, inTransaction, type Sql } from '../../src/store/driver/sql.ts';
import {
  type Dispatch,
  deleteDispatches,
  insertDispatches,
  type Lane,
  listRefusedDispatches,
  type OutboxEntry,
  postponeDispatch,
  postponeRefusedDispatch,
  retryRefusedDispatches,
  takeDispatches,
} from '../../src/store/outbox.ts';
import { businessNow, moveClock, SECOND_MS } from '../kit/clock.ts';
import { asWorker, test as postgresTest } from '../kit/postgres.ts';
import { freezeClock, releaseClock } from '../kit/seed.ts';
import { withoutIndexes } from './explained.ts';

/** Each test starts with an empty outbox. */
const test = postgresTest.extend<{ sql: Database }>({
  sql: async ({ database }, use) => {
    await database.sql`truncate outbox`;
    await use(database.sql);
  },
});

const LANES = ['PERSON', 'REQUEST', 'BULK', 'REFUSED'] as const;
const build = (workflowId: string, changes: Partial<Dispatch> = {}): Dispatch => ({
  ...{ workflowId, workflowType: 'scan', input: {}, searchAttributes: {} },
  ...{ correlationId: newId<CorrelationId>(), traceparent: null, ...changes },
});
const write = (sql: Database, ...dispatches: Dispatch[]) =>
  inTransaction(sql, (tx) => insertDispatches(tx, dispatches));
const takeEntries = (sql: Sql, limit = 10, lanes: readonly Lane[] = LANES) =>
  takeDispatches(sql, { places: lanes.map((lane) => ({ lane, limit })), leaseSeconds: 15 });
const take = async (sql: Sql, limit?: number) => (await takeEntries(sql, limit)).map(({ workflowId }) => workflowId);

/** An entry by the rules of the outbox. */
interface Entry {
  readonly id: number;
  readonly workflowId: string;
  readonly signalName: string | null;
  lane: Lane;
  restart: boolean;
  tries: number;
  refusals: number;
  dueMs: number;
}

const step = fc.record({
  act: fc.constantFrom('write', 'write', 'write', 'take', 'take', 'take', 'deliver', 'postpone', 'refuse', 'retry'),
  workflowId: fc.constantFrom('a', 'b', 'c', 'd'),
  name: fc.constantFrom(null, 'retryNow', 'cancel'),
  lane: fc.constantFrom('PERSON', 'REQUEST', 'BULK'),
  restart: fc.boolean(),
  limit: fc.constantFrom(1, 2, 9),
  seconds: fc.constantFrom(0, 1, 60),
  passesMs: fc.constantFrom(0, 1, 15 * SECOND_MS - 1, 15 * SECOND_MS),
  hasIndexes: fc.boolean(),
});
type Step = typeof step extends fc.Arbitrary<infer Of> ? Of : never;

test('entries come by lane, the longest due first, one of a workflow at a time, and equal ones once', async ({
  sql,
}) => {
  let now = await businessNow(sql);
  const run = async (steps: readonly Step[]) => {
    await sql`truncate outbox`;
    let entries: Entry[] = [];
    let taken: readonly OutboxEntry[] = [];
    const isFirst = (one: Entry) => !entries.some(({ workflowId, id }) => workflowId === one.workflowId && id < one.id);
    const byDue = (one: Entry, other: Entry) => one.dueMs - other.dueMs || one.id - other.id;
    for (const { act, workflowId, name, lane, restart, limit, seconds, passesMs, hasIndexes } of steps) {
      now = new Date(now.getTime() + passesMs);
      await freezeClock(sql, now);
      const [last] = taken;
      const own = entries.find(({ id }) => String(id) === last?.outboxId);
      if (act === 'write') {
        await write(sql, build(workflowId, { lane, restart, ...(name !== null && { signal: { name } }) }));
        const equal = entries.find(
          (one) => one.workflowId === workflowId && one.signalName === name && one.tries === 0,
        );
        if (equal === undefined) {
          const [row] = await sql`select max(outbox_id)::int as id from outbox`;
          const fresh = { tries: 0, refusals: 0, dueMs: now.getTime() };
          entries.push({ id: Number(row?.id), workflowId, signalName: name, lane, restart, ...fresh });
        } else {
          equal.lane = LANES.find((one) => one === lane || one === equal.lane) ?? lane;
          equal.restart ||= restart;
        }
      } else if (act === 'take') {
        const due = entries.filter((one) => one.dueMs <= now.getTime() && isFirst(one)).sort(byDue);
        const wanted = LANES.flatMap((of) => due.filter((one) => one.lane === of).slice(0, limit));
        for (const one of wanted) Object.assign(one, { tries: one.tries + 1, dueMs: now.getTime() + 15 * SECOND_MS });
        const worker = asWorker(sql);
        taken = await (hasIndexes
          ? takeEntries(worker, limit)
          : withoutIndexes(worker, (tx) => takeEntries(tx, limit)));
        const shown = wanted
          .sort((one, other) => one.id - other.id)
          .map(({ id, dueMs: _, ...rest }) => ({ ...rest, outboxId: String(id) }));
        expect(taken).toMatchObject(shown);
        expect(taken).toHaveLength(shown.length);
      } else if (act === 'retry') {
        const refused = entries.filter(({ refusals }) => refusals > 0);
        const listed = await listRefusedDispatches(sql, limit);
        expect(listed.map(({ outboxId }) => Number(outboxId))).toEqual(refused.slice(0, limit).map(({ id }) => id));
        expect(await retryRefusedDispatches(sql)).toBe(refused.length);
        for (const one of refused) one.dueMs = now.getTime();
      } else if (last && own) {
        if (act === 'deliver') {
          entries = entries.filter((one) => one !== own);
          const waits = entries.some((one) => one.workflowId === own.workflowId && one.id > own.id);
          expect(await deleteDispatches(sql, [last.outboxId])).toBe(waits);
        } else {
          own.dueMs = now.getTime() + seconds * SECOND_MS;
          if (act === 'refuse') Object.assign(own, { lane: 'REFUSED', refusals: own.refusals + 1 });
          const postpone = act === 'refuse' ? postponeRefusedDispatch : postponeDispatch;
          await postpone(sql, last.outboxId, seconds, 'UNAVAILABLE');
        }
        taken = taken.slice(1);
      }
    }
  };
  await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 30, maxLength: 60 }), run), { numRuns: 25, seed: 7 });
  await releaseClock(sql);
});

test('dispatchers at the same time get every entry once', async ({ sql }) => {
  const names = Array.from({ length: 60 }, (_, index) => `w${index}`);
  await write(sql, ...names.map((name) => build(name)));
  const taken = await Promise.all(Array.from({ length: 8 }, () => take(sql)));
  expect([...taken.flat(), ...(await take(sql, 60))].sort()).toEqual(names.sort());
});

describe('equal entries', () => {
  const retry = (workflowId: string) => build(workflowId, { signal: { name: 'retryNow' } });

  test('are not delivered before the last transaction that needs them commits', async ({ sql }) => {
    await write(sql, retry('a'));
    await inTransaction(sql, async (tx) => {
      await insertDispatches(tx, [retry('a')]);
      expect(await take(sql)).toEqual([]);
    });
    expect(await take(sql)).toEqual(['a']);
  });

  test('of many transactions at once are one entry, and none waits for ever', async ({ sql }) => {
    const names = Array.from({ length: 20 }, (_, index) => `w${index}`);
    /** Each order begins at another name, and every second one goes backwards. */
    const order = (turn: number) => {
      const turned = [...names.slice(turn * 3), ...names.slice(0, turn * 3)];
      return (turn % 2 === 0 ? turned : turned.toReversed()).map(retry);
    };
    await Promise.all(Array.from({ length: 6 }, (_, turn) => write(sql, ...order(turn))));
    expect(await sql`select from outbox`).toHaveLength(20);
    await moveClock(sql, SECOND_MS);
  });
});

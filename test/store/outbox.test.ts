import { describe, expect } from 'vitest';
import { type CorrelationId, newId } from '../../src/basics/ids.ts';
import { type Database, inTransaction, type Sql } from '../../src/store/driver/sql.ts';
import { deleteDispatches, insertDispatch, postponeDispatch, takeDispatches } from '../../src/store/outbox.ts';
import { beside, hold } from '../kit/beside.ts';
import { businessNow, moveClock, SECOND_MS } from '../kit/clock.ts';
import { test as postgresTest } from '../kit/postgres.ts';
import { at } from '../kit/seed.ts';

/** Each test starts with an empty outbox. */
const test = postgresTest.extend<{ sql: Database }>({
  sql: async ({ database }, use) => {
    await database.sql`delete from outbox`;
    await use(database.sql);
  },
});

/** Each entry is of its own, as old versions wrote them. */
const write = async (sql: Database, ...workflowIds: string[]) => {
  for (const workflowId of workflowIds) {
    await inTransaction(sql, (tx) =>
      insertDispatch(tx, {
        workflowId,
        workflowType: 'sweep',
        input: { kind: 'outbox' },
        searchAttributes: { JobKind: 'SCAN' },
        correlationId: newId<CorrelationId>(),
        traceparent: null,
      }),
    );
    await sql`update outbox set once_key = null`;
  }
};
const takeEntries = (sql: Sql, limit: number) =>
  takeDispatches(sql, { places: [{ lane: 'REQUEST', limit }], leaseSeconds: 15 });
const take = async (sql: Database, limit = 10) => (await takeEntries(sql, limit)).map(({ workflowId }) => workflowId);

describe('the outbox', () => {
  test('returns no more than the limit, however Postgres plans the statement', async ({ sql }) => {
    await write(sql, ...Array.from({ length: 30 }, (_, index) => `w${index}`));
    const taken = await inTransaction(sql, async (tx) => {
      for (const plan of ['hashjoin', 'mergejoin', 'hashagg', 'sort', 'material'])
        await tx.unsafe(`set local enable_${plan} = off`);
      return await takeEntries(tx, 10);
    });
    expect(taken.map(({ workflowId }) => workflowId)).toEqual(Array.from({ length: 10 }, (_, index) => `w${index}`));
  });

  test('returns entries oldest first, as they were written', async ({ sql }) => {
    await write(sql, 'a', 'b', 'c');
    const [first] = await takeEntries(sql, 2);
    expect(first).toMatchObject({
      workflowId: 'a',
      input: { kind: 'outbox' },
      signalName: null,
      searchAttributes: { JobKind: 'SCAN' },
      tries: 1,
    });
    expect(await take(sql)).toEqual(['c']);
  });

  test('gives two dispatchers different entries, and neither waits for the other', async ({ sql }) => {
    await write(sql, 'a', 'b', 'c', 'd');
    await sql.begin(async (tx) => {
      const held = await takeEntries(tx, 2);
      expect(held.map(({ workflowId }) => workflowId)).toEqual(['a', 'b']);
      expect(await take(sql)).toEqual(['c', 'd']);
    });
  });

  test('passes a later entry of a workflow that another transaction holds', async ({ sql }) => {
    await write(sql, 'a', 'a');
    await moveClock(sql, 2 * SECOND_MS);
    const [later] = await sql`select outbox_id from outbox where workflow_id = 'a' order by outbox_id desc limit 1`;
    const { waited, result } = await beside(sql, hold('outbox', 'outbox_id', later?.outboxId), () => take(sql));
    expect([waited, result]).toEqual([false, ['a']]);
  });

  test('gives many concurrent dispatchers every entry exactly once', async ({ sql }) => {
    const names = Array.from({ length: 60 }, (_, index) => `w${index}`);
    await write(sql, ...names);
    const taken = await Promise.all(Array.from({ length: 8 }, () => take(sql, 10)));
    const rest = await take(sql, 60);
    expect([...taken.flat(), ...rest].sort()).toEqual([...names].sort());
  });

  test('returns entries of one workflow one at a time, in order', async ({ sql }) => {
    await write(sql, 'a', 'a', 'b', 'a');
    const [first, other] = await takeEntries(sql, 10);
    expect([first?.workflowId, other?.workflowId]).toEqual(['a', 'b']);
    expect(await take(sql)).toEqual([]);
    expect(await deleteDispatches(sql, [first?.outboxId ?? '', other?.outboxId ?? ''])).toBe(true);
    const [second] = await takeEntries(sql, 10);
    expect(await deleteDispatches(sql, [second?.outboxId ?? ''])).toBe(true);
    const [third] = await takeEntries(sql, 10);
    expect(third?.workflowId).toBe('a');
    await write(sql, 'b');
    expect(await deleteDispatches(sql, [third?.outboxId ?? ''])).toBe(false);
  });

  test('holds a workflow’s later entries while its first one is postponed', async ({ sql }) => {
    await write(sql, 'a', 'a');
    const [first] = await takeEntries(sql, 1);
    await postponeDispatch(sql, first?.outboxId ?? '', 60, 'UNAVAILABLE');
    expect(await take(sql)).toEqual([]);
    await moveClock(sql, 60 * SECOND_MS);
    expect(await takeEntries(sql, 1)).toMatchObject([{ outboxId: first?.outboxId, tries: 2 }]);
  });

  test('returns an entry again after the lease of a dead dispatcher ends, and not before', async ({ sql }) => {
    await write(sql, 'a');
    const now = await businessNow(sql);
    const takeAfter = (ms: number) => at(sql, now, ms, () => take(sql));
    expect(await takeAfter(0)).toEqual(['a']);
    expect(await takeAfter(15 * SECOND_MS - 1)).toEqual([]);
    expect(await takeAfter(15 * SECOND_MS)).toEqual(['a']);
  });

  test('holds nothing of a transaction that was rolled back', async ({ sql }) => {
    const failed = inTransaction(sql, async (tx) => {
      await insertDispatch(tx, {
        workflowId: 'a',
        workflowType: 'sweep',
        input: {},
        searchAttributes: {},
        correlationId: newId<CorrelationId>(),
        traceparent: null,
      });
      throw new Error('No.');
    });
    await expect(failed).rejects.toThrow('No.');
    expect(await sql`select from outbox`).toHaveLength(0);
  });
});

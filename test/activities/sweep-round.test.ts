import { describe, expect, test as plainTest } from 'vitest';
import { handleOneByOne, handleTogether, runRound, type Step } from '../../src/activities/sweep-round.ts';
import { newId } from '../../src/basics/ids.ts';
import { createLog } from '../../src/basics/log.ts';
import type { SweepStep } from '../../src/basics/sweeps.ts';
import type { Due, DuePage } from '../../src/store/due.ts';
import type { Positions } from '../../src/workflows/contract.ts';
import { test } from '../kit/postgres.ts';

const rows = (count: number): Due[] =>
  Array.from({ length: count }, (_, index) => ({ id: newId(), dueAt: new Date(1_000 * index) }));
const isBehind = (row: Due, after: Due | null) => after === null || row.dueAt.getTime() > after.dueAt.getTime();

/** Due rows in the order of an index; `take` removes rows as a statement would. */
function tableOf(due: Due[]) {
  const left = new Set(due);
  return {
    left,
    list: async ({ after, limit }: DuePage) => [...left].filter((row) => isBehind(row, after)).slice(0, limit),
    take: async (taken: readonly Due[]) => {
      for (const row of taken) left.delete(row);
      return taken.length;
    },
  };
}

const round = (
  steps: Partial<Record<SweepStep, Step>>,
  {
    positions = {},
    withinMs = 60_000,
    signal = new AbortController().signal,
  }: {
    positions?: Positions;
    withinMs?: number;
    signal?: AbortSignal;
  } = {},
) => runRound(steps, { positions, withinMs, signal, log: createLog('silent') });

describe('a round of a sweep', () => {
  plainTest('continues until nothing is due, for any number of rows', async () => {
    const table = tableOf(rows(25));
    const done = await round({ oldPosts: { batch: 10, list: table.list, handle: handleTogether(table.take) } });
    expect(done).toEqual({ rows: { oldPosts: 25 }, failed: [], unfinished: [], positions: {} });
    expect(table.left.size).toBe(0);
  });

  plainTest('alternates between steps, so that a large one does not delay the others', async () => {
    const order: string[] = [];
    const step = (name: string, count: number): Step => {
      const table = tableOf(rows(count));
      return {
        batch: 10,
        list: table.list,
        handle: handleTogether(async (taken) => {
          order.push(name);
          return await table.take(taken);
        }),
      };
    };
    await round({ oldPosts: step('posts', 30), oldReceipts: step('receipts', 15) });
    expect(order).toEqual(['posts', 'receipts', 'posts', 'receipts', 'posts']);
  });

  plainTest('completes the other steps if one cannot list its rows', async () => {
    const table = tableOf(rows(3));
    const done = await round({
      oldPosts: {
        batch: 10,
        list: () => Promise.reject(new Error('timed out')),
        handle: handleTogether(async () => 0),
      },
      oldReceipts: { batch: 10, list: table.list, handle: handleTogether(table.take) },
    });
    expect(done).toMatchObject({ rows: { oldReceipts: 3 }, failed: ['oldPosts'], positions: { oldPosts: null } });
  });

  test('handles all rows of a batch except the failing one, with real Postgres statements', async ({ sql }) => {
    await sql`create table number (value integer primary key, due_at timestamptz(3) not null, id uuid not null)`;
    await sql`
      insert into number select value, business_now() + value * interval '1 second', gen_random_uuid() from generate_series(1, 100) value
    `;
    const [poisoned] = await sql`update number set value = 0 where value = 37 returning id`;
    const read = async ({ after, limit }: DuePage) =>
      (await sql`
        select id, due_at from number where due_at > ${after?.dueAt ?? new Date(0)} order by due_at limit ${limit}
      `) as unknown as Due[];
    // If one row fails, the statement handles none.
    const take = async (taken: readonly Due[]) => {
      const { count } =
        await sql`delete from number where id = any(${taken.map(({ id }) => id)}::uuid[]) and 1 / value >= 0`;
      return count;
    };
    const done = await round({ oldPosts: { batch: 40, list: read, handle: handleTogether(take) } });
    expect(done).toMatchObject({ rows: { oldPosts: 99 }, failed: [], unfinished: [] });
    expect(await sql`select id from number`).toEqual([{ id: poisoned?.id }]);
  });

  plainTest('ends at its time limit, and continues after the handled rows', async () => {
    const table = tableOf(rows(30));
    const stop = new AbortController();
    const step: Step = {
      batch: 10,
      list: table.list,
      handle: handleOneByOne(5, async (row) => {
        if (row.dueAt.getTime() === 11_000) stop.abort();
        return true; // The row stays, like one whose workflow was restarted.
      }),
    };
    const first = await round({ readJobs: step }, { signal: stop.signal });
    expect(first).toMatchObject({ rows: { readJobs: 15 }, unfinished: ['readJobs'] });
    expect(first.positions.readJobs).toMatchObject({ dueAt: new Date(14_000).toISOString() });
    const rest = await round({ readJobs: step }, { positions: first.positions });
    expect(rest).toMatchObject({ rows: { readJobs: 15 }, unfinished: [], positions: {} });
  });

  plainTest('stops a step without answers after the tried rows: the next round tries others', async () => {
    const table = tableOf(rows(100));
    const tried: number[] = [];
    const step: Step = {
      batch: 40,
      list: table.list,
      handle: handleOneByOne(10, async ({ dueAt }) => {
        tried.push(dueAt.getTime() / 1_000);
        throw new Error('Temporal does not answer.');
      }),
    };
    const first = await round({ readJobs: step });
    expect(first).toMatchObject({ failed: ['readJobs'], unfinished: [] });
    expect(tried).toHaveLength(20);
    await round({ readJobs: step }, { positions: first.positions });
    expect(tried).toEqual(Array.from({ length: 40 }, (_, index) => index));
  });

  plainTest('handles at most its share of a spread step, and leaves the rest to the next round', async () => {
    const table = tableOf(rows(100));
    const step: Step = { batch: 20, mostRows: 20, list: table.list, handle: handleTogether(table.take) };
    expect(await round({ 'upkeep/PROVIDER_A': step })).toMatchObject({
      rows: { 'upkeep/PROVIDER_A': 20 },
      unfinished: [],
      positions: {},
    });
    expect(table.left.size).toBe(80);
  });

  plainTest('writes no key into history that is not our own id', async () => {
    const due = [{ id: 'a key of an operator’s own', dueAt: new Date(0) }];
    const step: Step = {
      batch: 1,
      list: async ({ after }) => (after === null ? due : Promise.reject(new Error('gone'))),
      handle: handleTogether(async () => 1),
    };
    expect(await round({ oldAdminIdempotencyKeys: step })).toMatchObject({
      failed: ['oldAdminIdempotencyKeys'],
      positions: { oldAdminIdempotencyKeys: null },
    });
  });
});

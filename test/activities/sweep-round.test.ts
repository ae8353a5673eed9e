import postgres from 'postgres';
import { describe, expect, test } from 'vitest';
import { handleOneByOne, handleTogether, runRound, type Step } from '../../src/activities/sweep-round.ts';
import { newId } from '../../src/basics/ids.ts';
import { createLog } from '../../src/basics/log.ts';
import type { SweepStep } from '../../src/basics/sweeps.ts';
import type { Positions } from '../../src/workflows/contract.ts';
import type { Due, DuePage } from '../kit/sweeping.ts';

/** The clock of a round that has time. */
const ENDLESS = { isOver: () => false };

/** Rows with the names a, b, c, … */
const rowsOf = (names: string): Due[] => [...names].map((id, index) => ({ id, dueAt: new Date(index) }));
const namesOf = (rows: readonly Due[]) => rows.map(({ id }) => id).join('');
/** An answer of Postgres with this SQLSTATE. */
const refusal = (code: string) => Object.assign(new postgres.PostgresError('refused' as never), { code });
const DATA = '22001';

describe('rows that are handled in one statement', () => {
  /** Refuses every statement with one of the bad rows. Half of the rows that it takes needed work. */
  const openTable = (bad: string, code = DATA) => {
    const statements: string[] = [];
    const take = async (rows: readonly Due[]) => {
      statements.push(namesOf(rows));
      if (rows.some(({ id }) => bad.includes(id))) throw refusal(code);
      return Math.ceil(rows.length / 2);
    };
    return { statements, handle: handleTogether(take) };
  };

  test('are halved until each bad one stands alone, in their order', async () => {
    const { statements, handle } = openTable('be');
    const { errors, ...result } = await handle(rowsOf('abcde'), ENDLESS);
    expect(result).toEqual({ done: 3, seen: 5, isHopeless: false });
    expect(errors).toEqual([refusal(DATA), refusal(DATA)]);
    expect(statements).toEqual(['abcde', 'abc', 'ab', 'a', 'b', 'c', 'de', 'd', 'e']);
  });

  test.each(['22001', '23505', '40001', '55P03', '57014', 'XX000'])('continue after %s', async (code) => {
    const { handle } = openTable('b', code);
    expect(await handle(rowsOf('abc'), ENDLESS)).toMatchObject({ seen: 3, isHopeless: false });
  });

  test.each(['57P01', '42501', '53300'])('end at %s, because the others would fail too', async (code) => {
    const { statements, handle } = openTable('b', code);
    const { errors, ...result } = await handle(rowsOf('abc'), ENDLESS);
    expect(result).toEqual({ done: 0, seen: 0, isHopeless: true });
    expect(errors).toHaveLength(1);
    expect(statements).toEqual(['abc']);
  });
});

describe('rows that are handled one by one', () => {
  /** Capital letters fail; only vowels need work. */
  const handle = async ({ id }: Due) => {
    if (/[A-Z]/.test(id)) throw new Error(id);
    return /[aeiou]/.test(id);
  };

  test('do not delay each other by a failure, and only those that needed work count', async () => {
    const result = await handleOneByOne(2, handle)(rowsOf('aXbeYc'), ENDLESS);
    expect(result).toEqual({ done: 2, seen: 6, errors: [new Error('X'), new Error('Y')], isHopeless: false });
  });

  test('end after twenty failures in a row', async () => {
    const result = await handleOneByOne(4, handle)(rowsOf('X'.repeat(30)), ENDLESS);
    expect(result).toMatchObject({ done: 0, seen: 20, isHopeless: true });
    expect(result.errors).toHaveLength(20);
  });
});

/** Rows a second apart. */
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
  { positions = {} as Positions, signal = new AbortController().signal, log = createLog('silent') } = {},
) => runRound(steps, { positions, withinMs: 60_000, signal, log });

describe('a round', () => {
  test('logs the rows that a step could not handle in one line, and continues', async () => {
    const lines: object[] = [];
    const log = createLog('debug', { write: (line) => void lines.push(JSON.parse(line)) });
    const errors = [new Error('one'), new Error('other')];
    const handle = async () => ({ done: 1, errors, seen: 3, isHopeless: false });
    const ended = await round({ oldPosts: { batch: 10, list: async () => rows(3), handle } }, { log });
    expect(ended).toEqual({ rows: { oldPosts: 1 }, failed: [], unfinished: [], positions: {} });
    expect(lines).toMatchObject([
      { level: 'error', message: 'A sweep could not handle some rows', step: 'oldPosts', count: 2 },
    ]);
  });

  test('alternates between steps, so that a large one does not delay the others', async () => {
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

  test('writes no key into history that is not our own id', async () => {
    const due = [{ id: 'a key of an operator’s own', dueAt: new Date(0) }];
    const step: Step = {
      batch: 1,
      list: async ({ after }) => (after === null ? due : Promise.reject(new Error('gone'))),
      handle: handleTogether(async () => 1),
    };
    const { positions } = await round({ oldAdminIdempotencyKeys: step });
    expect(positions).toEqual({ oldAdminIdempotencyKeys: null });
  });

  test('ends at its time limit, and continues after the handled rows', async () => {
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
});

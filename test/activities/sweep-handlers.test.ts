import postgres from 'postgres';
import { describe, expect, test } from 'vitest';
import { handleOneByOne, handleTogether, runRound, type Step } from '../../src/activities/sweep-round.ts';
import { newId } from '../../src/basics/ids.ts';
import { createLog } from '../../src/basics/log.ts';
import type { Due } from '../../src/store/due.ts';
import { clockOf, ENDLESS } from './round-clock.ts';

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

  test('need one statement if none fails', async () => {
    const { statements, handle } = openTable('');
    expect(await handle(rowsOf('abcde'), ENDLESS)).toEqual({ done: 3, seen: 5, errors: [], isHopeless: false });
    expect(statements).toEqual(['abcde']);
  });

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

  test('end when the time is up, after those that were handled, and at least with the first', async () => {
    const { statements, handle } = openTable('d');
    const late = await handle(rowsOf('abcd'), clockOf(0));
    expect(late).toEqual({ done: 1, seen: 2, errors: [], isHopeless: false });
    expect(statements).toEqual(['abcd', 'ab']);
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

  test('are so many at once, in their order', async () => {
    const parts: number[] = [];
    let running = 0;
    const count = async () => {
      running += 1;
      await Promise.resolve();
      parts.push(running);
      running = 0;
      return true;
    };
    expect(await handleOneByOne(3, count)(rowsOf('abcdefg'), ENDLESS)).toMatchObject({ done: 7, seen: 7 });
    expect(parts.filter((part) => part > 0)).toEqual([3, 3, 1]);
  });

  test('end after twenty failures in a row', async () => {
    const result = await handleOneByOne(4, handle)(rowsOf('X'.repeat(30)), ENDLESS);
    expect(result).toMatchObject({ done: 0, seen: 20, isHopeless: true });
    expect(result.errors).toHaveLength(20);
  });

  test('continue if one of a part succeeds, and restart the count', async () => {
    const names = `${'X'.repeat(18)}bX${'X'.repeat(18)}`;
    const result = await handleOneByOne(2, handle)(rowsOf(names), ENDLESS);
    expect(result).toMatchObject({ seen: 38, isHopeless: false });
    expect(result.errors).toHaveLength(37);
  });

  test('end when the time is up, at least with the first part', async () => {
    expect(await handleOneByOne(2, handle)(rowsOf('abcde'), clockOf(0))).toMatchObject({ done: 1, seen: 2 });
    expect(await handleOneByOne(2, handle)(rowsOf('abcde'), clockOf(1))).toMatchObject({ seen: 4 });
  });
});

describe('a round', () => {
  const lines: { level: string; message: string; step?: string; count?: number }[] = [];
  const log = createLog('debug', { write: (line) => void lines.push(JSON.parse(line)) });
  const signal = new AbortController().signal;
  const runOne = async (step: Omit<Step, 'batch'> & { batch?: number }) => {
    lines.length = 0;
    return await runRound({ oldPosts: { batch: 10, ...step } }, { positions: {}, withinMs: 60_000, signal, log });
  };
  const due = [1, 2, 3].map((at): Due => ({ id: newId(), dueAt: new Date(at) }));
  const list = async () => due;

  test('logs the rows that a step could not handle in one line, and continues', async () => {
    const errors = [new Error('one'), new Error('other')];
    expect(await runOne({ list, handle: async () => ({ done: 1, errors, seen: 3, isHopeless: false }) })).toEqual({
      ...{ rows: { oldPosts: 1 }, failed: [], unfinished: [], positions: {} },
    });
    expect(lines).toMatchObject([
      { level: 'error', message: 'A sweep could not handle some rows', step: 'oldPosts', count: 2 },
    ]);
  });

  test('logs nothing of a step without a failure, or without rows', async () => {
    await runOne({ list, handle: async () => ({ done: 3, errors: [], seen: 3, isHopeless: false }) });
    await runOne({ list: async () => [], handle: () => Promise.reject(new Error('There is nothing to handle.')) });
    expect(lines).toEqual([]);
  });

  test('names a step that failed, and continues it behind the rows that it has handled', async () => {
    const [first] = due;
    const handled = { done: 1, errors: [new Error('Temporal is away.')], seen: 1, isHopeless: true };
    expect(await runOne({ list, handle: async () => handled })).toEqual({
      rows: { oldPosts: 1 },
      failed: ['oldPosts'],
      unfinished: [],
      positions: { oldPosts: { id: first?.id, dueAt: first?.dueAt.toISOString() } },
    });
    const broken = await runOne({ list: () => Promise.reject(new Error('Ours.')), handle: async () => handled });
    expect(broken).toMatchObject({ rows: { oldPosts: 0 }, failed: ['oldPosts'], positions: { oldPosts: null } });
    expect(lines).toMatchObject([{ level: 'error', message: 'A step of a sweep failed', step: 'oldPosts' }]);
  });

  test('leaves a step that has no time left unfinished', async () => {
    const run = runRound(
      { oldPosts: { batch: 10, list, handle: () => Promise.reject(new Error('No time.')) } },
      { positions: {}, withinMs: 0, signal, log },
    );
    expect(await run).toMatchObject({ rows: { oldPosts: 0 }, failed: [], unfinished: ['oldPosts'] });
  });
});

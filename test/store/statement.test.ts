import { describe, expect, vi } from 'vitest';
import { Secret } from '../../src/basics/secret.ts';
import { type Json, openDatabase, type Sql } from '../../src/store/driver/sql.ts';
import { createStatement } from '../../src/store/driver/statement.ts';
import { test } from '../kit/postgres.ts';

const sumUp = (sql: Sql, numbers: Json, factor: number) => sql`
  select ${sql`sum(value::int)`}::int * ${factor}::int as sum_of_all from jsonb_array_elements_text(${numbers})
`;

describe('a frequent statement', () => {
  test('is put together once, and gets its parameters each time', async ({ sql }) => {
    const build = vi.fn((tag: Sql, factor: number, numbers: Json) => sumUp(tag, numbers, factor));
    const statement = createStatement(build);
    expect(await statement(sql, 2, sql.json([1, 2]))).toEqual([{ sumOfAll: 6 }]);
    expect(await statement(sql, 3, sql.json([5]))).toEqual([{ sumOfAll: 15 }]);
    await sql.begin(async (tx) => expect(await statement(tx, 1, tx.json([]))).toEqual([{ sumOfAll: null }]));
    expect(build).toHaveBeenCalledOnce();
  });

  test('is put together again after a failure', async ({ sql }) => {
    const statement = createStatement((tag, factor: number, numbers: Json) => sumUp(tag, numbers, factor));
    const nowhere = openDatabase(new Secret('postgres://nobody@127.0.0.1:1/x'), {
      poolSize: 1,
      applicationName: 'nowhere',
    });
    await expect(statement(nowhere, 1, nowhere.json([]))).rejects.toThrow('ECONNREFUSED');
    await nowhere.end({ timeout: 0 });
    expect(await statement(sql, 1, sql.json([4]))).toEqual([{ sumOfAll: 4 }]);
  });

  test('may contain no other value than its parameters', async ({ sql }) => {
    const statement = createStatement((tag, numbers: Json) => sumUp(tag, numbers, 2));
    await expect(statement(sql, sql.json([1]))).rejects.toThrow('The statement contains another value');
  });
});

import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, onTestFinished } from 'vitest';
import { z } from 'zod';
import { Secret } from '../../src/basics/secret.ts';
import { type Database, inTransaction, openDatabase } from '../../src/store/driver/sql.ts';
import { findRow } from '../../src/store/rows.ts';
import { test } from '../kit/postgres.ts';

/** A pool of one connection. */
function open(url: string) {
  const pool = openDatabase(new Secret(url), { poolSize: 1, applicationName: 'stale-rows' });
  onTestFinished(() => pool.end({ timeout: 1 }));
  return pool;
}
const Numbered = z.object({ n: z.number() });

describe('a row that exists is found', () => {
  test('after a statement that failed between its rows', async ({ database: { url } }) => {
    const pool = open(url);
    await expect(pool`select 1 / (3 - n) as n from generate_series(1, 3) n`).rejects.toThrow('division by zero');
    expect(await findRow(pool, Numbered)`select 7 as n`).toEqual({ n: 7 });
    expect(await pool`select n from generate_series(1, 2) n`).toEqual([{ n: 1 }, { n: 2 }]);
  });

  test('right behind a statement that fails between its rows', async ({ database: { url } }) => {
    const pool = open(url);
    await pool`select 1`;
    const failed = pool`select 1 / (3 - n) as n from generate_series(1, 3) n`.catch(() => 'failed');
    const found = findRow(pool, Numbered)`select 7 as n`;
    expect(await Promise.all([failed, found])).toEqual(['failed', { n: 7 }]);
  });

  test('on the connection after one that was lost between its rows', async ({ database: { url, sql } }) => {
    const pool = open(url);
    const [backend] = await pool`select pg_backend_pid() as pid`;
    // More rows than Postgres holds back, then a pause.
    const lost = pool`
      select n, repeat('x', 1000) as text from generate_series(1, 20) n union all select 0, pg_sleep(10)::text
    `.catch(() => 'lost');
    await delay(300);
    await sql`select pg_terminate_backend(${backend?.pid})`;
    expect(await lost).toBe('lost');
    expect(await findRow(pool, Numbered)`select 7 as n`).toEqual({ n: 7 });
  });
});

describe('a statement after one whose connection Postgres ended', () => {
  const endWhileBusy = async (pool: Database, sql: Database) => {
    const [backend] = await pool`select pg_backend_pid() as pid`;
    const lost = pool`select pg_sleep(10)`.catch(() => 'lost');
    await expect
      .poll(() => sql`select from pg_stat_activity where pid = ${backend?.pid} and state = 'active'`)
      .toHaveLength(1);
    await sql`select pg_terminate_backend(${backend?.pid})`;
    expect(await lost).toBe('lost');
  };

  test('does not fail with the old error, alone or in a transaction', async ({ database: { url, sql } }) => {
    const pool = open(url);
    await endWhileBusy(pool, sql);
    expect(await pool`select 1 as n`).toEqual([{ n: 1 }]);
    await endWhileBusy(pool, sql);
    expect(await inTransaction(pool, (tx) => tx`select 2 as n`)).toEqual([{ n: 2 }]);
  });

  test('still fails with its own, and with a refused login', async ({ database: { url, sql } }) => {
    const pool = open(url);
    await endWhileBusy(pool, sql);
    await expect(pool`select 1 / 0`).rejects.toThrow('division by zero');
    const nowhere = open(Object.assign(new URL(url), { pathname: '/no_such_database' }).href);
    await expect(nowhere`select 1`).rejects.toMatchObject({ code: '3D000' });
  });
});

test('an absent row stays absent, and the count of changed rows stays', async ({ database: { url } }) => {
  const pool = open(url);
  await pool`create temporary table number (n integer)`;
  await pool`select 1 / (3 - n) as n from generate_series(1, 3) n`.catch(() => undefined);
  expect(await findRow(pool, Numbered)`select n from number`).toBeUndefined();
  await pool`select 1 / (3 - n) as n from generate_series(1, 3) n`.catch(() => undefined);
  const changed = await pool`insert into number values (1), (2) returning n`;
  expect({ rows: [...changed], count: changed.count }).toEqual({ rows: [{ n: 1 }, { n: 2 }], count: 2 });
});

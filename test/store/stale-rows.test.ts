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
});

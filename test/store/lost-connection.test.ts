import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, onTestFinished } from 'vitest';
import { Secret } from '../../src/basics/secret.ts';
import { inTransaction, openDatabase } from '../../src/store/driver/sql.ts';
import { test } from '../kit/postgres.ts';
import { openWay } from './way.ts';

/** A pool of one connection, which a test ends. */
async function openCuttable(databaseUrl: string) {
  const way = await openWay(databaseUrl);
  const pool = openDatabase(new Secret(way.url), { poolSize: 1, applicationName: 'cuttable' });
  onTestFinished(() => pool.end({ timeout: 1 }));
  return { ...way, pool };
}

const LOST = { code: 'CONNECTION_CLOSED' };

describe('a transaction whose connection is lost', () => {
  test('during a statement fails, and the process and the pool continue', async ({ database: { url } }) => {
    const { pool, cut } = await openCuttable(url);
    const lost = inTransaction(pool, async (tx) => {
      await tx`select 1`;
      const sleeping = tx`select pg_sleep(10)`.execute();
      setTimeout(cut, 100);
      await sleeping;
    });
    await expect(lost).rejects.toMatchObject(LOST);
    await delay(50); // A write to a connection that is gone would end the process in the next turn of the event loop.
    expect(await pool`select 1 as one`).toEqual([{ one: 1 }]);
  });

  test('between two statements fails, and sends no further one', async ({ database: { sql, url } }) => {
    const { pool, cut } = await openCuttable(url);
    await sql`create table if not exists note (text text)`;
    await sql`truncate note`;
    let goOn = () => {};
    const pause = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    let later: unknown;
    const lost = inTransaction(pool, async (tx) => {
      await tx`insert into note values ('of the lost transaction')`;
      setTimeout(cut, 50);
      await pause;
      try {
        await tx`insert into note values ('late')`;
      } catch (error) {
        later = error;
      }
    });
    await expect(lost).rejects.toMatchObject(LOST);
    // On the same connection of the pool, which is open again.
    await inTransaction(pool, async (tx) => {
      await tx`insert into note values ('of the next transaction')`;
      goOn();
      await delay(50);
      await tx`insert into note values ('and its end')`;
    });
    expect(later).toMatchObject(LOST);
    expect(await sql`select text from note order by text`).toEqual([
      { text: 'and its end' },
      { text: 'of the next transaction' },
    ]);
  });
});

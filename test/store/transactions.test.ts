import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, onTestFinished } from 'vitest';
import { classifyDatabaseFailure } from '../../src/store/driver/database-failure.ts';
import { afterCommit, type Database, inTransaction, type Transaction, withCommit } from '../../src/store/driver/sql.ts';
import { test } from '../kit/postgres.ts';
import { openCountedPool } from './counted-pool.ts';

/** Ends the transaction as Postgres ends one of two that wait for each other. */
const failAsDeadlock = (tx: Transaction) =>
  tx`do $$ begin raise exception 'A test wants it so.' using errcode = '40P01'; end $$`;

async function createNumbers(sql: Database): Promise<void> {
  await sql`create table number (number integer primary key)`;
  onTestFinished(async () => void (await sql`drop table number`));
}
const listNumbers = async (sql: Database) =>
  (await sql`select number from number order by number`).map(({ number }) => number);

describe('inTransaction', () => {
  test('runs effects once, after the commit, although a deadlock made it run twice', async ({ sql }) => {
    const seen: string[] = [];
    let runs = 0;
    await inTransaction(sql, async (tx) => {
      runs += 1;
      afterCommit(tx, () => void seen.push(`effect of run ${runs}`));
      if (runs === 1) await failAsDeadlock(tx);
      expect(seen).toEqual([]);
    });
    expect(seen).toEqual(['effect of run 2']);
  });

  test('runs no effect of a transaction that is rolled back', async ({ sql }) => {
    const seen: string[] = [];
    const failed = inTransaction(sql, async (tx) => {
      afterCommit(tx, () => void seen.push('effect'));
      throw new Error('A test wants it so.');
    });
    await expect(failed).rejects.toThrow('A test wants it so.');
    expect(seen).toEqual([]);
  });

  test.for([
    ['sends its last statements with the commit', true, 3],
    ['waits for its last statements if its pool shares no round trips', false, 4],
  ] as const)('%s, and keeps all of them', async ([_, sharesRoundTrips, trips], { sql, database: { url } }) => {
    await createNumbers(sql);
    const link = await openCountedPool(url, { sharesRoundTrips });
    const insertTwo = () =>
      inTransaction(link.sql, async (tx) => {
        await tx`insert into number select coalesce(max(number), 0) + 1 from number`;
        await withCommit(tx, tx`insert into number select max(number) + 1 from number`);
      });
    await insertTwo(); // The driver asks Postgres once about each statement.
    const before = link.countTrips();
    await insertTwo();
    expect(link.countTrips() - before).toBe(trips); // begin, insert, insert and commit
    expect(await listNumbers(sql)).toEqual([1, 2, 3, 4]);
  });

  test('rolls back and throws if a statement that it sends with the commit fails', async ({ sql }) => {
    await createNumbers(sql);
    const seen: string[] = [];
    const failed = inTransaction(sql, async (tx) => {
      afterCommit(tx, () => void seen.push('effect'));
      await tx`insert into number values (1)`;
      await withCommit(tx, tx`insert into number values (2)`, tx`insert into number values (1)`);
    });
    await expect(failed).rejects.toThrow('duplicate key');
    expect(await listNumbers(sql)).toEqual([]);
    expect(seen).toEqual([]);
  });

  test('calls a statement that its caller sends after an answer a mistake, not an outage', async ({ sql }) => {
    await createNumbers(sql);
    const two = async (tx: Transaction) => {
      await tx`insert into number values (1)`;
      await nextTurn();
      await tx`insert into number values (2)`;
    };
    const failed = await inTransaction(sql, async (tx) => await withCommit(tx, two(tx))).catch(
      (error: unknown) => error,
    );
    expect(failed).toMatchObject({ message: 'The transaction is over.' });
    expect(classifyDatabaseFailure(failed)).toBeUndefined(); // `DatabaseAway` would be retried without end.
    expect(await listNumbers(sql)).toEqual([1]);
  });

  test('sends no statement after its commit', async ({ sql }) => {
    await createNumbers(sql);
    const late = async (tx: Transaction) => {
      await nextTurn();
      await tx`insert into number values (1)`;
    };
    let outcome: Promise<unknown> | undefined;
    await inTransaction(sql, async (tx) => {
      outcome = late(tx);
      outcome.catch(() => undefined);
    });
    await expect(outcome).rejects.toThrow('The transaction is over.');
    expect(await listNumbers(sql)).toEqual([]);
  });
});

import { describe, expect, onTestFinished } from 'vitest';
import { afterCommit, type Database, inTransaction, type Transaction, withCommit } from '../../src/store/driver/sql.ts';
import { test } from '../kit/postgres.ts';

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
});

import { setTimeout as delay } from 'node:timers/promises';
import type postgres from 'postgres';

/*
 * Answers porsager/postgres 1208 and 1216: the driver continues a transaction whose connection is lost. It sends the rest, even
 * its own commit or rollback, to the same place in the pool: to no connection, which ends the process, or into another
 * transaction. `test/store/driver-faults.test.ts` fails when this file can go.
 */

/** A lost connection ends its transaction within moments of the statement that failed. */
const ENDS_WITHIN_MS = 1_000;

/**
 * Runs `work` in a transaction, and sends nothing more for it once its connection is lost or `work` has ended: it would go to a
 * connection that is no longer the transaction's. The driver's `begin` fails at a loss, while `work` still runs: its statements fail
 * from then on, and the driver never notices its end.
 */
export async function begin<T>(sql: postgres.Sql, work: (tx: postgres.TransactionSql) => Promise<T>): Promise<T> {
  const ended = new AbortController();
  const { signal: end } = ended;
  let isDone = false;
  try {
    return (await sql.begin(async (tx) => {
      const [outcome] = await Promise.allSettled([work(refuseIf(() => (isDone ? 'DONE' : end.aborted && 'LOST'), tx))]);
      isDone = true;
      // The statement is rejected a moment before the transaction.
      if (outcome.status === 'rejected' && isConnectionLost(outcome.reason)) await waitFor(end, ENDS_WITHIN_MS);
      if (end.aborted) return await new Promise<never>(() => undefined); // An answer would make the driver commit or roll back.
      if (outcome.status === 'rejected') throw outcome.reason;
      return outcome.value;
    })) as T;
  } finally {
    ended.abort();
  }
}

/** A transaction whose statements fail after its end. Only after a loss are they part of an outage: otherwise they are our mistake. */
const refuseIf = (findEnd: () => 'DONE' | 'LOST' | false, tx: postgres.TransactionSql): postgres.TransactionSql =>
  new Proxy(tx, {
    apply: (target, self, args) => {
      const end = findEnd();
      if (end === 'LOST') throw Object.assign(new Error('The transaction is lost.'), { code: 'CONNECTION_CLOSED' });
      if (end === 'DONE') throw new Error('The transaction is over.');
      return Reflect.apply(target, self, args);
    },
  });

const waitFor = (end: AbortSignal, mostMs: number): Promise<void> =>
  delay(mostMs, undefined, { signal: end, ref: false }).catch(() => undefined);

/** The codes of the driver, and of its socket. */
const LOST: readonly unknown[] = [
  'CONNECTION_CLOSED',
  'CONNECTION_DESTROYED',
  'CONNECTION_ENDED',
  'ECONNABORTED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EPIPE',
  'ETIMEDOUT',
];
const isConnectionLost = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && LOST.includes(error.code);

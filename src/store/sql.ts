import postgres from 'postgres';
import { tlsOf } from '../database-url.ts';
import type { Secret } from '../secret.ts';

/** A pool or an open transaction; store functions take either. */
export type Sql = postgres.Sql | postgres.TransactionSql;
/** An open transaction, for what must not be run outside one. */
export type Transaction = postgres.TransactionSql;
/** A part of a statement. */
export type Fragment = postgres.PendingQuery<postgres.Row[]>;
/** The pool. */
export type Database = postgres.Sql;

export interface DatabaseOptions {
  readonly poolSize: number;
  readonly applicationName: string;
  /** PEM of who signs the server's certificate, where no public authority does. */
  readonly ca?: string | undefined;
}

/** Opens a pool. Nothing is connected before the first query. */
export function openDatabase(url: Secret, options: DatabaseOptions): Database {
  return postgres(url.reveal(), {
    max: options.poolSize,
    ssl: tlsOptions(url.reveal(), options.ca),
    connect_timeout: 5,
    idle_timeout: 60,
    // A pool behind a fail-over must let go of connections to the old primary.
    max_lifetime: 30 * 60,
    connection: {
      application_name: options.applicationName,
      statement_timeout: 15_000,
      lock_timeout: 10_000,
      TimeZone: 'UTC', // `toInstant` relies on it.
    },
    onnotice: () => undefined,
    // Columns arrive in camel case; keys inside jsonb are left as they are.
    transform: { column: { from: postgres.toCamel } },
  });
}

/** As the configuration was checked by: the driver, left alone, also takes modes that fall back to plain text. */
export function tlsOptions(url: string, ca: string | undefined): object | false {
  switch (tlsOf(url)) {
    case 'verified':
      return ca === undefined ? {} : { ca };
    case 'unverified':
      return { rejectUnauthorized: false };
    default:
      return false;
  }
}

/** Whether an error is Postgres' answer about a row that refers to one that is not there. */
export const isMissingReference = (error: unknown): boolean =>
  error instanceof postgres.PostgresError && error.code === '23503';

const isDeadlock = (error: unknown): boolean => error instanceof postgres.PostgresError && error.code === '40P01';
const MAX_TRIES = 5;

/** What open transactions have to do once they have committed. */
const commitEffects = new WeakMap<Sql, (() => void)[]>();

/** Runs `effect` once the transaction has committed, and never if it does not; at once outside a transaction. */
export function afterCommit(sql: Sql, effect: () => void): void {
  const effects = commitEffects.get(sql);
  if (effects === undefined) effect();
  else effects.push(effect);
}

/**
 * Runs `work` in one transaction, and again if Postgres ends it because of a deadlock. Nothing of the first run has
 * happened then: `work` may change things outside its transaction only by `afterCommit`.
 */
export async function inTransaction<T>(sql: Database, work: (tx: Transaction) => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    const effects: (() => void)[] = [];
    try {
      const result = (await sql.begin((tx) => {
        commitEffects.set(tx, effects);
        return work(tx);
      })) as T;
      for (const effect of effects) effect();
      return result;
    } catch (error) {
      if (!isDeadlock(error) || tries === MAX_TRIES) throw error;
    }
  }
}

/** Business time as the database has it now. */
export async function getBusinessTime(sql: Sql): Promise<Date> {
  const [row] = await sql`select business_now() as now`;
  return row?.now as Date;
}

/** Buffers as a `bytea[]`, which the driver cannot send as it is. */
export const byteaArray = (sql: Sql, buffers: readonly Buffer[]) => sql`
  array(select decode(hex, 'hex') from unnest(${buffers.map((buffer) => buffer.toString('hex'))}::text[]) as hex)
`;

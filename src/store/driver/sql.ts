import { isIP } from 'node:net';
import { type ConnectionOptions, checkServerIdentity, type PeerCertificate } from 'node:tls';
import postgres from 'postgres';
import { type DatabaseAddress, isSocket, parseDatabaseUrl } from '../../basics/database-url.ts';
import type { Secret } from '../../basics/secret.ts';
import { guardArrayTypes } from './array-types.ts';
import { begin } from './lost-transaction.ts';
import { chooseReconnectPause } from './reconnect-pause.ts';
import { ignoreStaleErrors } from './stale-error.ts';
import { dropStaleRows } from './stale-rows.ts';

/** A pool or an open transaction; store functions accept either. */
export type Sql = postgres.Sql | postgres.TransactionSql;
/** An open transaction, for statements that must not run outside one. */
export type Transaction = postgres.TransactionSql;
/** A part of a statement. */
export type Fragment = postgres.PendingQuery<postgres.Row[]>;
/** A JSON parameter of a statement. */
export type Json = ReturnType<Sql['json']>;
/** A row as the driver returns it. */
export type Row = postgres.Row;
/** The pool. */
export type Database = postgres.Sql;

/** The TLS settings besides the URL, as PEM. The names are those of the settings. */
export interface DatabaseFiles {
  /** The certificate authority, if it is not a public one. */
  readonly DATABASE_CA?: string | undefined;
  /** A certificate of this client, for a server that asks for one, and its key. */
  readonly DATABASE_CERT?: string | undefined;
  readonly DATABASE_KEY?: Secret | undefined;
}

interface DatabaseOptions {
  readonly poolSize: number;
  readonly applicationName: string;
  readonly files?: DatabaseFiles | undefined;
  /** False if its statements share neither a statement nor the round trip of a commit; see `FAST_PATHS`. True by default. */
  readonly sharesRoundTrips?: boolean;
}

/**
 * The time limits of a session, in milliseconds and seconds. Postgres ends work beyond them, also for a process that is frozen or
 * gone without a word: its locks would otherwise stop others for hours.
 */
export const TIME_LIMITS = {
  statement_timeout: 15_000,
  lock_timeout: 10_000,
  idle_in_transaction_session_timeout: 30_000,
  tcp_keepalives_idle: 30,
  tcp_keepalives_interval: 10,
  tcp_keepalives_count: 3,
} as const;

/**
 * The settings of a session that the service relies on. A server, a database, a role or a pooler may have other values. `toInstant`
 * needs the format of times, and the driver `bytea_output`. Transactions must read the commits of others while they waited for a lock,
 * and statements contain backslashes.
 */
export const SESSION_SETTINGS = {
  TimeZone: 'UTC',
  DateStyle: 'ISO',
  IntervalStyle: 'postgres',
  bytea_output: 'hex',
  search_path: 'public',
  default_transaction_isolation: 'read committed',
  standard_conforming_strings: 'on',
} as const;

/** Marks the options of a pool, which its proxies show too. */
const APART = Symbol('apart');

/** Whether statements of this pool may share round trips. */
export const mayShareRoundTrips = (pool: Sql): boolean =>
  !('options' in pool) || !Reflect.has(pool.options as object, APART);

/** Opens a pool, which connects at the first query. @throws DatabaseUrlError */
export function openDatabase(url: Secret, options: DatabaseOptions): Database {
  const sql = postgres({
    ...describeServer(url, options.files, {
      application_name: options.applicationName,
      ...TIME_LIMITS,
      ...SESSION_SETTINGS,
    }),
    max: options.poolSize,
    connect_timeout: 5,
    idle_timeout: 60,
    max_lifetime: 30 * 60,
    keep_alive: 10,
    backoff: chooseReconnectPause,
    // A standby answers reads, but it may be behind, and every write would fail there.
    target_session_attrs: 'primary',
    onnotice: () => undefined,
    // Column names arrive in camel case; keys inside jsonb do not change.
    transform: { column: { from: postgres.toCamel } },
  });
  if (options.sharesRoundTrips === false) Object.assign(sql.options, { [APART]: true });
  guardArrayTypes(sql);
  dropStaleRows(sql);
  ignoreStaleErrors(sql);
  return sql;
}

/** Opens a connection to the database of a pool, with the same settings. */
export function openBeside({ options }: Database): Database {
  const sql = postgres({ ...options, max: 1 } as never);
  guardArrayTypes(sql);
  return sql;
}

/** Options of the driver that lead to the server of a URL. The driver itself parses no URL: it takes several forms for a name. */
export function describeServer(
  url: Secret,
  files: DatabaseFiles = {},
  session: Readonly<Record<string, string | number>>,
): postgres.Options<Record<string, never>> {
  const address = parseDatabaseUrl(url.reveal());
  const { host, port, user, password, database, options } = address;
  const described = {
    host: [host], // As lists, which its types do not know: it would cut a string at each colon.
    port: [port],
    ...(isSocket(host) && { path: `${host.replace(/\/+$/, '')}/.s.PGSQL.${port}` }),
    ...(user !== undefined && { user }),
    ...(password !== undefined && { password }),
    ...(database !== undefined && { database }),
    ssl: describeTls(address, files),
    sslnegotiation: address.isTlsDirect ? 'direct' : null,
    connection: { ...session, ...(options !== undefined && { options }) },
  };
  return described as object;
}

/** The driver checks the certificate of an address against the name `localhost`, so each mode states its check. */
function describeTls({ host, tls }: DatabaseAddress, files: DatabaseFiles): ConnectionOptions | false {
  if (tls === 'none') return false;
  const { DATABASE_CA: ca, DATABASE_CERT: cert, DATABASE_KEY: key } = files;
  // Without the zone of a link-local address, and without the dot that ends an absolute name.
  const name = isIP(host) === 0 ? host.replace(/\.$/, '') : (host.split('%')[0] ?? '');
  return {
    ...(ca !== undefined && { ca }),
    ...(cert !== undefined && key !== undefined && { cert, key: key.reveal() }),
    ...(isIP(host) === 0 && { servername: name }),
    // With an authority of its own, `require` checks it, as in Postgres' own programs.
    rejectUnauthorized: tls !== 'encrypted' || ca !== undefined,
    checkServerIdentity: (_name: string, certificate: PeerCertificate) =>
      tls === 'verified' ? checkServerIdentity(name, certificate) : undefined,
  };
}

const isDeadlock = (error: unknown): boolean => error instanceof postgres.PostgresError && error.code === '40P01';
const MAX_TRIES = 5;

/** The callbacks of open transactions after their commit. */
const commitEffects = new WeakMap<Sql, (() => void)[]>();

/** Runs `effect` once the transaction has committed, and never if it does not; at once outside a transaction. */
export function afterCommit(sql: Sql, effect: () => void): void {
  const effects = commitEffects.get(sql);
  if (effects === undefined) effect();
  else effects.push(effect);
}

/** The statements that open transactions send with their commit. */
const lastStatements = new WeakMap<Sql, Promise<unknown>[]>();

/**
 * Lets statements share the round trip of the commit: the transaction does not wait for their answers before it commits. If one
 * fails, Postgres rolls back instead, and `inTransaction` throws.
 * @param statements all sent already. One that is sent after the answer to another one comes too late: then `inTransaction` throws an
 *   error that counts as our own mistake, although the rest has committed.
 * @returns when `work` may end; a transaction that the caller has opened waits for the answers.
 */
export async function withCommit(tx: Transaction, ...statements: readonly Promise<unknown>[]): Promise<void> {
  const last = lastStatements.get(tx);
  const answered = Promise.all(statements);
  if (last === undefined) await answered;
  else last.push(answered);
  answered.catch(() => undefined); // `inTransaction` throws it.
}

/**
 * Runs `work` in one transaction, and again after a deadlock: the failed try left no trace, so `work` may have effects
 * outside its transaction only by `afterCommit`.
 */
export async function inTransaction<T>(sql: Database, work: (tx: Transaction) => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    const effects: (() => void)[] = [];
    const last: Promise<unknown>[] = [];
    try {
      const result = await begin(sql, (tx) => {
        commitEffects.set(tx, effects);
        if (mayShareRoundTrips(sql)) lastStatements.set(tx, last);
        return work(tx);
      });
      await Promise.all(last);
      for (const effect of effects) effect();
      return result;
    } catch (error) {
      if (!isDeadlock(error) || tries === MAX_TRIES) throw error;
    }
  }
}

/** The current business time of the database. */
export async function getBusinessTime(sql: Sql): Promise<Date> {
  const [row] = await sql`select business_now() as now`;
  return row?.now as Date;
}

/** A stored time of ours that lies further ahead comes from a clock that has been set back since. */
export const mostAhead = (sql: Sql) => sql`business_now() + interval '5 minutes'`;

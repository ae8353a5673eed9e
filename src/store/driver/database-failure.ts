import postgres from 'postgres';

/**
 * What a failed statement says:
 * - `AWAY`: Postgres is down, full, a standby or read-only. It passes, and meanwhile every statement fails.
 * - `BUSY`: the statement met others. The same statement works later, and other rows may work now.
 * - `REPAIR`: an operator has to repair a right, a role, a table or a column, such as during a roll-out.
 * - `DATA`: Postgres refuses the data, and would refuse the same data again.
 * - `OURS`: everything else that Postgres answers. It is our mistake.
 */
export type DatabaseFailure = 'AWAY' | 'BUSY' | 'REPAIR' | 'DATA' | 'OURS';

/**
 * Classes of SQLSTATE, by the two characters that they begin with, and codes that differ from their class (Postgres' manual,
 * appendix A). A class that is not here is `OURS`.
 */
const BY_SQLSTATE: Readonly<Record<string, DatabaseFailure>> = {
  '08': 'AWAY', // The connection, and a pooler's own refusals.
  '0A000': 'AWAY', // An unlogged table on a standby, and a statement that was prepared before a migration.
  '22': 'DATA',
  '23': 'DATA',
  '25006': 'AWAY', // A standby, or a server that its operator has made read-only.
  '25P03': 'AWAY', // Our process was frozen inside a transaction.
  '25P04': 'AWAY',
  '28': 'REPAIR', // The role or its password.
  '3D': 'REPAIR', // The database.
  '40': 'BUSY', // Serialization and deadlocks.
  '42': 'REPAIR',
  '44': 'DATA',
  '53': 'AWAY', // Disk, memory, connections.
  '54000': 'DATA', // A value that is too long for an index.
  '55': 'BUSY', // A lock.
  '57': 'AWAY', // Shut down, starting up.
  '57014': 'BUSY', // Our own time limit.
  '58': 'AWAY', // The operating system's.
  F0: 'REPAIR', // The server's configuration.
};

/** The driver's own codes, and those of its socket. */
const CONNECTION = /^(CONNECT_TIMEOUT|CONNECTION_[A-Z_]+|E(AI_|CONN|HOST|NET|NOTFOUND|PIPE|TIMEDOUT)[A-Z]*)$/;

/** @returns undefined if the error is neither of Postgres nor of a connection. */
export function classifyDatabaseFailure(error: unknown): DatabaseFailure | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  const code = String(error.code);
  if (!(error instanceof postgres.PostgresError)) return CONNECTION.test(code) ? 'AWAY' : undefined;
  return BY_SQLSTATE[code] ?? BY_SQLSTATE[code.slice(0, 2)] ?? 'OURS';
}

/** The sentences of outages whose cause Postgres names. */
const OUTAGES: Readonly<Record<string, string>> = {
  '08P01': 'A pooler refuses the settings of our sessions (docs/failover.md says what it must ignore)',
  '0A000': 'The database is a standby, or has just been migrated',
  '25006': 'The database is read-only',
  '53100': 'The disk of the database is full',
  '53200': 'The database has no memory left',
  '53300': 'The database has no connection left',
  '57P03': 'The database starts up or shuts down',
};

/** Names the cause of an outage, for the log. @returns undefined if the failure is no outage. */
export function describeOutage(error: unknown): string | undefined {
  if (classifyDatabaseFailure(error) !== 'AWAY') return undefined;
  return OUTAGES[String((error as { code?: unknown }).code)] ?? 'The database cannot be reached';
}

import postgres from 'postgres';

/**
 * The cause of a failed statement:
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

const NO_TLS = 'The database does not offer TLS: enable it there (ssl = on), or look for a proxy in between';

/** The names of TLS failures in Node and OpenSSL. The first match explains the failure. */
const TLS_FAULTS: readonly (readonly [RegExp, string])[] = [
  [
    /^ERR_TLS_CERT_ALTNAME_INVALID$/,
    'The certificate of the database was issued for another host than DATABASE_URL names',
  ],
  [/^CERT_HAS_EXPIRED$/, 'The certificate of the database, or of its authority, has expired'],
  [/^CERT_NOT_YET_VALID$/, 'The certificate of the database is not valid yet: compare the clocks'],
  [/^CERT_REVOKED$/, 'The certificate of the database has been revoked'],
  [
    /^(SELF_SIGNED_CERT_IN_CHAIN|DEPTH_ZERO_SELF_SIGNED_CERT|UNABLE_TO_[A-Z_]+|CERT_(?!UNTRUSTED$)[A-Z_]+|CERT_UNTRUSTED|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH_EXCEEDED|HOSTNAME_MISMATCH|ERROR_IN_CERT_[A-Z_]+)$/,
    'The certificate of the database is not trusted: set DATABASE_CA_FILE to the certificate of its authority',
  ],
  [
    /ALERT_(CERTIFICATE_REQUIRED|HANDSHAKE_FAILURE|(BAD|UNKNOWN|REVOKED|EXPIRED)_?CERTIFICATE[A-Z_]*|CERTIFICATE_[A-Z]+|UNKNOWN_CA)/,
    'The database refuses the client certificate, or the lack of one: set DATABASE_CERT_FILE and DATABASE_KEY_FILE',
  ],
  [/^ERR_SSL_(WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|UNKNOWN_PROTOCOL|HTTP_REQUEST)$/, NO_TLS],
  [/^ERR_(SSL|TLS|OSSL)_/, 'The TLS connection to the database failed'],
];

const explainTls = (code: string): string | undefined => TLS_FAULTS.find(([pattern]) => pattern.test(code))?.[1];

/** @returns undefined if the error is neither of Postgres nor of a connection. */
export function classifyDatabaseFailure(error: unknown): DatabaseFailure | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  const code = String(error.code);
  if (!(error instanceof postgres.PostgresError)) return CONNECTION.test(code) ? 'AWAY' : undefined;
  return BY_SQLSTATE[code] ?? BY_SQLSTATE[code.slice(0, 2)] ?? 'OURS';
}

/** The sentences of failures whose cause Postgres names. */
const CAUSES: Readonly<Record<string, string>> = {
  '08P01': 'A pooler refuses the settings of our sessions (docs/failover.md lists the settings that it must ignore)',
  '0A000': 'The database is a standby, or has just been migrated',
  '25006': 'The database is read-only',
  '28000': 'The database refuses the login: pg_hba.conf has no line for it, or asks for TLS or a client certificate',
  '28P01': 'The database refuses the password: see DATABASE_URL',
  '3D000': 'The database does not exist: see the name in DATABASE_URL',
  '53100': 'The disk of the database is full',
  '53200': 'The database has no memory left',
  '53300': 'The database has no connection left',
  '57P03': 'The database starts up or shuts down',
};

/** Explains a failure of the database to an operator. @returns undefined if it is none, or only the log can name its cause. */
export function describeDatabaseFailure(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  const code = String(error.code);
  if (error instanceof postgres.PostgresError) return CAUSES[code] ?? describeAway(error);
  // Node has no code of its own for a server that closes the connection instead of speaking TLS.
  if (error.message.includes('before secure TLS connection was established')) return NO_TLS;
  return explainTls(code) ?? describeAway(error);
}

/** A socket that does not exist, or that we may not use, fails to connect with the code of a file. */
const describeAway = (error: Error): string | undefined =>
  classifyDatabaseFailure(error) === 'AWAY' || ('syscall' in error && error.syscall === 'connect')
    ? 'The database cannot be reached'
    : undefined;

/** Names the cause of an outage, for the log. @returns undefined if the failure is no outage. */
export const describeOutage = (error: unknown): string | undefined =>
  error instanceof postgres.PostgresError && classifyDatabaseFailure(error) !== 'AWAY'
    ? undefined
    : describeDatabaseFailure(error);

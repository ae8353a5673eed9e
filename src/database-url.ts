/** Says if a connection is encrypted, and if the server's certificate is verified. */
export type DatabaseTls = 'none' | 'unverified' | 'verified';

/** The values of `sslmode`, as in Postgres' own programs. Modes that may fall back to plain text are not supported. */
const MODES: Readonly<Record<string, DatabaseTls>> = {
  disable: 'none',
  require: 'unverified',
  'verify-full': 'verified',
};

/** Reads the TLS mode of a database URL. @returns undefined for an unsupported mode. */
export function tlsOf(databaseUrl: string): DatabaseTls | undefined {
  const { searchParams } = new URL(databaseUrl);
  if (searchParams.has('ssl')) return undefined; // The driver's own parameter. We support only `sslmode`.
  const modes = searchParams.getAll('sslmode');
  if (modes.length > 1) return undefined;
  return MODES[modes[0] ?? 'disable'];
}

/** Lists the hosts of a database URL. `postgres://a,b/name` names two, and a URL may name none. */
export const databaseHosts = (databaseUrl: string): string[] =>
  new URL(databaseUrl).hostname.split(',').map(decodeURIComponent);

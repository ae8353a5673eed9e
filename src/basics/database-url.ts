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

/** The host of a database URL, which may name none. */
export const databaseHost = (databaseUrl: string): string => decodeURIComponent(new URL(databaseUrl).hostname);

/** Whether a database URL names at most one host. Postgres' own programs accept several, separated by commas. */
export const namesOneHost = (databaseUrl: string): boolean =>
  !/^[^/]*\/\/[^/?#]*,/.test(databaseUrl.replace(/\/\/[^@/]*@/, '//'));

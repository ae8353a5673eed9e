/** Whether a connection is encrypted, and whether the server proves who it is by a certificate that is checked. */
export type DatabaseTls = 'none' | 'unverified' | 'verified';

/** By `sslmode`, as Postgres' own programs take it. The modes that fall back to plain text are left out. */
const MODES: Readonly<Record<string, DatabaseTls>> = {
  disable: 'none',
  require: 'unverified',
  'verify-full': 'verified',
};

/** What a database's URL says about TLS. @returns undefined for a mode that is not one of these. */
export function tlsOf(databaseUrl: string): DatabaseTls | undefined {
  const { searchParams } = new URL(databaseUrl);
  if (searchParams.has('ssl')) return undefined; // The driver's own spelling: one is enough.
  const modes = searchParams.getAll('sslmode');
  if (modes.length > 1) return undefined;
  return MODES[modes[0] ?? 'disable'];
}

/** The hosts that a connection may go to; `postgres://a,b/name` names two. None without one. */
export const databaseHosts = (databaseUrl: string): string[] =>
  new URL(databaseUrl).hostname.split(',').map(decodeURIComponent);

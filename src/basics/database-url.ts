import { isIP } from 'node:net';

/**
 * How a connection is protected. `encrypted` checks no certificate, `authority` checks who signed it, `verified` also that it was
 * issued for the host.
 */
export type DatabaseTls = 'none' | 'encrypted' | 'authority' | 'verified';

/** A database URL in parts. All are decoded. */
export interface DatabaseAddress {
  /** A name, an IPv4 address, an IPv6 address without brackets, or the directory of a Unix socket. */
  readonly host: string;
  readonly port: number;
  readonly user: string | undefined;
  readonly password: string | undefined;
  readonly database: string | undefined;
  /** A Unix socket has no TLS, even if the URL requests it. Postgres' own programs do the same. */
  readonly tls: DatabaseTls;
  /** TLS from the first byte on, as `sslnegotiation=direct` requests. */
  readonly isTlsDirect: boolean;
  /** Paths of PEM files. */
  readonly files: Readonly<Partial<Record<'sslrootcert' | 'sslcert' | 'sslkey', string>>>;
  /** Options of the server's command line. */
  readonly options: string | undefined;
}

/** Lists every fault of a database URL. A fault names a parameter at most, never a value. */
export class DatabaseUrlError extends Error {
  override readonly name = 'DatabaseUrlError';
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(`The database URL has ${faults.length} fault(s): ${faults.join('; ')}`);
    this.faults = faults;
  }
}

export const isSocket = (host: string): boolean => host.startsWith('/');

/** The values of `sslmode`, as in Postgres' own programs. Modes that may fall back to plain text are not supported. */
const MODES: Readonly<Record<string, DatabaseTls>> = {
  disable: 'none',
  require: 'encrypted',
  'verify-ca': 'authority',
  'verify-full': 'verified',
};

/** `remedy` completes the sentence "… has the parameter x, which is not supported: …". */
type Rule = 'USED' | 'IGNORED' | { readonly values: readonly string[]; readonly remedy: string };

const only = (values: string, remedy: string): Rule => ({ values: values.split(' '), remedy });
const refused = (remedy: string): Rule => ({ values: [], remedy });

/**
 * The parameters that Postgres' library libpq and common providers and libraries put into URLs. An ignored one has no effect on
 * safety: it tunes something that the service decides itself.
 */
const PARAMETERS: Readonly<Record<string, Rule>> = {
  // libpq (Postgres' manual, 32.1.2).
  host: 'USED',
  port: 'USED',
  dbname: 'USED',
  user: 'USED',
  password: 'USED',
  sslmode: 'USED',
  sslrootcert: 'USED',
  sslcert: 'USED',
  sslkey: 'USED',
  sslnegotiation: 'USED',
  channel_binding: 'USED',
  options: 'USED',
  application_name: 'IGNORED', // Metrics count the sessions of each process by its name.
  connect_timeout: 'IGNORED',
  fallback_application_name: 'IGNORED',
  gssdelegation: 'IGNORED',
  gsslib: 'IGNORED',
  keepalives: 'IGNORED',
  keepalives_count: 'IGNORED',
  keepalives_idle: 'IGNORED',
  keepalives_interval: 'IGNORED',
  krbsrvname: 'IGNORED',
  load_balance_hosts: 'IGNORED',
  sslcompression: 'IGNORED',
  sslsni: 'IGNORED',
  tcp_user_timeout: 'IGNORED',
  client_encoding: only('auto utf8 UTF8 utf-8 UTF-8', 'remove it, the service uses UTF8'),
  gssencmode: only('disable prefer', 'remove it, the service uses TLS'),
  ssl_max_protocol_version: only('TLSv1.3', 'remove it'),
  ssl_min_protocol_version: only('TLSv1 TLSv1.1 TLSv1.2', 'remove it and set NODE_OPTIONS=--tls-min-v1.3'),
  sslcertmode: only('allow', 'remove it'),
  target_session_attrs: only('any primary read-write', 'remove it, the service needs the primary'),
  hostaddr: refused('name the address as host'),
  passfile: refused('put the password into the URL, or the URL into a file that DATABASE_URL_FILE names'),
  replication: refused('remove it'),
  require_auth: refused('remove it and use sslmode=verify-full'),
  requirepeer: refused('remove it'),
  requiressl: refused('use sslmode'),
  scram_client_key: refused('use the password'),
  scram_server_key: refused('use the password'),
  service: refused('write its settings into the URL'),
  servicefile: refused('write its settings into the URL'),
  sslcrl: refused('remove it, revocation lists are not read'),
  sslcrldir: refused('remove it, revocation lists are not read'),
  sslkeylogfile: refused('remove it'),
  sslpassword: refused('store the key without a passphrase'),
  // Of Prisma, and of the URL that Supabase prints for it.
  supa: 'IGNORED',
  pool: 'IGNORED',
  connection_limit: 'IGNORED', // DATABASE_POOL_SIZE
  max_connection_lifetime: 'IGNORED',
  max_idle_connection_lifetime: 'IGNORED',
  pgbouncer: 'IGNORED', // A pooler in transaction mode is refused later, by its behavior.
  pool_timeout: 'IGNORED',
  single_use_connections: 'IGNORED',
  socket_timeout: 'IGNORED',
  statement_cache_size: 'IGNORED',
  schema: only('public', 'the service uses the schema public, so give it a database of its own'),
  sslaccept: refused('use sslmode=verify-full, or sslmode=require to check no certificate'),
  sslidentity: refused('use sslcert and sslkey'),
  // Other libraries.
  uselibpqcompat: 'IGNORED', // node-postgres
  prepared_statement_cache_size: 'IGNORED', // SQLAlchemy
  ssl: refused('use sslmode'),
  currentSchema: refused('the service uses the schema public, so give it a database of its own'),
  search_path: refused('the service uses the schema public, so give it a database of its own'),
  unix_sock: refused('use host=/cloudsql/… with the directory of its socket'),
  cloudSqlInstance: refused('use host=/cloudsql/… with the directory of its socket'),
  socketFactory: refused('use host=/cloudsql/… with the directory of its socket'),
};

const ENCODE =
  'percent-encode these characters in user, password and database: "%" as %25, "/" as %2F, "?" as %3F, "#" as %23, "@" as %40, ":" as %3A, space as %20';

/** @returns undefined if `text` is not valid percent-encoded UTF-8, or has a NUL, which ends a value in Postgres' protocol. */
function decode(text: string): string | undefined {
  try {
    const decoded = decodeURIComponent(text);
    return decoded.includes('\0') ? undefined : decoded;
  } catch {
    return undefined;
  }
}

/**
 * scheme://[user[:password]@][host][:port][/database][?parameters]. As in libpq, the user ends at the "@" before the first "/". A
 * password may hold "@", "?" and "#" as they are.
 */
const URL_PARTS =
  /^postgres(?:ql)?:\/\/(?:(?<user>[^:/]*?)(?::(?<password>[^/]*?))?@(?=[^@/?]*(?:[/?]|$)))?(?<host>\[[^\]/?#]*\]|[^:/?#[\]]*)(?::(?<port>[^/?#]*))?(?:\/(?<database>[^?#]*))?(?:\?(?<query>[^#]*))?$/s;

/** Several hosts, in each place where libpq accepts them. */
const SEVERAL = 'must name one host: an address that leads to the primary, also after a fail-over';
const AUTHORITY = /^postgres(?:ql)?:\/\/(?:[^/]*@)?(?<hosts>[^/?#]*)/;

/**
 * Parses a database URL with the rules of libpq.
 * @throws DatabaseUrlError with all its faults.
 */
export function parseDatabaseUrl(text: string): DatabaseAddress {
  if (!/^postgres(ql)?:\/\//.test(text)) throw new DatabaseUrlError(['must begin with postgres:// or postgresql://']);
  if (AUTHORITY.exec(text)?.groups?.hosts?.includes(',')) throw new DatabaseUrlError([SEVERAL]);
  const parts = URL_PARTS.exec(text)?.groups;
  // A "/" or "@" in the name of the database may be the end of a password.
  if (parts === undefined || /[/@]/.test(parts.database ?? ''))
    throw new DatabaseUrlError([`cannot be read: ${ENCODE}`]);
  const faults: string[] = [];
  const parameters = readParameters(parts.query ?? '', faults);
  const take = (part: string, parameter: string): string | undefined =>
    parameters.get(parameter) || decodePart(parts[part], faults) || undefined;
  const host = take('host', 'host')?.replace(/^\[(.*)\]$/s, '$1') ?? '';
  const port = take('port', 'port') ?? '5432';
  faults.push(...listHostFaults(host, port, parts.host?.startsWith('[') === true));
  const tls = readTls(parameters, faults);
  const files = Object.fromEntries(
    (['sslrootcert', 'sslcert', 'sslkey'] as const).flatMap((name) => {
      const file = parameters.get(name) ?? '';
      return file === '' || (name === 'sslrootcert' && file === SYSTEM) ? [] : [[name, file]];
    }),
  );
  const address: DatabaseAddress = {
    host,
    port: Number(port),
    user: take('user', 'user'),
    password: take('password', 'password'),
    database: take('database', 'dbname'),
    tls: isSocket(host) ? 'none' : tls,
    isTlsDirect: parameters.get('sslnegotiation') === 'direct' && !isSocket(host),
    files,
    options: parameters.get('options') || undefined,
  };
  if (faults.length > 0) throw new DatabaseUrlError([...new Set(faults)]);
  return address;
}

const NO_ESCAPE = `has a "%" that begins no escape: ${ENCODE}`;

function decodePart(text: string | undefined, faults: string[]): string {
  const decoded = decode(text ?? '');
  if (decoded === undefined) faults.push(NO_ESCAPE);
  return decoded ?? '';
}

function listHostFaults(host: string, port: string, isBracketed: boolean): string[] {
  if (host.includes(',') || port.includes(',')) return [SEVERAL];
  const isUsable = isBracketed ? isIP(host) === 6 : isSocket(host) || isIP(host) !== 0 || /^[^\s/:@]+$/.test(host);
  const isPort = /^\d{1,5}$/.test(port) && Number(port) >= 1 && Number(port) <= 65_535;
  return [
    ...(isUsable ? [] : ['must name a host: a name, an address (IPv6 in brackets), or the directory of a socket']),
    ...(isPort ? [] : [`has a port that is not a number from 1 to 65535. If that is part of the password, ${ENCODE}`]),
  ];
}

/** The value of `sslrootcert` that stands for public authorities. */
const SYSTEM = 'system';

/** The decoded values of parameters by name. */
function readParameters(query: string, faults: string[]): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const each of query.split('&')) {
    if (each === '') continue;
    const [, name = '', value = ''] = /^([^=]*)=(.*)$/s.exec(each) ?? [];
    // A part that is no parameter may be the end of a password.
    if (!/^[A-Za-z_]{1,40}$/.test(name)) faults.push(`has a parameter that cannot be read. ${ENCODE}`);
    else if (found.has(name)) faults.push(name === 'sslmode' ? MODE : `has the parameter ${name} twice: remove one`);
    else found.set(name, decodePart(value, faults));
  }
  for (const [name, value] of found) {
    const rule = Object.hasOwn(PARAMETERS, name) ? PARAMETERS[name] : undefined;
    if (rule === undefined) faults.push(`has the parameter ${name}, which is not known: remove it`);
    else if (typeof rule === 'object' && value !== '' && !rule.values.includes(value)) {
      const isSupported = rule.values.length === 0 ? 'is not supported' : 'has a value that is not supported';
      faults.push(`has the parameter ${name}, which ${isSupported}: ${rule.remedy}`);
    }
  }
  return found;
}

const MODE = 'sslmode must be disable, require, verify-ca or verify-full, and given once';

function readTls(parameters: ReadonlyMap<string, string>, faults: string[]): DatabaseTls {
  const isSystem = parameters.get('sslrootcert') === SYSTEM;
  const mode = parameters.get('sslmode') ?? (isSystem ? 'verify-full' : 'disable');
  const tls = Object.hasOwn(MODES, mode) ? MODES[mode] : undefined;
  const negotiation = parameters.get('sslnegotiation') || 'postgres';
  const binding = parameters.get('channel_binding') || 'prefer';
  if (tls === undefined) faults.push(MODE);
  if (!['postgres', 'direct'].includes(negotiation)) faults.push('sslnegotiation must be postgres or direct');
  if (!['disable', 'prefer', 'require'].includes(binding))
    faults.push('channel_binding must be disable, prefer or require');
  if (tls === undefined || tls === 'verified') return 'verified';
  if (isSystem) faults.push('sslrootcert=system needs sslmode=verify-full');
  if (negotiation === 'direct' && tls === 'none') faults.push('sslnegotiation=direct needs sslmode=verify-full');
  // Both exclude a server in between. The driver has no channel binding, and a verified certificate does the same.
  if (binding === 'require') faults.push('channel_binding=require needs sslmode=verify-full: use that, or remove it');
  return tls;
}

import { isIP } from 'node:net';
import { parseDatabaseUrl } from '../basics/database-url.ts';
import { isPublicHost } from '../basics/public-address.ts';
import type { Secret } from '../basics/secret.ts';
import { readTemporalSettings } from '../basics/temporal-settings.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** The well-formed values that the checks for production read. */
export interface Checked {
  readonly DATABASE_URL?: Secret;
  readonly ALLOW_UNENCRYPTED_HOSTS?: readonly string[];
  readonly TASK_QUEUE?: string;
  readonly TEMPORAL_CONFIG_FILE?: string;
  readonly TEMPORAL_PROFILE?: string;
  readonly PROVIDER_B_PKCE?: string;
  readonly ALLOW_NO_PKCE?: string;
  readonly ERASURE_JOURNAL_ENDPOINT?: string;
  readonly ADMIN_OIDC_PRIVATE_NETWORKS?: readonly string[];
}

/** How the program was started: settings besides its own variables that may weaken it. */
export interface Surroundings {
  readonly environment: Environment;
  /** Options of Node on the command line. */
  readonly nodeOptions: readonly string[];
}

/** Lists the settings that production refuses. Each fault names the variable and the fix, never a value. */
export function listProductionFaults(config: Checked, { environment, nodeOptions }: Surroundings): string[] {
  return [
    ...urlFaults(config),
    ...developmentKeyFaults(config),
    ...databaseFaults(config, environment),
    ...temporalFaults(config, environment),
    ...journalFaults(config),
    ...pkceFaults(config),
    ...runtimeFaults(environment, nodeOptions),
  ];
}

/** Links that only operators follow, perhaps inside a private network. */
const OPERATORS_LINKS: readonly string[] = ['TEMPORAL_UI_URL'];
/** Whether a base address may be private: operators' browsers reach the console, and the operator may allow their issuer. */
const mayBePrivate = (name: string, config: Checked): boolean =>
  name === 'ADMIN_URL' || (name === 'ADMIN_OIDC_ISSUER' && config.ADMIN_OIDC_PRIVATE_NETWORKS !== undefined);
const remedyOf = (name: string): string =>
  name === 'ADMIN_OIDC_ISSUER'
    ? 'name its network in ADMIN_OIDC_PRIVATE_NETWORKS'
    : 'give one that is reached from outside';
const isBaseAddress = (name: string): boolean =>
  (name.endsWith('_URL') || name === 'ADMIN_OIDC_ISSUER') && !OPERATORS_LINKS.includes(name);

function urlFaults(config: Checked): string[] {
  return Object.entries(config).flatMap(([name, value]) => {
    if (!isBaseAddress(name) || typeof value !== 'string') return [];
    const { protocol, hostname } = new URL(value);
    return [
      ...(protocol === 'https:' ? [] : [`${name} must be https in production`]),
      ...(mayBePrivate(name, config) || isPublicHost(hostname)
        ? []
        : [`${name} names a host that is not public, which production refuses: ${remedyOf(name)}`]),
    ];
  });
}

/** The key ids of development keys begin with this. */
export const DEVELOPMENT_KEY_PREFIX = 'dev-';

const developmentKeyFaults = (config: object): string[] =>
  Object.entries(config).flatMap(([name, value]) =>
    keyIdsOf(value).some((kid) => kid.startsWith(DEVELOPMENT_KEY_PREFIX))
      ? [`${name} holds a development key, which production refuses: create new ones with \`keys create\``]
      : [],
  );

const keyIdsOf = (value: unknown): string[] =>
  typeof value === 'object' && value !== null && 'keys' in value && Array.isArray(value.keys)
    ? value.keys.map(({ kid }) => String(kid))
    : [];

/** Generated passwords are at least this long; passwords that a person invents are usually shorter. */
const LEAST_PASSWORD_CHARACTERS = 16;

function databaseFaults({ DATABASE_URL, ALLOW_UNENCRYPTED_HOSTS }: Checked, environment: Environment): string[] {
  if (DATABASE_URL === undefined) return [];
  const { host, tls, password: inUrl = '' } = parseDatabaseUrl(DATABASE_URL.reveal());
  // The driver falls back to PGPASSWORD.
  const [name, password] = inUrl === '' ? ['PGPASSWORD', environment.PGPASSWORD ?? ''] : ['DATABASE_URL', inUrl];
  const isOpen = tls !== 'verified' && !isAllowed(isIP(host) === 6 ? `[${host}]` : host, ALLOW_UNENCRYPTED_HOSTS);
  return [
    ...(isOpen
      ? [
          'DATABASE_URL connects without TLS or without checking the certificate: add sslmode=verify-full, or name its host in ALLOW_UNENCRYPTED_HOSTS',
        ]
      : []),
    ...(password !== '' && password.length < LEAST_PASSWORD_CHARACTERS
      ? [`${name} has a password of less than ${LEAST_PASSWORD_CHARACTERS} characters: give the role a random one`]
      : []),
  ];
}

function temporalFaults(config: Checked, environment: Environment): string[] {
  if (config.TASK_QUEUE === undefined) return []; // This process does not use Temporal.
  try {
    const { connectionOptions } = readTemporalSettings(config, environment);
    const { address = '', tls } = connectionOptions;
    if (tls !== undefined && tls !== null && tls !== false) return [];
    if (address === '' || isAllowed(hostOfAddress(address), config.ALLOW_UNENCRYPTED_HOSTS)) return [];
    return [
      'TEMPORAL_ADDRESS is reached without TLS: set TEMPORAL_TLS=true, or name its host in ALLOW_UNENCRYPTED_HOSTS',
    ];
  } catch {
    return ['TEMPORAL_CONFIG_FILE, TEMPORAL_PROFILE or another TEMPORAL_ variable cannot be used: correct it'];
  }
}

/** Parses `host:port`; either may be missing. */
const hostOfAddress = (address: string): string => address.replace(/:\d*$/, '');

const LOOPBACK = /^(localhost|.*\.localhost|127\.\d+\.\d+\.\d+|\[?::1\]?|\/.*)$/;
const isAllowed = (host: string, allowed: readonly string[] = []): boolean =>
  LOOPBACK.test(host) || allowed.includes(host.toLowerCase());

function journalFaults({ ERASURE_JOURNAL_ENDPOINT: endpoint, ALLOW_UNENCRYPTED_HOSTS: allowed }: Checked): string[] {
  if (endpoint === undefined) return [];
  const { protocol, hostname } = new URL(endpoint);
  return protocol === 'https:' || isAllowed(hostname, allowed)
    ? []
    : ['ERASURE_JOURNAL_ENDPOINT must be https in production, or name its host in ALLOW_UNENCRYPTED_HOSTS'];
}

const pkceFaults = ({ PROVIDER_B_PKCE, ALLOW_NO_PKCE }: Checked): string[] =>
  PROVIDER_B_PKCE === 'none' && ALLOW_NO_PKCE !== 'PROVIDER_B'
    ? [
        'PROVIDER_B_PKCE=none leaves authorization codes unprotected: use base64url or hex, or set ALLOW_NO_PKCE=PROVIDER_B as well',
      ]
    : [];

/** Options that open a debugger, print requests and headers, or log TLS keys. */
const DANGEROUS_OPTION = /^--(inspect|debug|trace-tls|tls-keylog|insecure-http-parser|tls-min-v1\.[01])/;
/** If one of these is set, libraries print their traffic, including tokens. */
const DEBUG_VARIABLES = ['NODE_DEBUG', 'NODE_DEBUG_NATIVE', 'GRPC_TRACE', 'GRPC_NODE_TRACE'];

function runtimeFaults(environment: Environment, nodeOptions: readonly string[]): string[] {
  const options = [...nodeOptions, ...(environment.NODE_OPTIONS ?? '').split(/[\s"']+/)];
  return [
    ...(environment.NODE_TLS_REJECT_UNAUTHORIZED === '0'
      ? ['NODE_TLS_REJECT_UNAUTHORIZED=0 disables the check of certificates: remove it']
      : []),
    ...(options.some((option) => DANGEROUS_OPTION.test(option))
      ? [
          'NODE_OPTIONS or the command line lets others debug the process or read its traffic: remove --inspect, --trace-tls, --tls-keylog, --tls-min-v1.0, --tls-min-v1.1 and --insecure-http-parser',
        ]
      : []),
    ...DEBUG_VARIABLES.filter((name) => environment[name]).map(
      (name) => `${name} makes libraries print their traffic: remove it`,
    ),
  ];
}

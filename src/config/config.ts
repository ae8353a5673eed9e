import { z } from 'zod';
import { baseUrl } from '../basics/base-url.ts';
import { INSTALLATION_COLORS, PROVIDER_NAMES, type ProviderName } from '../basics/codes.ts';
import { Secret } from '../basics/secret.ts';
import { PLATFORMS, PROVIDER_SETTINGS } from '../providers/platforms.ts';
import { readDatabaseFiles } from './database-files.ts';
import { type Environment, listOpenFiles, readEnvironment, setForLibraries } from './environment.ts';
import { listKeyFaults } from './keys.ts';
import { splitPorts } from './listen-settings.ts';
import { type Checked, listProductionFaults, type Surroundings } from './production.ts';
import {
  certificates,
  databaseUrl,
  flag,
  groupRoles,
  host,
  hostNames,
  journal,
  keySet,
  networks,
  port,
  privateKey,
  scopes,
} from './values.ts';

/** Lists every fault of the configuration at once; names variables, never their values. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(`The configuration has ${faults.length} fault(s):\n${faults.map((fault) => `  - ${fault}`).join('\n')}`);
    this.faults = faults;
  }
}

/** The connection to the database. */
const database = {
  /** Required, because a build does not know where it runs. `config/production.ts` lists the settings production refuses. */
  DEPLOYMENT: z.enum(['development', 'production']),
  DATABASE_URL: databaseUrl,
  /** PEM certificates of the authority that signs the database's certificate, if it is not a public one. */
  DATABASE_CA: certificates.optional(),
  /** A certificate of this client in PEM, for a server that requires one, and its private key. */
  DATABASE_CERT: certificates.optional(),
  DATABASE_KEY: privateKey.optional(),
  /** Hosts of Postgres and Temporal that production may talk to in plain text, besides this machine. */
  ALLOW_UNENCRYPTED_HOSTS: hostNames.optional(),
};

const common = {
  ...database,
  DATABASE_POOL_SIZE: z.coerce.number().int().min(1).max(200).default(10),
  LOG_LEVEL: z.enum(['debug', 'info', 'warn', 'error', 'silent']).default('info'),
  /** All queues are named after this one; workflows run on it, provider calls on `<it>-<PROVIDER>`. */
  TASK_QUEUE: z
    .string()
    .regex(/^[a-z0-9-]{1,100}$/)
    .default('accounts'),
  /** The URL at which browsers reach launch and callback paths. */
  CONNECT_URL: baseUrl,
  /** A TOML file of Temporal profiles, and the profile to use. Temporal's library reads the other `TEMPORAL_*` variables. */
  TEMPORAL_CONFIG_FILE: z.string().min(1).optional(),
  TEMPORAL_PROFILE: z.string().min(1).optional(),
  VAULT_EDGE_KEYS: keySet,
  VAULT_MAC_KEYS: keySet,
  ...PROVIDER_SETTINGS,
  /** The `prompt` of a sign-in at an issuer that does not publish which ones it takes. */
  IDENTITY_PROMPT: z.enum(['select_account', 'login', 'omit']).default('select_account'),
  /** The confirmation that production needs to run without PKCE. */
  ALLOW_NO_PKCE: z.literal('PROVIDER_B').optional(),
  /**
   * Whether a disconnect whose revoke may reach the subject's other accounts at the platform suspends these until it has
   * settled. Defaults to true in production, false in development.
   */
  SUSPEND_SIBLINGS: flag.optional(),
  /**
   * A directory outside the database for the erasure journal, or a bucket: `s3://bucket/path`. Without it the service
   * keeps no journal.
   */
  ERASURE_JOURNAL: journal.optional(),
  /** Base URL of the S3-compatible server of that bucket. Without it the bucket is Amazon's. */
  ERASURE_JOURNAL_ENDPOINT: baseUrl.optional(),
  /** Base of an OTLP collector (HTTP, protobuf) that receives spans. Without it there are none. */
  OTEL_EXPORTER_OTLP_ENDPOINT: baseUrl.optional(),
  /** The collector's full path for spans, in place of `<the base>/v1/traces`. */
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: baseUrl.optional(),
  /** OpenTelemetry's own two switches for spans. Ports configure metrics. */
  OTEL_SDK_DISABLED: z
    .string()
    .transform((text) => text.toLowerCase() === 'true')
    .default(false),
  OTEL_TRACES_EXPORTER: z.enum(['otlp', 'none']).default('otlp'),
  /**
   * Networks to which webhooks may be sent although their addresses are not public, such as `10.20.0.0/16 fd00::/8`. Give
   * it to api and worker. Without it production sends to public addresses only.
   */
  WEBHOOK_PRIVATE_NETWORKS: networks.optional(),
  /**
   * Whether the processes take the shorter ways that exist for speed alone (`src/api/fast/README.md`). Without them, the answers are the same,
   * and cost more processor time.
   */
  FAST_PATHS: flag.default(true),
  /** How long running work may take to finish after a shutdown signal. */
  SHUTDOWN_GRACE_SECONDS: z.coerce.number().int().min(0).max(300).default(20),
};

const api = {
  ...common,
  API_HOST: host.optional(),
  API_PORT: port.default(8080),
  /** The port of Prometheus metrics. Without it there are none. */
  API_METRICS_PORT: port.optional(),
  /** The address that metrics listen on. Every client that reaches it can read them. */
  API_METRICS_HOST: host.default('127.0.0.1'),
  VAULT_INBOX_PUBLIC_KEYS: keySet,
  /**
   * Where the admin API and console listen. Production gives them a listener of their own, by default on loopback and
   * port 8082; development serves them beside the callers' API unless ADMIN_PORT is set.
   */
  ADMIN_HOST: host.optional(),
  ADMIN_PORT: port.optional(),
  /** Base of the console as operators' browsers reach it, without `/admin`. The console's files have absolute paths. */
  ADMIN_URL: baseUrl
    .refine((url) => new URL(url).pathname === '/', 'must have no path: give the console a host name of its own')
    .optional(),
  /** An OpenID Connect issuer for operators' sign-in, exactly as in its metadata; needs ADMIN_URL and the next three. */
  ADMIN_OIDC_ISSUER: z.url({ protocol: /^https?$/ }).optional(),
  /** Networks in which production may reach that issuer although their addresses are not public. */
  ADMIN_OIDC_PRIVATE_NETWORKS: networks.optional(),
  ADMIN_OIDC_CLIENT_ID: z.string().min(1).optional(),
  ADMIN_OIDC_CLIENT_SECRET: z
    .string()
    .transform((text) => new Secret(text))
    .optional(),
  ADMIN_OIDC_TOKEN_AUTH_METHOD: z.enum(['client_secret_basic', 'client_secret_post']).default('client_secret_basic'),
  /** JSON: a role for each group of operators, such as `{"sre": "OPERATOR"}`. */
  ADMIN_OIDC_ROLES: groupRoles.optional(),
  /** The claim that lists a person's groups. */
  ADMIN_OIDC_GROUP_CLAIM: z.string().min(1).default('groups'),
  /** The scopes to request at the issuer: `openid`, and those that it needs to send groups. */
  ADMIN_OIDC_SCOPES: scopes.default('openid email profile'),
  /** The operators' name of this installation, such as `Production`: the console shows it on each page, in the color. */
  INSTALLATION_NAME: z
    .string()
    .trim()
    .regex(/^[^\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]{1,40}$/u, 'must be one line of at most 40 characters')
    .optional(),
  /** Who operates the service, and the pages about it: shown on every page that people see. */
  OPERATOR_NAME: z
    .string()
    .trim()
    .regex(/^[^\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]{1,100}$/u, 'must be one line of at most 100 characters')
    .optional(),
  OPERATOR_CONTACT: z
    .union([z.email(), z.url({ protocol: /^https$/ })], 'must be a mail address or an https URL')
    .optional(),
  OPERATOR_PRIVACY_URL: z.url({ protocol: /^https$/ }).optional(),
  OPERATOR_TERMS_URL: z.url({ protocol: /^https$/ }).optional(),
  /**
   * Whether names and handles of accounts are hidden from operators without the role ADMIN until they choose to see them.
   * Defaults to true in production, false in development.
   */
  MASK_NAMES: flag.optional(),
  INSTALLATION_COLOR: z.enum(INSTALLATION_COLORS).default('gray'),
  /** Base of the Temporal UI, for links. Only operators follow them, so that it may be a private address. */
  TEMPORAL_UI_URL: baseUrl.optional(),
  /** The number of reverse proxies in front. The service trusts that many hops of X-Forwarded-For. */
  TRUSTED_PROXIES: z.coerce.number().int().min(0).max(10).default(0),
  /** The most Connect attempts of one subject at one provider in ten minutes, finished or not. */
  CONNECT_ATTEMPTS_PER_SUBJECT: z.coerce.number().int().min(5).max(10_000).default(30),
  /** The most Connect attempts of one app in ten minutes, finished or not. */
  CONNECT_ATTEMPTS_PER_APP: z.coerce.number().int().min(100).max(1_000_000).default(10_000),
  /** The most launches from one address in ten minutes, by each api. */
  CONNECT_LAUNCHES_PER_ADDRESS: z.coerce.number().int().min(10).max(1_000_000).default(600),
  /**
   * How long it continues to serve after a shutdown signal while `/readyz` already fails, so that a load balancer can
   * stop sending requests. Defaults to 5 in production, 0 in development.
   */
  SHUTDOWN_NOTICE_SECONDS: z.coerce.number().int().min(0).max(60).optional(),
};

const readRate = (name: ProviderName) => z.coerce.number().positive().default(PLATFORMS[name].callsPerSecond);
/** Calls per second to each provider, over all workers. */
const callsPerSecond = Object.fromEntries(
  PROVIDER_NAMES.map((name) => [`${name}_CALLS_PER_SECOND`, readRate(name)]),
) as Record<`${ProviderName}_CALLS_PER_SECOND`, ReturnType<typeof readRate>>;

const worker = {
  ...common,
  WORKER_HEALTH_HOST: host.optional(),
  WORKER_HEALTH_PORT: port.default(8081),
  /** The port of Prometheus metrics. Without it there are none. */
  WORKER_METRICS_PORT: port.optional(),
  /** The address that metrics listen on. Every client that reaches it can read them. */
  WORKER_METRICS_HOST: host.default('127.0.0.1'),
  VAULT_GRANT_KEYS: keySet,
  VAULT_INBOX_PRIVATE_KEYS: keySet,
  /** The file of the workflows' bundle. Defaults to the one that `npm run build` puts beside the program. */
  WORKFLOW_BUNDLE: z.string().min(1).optional(),
  /** Changes of workflows to take before their release does. Every worker must know them. */
  WORKFLOW_PATCHES: z
    .string()
    .regex(/^[a-z0-9-]+( [a-z0-9-]+)*$/)
    .transform((names) => names.split(' '))
    .optional(),
  /** This build's name among the versions of the workers. Without it workers are not versioned. */
  WORKER_BUILD_ID: z
    .string()
    .regex(/^[A-Za-z0-9._-]{1,100}$/)
    .optional(),
  /** How many partitions Temporal gives each task queue. It divides a queue's rate limit among them. */
  TASK_QUEUE_PARTITIONS: z.coerce.number().int().min(1).max(100).default(1),
  ...callsPerSecond,
};

const migrate = {
  ...database,
  LOG_LEVEL: common.LOG_LEVEL,
  /** The prefix of the names of the service's roles. Roles belong to the whole server: give each installation its own. */
  DATABASE_ROLE_PREFIX: z
    .string()
    .regex(/^[a-z][a-z0-9_]{0,39}$/)
    .default('accounts'),
};

/** The command line runs the admin API beside the database, with the api's variables. It never opens a grant. */
const cli = {
  ...database,
  CONNECT_URL: common.CONNECT_URL,
  ERASURE_JOURNAL: common.ERASURE_JOURNAL,
  ERASURE_JOURNAL_ENDPOINT: common.ERASURE_JOURNAL_ENDPOINT,
  VAULT_INBOX_PUBLIC_KEYS: keySet,
  VAULT_EDGE_KEYS: common.VAULT_EDGE_KEYS,
  VAULT_MAC_KEYS: common.VAULT_MAC_KEYS,
  SUSPEND_SIBLINGS: common.SUSPEND_SIBLINGS,
  TEMPORAL_UI_URL: api.TEMPORAL_UI_URL,
  /** Needed to deliver at once; if Temporal is unreachable, the worker delivers later. */
  TASK_QUEUE: common.TASK_QUEUE,
  TEMPORAL_CONFIG_FILE: common.TEMPORAL_CONFIG_FILE,
  TEMPORAL_PROFILE: common.TEMPORAL_PROFILE,
  /** Needed to check the URL of a webhook endpoint as api and worker do. */
  WEBHOOK_PRIVATE_NETWORKS: common.WEBHOOK_PRIVATE_NETWORKS,
};

/** Resealing needs the private keys, which otherwise only the worker has. */
const reseal = {
  ...database,
  ERASURE_JOURNAL: common.ERASURE_JOURNAL,
  ERASURE_JOURNAL_ENDPOINT: common.ERASURE_JOURNAL_ENDPOINT,
  VAULT_GRANT_KEYS: keySet,
  VAULT_INBOX_PRIVATE_KEYS: keySet,
  VAULT_EDGE_KEYS: keySet,
};

/** The variables that each process reads. @internal */
export const schemas = {
  api: z.object(api),
  worker: z.object(worker),
  migrate: z.object(migrate),
  cli: z.object(cli),
  reseal: z.object(reseal),
};
/** The variables of `try-provider`, which calls one platform and uses neither database nor vault. docs/providers.md has them. */
const trial = z.object({
  ...PROVIDER_SETTINGS,
  /** The OAuth client at that platform. The command prompts for each of these that is not set. */
  TRY_CLIENT_ID: z.string().min(1).optional(),
  TRY_CLIENT_SECRET: z
    .string()
    .min(1)
    .transform((text) => new Secret(text))
    .optional(),
  /** The redirect URI that is registered there. */
  TRY_REDIRECT_URI: z.url({ protocol: /^https?$/ }).optional(),
});

export type ApiConfig = z.output<typeof schemas.api>;
export type WorkerConfig = z.output<typeof schemas.worker>;
export type MigrateConfig = z.output<typeof schemas.migrate>;
export type CliConfig = z.output<typeof schemas.cli>;
export type ResealConfig = z.output<typeof schemas.reseal>;
export type TrialConfig = z.output<typeof trial>;
interface Configs {
  api: ApiConfig;
  worker: WorkerConfig;
  migrate: MigrateConfig;
  cli: CliConfig;
  reseal: ResealConfig;
  trial: TrialConfig;
}

/**
 * Reads the settings of `role` from the environment. `NAME_FILE` names a file to read `NAME` from. Libraries, which read their own
 * variables from the environment of the process, then find the same values there.
 * @throws ConfigError naming every fault at once.
 */
export function readConfig<Role extends keyof Configs>(
  role: Role,
  environment: Environment = process.env,
  nodeOptions: Surroundings['nodeOptions'] = process.execArgv,
): Configs[Role] {
  const faults: string[] = [];
  const all: Readonly<Record<keyof Configs, z.ZodObject>> = { ...schemas, trial };
  const shape: Readonly<Record<string, z.ZodType>> = all[role].shape as Readonly<Record<string, z.ZodType>>;
  const read = readEnvironment(shape, environment, faults);
  if (environment === process.env) setForLibraries(read, process.env);
  const values = splitPorts(read, faults);
  const config: Record<string, unknown> = {};
  for (const [name, type] of Object.entries<z.ZodType>(shape)) {
    const { data, error } = type.safeParse(values[name]);
    if (error === undefined) config[name] = data;
    else if (values[name] === undefined) faults.push(`${name} is not set`);
    else faults.push(...error.issues.map(({ message }) => `${name}: ${message}`));
  }
  faults.push(...readDatabaseFiles(config), ...listKeyFaults(config));
  if (config.DEPLOYMENT === 'production') {
    faults.push(
      ...listProductionFaults(config as Checked, { environment: { ...environment, ...read }, nodeOptions }),
      ...listOpenFiles(shape, environment),
    );
  }
  if (faults.length > 0) throw new ConfigError([...new Set(faults)]);
  return config as unknown as Configs[Role];
}

import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { inspect } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeKeys } from '../../local/src/development-keys.ts';
import { ConfigError, readConfig } from '../../src/config/config.ts';
import { createKeySets } from '../../src/vault/create-keys.ts';

type Environment = Record<string, string | undefined>;
/** In every value that is wrong here: no message may repeat it. */
const MARK = 'marked-7f3a';

let development: Environment;
let production: Environment;
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'config-'));
  development = {
    ...(await makeKeys()),
    DATABASE_URL: 'postgres://user:pass@db.example/accounts',
    DEPLOYMENT: 'development',
    CONNECT_URL: 'http://localhost:4000',
  };
  production = {
    ...(await createKeySets()),
    DATABASE_URL: 'postgres://user:a-password-of-some-length@db.example/accounts?sslmode=verify-full',
    DEPLOYMENT: 'production',
    CONNECT_URL: 'https://connect.example',
    TEMPORAL_ADDRESS: 'temporal.example:7233',
    TEMPORAL_TLS: 'true',
  };
});
afterAll(() => rmSync(folder, { recursive: true }));

function faultsOf(
  role: Parameters<typeof readConfig>[0],
  environment: Environment,
  nodeOptions: readonly string[] = [],
): readonly string[] {
  try {
    readConfig(role, environment, nodeOptions);
  } catch (error) {
    if (error instanceof ConfigError) {
      expect(inspect(error)).not.toContain(MARK);
      for (const fault of error.faults) expect(error.message).toContain(fault);
      return error.faults;
    }
    throw error;
  }
  return [];
}

describe('the configuration', () => {
  test('of every process is complete with these', () => {
    for (const role of ['api', 'worker', 'migrate', 'cli', 'reseal'] as const) {
      expect(faultsOf(role, development)).toEqual([]);
      expect(faultsOf(role, production)).toEqual([]);
    }
  });

  test('has no default for where it runs', () => {
    expect(faultsOf('api', { ...development, DEPLOYMENT: undefined })).toEqual(['DEPLOYMENT is not set']);
  });

  test('reports all missing and wrong settings at once', () => {
    const faults = faultsOf('worker', {
      DEPLOYMENT: MARK,
      DATABASE_URL: `https://${MARK}`,
      DATABASE_POOL_SIZE: MARK,
      CONNECT_URL: `ftp://${MARK}`,
      VAULT_EDGE_KEYS: MARK,
      VAULT_MAC_KEYS: JSON.stringify({ keys: [{ kid: '', kty: MARK }] }),
      TASK_QUEUE: `${MARK} with spaces`,
      SUSPEND_SIBLINGS: MARK,
    });
    const missing = ['VAULT_GRANT_KEYS', 'VAULT_INBOX_PRIVATE_KEYS'];
    for (const name of ['DEPLOYMENT', 'DATABASE_URL', 'CONNECT_URL', 'VAULT_EDGE_KEYS', 'VAULT_MAC_KEYS', 'TASK_QUEUE'])
      expect(faults).toContainEqual(expect.stringMatching(`^${name}\\b`));
    for (const name of missing) expect(faults).toContain(`${name} is not set`);
  });

  test('prints no value, wrong or right', () => {
    const config = readConfig('worker', {
      ...development,
      DATABASE_URL: `postgres://user:${MARK}@db.example/accounts`,
    });
    expect(inspect(config)).not.toContain(MARK);
    expect(JSON.stringify(config)).not.toContain(MARK);
    expect(config.DATABASE_URL.reveal()).toContain(MARK);
  });

  test.each(['', '  ', '""', "''", '\r'])('takes the empty variable %j for one that is not set', (empty) => {
    expect(faultsOf('migrate', { DEPLOYMENT: 'development', DATABASE_URL: empty })).toEqual([
      'DATABASE_URL is not set',
    ]);
    const some = { API_PORT: empty, ADMIN_URL_FILE: empty, TEMPORAL_ADDRESS: empty };
    expect(readConfig('api', { ...production, ...some })).toMatchObject({ API_PORT: 8080, ADMIN_URL: undefined });
  });

  test.each([
    ['INSTALLATION_NAME', '"Staging"', 'Staging'],
    ['INSTALLATION_NAME', "'Staging'", 'Staging'],
    ['INSTALLATION_NAME', '  " Staging " ', 'Staging'],
    ['ADMIN_OIDC_ROLES', '\'{"sre": "OPERATOR"}\'', { sre: 'OPERATOR' }],
  ])('reads a value without the quotes that docker --env-file keeps: %s=%s', (name, given, value) => {
    expect(readConfig('api', { ...development, [name]: given })).toMatchObject({ [name]: value });
  });

  test.each(['API_PORT', 'API_METRICS_PORT', 'ADMIN_PORT'])(
    'ignores the %s that Kubernetes sets for a Service of that name',
    (name) => {
      const usual = readConfig('api', development);
      for (const link of ['tcp://10.0.0.1:80', 'udp://10.0.0.1:80', 'tcp://[fd00::1]:80'])
        expect(readConfig('api', { ...development, [name]: link }), link).toEqual(usual);
      expect(faultsOf('api', { ...development, [name]: `http://${MARK}:80` })).toHaveLength(1);
    },
  );

  test('requires only the settings that each process needs', () => {
    expect(faultsOf('migrate', { DEPLOYMENT: 'development', DATABASE_URL: development.DATABASE_URL })).toEqual([]);
    expect(
      faultsOf('api', { ...development, VAULT_GRANT_KEYS: undefined, VAULT_INBOX_PRIVATE_KEYS: undefined }),
    ).toEqual([]);
    expect(readConfig('api', development)).not.toHaveProperty('VAULT_GRANT_KEYS');
    expect(readConfig('api', development)).not.toHaveProperty('VAULT_INBOX_PRIVATE_KEYS');
    expect(readConfig('cli', development)).not.toHaveProperty('VAULT_GRANT_KEYS');
  });
});

describe('a variable whose name ends in _FILE', () => {
  const write = (text: string) => {
    const file = path.join(folder, 'value');
    writeFileSync(file, text);
    return file;
  };

  test('names a file to read the value from', () => {
    const file = write('postgres://user:from-file@db.example/accounts\n');
    const config = readConfig('migrate', { DEPLOYMENT: 'development', DATABASE_URL_FILE: file });
    expect(config.DATABASE_URL.reveal()).toBe('postgres://user:from-file@db.example/accounts');
  });

  test('is read for the variables of libraries too, which find the value in the environment', () => {
    const names = ['TEMPORAL_NAMESPACE', 'OTEL_EXPORTER_OTLP_HEADERS', 'AWS_SECRET_ACCESS_KEY', 'PGPASSWORD'];
    // Their own names, whose files they read themselves.
    const kept = { TEMPORAL_CONFIG_FILE: write('[profile.default]\n'), AWS_WEB_IDENTITY_TOKEN_FILE: '/nowhere' };
    const file = write('"from a file"\n');
    const before = { ...process.env };
    try {
      for (const name of names) process.env[`${name}_FILE`] = file;
      Object.assign(process.env, { ...development, ...kept, TEMPORAL_ADDRESS: '', PGUSER: "'quoted'" });
      readConfig('api');
      for (const name of names) expect(process.env[name], name).toBe('from a file');
      expect(process.env).toMatchObject({ ...kept, PGUSER: 'quoted' });
      expect(process.env).not.toHaveProperty('TEMPORAL_ADDRESS');
      expect(process.env).not.toHaveProperty('AWS_WEB_IDENTITY_TOKEN');
    } finally {
      process.env = before;
    }
  });

  test('counts for the checks of production', () => {
    const environment = { ...production, TEMPORAL_ADDRESS: 'temporal.example:7233', TEMPORAL_TLS: undefined };
    expect(faultsOf('worker', environment)).toHaveLength(1);
    expect(faultsOf('worker', { ...environment, TEMPORAL_API_KEY_FILE: write(MARK) })).toEqual([]);
    expect(faultsOf('worker', { ...production, TEMPORAL_API_KEY_FILE: '/nowhere' })).toEqual([
      'TEMPORAL_API_KEY_FILE names a file that cannot be read',
    ]);
  });

  test('that cannot be read is a fault, together with the values that are missing because of it', () => {
    expect(faultsOf('migrate', { DEPLOYMENT: 'development', DATABASE_URL_FILE: path.join(folder, 'nowhere') })).toEqual(
      ['DATABASE_URL_FILE names a file that cannot be read', 'DATABASE_URL is not set'],
    );
  });
});

const keySet = (...keys: object[]) => JSON.stringify({ keys });
const secretKey = (bytes: Buffer, kid = 'mine') => ({ kid, kty: 'oct', k: bytes.toString('base64url') });
const firstKey = (set = '') => (JSON.parse(set) as { keys: [Record<string, string>] }).keys[0];

describe('a key set', () => {
  const faultsOfKeys = (name: string, ...keys: object[]) =>
    faultsOf('worker', { ...development, [name]: keySet(...keys) });
  const MADE = 'create new ones with `keys create`';

  test.each([16, 33])('of grants holds no key of %i bytes', (length) => {
    expect(faultsOfKeys('VAULT_GRANT_KEYS', secretKey(randomBytes(length)))).toEqual([
      `VAULT_GRANT_KEYS holds a key that is not 256 bits long: ${MADE}`,
    ]);
  });

  test.each([
    ['zeros', Buffer.alloc(32)],
    ['a sentence', Buffer.from('What Big Eyes You Have, Grandma!')],
  ])('holds nothing that is not random: %s', (_what, bytes) => {
    expect(bytes).toHaveLength(32);
    expect(faultsOfKeys('VAULT_EDGE_KEYS', secretKey(bytes))).toEqual([
      `VAULT_EDGE_KEYS holds a key that is not random: ${MADE}`,
    ]);
  });

  test('takes a thousand random keys', () => {
    const keys = Array.from({ length: 1_000 }, (_, index) => secretKey(randomBytes(32), String(index)));
    expect(faultsOfKeys('VAULT_GRANT_KEYS', ...keys)).toEqual([]);
  });

  test('serves one purpose', () => {
    const shared = secretKey(randomBytes(32));
    const environment = {
      ...development,
      VAULT_GRANT_KEYS: keySet(secretKey(randomBytes(32), 'first'), shared),
      VAULT_MAC_KEYS: keySet({ ...shared, kid: 'another name' }),
    };
    expect(faultsOf('worker', environment)).toEqual([
      'VAULT_MAC_KEYS and VAULT_GRANT_KEYS hold the same key: each needs its own',
    ]);
    expect(faultsOf('api', environment)).toEqual([]); // It has no grants' keys to compare.
  });

  test('of the public halves holds no private one, and the other way round', () => {
    const { d, ...open } = firstKey(development.VAULT_INBOX_PRIVATE_KEYS);
    expect(d).toBeDefined();
    expect(faultsOf('api', { ...development, VAULT_INBOX_PUBLIC_KEYS: development.VAULT_INBOX_PRIVATE_KEYS })).toEqual([
      'VAULT_INBOX_PUBLIC_KEYS holds a private key: give only the public half, without d',
    ]);
    expect(faultsOf('worker', { ...development, VAULT_INBOX_PRIVATE_KEYS: keySet(open) })).toEqual([
      'VAULT_INBOX_PRIVATE_KEYS holds a public key: give the private half, with d',
    ]);
  });
});

describe('an address to listen at', () => {
  test.each([
    ['::', '::', 8080],
    ['[::]:9000', '::', 9000],
    ['*:9000', '::', 9000],
    ['fd00::5:9000', 'fd00::5:9000', 8080], // A whole address: only brackets set a port apart.
    ['127.0.0.1:9000', '127.0.0.1', 9000],
    ['accounts-api:9000', 'accounts-api', 9000],
  ])('is written %s', (given, API_HOST, API_PORT) => {
    expect(readConfig('api', { ...development, API_HOST: given })).toMatchObject({ API_HOST, API_PORT });
  });

  test.each(['[::', 'http://0.0.0.0', '0.0.0.0/0'])('is not written %s', (given) => {
    for (const name of ['API_HOST', 'ADMIN_HOST', 'API_METRICS_HOST'])
      expect(faultsOf('api', { ...development, [name]: given })).toEqual([
        `${name}: must be an address or a host name, without a scheme or path`,
      ]);
  });
});

type Role = Parameters<typeof readConfig>[0];
/** A change of the production environment, and the faults that it has; none if it is accepted. */
type Change = readonly [roles: readonly Role[], changes: Environment, ...faults: readonly string[]];

const PASSWORD = `${MARK}-of-some-length`;
const ALL = ['api', 'worker', 'migrate', 'cli', 'reseal'] as const;
const DELIVERING = ['api', 'worker', 'cli'] as const;
const JOURNALING = ['api', 'worker', 'cli', 'reseal'] as const;
const API = ['api'] as const;
const WORKER = ['worker'] as const;

const database = (host: string, query = '') => ({
  DATABASE_URL: `postgres://user:${PASSWORD}@${host}/accounts${query}`,
});
const password = (text: string) => ({ DATABASE_URL: `postgres://user${text}@localhost/accounts` });
const temporal = (address: string, TEMPORAL_TLS?: string) => ({ TEMPORAL_ADDRESS: address, TEMPORAL_TLS });
const journal = (place: string, endpoint?: string) => ({
  ERASURE_JOURNAL: place,
  ...(endpoint !== undefined && { ERASURE_JOURNAL_ENDPOINT: endpoint }),
});

const OPEN_DATABASE =
  'DATABASE_URL connects without TLS or without checking the certificate: add sslmode=verify-full, or name its host in ALLOW_UNENCRYPTED_HOSTS';
const ONE_ADDRESS = 'DATABASE_URL: must name one host: an address that leads to the primary, also after a fail-over';
const SSLMODE = 'DATABASE_URL: sslmode must be disable, require, verify-ca or verify-full, and given once';
const SHORT = 'has a password of less than 16 characters: give the role a random one';
const OPEN_TEMPORAL =
  'TEMPORAL_ADDRESS is reached without TLS: set TEMPORAL_TLS=true, or name its host in ALLOW_UNENCRYPTED_HOSTS';
const PLAIN_JOURNAL =
  'ERASURE_JOURNAL_ENDPOINT must be https in production, or name its host in ALLOW_UNENCRYPTED_HOSTS';
const NO_PKCE =
  'PROVIDER_B_PKCE=none leaves authorization codes unprotected: use base64url or hex, or set ALLOW_NO_PKCE=PROVIDER_B as well';
const OPTIONS =
  'NODE_OPTIONS or the command line lets others debug the process or read its traffic: remove --inspect, --trace-tls, --tls-keylog, --tls-min-v1.0, --tls-min-v1.1 and --insecure-http-parser';

const PRODUCTION: Readonly<Record<string, readonly Change[]>> = {
  'URLs are https': [
    ...['CONNECT_URL', 'PROVIDER_A_TOKEN_URL', 'PROVIDER_C_AUTHORIZE_URL'].map(
      (name): Change => [WORKER, { [name]: 'http://far.example' }, `${name} must be https in production`],
    ),
    ...['ADMIN_URL', 'ADMIN_OIDC_ISSUER'].map(
      (name): Change => [API, { [name]: 'http://operators.example' }, `${name} must be https in production`],
    ),
    // Where only operators go.
    [API, { ADMIN_URL: 'https://console.internal' }],
    [API, { TEMPORAL_UI_URL: 'http://temporal.internal:8233' }],
  ],
  'the database is reached by TLS with a certificate that is checked': [
    ...['', '?sslmode=disable', '?sslmode=require'].map(
      (one): Change => [ALL, database('db.example', one), OPEN_DATABASE],
    ),
    [ALL, database('db.example', '?sslmode=verify-full')],
    ...['localhost', '127.0.0.1:5433', '[::1]:5432', '%2Fvar%2Frun%2Fpostgresql'].map(
      (one): Change => [API, database(one)],
    ),
    [API, { ...database('postgres:5432'), ALLOW_UNENCRYPTED_HOSTS: 'postgres, temporal' }],
    ...['postgres.example', 'other'].map(
      (one): Change => [API, { ...database(one), ALLOW_UNENCRYPTED_HOSTS: 'postgres, temporal' }, OPEN_DATABASE],
    ),
    ...['prefer', 'verify-full&sslmode='].map(
      (one): Change => [API, database('db.example', `?sslmode=${one}`), SSLMODE],
    ),
  ],
  'the database has one address': [
    ...['one,two', '[::1]:5432,two'].map((one): Change => [ALL, database(one, '?sslmode=verify-full'), ONE_ADDRESS]),
  ],
  'a password has 16 characters': [
    ...[':development', ':0123456789abcde', ':%30%31%32%33%34%35'].map(
      (one): Change => [API, password(one), `DATABASE_URL ${SHORT}`],
    ),
    [API, password('')],
    [API, password(':0123456789abcdef')],
    [API, { ...password(''), PGPASSWORD: '0123456789abcde' }, `PGPASSWORD ${SHORT}`],
  ],
  'Temporal is reached by TLS': [
    [DELIVERING, temporal('temporal.example:7233'), OPEN_TEMPORAL],
    [DELIVERING, temporal('temporal.example:7233', 'true')],
    [DELIVERING, { ...temporal('temporal.example:7233'), TEMPORAL_API_KEY: MARK }],
    ...['127.0.0.1:7233', 'localhost:7233', '[::1]:7233'].map((one): Change => [WORKER, temporal(one)]),
    [WORKER, { ...temporal('temporal:7233'), ALLOW_UNENCRYPTED_HOSTS: 'postgres temporal' }],
    [WORKER, { ...temporal('temporal:7233'), ALLOW_UNENCRYPTED_HOSTS: 'postgres' }, OPEN_TEMPORAL],
  ],
  'the erasure journal is a directory or a bucket, written over https': [
    ...['/mnt/journal', 's3://journal.example/accounts/1/'].map((one): Change => [WORKER, journal(one)]),
    ...['s3://', 's3://journal/a b', 'gs://journal'].map(
      (one): Change => [WORKER, journal(one), 'ERASURE_JOURNAL: must be a directory or s3://bucket/path'],
    ),
    [JOURNALING, journal('s3://journal', 'http://minio:9000'), PLAIN_JOURNAL],
    [JOURNALING, journal('s3://journal', 'https://minio:9000')],
    [JOURNALING, { ...journal('s3://journal', 'http://minio:9000'), ALLOW_UNENCRYPTED_HOSTS: 'minio' }],
  ],
  'PROVIDER_B’s PKCE is disabled only with two settings': [
    [['api', 'worker'], { PROVIDER_B_PKCE: 'none' }, NO_PKCE],
    [['api', 'worker'], { PROVIDER_B_PKCE: 'none', ALLOW_NO_PKCE: 'PROVIDER_B' }],
    [['api', 'worker'], { PROVIDER_B_PKCE: 'hex' }],
  ],
  'nothing lets others read or debug': [
    [
      API,
      { NODE_TLS_REJECT_UNAUTHORIZED: '0' },
      'NODE_TLS_REJECT_UNAUTHORIZED=0 disables the check of certificates: remove it',
    ],
    [API, { NODE_TLS_REJECT_UNAUTHORIZED: '1' }],
    ...['NODE_DEBUG', 'GRPC_TRACE'].map(
      (name): Change => [API, { [name]: 'http' }, `${name} makes libraries print their traffic: remove it`],
    ),
    ...['--inspect', '--inspect-brk=0.0.0.0:9229', '--tls-keylog=/tmp/keys', '--trace-tls'].map(
      (one): Change => [WORKER, { NODE_OPTIONS: `--enable-source-maps "${one}"` }, OPTIONS],
    ),
    ...['--insecure-http-parser', '--tls-min-v1.0'].map((one): Change => [WORKER, { NODE_OPTIONS: one }, OPTIONS]),
    [WORKER, { NODE_OPTIONS: '--enable-source-maps' }],
  ],
};

describe.each(Object.entries(PRODUCTION))('in production, %s', (_rule, rows) => {
  test.each(rows.map(([roles, changes, ...faults]) => ({ roles, changes, faults })))(
    '$roles with $changes: $faults',
    ({ roles, changes, faults }) => {
      for (const role of roles) expect(faultsOf(role, { ...production, ...changes }), role).toEqual(faults);
    },
  );
});

describe('in production', () => {
  const hosts = ['localhost', 'api.internal', 'postgres', '127.0.0.1', '10.1.2.3', '172.31.255.255', '169.254.169.254'];
  // The same 127.0.0.1 in other words, carrier-grade NAT, and IPv6 that is not global unicast.
  const others = ['2130706433', '100.64.0.1', '[::1]', '[fd00::1]', '[::ffff:8.8.8.8]'];
  test.each([...hosts, ...others])('the host %s, which is not public, is refused', (host) => {
    const refusal = 'names a host that is not public, which production refuses';
    for (const name of ['PROVIDER_B_API_URL', 'CONNECT_URL']) {
      expect(
        faultsOf('api', { ...production, [name]: `https://${host}/x`, ADMIN_OIDC_PRIVATE_NETWORKS: '0.0.0.0/0' }),
      ).toEqual([`${name} ${refusal}: give one that is reached from outside`]);
    }
    const issuer = { ...production, ADMIN_OIDC_ISSUER: `https://${host}/x` };
    expect(faultsOf('api', issuer)).toEqual([
      `ADMIN_OIDC_ISSUER ${refusal}: name its network in ADMIN_OIDC_PRIVATE_NETWORKS`,
    ]);
    expect(faultsOf('api', { ...issuer, ADMIN_OIDC_PRIVATE_NETWORKS: '10.0.0.0/8 fd00::/8' })).toEqual([]);
  });

  test.each(['172.32.0.1', 'localhost.example', '[2606:4700::1111]'])('the public host %s is accepted', (host) => {
    expect(faultsOf('api', { ...production, PROVIDER_B_API_URL: `https://${host}/x` })).toEqual([]);
  });

  test('keys made for development are refused', () => {
    expect(faultsOf('worker', { ...production, VAULT_GRANT_KEYS: development.VAULT_GRANT_KEYS })).toEqual([
      'VAULT_GRANT_KEYS holds a development key, which production refuses: create new ones with `keys create`',
    ]);
  });

  test('Temporal’s address is looked for in its own file of profiles as well', () => {
    const file = path.join(folder, 'temporal.toml');
    const profile = { TEMPORAL_CONFIG_FILE: file, TEMPORAL_PROFILE: 'mine' };
    const environment = { ...production, ...profile, TEMPORAL_ADDRESS: undefined, TEMPORAL_TLS: undefined };
    writeFileSync(file, '[profile.mine]\naddress = "temporal.example:7233"\n');
    expect(faultsOf('worker', environment)).toEqual([OPEN_TEMPORAL]);
  });

  test('no secret is read from a world-writable file', () => {
    const file = path.join(folder, 'database-url');
    writeFileSync(file, production.DATABASE_URL ?? '');
    const environment = { ...production, DATABASE_URL: undefined, DATABASE_URL_FILE: file };
    chmodSync(file, 0o646);
    expect(faultsOf('api', environment)).toEqual([
      'DATABASE_URL_FILE names a file that everyone may write: remove that right (chmod o-w)',
    ]);
    chmodSync(file, 0o644); // As secrets are mounted by default.
    expect(faultsOf('api', environment)).toEqual([]);
  });

  test('an option of the command line counts as one of NODE_OPTIONS', () => {
    expect(faultsOf('worker', production, ['--inspect'])).toEqual([OPTIONS]);
  });
});

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { inspect } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ConfigError, readConfig } from '../src/config.ts';
import { makeKeys } from '../src/local/development-keys.ts';
import { createKeySets } from '../src/vault/create-keys.ts';

type Environment = Record<string, string | undefined>;
/** In every value that is wrong here: no message may repeat it. */
const MARK = 'marked-7f3a';

let development: Environment;
let production: Environment;
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'config-'));
  const common = { DATABASE_URL: 'postgres://user:pass@db.example/accounts' };
  development = { ...common, ...(await makeKeys()), DEPLOYMENT: 'development', CONNECT_URL: 'http://localhost:4000' };
  production = {
    ...common,
    ...(await createKeySets()),
    DEPLOYMENT: 'production',
    CONNECT_URL: 'https://connect.example',
  };
});
afterAll(() => rmSync(folder, { recursive: true }));

function faultsOf(role: Parameters<typeof readConfig>[0], environment: Environment): readonly string[] {
  try {
    readConfig(role, environment);
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
    for (const role of ['api', 'worker', 'migrate', 'cli'] as const) {
      expect(faultsOf(role, development)).toEqual([]);
      expect(faultsOf(role, production)).toEqual([]);
    }
  });

  test('has no default for where it runs', () => {
    expect(faultsOf('api', { ...development, DEPLOYMENT: undefined })).toEqual(['DEPLOYMENT is not set']);
  });

  test('reports every fault in one go, of what is missing as of what is wrong', () => {
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
    const names = [
      'DEPLOYMENT',
      'DATABASE_URL',
      'DATABASE_POOL_SIZE',
      'CONNECT_URL',
      'VAULT_EDGE_KEYS',
      'VAULT_MAC_KEYS',
    ];
    const missing = ['VAULT_GRANT_KEYS', 'VAULT_INBOX_PRIVATE_KEYS'];
    for (const name of [...names, 'TASK_QUEUE', 'SUSPEND_SIBLINGS', ...missing])
      expect(
        faults.some((fault) => fault.startsWith(name)),
        name,
      ).toBe(true);
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

  test('takes an empty variable for one that is not set', () => {
    expect(faultsOf('migrate', { DATABASE_URL: '' })).toEqual(['DATABASE_URL is not set']);
    expect(readConfig('api', { ...development, API_PORT: '' }).API_PORT).toBe(8080);
  });

  test('asks each process only for what it needs', () => {
    expect(faultsOf('migrate', { DATABASE_URL: development.DATABASE_URL })).toEqual([]);
    expect(
      faultsOf('api', { ...development, VAULT_GRANT_KEYS: undefined, VAULT_INBOX_PRIVATE_KEYS: undefined }),
    ).toEqual([]);
    expect(readConfig('api', development)).not.toHaveProperty('VAULT_GRANT_KEYS');
    expect(readConfig('api', development)).not.toHaveProperty('VAULT_INBOX_PRIVATE_KEYS');
    expect(readConfig('cli', development)).not.toHaveProperty('VAULT_GRANT_KEYS');
  });

  test('reads base URLs without the slash at their end, and none with query or fragment', () => {
    expect(readConfig('api', { ...development, CONNECT_URL: 'http://localhost:4000//' }).CONNECT_URL).toBe(
      'http://localhost:4000',
    );
    for (const url of [`http://localhost/?${MARK}`, `http://localhost/#${MARK}`, MARK]) {
      expect(faultsOf('api', { ...development, CONNECT_URL: url })).toHaveLength(1);
    }
  });
});

describe('the scopes asked for when an operator signs in', () => {
  const scopesOf = (scopes?: string) =>
    readConfig('api', { ...development, ADMIN_OIDC_SCOPES: scopes }).ADMIN_OIDC_SCOPES;

  test('are as they are set, or the usual ones', () => {
    expect(scopesOf()).toBe('openid email profile');
    expect(scopesOf('openid groups')).toBe('openid groups');
  });

  test.each([
    ['email profile', 'must have openid among them'],
    ['openid  groups', 'must be scopes with single spaces between them'],
    ['openid grou"ps', 'must be scopes with single spaces between them'],
  ])('are not %j', (scopes, fault) => {
    expect(faultsOf('api', { ...development, ADMIN_OIDC_SCOPES: scopes })).toEqual([`ADMIN_OIDC_SCOPES: ${fault}`]);
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
    const config = readConfig('migrate', { DATABASE_URL_FILE: file });
    expect(config.DATABASE_URL.reveal()).toBe('postgres://user:from-file@db.example/accounts');
  });

  test('gives way to the variable itself', () => {
    const environment = {
      DATABASE_URL: 'postgres://db.example/given',
      DATABASE_URL_FILE: write('postgres://db.example/file'),
    };
    expect(readConfig('migrate', environment).DATABASE_URL.reveal()).toContain('given');
  });

  test('that cannot be read is a fault, together with what is missing because of it', () => {
    expect(faultsOf('migrate', { DATABASE_URL_FILE: path.join(folder, 'nowhere') })).toEqual([
      'DATABASE_URL_FILE names a file that cannot be read',
      'DATABASE_URL is not set',
    ]);
  });
});

describe('production refuses', () => {
  test('plain http, whatever the URL is of', () => {
    for (const name of ['CONNECT_URL', 'PROVIDER_A_TOKEN_URL', 'PROVIDER_B_API_URL', 'PROVIDER_C_AUTHORIZE_URL']) {
      expect(faultsOf('worker', { ...production, [name]: 'http://far.example' })).toEqual([
        `${name} must be https in production`,
      ]);
    }
  });

  const hosts = ['localhost', 'a.localhost', 'api.internal', 'printer.local', '127.0.0.1', '10.1.2.3', '192.168.0.1'];
  for (const host of [...hosts, '172.16.0.1', '172.31.255.255', '169.254.169.254', '0.0.0.0', '[::1]', '[fd00::1]']) {
    test(`the private host ${host}`, () => {
      expect(faultsOf('api', { ...production, PROVIDER_B_API_URL: `https://${host}/x` })).toEqual([
        'PROVIDER_B_API_URL names a private host, which production refuses',
      ]);
    });
  }

  for (const host of ['172.32.0.1', '11.0.0.1', 'localhost.example', 'internal.example']) {
    test(`not the public host ${host}`, () => {
      expect(faultsOf('api', { ...production, PROVIDER_B_API_URL: `https://${host}/x` })).toEqual([]);
    });
  }

  test('keys made for development', () => {
    expect(faultsOf('worker', { ...production, VAULT_GRANT_KEYS: development.VAULT_GRANT_KEYS })).toEqual([
      'VAULT_GRANT_KEYS holds a development key, which production refuses',
    ]);
  });

  test('all of it in one go, together with faults of any other kind', () => {
    const faults = faultsOf('api', {
      ...production,
      CONNECT_URL: 'http://127.0.0.1',
      VAULT_MAC_KEYS: development.VAULT_MAC_KEYS,
      API_PORT: MARK,
      DATABASE_URL: undefined,
    });
    expect(faults.map((fault) => fault.split(/[ :]/)[0]).sort()).toEqual([
      'API_PORT',
      'CONNECT_URL',
      'CONNECT_URL',
      'DATABASE_URL',
      'VAULT_MAC_KEYS',
    ]);
  });
});

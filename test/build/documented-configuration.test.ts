import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { z } from 'zod';
import { readConfig, schemas } from '../../src/config/config.ts';
import { createKeySets } from '../../src/vault/create-keys.ts';
import { newFolder } from '../kit/folder.ts';

const ROOT = path.join(import.meta.dirname, '..', '..');
const read = (name: string) => readFileSync(path.join(ROOT, name), 'utf8');

interface Variable {
  readonly name: string;
  readonly processes: readonly string[];
  /** `required`, a default in backticks, or an explanation if there is neither. */
  readonly standard: string;
}

/** An item may name several variables with the same readers and default. `all` stands for every reader. */
const ITEM = new RegExp(
  `^- ((?:\`[A-Z_]+\`(?:,\\s+)?)+)\\s+\\(((?:${[...Object.keys(schemas), 'all'].join('|')}|,\\s+)+);\\s+([^)]*)\\)`,
  'gm',
);
const documented: readonly Variable[] = [...read('docs/configuration.md').matchAll(ITEM)].flatMap(
  ([, listed = '', readers = '', standard = '']) =>
    listed.split(/,\s+/).map((name) => ({
      name: name.slice(1, -1),
      processes: readers === 'all' ? Object.keys(schemas) : readers.split(/,\s+/),
      standard: standard.replaceAll(/\s+/g, ' '),
    })),
);

const names = [...new Set(Object.values(schemas).flatMap(({ shape }) => Object.keys(shape)))];

function standardOf(name: string): string | undefined {
  const types = Object.values(schemas).flatMap(({ shape }) => {
    const type = (shape as Readonly<Record<string, z.ZodType>>)[name];
    return type === undefined ? [] : [type.safeParse(undefined)];
  });
  if (types.some(({ success }) => !success)) return 'required';
  const [first] = types;
  return first?.data === undefined ? undefined : `\`${String(first.data)}\``;
}

describe('docs/configuration.md', () => {
  test('names every variable once, and no other', () => {
    expect(documented.map(({ name }) => name).sort()).toEqual([...names].sort());
  });

  test.each(documented)('lists the readers and the default of $name', ({ name, processes, standard }) => {
    const readers = Object.entries(schemas).flatMap(([role, { shape }]) => (name in shape ? [role] : []));
    expect(processes).toEqual(readers);
    const actual = standardOf(name);
    if (actual === undefined) expect(standard).not.toMatch(/^(required|`.*`|)$/);
    else expect(standard).toBe(actual);
  });
});

/** The variables that a service of docker-compose.yml sets, or that it takes from the settings of all. */
function setInCompose(start: string): string[] {
  const [, rest = ''] = read('docker-compose.yml').split(`\n${start}\n`);
  const indent = start.search(/\S/);
  const block = rest.split(new RegExp(`^ {0,${indent}}\\S`, 'm'))[0] ?? '';
  const own = [...block.matchAll(/^ +([A-Z_]+):/gm)].map(([, name = '']) => name);
  return block.includes('<<: *settings') ? [...own, ...setInCompose('x-settings: &settings')] : own;
}

test('docker-compose.yml sets only variables that the service reads', () => {
  const set = ['  migrate:', '  api:', '  worker:', '  maintenance:'].flatMap(setInCompose);
  expect(set.length).toBeGreaterThan(20);
  const isRead = (name: string) => names.includes(name.replace(/_FILE$/, '')) || /^(TEMPORAL|AWS)_/.test(name);
  expect(set.filter((name) => !isRead(name))).toEqual([]);
});

describe('docker-compose.yml forwards every variable that an operator may set', () => {
  /** The containers talk to each other at fixed addresses, and need no TLS inside their own network. */
  const FIXED = [
    'DATABASE_CA',
    'DATABASE_CERT',
    'DATABASE_KEY',
    'DATABASE_ROLE_PREFIX',
    'TEMPORAL_CONFIG_FILE',
    'TEMPORAL_PROFILE',
    'API_PORT',
    'WORKER_HEALTH_PORT',
    'WORKFLOW_BUNDLE',
  ];

  test.each(['api', 'worker', 'migrate'] as const)('to the %s', (process) => {
    const set = setInCompose(`  ${process}:`).map((name) => name.replace(/_FILE$/, ''));
    expect(Object.keys(schemas[process].shape).filter((name) => ![...set, ...FIXED].includes(name))).toEqual([]);
  });
});

test('docker-compose.yml keeps the erasure journal outside the database, writable by the worker only', () => {
  const service = (name: string) =>
    read('docker-compose.yml')
      .split(new RegExp(`^  ${name}:$`, 'm'))[1]
      ?.split(/^ {0,2}\S/m)[0] ?? '';
  const mount = `- \${JOURNAL_DIRECTORY:-journal}:/journal`;
  expect(read('docker-compose.yml')).toContain(`\n  ERASURE_JOURNAL: \${ERASURE_JOURNAL:-/journal}\n`);
  expect(service('worker')).toContain(`${mount}\n`);
  expect(service('api')).toContain(`${mount}:ro\n`);
  expect(service('postgres')).not.toContain('journal');
});

describe('docker-compose.yml', () => {
  /** The variables that Compose fills in, and its behavior without one: it fails with a message or uses a default. */
  const uses = [...read('docker-compose.yml').matchAll(/\$\{(\w+)(?::([?-])([^}]*))?\}/g)].map(
    ([, name = '', without = '', text = '']) => ({ name, without, text }),
  );
  const PROTECTING = /_PASSWORD$|^DEPLOYMENT$|^CONNECT_URL$/;

  test('gives each database role its own password, which production must set', () => {
    const logins = [...read('docker-compose.yml').matchAll(/postgres:\/\/(\w+):\$\{(\w+)\}@/g)];
    const passwords = new Map(logins.map(([, role, variable]) => [role, variable]));
    expect([...passwords.keys()].sort()).toEqual(['accounts', 'api', 'maintenance', 'worker']);
    expect(new Set(passwords.values()).size).toBe(passwords.size);
    const init = read('ops/compose/postgres-init.sh');
    const production = read('ops/compose/new-production.sh');
    for (const variable of passwords.values()) {
      expect(init).toContain(`"$${variable}"`);
      expect(production).toContain(`\n${variable}=$(password)\n`);
    }
  });

  test('has no defaults for secrets, and explains how to set a missing one', () => {
    const protecting = uses.filter(({ name }) => PROTECTING.test(name));
    expect(new Set(protecting.map(({ name }) => name)).size).toBe(8);
    expect(protecting.filter(({ without }) => without === '-')).toEqual([]);
    for (const name of new Set(protecting.map((use) => use.name))) {
      const texts = protecting.filter((use) => use.name === name && use.without === '?').map(({ text }) => text);
      expect(texts, name).toEqual([expect.stringMatching(/^is not set\. .+ \.env/)]);
    }
  });

  test('publishes ports on this machine only, except the proxy in production, with a read-only Temporal UI', () => {
    const ports = [...read('docker-compose.yml').matchAll(/^ +ports: \[(.*)\]$/gm)].flatMap(([, list = '']) =>
      list.split(', '),
    );
    expect(ports.length).toBeGreaterThan(3);
    expect(ports.filter((port) => !port.startsWith("'127.0.0.1:"))).toEqual(["'80:80'", "'443:443'", "'443:443/udp'"]);
    expect(uses).toContainEqual({ name: 'TEMPORAL_UI_READ_ONLY', without: '-', text: 'true' });
  });

  test('gives each service the credentials and networks that it needs, and no others', () => {
    const [, services = ''] = read('docker-compose.yml').split(/^services:$/m);
    const blocks = (services.split(/^networks:$/m)[0] ?? '').split(/^ {2}(?=[a-z-]+:$)/m).slice(1);
    const having = (text: RegExp) => blocks.filter((block) => text.test(block)).map((block) => block.split(':')[0]);
    const shared = /^x-settings: &settings\n((?: {2}.*\n)+)/m.exec(read('docker-compose.yml'))?.[1];
    expect(shared).not.toMatch(/SECRET|ACCESS_KEY|PASSWORD|GRANT_KEYS|PRIVATE_KEYS/);
    expect(having(/\$\{AWS_SECRET_ACCESS_KEY:/)).toEqual(['worker']);
    expect(having(/\$\{READER_AWS_SECRET_ACCESS_KEY:/)).toEqual(['api', 'maintenance']);
    expect(having(/VAULT_GRANT_KEYS_FILE|VAULT_INBOX_PRIVATE_KEYS_FILE/)).toEqual(['worker', 'maintenance']);
    expect(having(/^ {4}networks: \{ edge: \{\} \}/m)).toEqual(['proxy']);
    expect(having(/\bedge\b/)).toEqual(['proxy', 'api']);
  });
});

describe('ops/compose/new-production.sh', () => {
  const SCRIPT = path.join(ROOT, 'ops', 'compose', 'new-production.sh');
  /** Runs the script in an empty folder. @returns its file, and how it ended. */
  const create = (args: readonly string[]) => {
    const cwd = newFolder();
    const file = path.join(cwd, '.env');
    const { status, stderr } = spawnSync('sh', [SCRIPT, ...args], { cwd, encoding: 'utf8' });
    return { status, stderr, text: existsSync(file) ? readFileSync(file, 'utf8') : null };
  };

  test('gives settings that production accepts', async () => {
    const { text } = create(['connect.example.com', 'console.example.com', '203.0.113.0/24', '::1/128']);
    const settings = Object.fromEntries(
      [...(text ?? '').matchAll(/^(\w+)="?(.*?)"?$/gm)].map(([, name, value]) => [name, value]),
    );
    const { API_DB_PASSWORD: password } = settings;
    const environment = {
      ...settings,
      ...(await createKeySets()),
      ALLOW_UNENCRYPTED_HOSTS: 'postgres temporal',
      DATABASE_URL: `postgres://api:${password}@postgres:5432/accounts`,
      TEMPORAL_ADDRESS: 'temporal:7233',
    };
    expect(readConfig('api', environment)).toMatchObject({
      ADMIN_URL: 'https://console.example.com',
      TRUSTED_PROXIES: 1,
    });
  });

  test.each([
    [['one.example.com', 'one.example.com', '::/0'], 'The two names must differ'],
    [['https://connect.example.com', 'b.example.com', '::/0'], 'is not the name of a host'],
  ])('refuses %j, with a reason', (args, reason) => {
    const { status, stderr, text } = create(args);
    expect(stderr).toContain(reason);
    expect([status === 0, text]).toEqual([false, null]);
  });
});

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { z } from 'zod';
import { readConfig, schemas } from '../../src/config.ts';

const ROOT = path.join(import.meta.dirname, '..', '..');
const read = (name: string) => readFileSync(path.join(ROOT, name), 'utf8');

interface Variable {
  readonly name: string;
  readonly processes: readonly string[];
  /** `required`, a default in backticks, or an explanation if there is neither. */
  readonly standard: string;
}

const ROW = new RegExp(`^\\| \`([A-Z_]+)\` \\| ((?:${Object.keys(schemas).join('|')}|, )+) \\| (.*?) \\|`, 'gm');
const documented: readonly Variable[] = [...read('docs/production.md').matchAll(ROW)].map(
  ([, name = '', processes = '', standard = '']) => ({ name, processes: processes.split(', '), standard }),
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

describe('docs/production.md', () => {
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

test('docker-compose.yml sets only variables that the service reads', () => {
  const text = read('docker-compose.yml');
  const blocks = ['x-settings: &settings', '  migrate:', '  api:', '  worker:', '  maintenance:'].map((start) => {
    const [, rest = ''] = text.split(`\n${start}\n`);
    const indent = start.search(/\S/);
    return rest.split(new RegExp(`^ {0,${indent}}\\S`, 'm'))[0] ?? '';
  });
  const set = blocks.flatMap((block) => [...block.matchAll(/^ +([A-Z_]+):/gm)].map(([, name = '']) => name));
  expect(set.length).toBeGreaterThan(20);
  const isRead = (name: string) => names.includes(name.replace(/_FILE$/, '')) || /^TEMPORAL_/.test(name);
  expect(set.filter((name) => !isRead(name))).toEqual([]);
});

test('docker-compose.yml keeps the erasure journal outside the database, writable by the worker only', () => {
  const service = (name: string) =>
    read('docker-compose.yml')
      .split(new RegExp(`^  ${name}:$`, 'm'))[1]
      ?.split(/^ {0,2}\S/m)[0] ?? '';
  const mount = `- \${JOURNAL_DIRECTORY:-journal}:/journal`;
  expect(read('docker-compose.yml')).toContain('\n  ERASURE_JOURNAL: /journal\n');
  expect(service('worker')).toContain(`${mount}\n`);
  expect(service('api')).toContain(`${mount}:ro\n`);
  expect(service('postgres')).not.toContain('journal');
});

/** `NAME=value` by name. */
const settingsIn = (file: string): Map<string, string> =>
  new Map([...read(file).matchAll(/^(\w+)=(.*)$/gm)].map(([, name = '', value = '']) => [name, value]));

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
    const production = read('docs/production.md');
    for (const variable of passwords.values()) {
      expect(init).toContain(`"$${variable}"`);
      expect(production).toContain(`\n${variable}=…\n`);
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

  test.each(['ops/compose/development.env', 'ops/compose/demo.env'])('starts with %s in development mode', (file) => {
    const settings = settingsIn(file);
    expect(settings.get('DEPLOYMENT')).toBe('development');
    expect(uses.filter(({ name, without }) => without === '?' && !settings.has(name))).toEqual([]);
  });

  test('publishes ports on this machine only, with a read-only Temporal UI', () => {
    const ports = [...read('docker-compose.yml').matchAll(/^ +ports: \[(.*)\]$/gm)].flatMap(([, list = '']) =>
      list.split(', '),
    );
    expect(ports.length).toBeGreaterThan(3);
    expect(ports.filter((port) => !port.startsWith("'127.0.0.1:"))).toEqual([]);
    expect(uses).toContainEqual({ name: 'TEMPORAL_UI_READ_ONLY', without: '-', text: 'true' });
  });

  test('is refused by production with the demo passwords', () => {
    const environment = {
      DEPLOYMENT: 'production',
      ALLOW_UNENCRYPTED_HOSTS: 'postgres',
      DATABASE_URL: `postgres://accounts:${settingsIn('ops/compose/development.env').get('SERVICE_DB_PASSWORD')}@postgres/accounts`,
    };
    expect(() => readConfig('migrate', environment)).toThrow('DATABASE_URL has a password of less than 16 characters');
    const isAllowed = read('docker-compose.yml').includes('\n  ALLOW_UNENCRYPTED_HOSTS: postgres temporal\n');
    expect(isAllowed).toBe(true);
  });
});

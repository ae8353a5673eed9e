import { execFile, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { findFreePort } from '../../local/src/ports.ts';
import { listKeyFaults } from '../../src/config/keys.ts';
import type { KeySet } from '../../src/config/values.ts';

const ROOT = path.join(import.meta.dirname, '..', '..');
const CACHE = path.join(ROOT, '.cache');
const PATIENCE = { interval: 50 };

/** The content of the image: the build, and the production packages. */
let image: string;

beforeAll(() => {
  mkdirSync(CACHE, { recursive: true });
  image = mkdtempSync(path.join(CACHE, 'image-'));
  for (const name of ['package.json', 'dist', 'migrations', path.join('ops', 'postgres')]) {
    cpSync(path.join(ROOT, name), path.join(image, name), { recursive: true });
  }
  cpSync(path.join(ROOT, 'ops', 'healthcheck.mjs'), path.join(image, 'healthcheck.mjs'));
  for (const name of productionPackages()) {
    const target = path.join(image, name);
    mkdirSync(path.dirname(target), { recursive: true });
    execFileSync('cp', ['-Rl', path.join(ROOT, name), target]); // Links: a copy would be 200 MB.
  }
});
afterAll(() => rmSync(image, { recursive: true, force: true }));

/** The package folders that `npm ci --omit=dev` installs, by the lock file; nested folders are included. */
function productionPackages(): string[] {
  const { packages } = JSON.parse(readFileSync(path.join(ROOT, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { dev?: boolean; devOptional?: boolean }>;
  };
  return Object.entries(packages).flatMap(([name, { dev, devOptional }]) => {
    const isTop = /^node_modules\/(@[^/]+\/)?[^/]+$/.test(name);
    return isTop && !dev && !devOptional && existsSync(path.join(ROOT, name)) ? [name] : [];
  });
}

const program = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
    const child = execFile(process.execPath, args, { cwd: image, env }, (_error, stdout, stderr) => {
      resolve({ code: child.exitCode ?? 1, stdout, stderr });
    });
  });

const service = (...args: string[]) => program(['dist/main.js', ...args]);

/** A new, empty production deployment. */
async function production(ports: Readonly<Record<string, string>>): Promise<Record<string, string>> {
  const { stdout } = await service('keys', 'create', '--json');
  const nobody = await findFreePort();
  return {
    ...(JSON.parse(stdout) as Record<string, string>),
    ...ports,
    DEPLOYMENT: 'production',
    DATABASE_URL: `postgres://accounts:a-password-of-some-length@127.0.0.1:${nobody}/accounts`,
    TEMPORAL_ADDRESS: `127.0.0.1:${nobody}`,
    CONNECT_URL: 'https://connect.example',
    SHUTDOWN_NOTICE_SECONDS: '0',
  };
}

describe('with production packages only', () => {
  test.each(['api', 'worker', 'migrate'])('%s loads, and names its missing variables', async (role) => {
    const { code, stderr } = await service(role);
    expect(stderr).toMatch(/^The configuration has \d+ fault/);
    expect(stderr).toContain('DATABASE_URL is not set');
    expect(code).toBe(1);
  });

  test.each([
    {
      role: 'api',
      port: 'API_PORT',
      otherPort: 'WORKER_HEALTH_PORT',
      reason: 'not ready',
      warning: 'OPERATOR_NAME, OPERATOR_CONTACT, OPERATOR_PRIVACY_URL or OPERATOR_TERMS_URL is not set',
    },
    {
      role: 'worker',
      port: 'WORKER_HEALTH_PORT',
      otherPort: 'API_PORT',
      reason: 'Temporal cannot be used: nothing listens at its address: see TEMPORAL_ADDRESS',
      warning: 'ERASURE_JOURNAL is not set: a restored backup brings back what was erased since',
    },
  ])(
    '$role in production runs without its dependencies, and stops on request',
    async ({ role, port, otherPort, reason, warning }) => {
      const [own, other, admin] = [
        String(await findFreePort()),
        String(await findFreePort()),
        String(await findFreePort()),
      ];
      const ports = { API_PORT: other, WORKER_HEALTH_PORT: other, ADMIN_PORT: admin, [port]: own };
      const child = spawn(process.execPath, ['dist/main.js', role], { cwd: image, env: await production(ports) });
      const ended = once(child, 'exit');
      let output = '';
      child.stdout.on('data', (part: Buffer) => {
        output += part.toString();
      });
      try {
        const ask = (url: string) => fetch(`http://127.0.0.1:${own}${url}`).catch(() => undefined);
        await vi.waitUntil(async () => (await ask('/healthz'))?.status === 200, PATIENCE);
        const readiness = async () => {
          const ready = await ask('/readyz');
          return [ready?.status, await ready?.text()];
        };
        await vi.waitFor(async () => expect(await readiness()).toEqual([503, reason]), PATIENCE);
        const page = await fetch(`http://127.0.0.1:${admin}/admin`).catch(() => undefined);
        expect(page?.status).toBe(role === 'api' ? 200 : undefined);
        // Only operators get the reasons.
        const told = await fetch(`http://127.0.0.1:${admin}/readyz`).catch(() => undefined);
        expect(await told?.text()).toBe(role === 'api' ? 'the database cannot be reached' : undefined);
        expect((await program(['healthcheck.mjs'], ports)).code).toBe(0);
        expect((await program(['healthcheck.mjs', '/readyz'], ports)).code).toBe(1);
        // As in a container on the host's network, where the other process answers at its own port.
        expect((await program(['healthcheck.mjs'], { ...ports, [port]: other, [otherPort]: own })).code).toBe(1);
      } finally {
        child.kill('SIGTERM');
      }
      expect(await ended).toEqual([0, null]);
      expect(output).toContain(warning);
      expect((await program(['healthcheck.mjs'], ports)).code).toBe(1);
    },
  );
});

test('the build holds the service, the console and the bundles, and nothing that only a trial needs', () => {
  const foldersOf = (folder: string) =>
    readdirSync(folder, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));
  const built = foldersOf(path.join(image, 'dist'));
  expect(built.toSorted()).toEqual([...foldersOf(path.join(ROOT, 'src')), 'console', 'workflow-bundles'].toSorted());
  for (const name of ['sandbox', 'local', 'bench', 'test']) expect(built).not.toContain(name);
});

describe('ops/compose/keys.sh, when a key is replaced', () => {
  const BOTH = { VAULT_EDGE_KEYS: ['api', 'worker'], VAULT_MAC_KEYS: ['api', 'worker'] };
  const PLACES: Readonly<Record<string, readonly string[]>> = {
    ...BOTH,
    VAULT_GRANT_KEYS: ['worker'],
    VAULT_INBOX_PRIVATE_KEYS: ['worker'],
    VAULT_INBOX_PUBLIC_KEYS: ['api'],
  };

  /** The two folders of keys, as after the first start. */
  async function openFolders(onEnd: (clear: () => void) => void) {
    const root = mkdtempSync(path.join(CACHE, 'keys-'));
    onEnd(() => rmSync(root, { recursive: true }));
    const fileOf = (folder: string, name: string) => path.join(root, folder, name);
    const sets = JSON.parse((await service('keys', 'create', '--json')).stdout) as Record<string, string>;
    for (const folder of ['api', 'worker']) mkdirSync(path.join(root, folder));
    for (const [name, folders] of Object.entries(PLACES))
      for (const folder of folders) writeFileSync(fileOf(folder, name), `${sets[name]}\n`, { mode: 0o600 });
    const script = path.join(ROOT, 'ops', 'compose', 'keys.sh');
    const run = (...args: string[]) => {
      const folders = [path.join(root, 'api'), path.join(root, 'worker')];
      return spawnSync('sh', [script, ...folders, ...args], { cwd: image, encoding: 'utf8' });
    };
    const read = (name: string) => {
      const [text, ...others] = (PLACES[name] ?? []).map((folder) => readFileSync(fileOf(folder, name), 'utf8'));
      for (const other of others) expect(other).toBe(text);
      return JSON.parse(text ?? '') as KeySet;
    };
    return { root, run, read, kids: (name: string) => read(name).keys.map(({ kid }) => kid) };
  }

  test.each([
    ['VAULT_EDGE_KEYS', 'VAULT_EDGE_KEYS'],
    ['VAULT_INBOX_PRIVATE_KEYS', 'VAULT_INBOX_PUBLIC_KEYS'],
  ])('%s gets a new key last, then first, and loses the old one', async (name, half) => {
    const { root, run, read, kids } = await openFolders(onTestFinished);
    const [old = ''] = kids(name);
    const others = Object.keys(PLACES).filter((other) => other !== name && other !== half);
    const before = others.map(read);

    expect(run('add', name)).toMatchObject({ status: 0, stderr: '' });
    const [first, fresh = ''] = kids(name);
    expect([first, kids(name).length]).toEqual([old, 2]);
    const moved = run('first', name);
    expect(moved.status).toBe(0);
    expect(moved.stdout).toContain(`${name}: ${fresh} (seals), ${old}\n`);
    expect([kids(name), kids(half)]).toEqual([
      [fresh, old],
      [fresh, old],
    ]);
    expect(run('remove', name, fresh)).toMatchObject({ status: 2, stdout: '' }); // The first key seals.
    expect(run('remove', name, 'another')).toMatchObject({ status: 2, stdout: '' });
    expect(kids(name)).toEqual([fresh, old]);
    expect(run('remove', name, old).status).toBe(0);

    expect([kids(name), kids(half)]).toEqual([[fresh], [fresh]]);
    expect(others.map(read)).toEqual(before);
    expect(listKeyFaults(Object.fromEntries(Object.keys(PLACES).map((one) => [one, read(one)])))).toEqual([]);
    const files = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    expect(files.map((entry) => statSync(path.join(entry.parentPath, entry.name)).mode & 0o777)).toEqual(
      Array.from({ length: 7 }, () => 0o600),
    );
  });

  test('VAULT_MAC_KEYS keeps its old keys', async () => {
    const { run, kids } = await openFolders(onTestFinished);
    const [old = ''] = kids('VAULT_MAC_KEYS');
    expect([run('add', 'VAULT_MAC_KEYS').status, run('first', 'VAULT_MAC_KEYS').status]).toEqual([0, 0]);
    expect(run('remove', 'VAULT_MAC_KEYS', old)).toMatchObject({ status: 2, stdout: '' });
    expect(kids('VAULT_MAC_KEYS')).toEqual([expect.not.stringMatching(old), old]);
  });
});

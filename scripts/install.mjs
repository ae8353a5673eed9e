// Installs the packages of package-lock.json. If they are installed already, this takes milliseconds and no network.
// It never runs install scripts of dependencies; this project does the necessary steps itself.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { exclusively } from './exclusively.mjs';
import { ROOT, run } from './run.mjs';

const REQUIRED_NODE = [20, 18, 1];

function isTooOld(version) {
  const parts = version.split('.').map(Number);
  const firstDifference = REQUIRED_NODE.map((required, index) => parts[index] - required).find((part) => part !== 0);
  return firstDifference < 0;
}

function packagesIn(file) {
  try {
    return JSON.parse(readFileSync(path.join(ROOT, file), 'utf8')).packages;
  } catch (error) {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Compares the lock file with npm's own record of the installed packages, which npm writes last. */
function isInstalled() {
  const wanted = packagesIn('package-lock.json');
  const found = packagesIn('node_modules/.package-lock.json');
  if (wanted === undefined || found === undefined) return false;
  const same = (name) =>
    wanted[name]?.integrity === found[name]?.integrity && wanted[name]?.version === found[name]?.version;
  const runsHere = (name) => found[name].os?.includes(process.platform) ?? true; // The folder may come from another machine.
  return (
    Object.keys(wanted).every((name) => name === '' || wanted[name].optional || same(name)) &&
    Object.keys(found).every((name) => same(name) && runsHere(name))
  );
}

async function npmCi() {
  console.log('Installing packages (npm ci)…');
  const startedAt = Date.now();
  // Includes development packages even with NODE_ENV=production: they contain the compiler and the local servers.
  const code = await run('npm', ['ci', '--ignore-scripts', '--include=dev', '--no-audit', '--no-fund']);
  if (code !== 0) {
    console.error('npm could not install the packages. This needs the network, or a warm npm cache, once.');
    process.exit(1);
  }
  console.log(`Packages installed (${((Date.now() - startedAt) / 1000).toFixed(1)} s).`);
}

if (process.platform === 'win32') {
  console.error('Windows is not supported. Use WSL 2.');
  process.exit(1);
}
if (isTooOld(process.versions.node)) {
  console.error(`This project needs Node ${REQUIRED_NODE.join('.')} or later. This is Node ${process.versions.node}.`);
  process.exit(1);
}
if (!isInstalled()) {
  await exclusively(async () => {
    if (!isInstalled()) await npmCi(); // Another command may have installed them while this one waited.
  });
}

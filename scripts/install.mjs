// Makes node_modules what package-lock.json says. When it is already, this takes milliseconds and no network.
// Install scripts of dependencies are never run; what this project needs of their effects it does itself.
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

/** Compares the lock with npm's own record of what it has installed, which it writes last. */
function isInstalled() {
  const wanted = packagesIn('package-lock.json');
  const found = packagesIn('node_modules/.package-lock.json');
  if (wanted === undefined || found === undefined) return false;
  const same = (name) =>
    wanted[name]?.integrity === found[name]?.integrity && wanted[name]?.version === found[name]?.version;
  const runsHere = (name) => found[name].os?.includes(process.platform) ?? true; // A tree may come from another machine.
  return (
    Object.keys(wanted).every((name) => name === '' || wanted[name].optional || same(name)) &&
    Object.keys(found).every((name) => same(name) && runsHere(name))
  );
}

async function npmCi() {
  console.log('Installing packages (npm ci)…');
  const startedAt = Date.now();
  // Development packages are needed whatever NODE_ENV says: they hold the compiler and the local servers.
  const code = await run('npm', ['ci', '--ignore-scripts', '--include=dev', '--no-audit', '--no-fund']);
  if (code !== 0) {
    console.error('The packages could not be installed. This needs the network, or a warm npm cache, once.');
    process.exit(1);
  }
  console.log(`Packages installed (${((Date.now() - startedAt) / 1000).toFixed(1)} s).`);
}

if (process.platform === 'win32') {
  console.error('Windows itself is not supported; run this in WSL 2.');
  process.exit(1);
}
if (isTooOld(process.versions.node)) {
  console.error(`Node ${REQUIRED_NODE.join('.')} or later is needed; this is ${process.versions.node}.`);
  process.exit(1);
}
if (!isInstalled()) {
  await exclusively(async () => {
    if (!isInstalled()) await npmCi(); // Another command may have done it while this one waited.
  });
}

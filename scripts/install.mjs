// Installs the packages of package-lock.json. If they are installed already, this takes milliseconds and no network.
// It never runs install scripts of dependencies; this project does the necessary steps itself.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { exclusively } from './exclusively.mjs';
import { ROOT, run } from './run.mjs';

/** The oldest Node, as package.json states it. */
const REQUIRED_NODE = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')).engines.node.replace('>=', '');
/** npm prints nothing for minutes, so this command reports every few seconds. */
const REPORT_MS = 5_000;

function isTooOld(version) {
  const parts = version.split('.').map(Number);
  const required = REQUIRED_NODE.split('.').map(Number);
  return required.map((part, index) => parts[index] - part).find((difference) => difference !== 0) < 0;
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

/** How many packages npm will fetch for this platform. */
const countWanted = () =>
  Object.entries(packagesIn('package-lock.json') ?? {}).filter(
    ([name, { os = [process.platform], cpu = [process.arch] }]) =>
      name.includes('node_modules/') && os.includes(process.platform) && cpu.includes(process.arch),
  ).length;

async function npmCi() {
  console.log('Installing packages (npm ci)…');
  performance.mark('packages');
  const wanted = countWanted();
  let [lookedUp, fetched] = [0, 0];
  const timer = setInterval(() => {
    console.log(`  ${wanted} packages: ${lookedUp} looked up, ${fetched} fetched`);
  }, REPORT_MS);
  // npm itself shows no progress, but logs its requests.
  const readLog = (line) => {
    if (!line.startsWith('npm http ')) console.error(line);
    else if (/\.tgz\b/.test(line)) fetched += 1;
    else lookedUp += 1;
  };
  // Includes development packages even with NODE_ENV=production: they contain the compiler and the local servers.
  const options = ['--ignore-scripts', '--include=dev', '--no-audit', '--no-fund', '--loglevel=http'];
  const code = await run('npm', ['ci', ...options], {}, { forward: true, onErrorLine: readLog });
  clearInterval(timer);
  if (code !== 0) {
    console.error('npm could not install the packages. This needs the network, or a warm npm cache, once.');
    process.exit(1);
  }
  const { duration } = performance.measure('packages', 'packages'); // `npm start` reports it.
  console.log(`Packages installed (${(duration / 1000).toFixed(1)} s).`);
}

if (process.platform === 'win32') {
  console.error('Windows is not supported. Use WSL 2.');
  process.exit(1);
}
if (isTooOld(process.versions.node)) {
  console.error(`This project needs Node ${REQUIRED_NODE} or later. This is Node ${process.versions.node}.`);
  process.exit(1);
}
const [unusable] = /[#?*]/.exec(ROOT) ?? [];
if (unusable !== undefined) {
  console.error(
    `The path of this folder contains "${unusable}", which the build cannot use: move the folder. It is ${ROOT}.`,
  );
  process.exit(1);
}
if (!isInstalled()) {
  await exclusively(async () => {
    if (!isInstalled()) await npmCi(); // Another command may have installed them while this one waited.
  });
}

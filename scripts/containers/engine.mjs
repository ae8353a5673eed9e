import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from '../run.mjs';

/** The files that this command keeps between runs: programs, base images, Podman's own store. */
export const CACHE = path.join(ROOT, '.cache', 'containers');

const PODMAN_COMPOSE = 'podman-compose==1.6.0';
const OUTPUT = { encoding: 'utf8', maxBuffer: 1e8 };
/** A command of the engine that takes longer hangs. */
const PATIENCE_MS = 9 * 60_000;

const works = (program, ...args) => spawnSync(program, args, { stdio: 'ignore', timeout: 20_000 }).status === 0;

/**
 * A container engine and its Compose.
 * @typedef {{
 *   name: 'docker' | 'podman',
 *   program: string,
 *   compose: readonly string[],
 *   buildOptions: readonly string[],
 *   env: NodeJS.ProcessEnv,
 * }} Engine
 */

/** Finds Docker with its Compose plugin, otherwise Podman. `CONTAINER_ENGINE` chooses. @returns {Engine} */
export function findEngine() {
  const wanted = process.env.CONTAINER_ENGINE;
  if (wanted !== 'podman' && works('docker', 'compose', 'version') && works('docker', 'info')) {
    return { name: 'docker', program: 'docker', compose: ['docker', 'compose'], buildOptions: [], env: process.env };
  }
  if (wanted !== 'docker' && works('podman', '--version')) return setUpPodman();
  throw new Error('This needs Docker with its Compose plugin, or Podman.');
}

const onPath = (name) => (process.env.PATH ?? '').split(path.delimiter).map((folder) => path.join(folder, name));
const inHelpers = (name) => ['/usr/libexec/podman', '/usr/lib/podman'].map((folder) => path.join(folder, name));
const inPlugins = (name) =>
  ['/usr/lib/cni', '/usr/libexec/cni', '/opt/cni/bin'].map((folder) => path.join(folder, name));

/** Podman's dependencies that it does not install: the places where it looks, and Debian's package. */
const NEEDED_BY_PODMAN = [
  { what: 'a container runtime', places: [...onPath('runc'), ...onPath('crun')], packages: 'runc' },
  {
    what: 'catatonit, the first process of a container',
    places: [...onPath('catatonit'), ...inHelpers('catatonit')],
    packages: 'catatonit',
  },
  {
    what: 'names of containers in its networks',
    places: [...inHelpers('aardvark-dns'), ...inPlugins('dnsname')],
    packages: 'golang-github-containernetworking-plugin-dnsname dnsmasq-base',
  },
];

/** @throws Error with a line for each program that is missing */
function requireHelpers() {
  const missing = NEEDED_BY_PODMAN.filter(({ places }) => !places.some((place) => existsSync(place)));
  if (missing.length === 0) return;
  const lines = missing.map(({ what, packages }) => `Podman lacks ${what}. Debian: "apt-get install ${packages}".`);
  throw new Error(lines.join('\n'));
}

/**
 * Podman with a store of its own: the base images that are made here have the names of the real ones, and must not get into
 * the store that you use.
 * @returns {Engine}
 */
function setUpPodman() {
  requireHelpers();
  const run = path.join(process.env.XDG_RUNTIME_DIR ?? '/run', 'social-accounts-containers');
  const write = (name, lines) => {
    const file = path.join(CACHE, name);
    mkdirSync(CACHE, { recursive: true });
    writeFileSync(file, `${lines.join('\n')}\n`);
    return file;
  };
  const storage = write('storage.conf', [
    '[storage]',
    'driver = "overlay"',
    `graphroot = "${path.join(CACHE, 'storage')}"`,
    `runroot = "${path.join(run, 'storage')}"`,
  ]);
  const containers = write('containers.conf', [
    '[containers]',
    'default_ulimits = ["nofile=16384:16384", "nproc=4096:4096"]', // A restricted root may not raise its own limits.
    '[engine]',
    'events_logger = "file"',
    `tmp_dir = "${path.join(run, 'libpod')}"`,
    'lock_type = "file"',
  ]);
  return {
    name: 'podman',
    program: 'podman',
    compose: [findPodmanCompose(), '--podman-path', path.join(import.meta.dirname, 'podman-with-health.mjs')],
    buildOptions: ['--isolation', 'chroot', '--network', 'host', '--format', 'docker'],
    env: { ...process.env, CONTAINERS_STORAGE_CONF: storage, CONTAINERS_CONF: containers },
  };
}

function findPodmanCompose() {
  const folder = path.join(CACHE, 'python');
  const program = path.join(folder, 'bin', 'podman-compose');
  if (!existsSync(program)) {
    execFileSync('python3', ['-m', 'venv', folder], { stdio: 'inherit' });
    execFileSync(path.join(folder, 'bin', 'pip'), ['install', '--quiet', PODMAN_COMPOSE], { stdio: 'inherit' });
  }
  return program;
}

/**
 * Runs a command of the engine. @returns {string} its standard output
 * @param {Engine} engine
 * @param {readonly string[]} args
 * @param {object} [options] of execFileSync
 */
export function call(engine, args, options = {}) {
  const stdio = ['pipe', 'pipe', 'pipe'];
  return execFileSync(engine.program, args, {
    ...OUTPUT,
    stdio,
    cwd: ROOT,
    env: engine.env,
    timeout: PATIENCE_MS,
    ...options,
  });
}

/**
 * Whether a command of the engine succeeds.
 * @param {Engine} engine
 * @param {readonly string[]} args
 */
export function succeeds(engine, args) {
  return spawnSync(engine.program, args, { cwd: ROOT, env: engine.env, stdio: 'ignore' }).status === 0;
}

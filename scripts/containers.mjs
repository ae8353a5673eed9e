// `npm run test:containers`: builds the images, looks into them, and runs docker-compose.yml as a production deployment: see
// scripts/containers/deployment.mjs. Needs Docker with its Compose plugin; or Podman, and Python for podman-compose. With
// Podman on a machine that reaches no image registry it makes the base images from packages, which needs root, debootstrap
// and Go, and takes about ten minutes once.
import './build.mjs';
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { call, findEngine } from './containers/engine.mjs';
import { getBaseImages } from './containers/images.mjs';
import { Report } from './containers/report.mjs';
import { ROOT, run } from './run.mjs';

/** The things that a production image must not contain: the sandbox, sources, and tools of development. */
const UNWANTED =
  /^\/app\/((dist\/)?(sandbox|local)\/|dist\/.*\.tsx?$|node_modules\/(vitest|vite|typescript|playwright-core)\/)/;

const report = new Report();
const engine = findEngine();

/** Builds a target of the Dockerfile. @returns the seconds it took */
function build(tag, target, version) {
  const startedAt = Date.now();
  const pull = engine.name === 'podman' ? ['--pull-never', '--layers'] : [];
  const options = [
    ...engine.buildOptions,
    ...pull,
    '--target',
    target,
    '--build-arg',
    `VERSION=${version}`,
    // Buildah 1.28 takes the Dockerfile's label from its cache, with another version's value.
    '--label',
    `org.opencontainers.image.version=${version}`,
    '--tag',
    tag,
  ];
  call(engine, ['build', ...options, ROOT]);
  return Math.round((Date.now() - startedAt) / 1_000);
}

function checkImage(tag) {
  const [{ Size, Config, Healthcheck = Config.Healthcheck }] = JSON.parse(call(engine, ['image', 'inspect', tag]));
  const inImage = (...args) =>
    call(engine, ['run', '--rm', '--network', 'none', '--read-only', '--entrypoint', '', tag, ...args]);
  const [base] = JSON.parse(call(engine, ['image', 'inspect', 'docker.io/library/node:24-bookworm-slim']));
  report.note(
    `the image has ${Math.round(Size / 1e6)} MB, ${Math.round((Size - base.Size) / 1e6)} of them beyond Node's`,
  );
  report.check(
    'the image runs as user 1000, on Node 24',
    Config.User === '1000' && inImage('node', '--version').startsWith('v24.'),
  );
  report.check(
    'the program prints its help with a read-only root',
    inImage('node', 'dist/main.js', '--help').includes('Usage: '),
  );
  report.check('the image has a health check', String(Healthcheck?.Test).includes('healthcheck.mjs'), Healthcheck);
  const version = Config.Labels['org.opencontainers.image.version'];
  report.check('the image names its version', version === 'next', version);
  const files = inImage('find', '/app', '-type', 'f').split('\n');
  const top = [...new Set(files.map((name) => name.split('/')[2]))].filter(Boolean).sort();
  const expected = ['LICENSE', 'dist', 'healthcheck.mjs', 'migrations', 'node_modules', 'ops', 'package.json'];
  report.check('the image has the build, its packages and its migrations only', String(top) === String(expected), top);
  const unwanted = files.filter((name) => UNWANTED.test(name));
  report.check(
    'the image has no sandbox, no development package and no source',
    unwanted.length === 0,
    unwanted.slice(0, 5),
  );
  const written = inImage('find', '/app', '-user', '1000');
  report.check('the program cannot write to its own files', written.trim() === '', written.slice(0, 200));
}

const standIns = await getBaseImages(engine);
if (standIns.length > 0) report.note(`stand-ins, made here: ${standIns.join(', ')}`);
report.note(`the previous image was built in ${build('social-accounts:previous', 'service', 'previous')} s`);
report.note(`the next image was built in ${build('social-accounts:next', 'service', 'next')} s`);
report.note(`the image with the sandbox was built in ${build('social-accounts-demo:next', 'demo', 'next')} s`);
checkImage('social-accounts:next');

// In a network namespace of its own a deployment has all ports to itself, and reaches nothing outside.
const canSeparate = engine.name === 'podman' && spawnSync('unshare', ['--net', 'true']).status === 0;
for (const name of ['deployment', 'demo']) {
  const script = path.join('scripts', 'containers', `${name}.mjs`);
  const code = canSeparate
    ? await run('unshare', ['--net', 'sh', '-c', `ip link set lo up && exec "${process.execPath}" ${script} --alone`])
    : await run(process.execPath, [script]);
  report.check(`the ${name} passes`, code === 0);
}
report.end();

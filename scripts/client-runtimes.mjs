// `npm run test:client-runtimes`: runs the client's tests in other runtimes than the installed Node. Needs Linux on x64, and
// the network for the first run: it installs the runtimes below `.cache`.
import './codegen.mjs';
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { ROOT } from './run.mjs';
import { installRuntimes, NODES } from './runtimes.mjs';

const VITEST = path.join(ROOT, 'node_modules', 'vitest', 'vitest.mjs');
const RUNTIMES = [
  ...Object.entries(NODES).map(([version, node]) => ({ expected: `node ${version}`, ...node, args: [] })),
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

const files = installRuntimes(RUNTIMES);
const failed = RUNTIMES.filter(({ expected, args }, index) => {
  const file = files[index] ?? '';
  console.log(`\n${expected}: ${spawnSync(file, ['--version'], { encoding: 'utf8' }).stdout.split('\n')[0]}`);
  const vitest = [VITEST, 'run', '--config', path.join('test', 'clients', 'vitest.config.ts')];
  const env = { ...process.env, EXPECTED_RUNTIME: expected };
  return spawnSync(file, [...args, ...vitest], { cwd: ROOT, env, stdio: 'inherit' }).status !== 0;
});
if (failed.length > 0) {
  console.error(`Failed in ${failed.map(({ expected }) => expected).join(', ')}.`);
  process.exitCode = 1;
}

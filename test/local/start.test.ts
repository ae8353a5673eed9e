import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test as base, expect } from 'vitest';
import { ROOT } from '../../local/src/services.ts';

const PACKAGE = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8'));
const OLDEST_NODE = String(PACKAGE.engines.node).replace('>=', '');

const test = base.extend<{ folder: string }>({
  // biome-ignore lint/correctness/noEmptyPattern: the runner reads from it which fixtures this one needs.
  folder: async ({}, use) => {
    const folder = mkdtempSync(path.join(tmpdir(), 'start-'));
    await use(folder);
    rmSync(folder, { recursive: true });
  },
});

test('a signal to the process of npm alone reaches the stack, which decides how it ends', async ({ folder }) => {
  mkdirSync(path.join(folder, 'scripts'));
  writeFileSync(
    path.join(folder, 'scripts', 'start.mjs'),
    `process.on('SIGINT', () => { console.log('stopped'); process.exit(0); });
    setInterval(() => {}, 1000); console.log('ready');`,
  );
  const { start } = PACKAGE.scripts;
  writeFileSync(path.join(folder, 'package.json'), JSON.stringify({ name: 'a', version: '1.0.0', scripts: { start } }));
  const npm = spawn('npm', ['start', '--silent'], { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  npm.stdout.on('data', (chunk) => {
    output += chunk;
  });
  const ended = once(npm, 'exit');
  await expect.poll(() => output).toBe('ready\n');
  npm.kill('SIGINT');
  expect([await ended, output]).toEqual([[0, null], 'ready\nstopped\n']);
});

test('every command refuses an older Node, as package.json states it, and a folder that cannot be built', ({
  folder,
}) => {
  const install = (name: string, node = OLDEST_NODE) => {
    const scripts = path.join(folder, name, 'scripts');
    cpSync(path.join(ROOT, 'package.json'), path.join(folder, name, 'package.json'));
    for (const file of ['install', 'run', 'exclusively']) {
      cpSync(path.join(ROOT, 'scripts', `${file}.mjs`), path.join(scripts, `${file}.mjs`));
    }
    const program = `Object.defineProperty(process.versions, 'node', { value: '${node}' }); await import(process.argv[1]);`;
    const url = new URL(`file://${scripts}/install.mjs`.replace('#', '%23'));
    // Without npm on its PATH, it fails when it would install.
    const { stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', program, url.href], {
      encoding: 'utf8',
      env: { PATH: folder },
    });
    return stderr;
  };
  expect(install('a', '20.18.3')).toContain(`This project needs Node ${OLDEST_NODE} or later. This is Node 20.18.3.`);
  expect(install('b', '9.99.99')).toContain('This is Node 9.99.99.');
  for (const node of [OLDEST_NODE, '20.19.1', '24.0.0']) expect(install('c', node)).toContain('Cannot start npm');
  expect(install('a#b')).toMatch(/^The path of this folder contains "#", .*a#b\.\n$/);
  expect(readFileSync(path.join(ROOT, 'README.md'), 'utf8')).toContain(
    `Node ${OLDEST_NODE.replace(/\.0$/, '')} or newer`,
  );
});

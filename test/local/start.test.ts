import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test as base, expect } from 'vitest';
import { ROOT } from '../../local/src/services.ts';

const PACKAGE = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8'));

const test = base.extend<{ folder: string }>({
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

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { LOCAL_PROGRAM } from '../kit/built.ts';

const SLOW = { timeout: 30_000 };

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'lock-'));
  file = path.join(folder, 'stack.lock');
});
afterEach(() => rmSync(folder, { recursive: true }));

async function deadProcess(): Promise<number> {
  const child = spawn(process.execPath, ['--eval', '']);
  await once(child, 'exit');
  return child.pid ?? 0;
}

test('exactly one of several processes takes an abandoned lock', SLOW, async () => {
  writeFileSync(`${file}.1`, JSON.stringify({ pid: await deadProcess(), startedAt: '1' }));
  // Uses the built file, because Node alone cannot run TypeScript: `npm test` builds first.
  const lock = path.join(path.dirname(LOCAL_PROGRAM), 'lock.js');
  const script = `
    const { takeLock } = await import(${JSON.stringify(lock)});
    process.stdin.once('data', () => {
      process.stdout.write(takeLock(${JSON.stringify(file)}).taken ? 'taken' : 'refused'); // Held until the process is ended.
    });
    process.stdout.write('up');
  `;
  const rivals = Array.from({ length: 6 }, () => spawn(process.execPath, ['--input-type=module', '--eval', script]));
  const hear = () => Promise.all(rivals.map(async ({ stdout }) => String((await once(stdout, 'data'))[0])));
  await hear();
  for (const { stdin } of rivals) stdin.write('go');
  const answers = await hear();
  for (const { stdin } of rivals) stdin.end();
  await Promise.all(rivals.map((rival) => once(rival, 'exit')));
  expect(answers.filter((answer) => answer === 'taken')).toHaveLength(1);
});

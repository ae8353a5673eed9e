import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { endProcess, identifyProcess, isRunning, ProcessRecord } from '../../local/src/process.ts';

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'processes-'));
  file = path.join(folder, 'processes.json');
});
afterEach(() => rmSync(folder, { recursive: true }));

async function startProcess(script: string) {
  const child = spawn(process.execPath, ['--eval', `${script}; setInterval(() => {}, 1000); console.log('up')`], {
    detached: true,
  });
  await once(child.stdout, 'data');
  const identity = identifyProcess(child.pid ?? 0);
  if (identity === undefined) throw new Error('It has not started.');
  return { child, identity };
}

const ended = (child: ChildProcess) => once(child, 'exit');
const TERM = { signal: 'SIGTERM', patienceMs: 5_000 } as const;

test('an orphan of a killed starter is found by its record and ended', async () => {
  const { child, identity } = await startProcess('');
  new ProcessRecord(file).add({ ...identity, ...TERM, name: 'api' });
  const [orphans] = await Promise.all([new ProcessRecord(file).endOrphans(), ended(child)]);
  expect(orphans).toEqual(['api']);
  expect(existsSync(file)).toBe(false);
});

test('a process that only shares the id of a recorded one is not ended', async () => {
  const { child, identity } = await startProcess('');
  const earlier = { ...identity, startedAt: 'at another time' };
  writeFileSync(file, JSON.stringify([{ ...earlier, ...TERM, name: 'api' }]));
  expect(await new ProcessRecord(file).endOrphans()).toEqual([]);
  expect(isRunning(identity)).toBe(true);
  await Promise.all([ended(child), endProcess(identity, TERM)]);
});

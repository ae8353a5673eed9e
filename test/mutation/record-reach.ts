// Loaded before each test file of a mutation run: activates the mutant, and records the process and the functions that
// each test reached.
import { appendFileSync, readFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import { nameOf } from './limited-runner.ts';
import type { Line } from './test-runner.ts';

const { MUTATION_RECORD: record, MUTATION_ACTIVE: activeFile } = process.env;
if (record === undefined || activeFile === undefined)
  throw new Error('MUTATION_RECORD and MUTATION_ACTIVE name no files.');

const active = readFileSync(activeFile, 'utf8');
const reached = new Set<string>();
Object.assign(globalThis, { reached, isActiveMutant: (id: string) => id === active });

const write = (line: Line) => appendFileSync(record, `${JSON.stringify(line)}\n`);
/** The functions reached since the last line. */
function takeReached(): string[] {
  const ids = [...reached];
  reached.clear();
  return ids;
}

let startedAt = 0;
write({ pid: process.pid });
beforeAll(() => write({ at: 'load', reached: takeReached() }));
beforeEach(() => {
  write({ at: 'file', reached: takeReached() });
  startedAt = Date.now();
});
afterEach(({ task }) => write({ at: 'test', test: nameOf(task), ms: Date.now() - startedAt, reached: takeReached() }));
afterAll(() => write({ at: 'end', file: expect.getState().testPath ?? '', reached: takeReached() }));

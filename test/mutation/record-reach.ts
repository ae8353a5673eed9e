// Loaded before each test file of a mutation run: records its process and the functions it reached.
import { appendFileSync } from 'node:fs';
import { afterAll, expect } from 'vitest';

const record = process.env.MUTATION_RECORD;
if (record === undefined) throw new Error('MUTATION_RECORD names no file.');

const reached = new Set<string>();
(globalThis as { reached?: Set<string> }).reached = reached;

const write = (line: object) => appendFileSync(record, `${JSON.stringify(line)}\n`);
write({ pid: process.pid });
afterAll(() => write({ file: expect.getState().testPath, reached: [...reached] }));

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { expect, inject, test } from 'vitest';
import { DIST } from '../kit/built.ts';

const PROGRAM = path.join(import.meta.dirname, 'poll-without-temporal.mjs');

test('lines of the native library have our form: JSON, without quoted values, one of a kind', async () => {
  const child = spawn(process.execPath, [PROGRAM, DIST, inject('temporalAddress')]);
  const ended = once(child, 'exit');
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  const retries = () => output.split('\n').filter((line) => line.includes('retried'));
  try {
    await expect.poll(() => retries().length).toBeGreaterThanOrEqual(2);
  } finally {
    child.kill('SIGKILL');
    await ended;
  }
  const lines = output.trimEnd().split('\n').slice(0, -1); // The last may be cut.
  for (const line of lines) {
    const { error, reason, ...others } = JSON.parse(line) as Record<string, unknown>;
    expect([Object.keys(others).sort(), error ?? reason], line).toEqual([
      ['level', 'message', 'time'],
      expect.anything(),
    ]);
    expect(line).not.toContain('127.0.0.1');
  }
  const [first, second] = retries().map((line) => Date.parse((JSON.parse(line) as { time: string }).time));
  expect((second ?? 0) - (first ?? 0)).toBeGreaterThanOrEqual(9_000);
});

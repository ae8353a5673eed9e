import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { ROOT } from '../../local/src/services.ts';

/** Quick files about time, order and plans. `npm run test:odd` without paths takes all. */
const FILES = ['coverage', 'due-lists', 'find', 'lists', 'outbox'].map(
  (name) => `test/store/${name}.test.ts`,
);
const MODES = ['shuffle', 'no-indexscan', 'east'];

test('tests pass shuffled, without index scans and in another time zone', async () => {
  const {
    VITEST: _1,
    VITEST_WORKER_ID: _2,
    VITEST_POOL_ID: _3,
    NODE_OPTIONS: _4,
    RECORD_REACH: _5,
    ...env
  } = process.env;
  const script = path.join(ROOT, 'scripts', 'odd.mjs');
  const child = spawn(
    process.execPath,
    [script, '--seed', '7', ...MODES.flatMap((mode) => ['--mode', mode]), ...FILES],
    { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  const [[code], output, errors] = await Promise.all([once(child, 'exit'), text(child.stdout), text(child.stderr)]);
  const results = output.split('\n').filter((line) => /^(ok|FAIL) {2}/.test(line));
  expect({ code, errors, results: results.map((line) => line.replace(/ \(\d+ s\)$/, '')) }).toEqual({
    code: 0,
    errors: '',
    results: MODES.map((mode) => `ok    ${mode}`),
  });
});

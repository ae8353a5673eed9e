// `npm run test:faults -- --minutes N --seed S`: breaks everything around the service for N minutes (5 by default) and proves that it
// kept every promise. The same seed chooses the same steps and faults; their timing differs. `--people P`: how many people at once (8).
// `--flows 3,7` and `--damages kill,network`: only these. `--apis 2 --workers 3`: how many there are. `--production-temporal`: with
// Temporal's production server, on Postgres. `--lie NAME`: plants a lie into a copy of the built service, and
// proves that the suite objects to it; `--lie none`: plants none, and proves that it does not; `--lie all`, or names with commas: one after
// the other. `--by-hand` instead ends every workflow by hand at every point.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { LIES, NO_LIE, plantLie } from './fault-lies.mjs';
import { ROOT, run } from './run.mjs';
import { useProductionTemporal } from './temporal-server.mjs';

const text = { type: 'string' };
const {
  values: { lie, 'by-hand': byHand, 'production-temporal': isProductionTemporal, ...values },
} = parseArgs({
  options: {
    minutes: text,
    seed: text,
    people: text,
    apis: text,
    workers: text,
    flows: text,
    damages: text,
    lie: text,
    'by-hand': { type: 'boolean' },
    'production-temporal': { type: 'boolean' },
  },
});
for (const [name, value] of Object.entries(values)) process.env[`FAULTS_${name.toUpperCase()}`] = String(value);

if (isProductionTemporal) useProductionTemporal();
await import('./build.mjs');
if (byHand) process.env.FAULTS_BY_HAND = 'all';
const runOf = (...files) => [path.join(ROOT, 'node_modules', 'vitest', 'vitest.mjs'), 'run', ...files];
const suite = runOf('--config', 'test/suites.config.ts', '--project', 'faults');
const command = byHand ? runOf('test/worker/ended-by-hand') : suite;
if (lie === undefined) process.exitCode = await run(process.execPath, command);
else {
  const names = lie === 'all' ? [NO_LIE, ...Object.keys(LIES)] : lie.split(',');
  const found = [];
  for (const name of names) found.push({ lie: name, ...(await tellLie(name)) });
  console.table(found);
  process.exitCode = found.every(({ right }) => right) ? 0 : 1;
}

/**
 * Runs the suite against a lie.
 * @returns whether it is right: whether it objects to the promise that the lie breaks, or to nothing without a lie
 */
async function tellLie(name) {
  const promise = LIES[name]?.promise;
  const env = { ...process.env, FAULTS_LIE: name };
  const cwd = plantLie(name);
  const child = spawn(process.execPath, suite, { cwd, env, stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'close');
  let output = '';
  for await (const text of child.stdout) output += text;
  const [code] = await ended;
  const promises = [...new Set([...output.matchAll(/^OBJECTION ([^,]+),/gm)].map(([, promise]) => promise))];
  const right = promise === undefined ? code === 0 && promises.length === 0 : promises.includes(promise);
  if (!right) process.stdout.write(output);
  return { breaks: promise ?? 'nothing', right, objections: promises.join(', ') };
}

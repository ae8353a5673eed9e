// `npm run test:model -- --runs N --seed S --steps M`: random sequences of steps against the whole service, compared with a
// model. A failing sequence is shrunk. The same seed gives the same sequences.
import './codegen.mjs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { ROOT, run } from './run.mjs';

const { values } = parseArgs({
  options: { runs: { type: 'string' }, seed: { type: 'string' }, steps: { type: 'string' } },
});
Object.assign(process.env, {
  MODEL_RUNS: '100',
  MODEL_SEED: String(Date.now() % 1_000_000),
  MODEL_STEPS: '40',
  MODEL_SHRINK: '1',
});
for (const [name, value] of Object.entries(values)) process.env[`MODEL_${name.toUpperCase()}`] = value;

const vitest = path.join(ROOT, 'node_modules', 'vitest', 'vitest.mjs');
process.exitCode = await run(process.execPath, [vitest, 'run', 'test/model']);

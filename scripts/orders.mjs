// `npm run test:orders -- --minutes N --seed S --pair REGEXP --replay ORDER`: runs the service's operations in all orders, and
// looks whether the specification holds in each. A failing order is shrunk, and printed with what replays it.
import path from 'node:path';
import { parseArgs } from 'node:util';
import { ROOT, run } from './run.mjs';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string' },
    seed: { type: 'string' },
    pair: { type: 'string' },
    replay: { type: 'string' },
  },
});
Object.assign(process.env, { ORDERS_MINUTES: '60', ORDERS_SEED: String(Date.now() % 1_000_000) });
for (const [name, value] of Object.entries(values)) process.env[`ORDERS_${name.toUpperCase()}`] = value;

const vitest = path.join(ROOT, 'node_modules', 'vitest', 'vitest.mjs');
process.exitCode = await run(process.execPath, [vitest, 'run', 'test/orders']);

// `npm run test:orders -- --minutes N --seed S --pair REGEXP --replay ORDER --base COMMIT --processes N`: runs the service's
// operations in all orders, and looks whether the specification holds in each. A failing order is printed with the
// command that replays it. With `--base`, pairs that run code which differs from that commit come first.
import './codegen.mjs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { ROOT, run } from './run.mjs';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string' },
    seed: { type: 'string' },
    pair: { type: 'string' },
    replay: { type: 'string' },
    base: { type: 'string' },
    processes: { type: 'string', default: '1' },
  },
});
const { processes, ...settings } = values;
Object.assign(process.env, { ORDERS_MINUTES: '60', ORDERS_SEED: String(Date.now() % 1_000_000) });
for (const [name, value] of Object.entries(settings)) process.env[`ORDERS_${name.toUpperCase()}`] = value;

const vitest = path.join(ROOT, 'node_modules', 'vitest', 'vitest.mjs');
const shards = Array.from({ length: Number(processes) }, (_each, index) => `${index + 1}/${processes}`);
const codes = await Promise.all(
  shards.map((shard) => run(process.execPath, [vitest, 'run', 'test/orders/orders.test.ts'], { ORDERS_SHARD: shard })),
);
process.exitCode = codes.find((code) => code !== 0) ?? 0;

// `npm run test:upgrade`: a rolling upgrade to changed workflows and the way back, with 500 open workflows and load; then the first
// worker build. `-- --production-temporal`: on Temporal's production server and Postgres, which Go builds once. `-- --open 2000`: more.
import path from 'node:path';
import { parseArgs } from 'node:util';
import { ROOT, run } from './run.mjs';
import { useProductionTemporal } from './temporal-server.mjs';

const { values } = parseArgs({
  options: {
    'production-temporal': { type: 'boolean' },
    open: { type: 'string', default: '500' },
  },
});
if (values['production-temporal']) useProductionTemporal();
await import('./build.mjs');
process.env.OPEN_WORKFLOWS = values.open;
const vitest = path.join(ROOT, 'node_modules', 'vitest', 'vitest.mjs');
process.exitCode = await run(process.execPath, [vitest, 'run', 'test/stack/rolling-upgrade.test.ts']);

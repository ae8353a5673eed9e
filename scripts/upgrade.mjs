// `npm run test:upgrade`: a rolling upgrade to changed workflows and the way back, with 500 open workflows and load; then the same with
// worker builds, of which one has changed workflows. `-- --production-temporal`: on Temporal's production server and Postgres, which
// Go builds once. `-- --open 2000`: more of them. `-- --only builds` or `--only rolling`: one of the two.
import path from 'node:path';
import { parseArgs } from 'node:util';
import { ROOT, run } from './run.mjs';
import { useProductionTemporal } from './temporal-server.mjs';

const TESTS = { rolling: 'test/stack/rolling-upgrade.test.ts', builds: 'test/stack/worker-builds.test.ts' };
const { values } = parseArgs({
  options: {
    'production-temporal': { type: 'boolean' },
    open: { type: 'string', default: '500' },
    only: { type: 'string', default: Object.keys(TESTS).join() },
  },
});
if (values['production-temporal']) useProductionTemporal();
await import('./build.mjs');
process.env.OPEN_WORKFLOWS = values.open;
const vitest = path.join(ROOT, 'node_modules', 'vitest', 'vitest.mjs');
const files = Object.entries(TESTS).flatMap(([name, file]) => (values.only.split(',').includes(name) ? [file] : []));
process.exitCode = await run(process.execPath, [vitest, 'run', '--no-file-parallelism', ...files]);

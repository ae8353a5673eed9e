// `npm run test:temporal`: tests of workflows and of the whole service against Temporal's production server on Postgres, which
// Go builds once in about four minutes. `-- test/stack/survival.test.ts`: only these. The faults: `npm run test:faults --
// --production-temporal`.
import path from 'node:path';
import { ROOT, run } from './run.mjs';
import { useProductionTemporal } from './temporal-server.mjs';

const TESTS = ['test/workflows', 'test/outbox', 'test/worker', 'test/stack'];

useProductionTemporal();
await import('./build.mjs');
const files = process.argv.slice(2);
const vitest = path.join(ROOT, 'node_modules', 'vitest', 'vitest.mjs');
process.exitCode = await run(process.execPath, [vitest, 'run', ...(files.length > 0 ? files : TESTS)]);

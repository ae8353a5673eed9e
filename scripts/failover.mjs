// `npm run test:failover`: the service on a Postgres with a standby that takes over, in the ways of docs/failover.md. It
// prints how long the service was dark in each case. `-- -t NAME`: only the cases with this name.
import path from 'node:path';
import { ROOT, run } from './run.mjs';

await import('./build.mjs');
process.exitCode = await run(process.execPath, [
  path.join(ROOT, 'node_modules', 'vitest', 'vitest.mjs'),
  'run',
  ...['--config', 'test/suites.config.ts', '--project', 'failover'],
  ...process.argv.slice(2),
]);

// `npm run test:year -- --days N`: lets days pass over a running service, in steps of half a day; a year by default. People connect, read
// and leave. Who stays is connected, who leaves is gone, and no table grows that is not meant to.
import './codegen.mjs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { ROOT, run } from './run.mjs';

const { values } = parseArgs({ options: { days: { type: 'string', default: '365' } } });
const vitest = path.join(ROOT, 'node_modules', 'vitest', 'vitest.mjs');
process.exitCode = await run(process.execPath, [vitest, 'run', 'test/year'], { YEAR_DAYS: values.days });

// `npm run try-provider -- provider-a`: builds, then tries an adapter with your own client at the real platform. See
// docs/providers.md.
import path from 'node:path';
import './build.mjs';
import { ROOT, run } from './run.mjs';

process.exitCode = await run(process.execPath, [
  path.join(ROOT, 'dist', 'main.js'),
  'try-provider',
  ...process.argv.slice(2),
]);

// `npm start`: builds, then runs the whole service on this machine. See local/src/main.ts. The build is a process of its own, because it
// needs half a gigabyte that this process would keep.
import './install.mjs';
import path from 'node:path';
import { run } from './run.mjs';

const code = await run(process.execPath, [path.join(import.meta.dirname, 'build.mjs')], {}, { forward: true });
if (code !== 0) process.exit(code);

await import('../local/dist/main.js');

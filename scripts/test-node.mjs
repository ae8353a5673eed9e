// `npm run test:node -- 24`: `npm test` in another Node version, 22 or 24. Arguments after the version are those of `npm test`. Needs Linux
// on x64, and the network for the first run.
import path from 'node:path';
import { ROOT, run } from './run.mjs';
import { installRuntimes, NODES } from './runtimes.mjs';

const [version = '', ...args] = process.argv.slice(2);
const node = NODES[version];
if (node === undefined) {
  console.error(`Usage: npm run test:node -- ${Object.keys(NODES).join('|')} [a path, or other arguments of vitest]`);
  process.exit(2);
}
const [program = ''] = installRuntimes([node]);
// The tests start further processes as `node`.
process.env.PATH = `${path.dirname(program)}${path.delimiter}${process.env.PATH}`;
process.env.npm_node_execpath = program;
await run(program, ['--version']);
process.exitCode = await run(program, [path.join(ROOT, 'scripts', 'test.mjs'), ...args]);

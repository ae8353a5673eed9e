// `npm run mutation -- FOLDER…`: changes the sources bit by bit and counts how many changes the tests notice; docs/mutation.md.
import './codegen.mjs';
import path from 'node:path';
import { runnerImport } from 'vite';
import { ROOT } from './run.mjs';

const { module } = await runnerImport(path.join(ROOT, 'test', 'mutation', 'main.ts'), {
  root: ROOT,
  configFile: false,
});
await module.main(process.argv.slice(2));

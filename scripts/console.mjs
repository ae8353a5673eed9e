// Bundles the console into dist/console and compresses each file. `build.mjs` calls it.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import { noteInBuildLog } from './build-log.mjs';
import { ROOT } from './run.mjs';

export const CONSOLE_SOURCES = path.join(ROOT, 'console');
export const CONSOLE = path.join(ROOT, 'dist', 'console');
const { version: VERSION } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8'));
const ASSETS = path.join(CONSOLE, 'assets');

/** An error is thrown as well. */
const LOGGER = {
  ...{ info: () => {}, warn: noteInBuildLog, warnOnce: noteInBuildLog, error: noteInBuildLog },
  ...{ clearScreen: () => {}, hasErrorLogged: () => false, hasWarned: false },
};

export async function buildConsole() {
  const [{ build }, { default: react }] = await Promise.all([import('vite'), import('@vitejs/plugin-react')]);
  // With the tests' own value, Vite would bundle React for development.
  const { NODE_ENV } = process.env;
  process.env.NODE_ENV = 'production';
  await build({
    configFile: false,
    root: CONSOLE_SOURCES,
    base: '/admin/',
    logLevel: 'warn',
    customLogger: LOGGER,
    plugins: [react()],
    define: { CONSOLE_VERSION: JSON.stringify(VERSION) },
    // The api replaces it with a new nonce in every answer; see src/api/admin/console.ts.
    html: { cspNonce: 'NONCE' },
    build: {
      outDir: CONSOLE,
      emptyOutDir: true,
      assetsInlineLimit: 0,
      chunkSizeWarningLimit: 800,
      // What so many pages share is one file, which compresses better than many small ones.
      rolldownOptions: {
        output: {
          codeSplitting: { includeDependenciesRecursively: false, groups: [{ name: 'shared', minShareCount: 8 }] },
        },
      },
      // A browser remembers a preload that failed: the page could not load once the network is back.
      modulePreload: {
        polyfill: false,
        resolveDependencies: (_file, found, { hostType }) => (hostType === 'html' ? found : []),
      },
    },
  });
  if (NODE_ENV === undefined) delete process.env.NODE_ENV;
  else process.env.NODE_ENV = NODE_ENV;
  await Promise.all(readdirSync(ASSETS).map((name) => compress(path.join(ASSETS, name))));
}

/** Compresses at build time, so that the api need not compress each answer. */
async function compress(file) {
  const content = readFileSync(file);
  writeFileSync(`${file}.br`, await promisify(brotliCompress)(content));
  writeFileSync(`${file}.gz`, await promisify(gzip)(content));
}

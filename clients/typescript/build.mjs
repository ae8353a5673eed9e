// Builds dist/esm and dist/cjs from src with the TypeScript compiler: `npm run build`.
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

const HERE = import.meta.dirname;
export const DIST = path.join(HERE, 'dist');
/** The inputs of the build. */
export const SOURCES = [import.meta.filename, path.join(HERE, 'tsconfig.json'), path.join(HERE, 'src')];

export function buildClient() {
  const compiler = path.join(
    path.dirname(createRequire(import.meta.url).resolve('typescript-7/package.json')),
    'bin',
    'tsc',
  );
  rmSync(DIST, { recursive: true, force: true });
  for (const [folder, ...options] of [['esm'], ['cjs', '--module', 'CommonJS', '--verbatimModuleSyntax', 'false']]) {
    const outDir = path.join(DIST, folder);
    execFileSync(process.execPath, [compiler, '-p', HERE, '--outDir', outDir, ...options], { stdio: 'inherit' });
    mkdirSync(outDir, { recursive: true });
    // Node reads the module system of a .js file from the nearest package.json.
    writeFileSync(path.join(outDir, 'package.json'), `{ "type": "${folder === 'esm' ? 'module' : 'commonjs'}" }\n`);
  }
  const license = path.join(HERE, '..', '..', 'LICENSE');
  if (existsSync(license)) cpSync(license, path.join(HERE, 'LICENSE'));
}

if (import.meta.filename === process.argv[1]) {
  await import('../../scripts/codegen.mjs');
  buildClient();
}

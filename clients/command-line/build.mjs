// Bundles src/cli/remote into one file without dependencies.
import '../../scripts/codegen.mjs';
import { chmodSync, cpSync, existsSync } from 'node:fs';
import path from 'node:path';
import { build } from 'vite';

const HERE = import.meta.dirname;
const ROOT = path.join(HERE, '..', '..');
const OUTPUT = 'accounts-admin.js';

await build({
  configFile: false,
  root: HERE,
  logLevel: 'warn',
  ssr: { noExternal: true },
  build: {
    ssr: path.join(ROOT, 'src', 'cli', 'remote', 'main.ts'),
    outDir: path.join(HERE, 'dist'),
    emptyOutDir: true,
    target: 'node20',
    rollupOptions: { output: { entryFileNames: OUTPUT } },
  },
});
chmodSync(path.join(HERE, 'dist', OUTPUT), 0o755);
const license = path.join(ROOT, 'LICENSE');
if (existsSync(license)) cpSync(license, path.join(HERE, 'LICENSE'));

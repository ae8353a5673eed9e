// `npm run pack:sandbox`: packs the service with its sandbox and the local stack as one npm package, for the tests of callers.
// Prints the path of the tarball. `npx ./<tarball> --return-url URL` runs it; see docs/callers-tests.md.
import './build.mjs';
import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from './run.mjs';
import { writeSandboxPackage } from './sandbox-package.mjs';

const NAME = 'social-account-connection-sandbox';
const FOLDER = path.join(ROOT, '.cache', 'sandbox-package');
const BIN = `#!/usr/bin/env node
import { homedir } from 'node:os';
import path from 'node:path';

const cache = path.join(process.env.XDG_CACHE_HOME || path.join(homedir(), '.cache'), '${NAME}');
process.argv.push('--headless', '--cache', cache);
await import('../local/dist/main.js');
`;

rmSync(FOLDER, { recursive: true, force: true });
mkdirSync(path.join(FOLDER, 'bin'), { recursive: true });
writeFileSync(path.join(FOLDER, 'bin', 'sandbox.mjs'), BIN);
chmodSync(path.join(FOLDER, 'bin', 'sandbox.mjs'), 0o755);
const PROGRAMS = ['dist', path.join('local', 'dist'), path.join('sandbox', 'dist')];
for (const part of [...PROGRAMS, 'migrations', path.join('ops', 'postgres', 'roles.sql'), 'LICENSE']) {
  cpSync(path.join(ROOT, part), path.join(FOLDER, part), {
    recursive: true,
    filter: (file) => !file.endsWith('.map') && !file.endsWith('.build-stamp'),
  });
}
writeSandboxPackage(FOLDER);
execFileSync('npm', ['pack', '--ignore-scripts', '--silent'], { cwd: FOLDER, stdio: ['ignore', 'ignore', 'inherit'] });
const tarball = readdirSync(FOLDER).find((name) => name.endsWith('.tgz'));
console.log(path.join(FOLDER, tarball));

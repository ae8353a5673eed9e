import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from '../../local/src/services.ts';
import { CACHE } from './run-folder.ts';

const run = promisify(execFile);

/** The folder of an example with the contract beside it, as its page says to copy them. */
const listSources = (example: string) => [
  ...readdirSync(path.join(ROOT, 'examples', example)).map((name) => path.join(ROOT, 'examples', example, name)),
  path.join(ROOT, 'schema.graphql'),
  path.join(ROOT, 'clients', 'graphql', 'operations.graphql'),
];

/** Does the page's steps once for each state of the sources, in a folder of the cache. @returns that folder. */
async function prepare(example: string, steps: (folder: string) => Promise<unknown>): Promise<string> {
  const sources = listSources(example);
  const hash = createHash('sha256');
  for (const file of sources) hash.update(`${path.basename(file)}\0`).update(readFileSync(file));
  const kept = path.join(CACHE, 'recipes', `${example}-${hash.digest('hex').slice(0, 12)}`);
  if (existsSync(kept)) return kept;
  mkdirSync(path.dirname(kept), { recursive: true });
  const draft = mkdtempSync(`${kept}-`);
  try {
    for (const file of sources) copyFileSync(file, path.join(draft, path.basename(file)));
    await steps(draft);
    renameSync(draft, kept);
    return kept;
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

/** Starts the application in Python. Its packages come from the package index, once. */
export async function startPython(env: Readonly<Record<string, string>>): Promise<ChildProcess> {
  const python = (folder: string) => ({ cwd: folder, env: { ...process.env, ...env, PYTHONPATH: 'packages' } });
  const folder = await prepare('python', async (draft) => {
    const options = ['--target', 'packages', '--only-binary=:all:', '--disable-pip-version-check', '--quiet'];
    await run('python3', ['-m', 'pip', 'install', ...options, '--requirement', 'requirements.txt'], python(draft));
    await run('python3', ['-m', 'ariadne_codegen'], python(draft));
  });
  return spawn('python3', ['main.py'], { ...python(folder), stdio: ['ignore', 'inherit', 'inherit'] });
}

import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process';
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

/** The folder of an example with the contract beside it, copied as on its page. */
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

const PYTHON_PATH = { PYTHONPATH: 'packages' };
const python = (folder: string, ...parts: readonly string[]) =>
  run('python3', ['-m', ...parts], { cwd: folder, env: { ...process.env, ...PYTHON_PATH } });
const go = (folder: string, ...parts: readonly string[]) => run('go', parts, { cwd: folder });

/** Packages and modules come from their index, once. */
const RECIPES = {
  Python: {
    prepare: () =>
      prepare('python', async (draft) => {
        const options = ['--target', 'packages', '--only-binary=:all:', '--disable-pip-version-check', '--quiet'];
        await python(draft, 'pip', 'install', ...options, '--requirement', 'requirements.txt');
        await python(draft, 'ariadne_codegen');
      }),
    command: ['python3', 'main.py'],
    env: PYTHON_PATH,
  },
  Go: {
    prepare: () =>
      prepare('go', async (draft) => {
        await go(draft, 'tool', 'genqlient');
        await go(draft, 'build', '-o', 'app');
      }),
    command: ['./app'],
    env: {},
  },
} as const;
export type RecipeLanguage = keyof typeof RECIPES;

/** Generates and builds the application, which takes a minute or two the first time. */
export async function prepareRecipe(language: RecipeLanguage): Promise<void> {
  await RECIPES[language].prepare();
}

export async function startRecipe(
  language: RecipeLanguage,
  variables: Readonly<Record<string, string>>,
): Promise<ChildProcess> {
  const { prepare, command, env } = RECIPES[language];
  const [program, ...parts] = command;
  const options = { cwd: await prepare(), env: { ...process.env, ...env, ...variables } };
  return spawn(program, parts, { ...options, stdio: ['ignore', 'inherit', 'inherit'] });
}

/** Why the application cannot run here: Go is needed only on demand. Undefined if it can. */
export function findObstacle(language: RecipeLanguage): string | undefined {
  if (language !== 'Go' || process.env.REQUIRE_GO || spawnSync('go', ['version']).status === 0) return undefined;
  return 'There is no Go on PATH: install Go 1.24 or later to test the example in Go.';
}

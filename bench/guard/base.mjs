// The version before, in a worktree of its own, built once and kept.
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, utimesSync } from 'node:fs';
import path from 'node:path';
import { ROOT, run } from '../../scripts/run.mjs';

const FOLDER = path.join(ROOT, '.cache', 'guard');
const GUARD = path.join('bench', 'guard');
const KEPT = 3;
/** Programs that both versions run, as the tests keep them. */
const PROGRAMS = /^(postgres|temporal)-/;

const gitIn =
  (cwd) =>
  (...args) =>
    execFileSync('git', args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim();
const git = gitIn(ROOT);

/**
 * The commit to compare with: `ref`, or else where this branch left the main one. On the main branch that is its last commit if there
 * are changes, and else the one before.
 * @param {string | undefined} ref
 */
export function findBase(ref, root = ROOT) {
  const ask = gitIn(root);
  const commitOf = (name) => ask('rev-parse', '--verify', '--quiet', `${name}^{commit}`);
  if (ref !== undefined) return commitOf(ref);
  const [main] = ask('for-each-ref', '--format=%(refname)', 'refs/heads/main', 'refs/remotes/origin/main').split('\n');
  const base = main === '' ? commitOf('HEAD') : ask('merge-base', 'HEAD', main);
  const isItself = base === commitOf('HEAD') && ask('status', '--porcelain') === '';
  return isItself ? commitOf('HEAD^') : base;
}

/**
 * Builds a commit, unless it is built already, and gives it the cases of this version: both do the same work, each with its own kit,
 * migrations and rows.
 * @returns its folder
 */
export async function prepareBase(commit) {
  const folder = path.join(FOLDER, commit);
  git('worktree', 'prune');
  if (!existsSync(path.join(folder, '.git'))) {
    mkdirSync(FOLDER, { recursive: true });
    git('worktree', 'add', '--force', '--detach', folder, commit);
  }
  utimesSync(folder, new Date(), new Date());
  removeOld();
  const lock = (root) => readFileSync(path.join(root, 'package-lock.json'), 'utf8');
  if (lock(folder) === lock(ROOT)) link('node_modules', folder); // Otherwise the build installs its own.
  mkdirSync(path.join(folder, '.cache'), { recursive: true });
  for (const name of readdirSync(path.join(ROOT, '.cache')).filter((one) => PROGRAMS.test(one)))
    link(path.join('.cache', name), folder);
  if ((await run(process.execPath, [path.join(folder, 'scripts', 'build.mjs')])) !== 0)
    throw new Error(`The version before, ${commit}, does not build.`);
  rmSync(path.join(folder, GUARD), { recursive: true, force: true });
  cpSync(path.join(ROOT, GUARD), path.join(folder, GUARD), { recursive: true });
  return folder;
}

function link(name, folder) {
  if (existsSync(path.join(folder, name))) return;
  execFileSync('cp', ['-al', path.join(ROOT, name), path.join(folder, name)]);
}

/** Removes all but the versions that were used last. */
function removeOld() {
  const folders = readdirSync(FOLDER).map((name) => path.join(FOLDER, name));
  const byAge = folders.sort((one, other) => statSync(other).mtimeMs - statSync(one).mtimeMs);
  for (const folder of byAge.slice(KEPT)) git('worktree', 'remove', '--force', folder);
}

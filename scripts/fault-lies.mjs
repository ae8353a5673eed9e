// Plants a lie into a copy of the built service, for `npm run test:faults -- --lie NAME`: the whole suite must object.
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from './run.mjs';

/**
 * Each lie replaces one text of one built file. A lie is small, stays silent, and every other part of the service believes it.
 * @type {Readonly<Record<string, { file: string, find: string, put: string, promise: string }>>}
 */
export const LIES = {
  'revoke-without-call': {
    file: 'activities/revoke.js',
    find: 'await revokeGrantOf(deps, job)',
    put: "'alreadyEnded'",
    promise: 'no grant left',
  },
  'erase-without-delete': {
    file: 'store/connections/disconnects.js',
    find: `delete from connection where connection_id = $\{connectionId} and status = 'DELETING' returning scope_id`,
    put: `select scope_id from connection where connection_id = $\{connectionId} and status = 'DELETING'`,
    promise: 'erased',
  },
  'post-dropped': {
    file: 'store/content/content.js',
    find: 'const rows = items.map(',
    put: 'const rows = items.slice(0, Math.max(1, items.length - 1)).map(',
    promise: 'posts',
  },
  'webhook-dropped': {
    file: 'activities/send-webhooks.js',
    find: 'answer: await postWebhook(',
    put: 'answer: Math.random() < 0.2 ? { status: 204 } : await postWebhook(',
    promise: 'events',
  },
  'outbox-entry-dropped': {
    file: 'outbox/entry-delivery.js',
    find: 'await resumeStoredTrace(entry,',
    put: 'if (Math.random() >= 0.2) await resumeStoredTrace(entry,',
    promise: 'one end',
  },
};

/** The control: the copy stays as it is, and the suite must not object. */
export const NO_LIE = 'none';

/** The needs of a run besides the sources: packages, downloads and generated code are shared, builds are the copy's own. */
const GENERATED = ['src/generated', 'console/src/generated', 'clients/typescript/src/generated'];
const LINKED = ['node_modules', '.cache', ...GENERATED];
const BUILT = ['dist', 'local/dist', 'sandbox/dist', 'clients/typescript/dist', 'examples/caller/dist'];

/**
 * Copies the checkout with its build, and plants the lie there.
 * @param {string} name of a lie, or `NO_LIE`
 * @returns the copy's folder
 * @throws Error if the built file does not have the text exactly once: then the lie must be written anew
 */
export function plantLie(name) {
  const lie = LIES[name];
  const names = [NO_LIE, ...Object.keys(LIES)];
  if (!names.includes(name)) throw new Error(`There is no lie '${name}'. There are: ${names.join(', ')}.`);
  const folder = path.join(ROOT, '.cache', 'lies', name);
  rmSync(folder, { recursive: true, force: true });
  const options = { cwd: ROOT, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 };
  const sources = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '-z'], options).split('\0');
  for (const file of [...sources, ...BUILT].filter((one) => one !== '' && existsSync(path.join(ROOT, one)))) {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    cpSync(path.join(ROOT, file), path.join(folder, file), { recursive: true });
  }
  for (const file of LINKED) symlinkSync(path.join(ROOT, file), path.join(folder, file));
  if (lie === undefined) return folder;
  const built = path.join(folder, 'dist', lie.file);
  const parts = readFileSync(built, 'utf8').split(lie.find);
  if (parts.length !== 2) throw new Error(`${lie.file} has the text of '${name}' ${parts.length - 1} times.`);
  writeFileSync(built, parts.join(lie.put));
  return folder;
}

import path from 'node:path';
import { runnerImport } from 'vite';
import { ROOT } from '../scripts/run.mjs';

/**
 * Loads a module of this repository that is written in TypeScript and is not built, with its imports.
 * @param {string} file its path from the root
 */
export async function loadSource(file) {
  const { module } = await runnerImport(path.join(ROOT, file), { root: ROOT, configFile: false });
  return /** @type {any} */ (module);
}

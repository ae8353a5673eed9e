import { existsSync, readdirSync, readFileSync } from 'node:fs';
import type { Profiler } from 'node:inspector';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { ROOT } from '../../local/src/services.ts';

/** The functions that one test file ran. */
export interface Reach {
  /** From the project's root. */
  readonly test: string;
  readonly ms: number;
  /** For each source file, from the project's root: the names of its functions that ran. */
  readonly functions: Readonly<Record<string, readonly string[]>>;
}

/** Where a whole run of the tests keeps one file for each test file. */
export const REACH = path.join(ROOT, '.cache', 'reach');

/** The folders whose functions are kept. */
const SOURCES = /^(?:src|console\/src|sandbox\/src|local\/src|clients\/[^/]+\/src|examples\/[^/]+\/src|bench)\//;

/** Names the functions of the project that ran, by the engine's counts. */
export function keepReach(scripts: readonly Profiler.ScriptCoverage[], root: string): Record<string, string[]> {
  const kept: Record<string, string[]> = {};
  for (const { url, functions } of scripts) {
    const file = path.relative(root, url.startsWith('file:') ? fileURLToPath(url) : url);
    if (!SOURCES.test(file) || file.includes('/dist/')) continue;
    const names = functions.filter(({ functionName, ranges }) => functionName !== '' && (ranges[0]?.count ?? 0) > 0);
    if (names.length > 0) kept[file] = [...new Set(names.map(({ functionName }) => functionName))];
  }
  return kept;
}

/** The record of the last runs; empty before the first whole run. */
export function readReach(folder = REACH): Reach[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder).map((name) => JSON.parse(readFileSync(path.join(folder, name), 'utf8')) as Reach);
}

import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { ROOT } from '../../local/src/services.ts';
import { DIST } from '../kit/built.ts';
import { readHistories } from './histories.ts';

const RELEASES = path.join(ROOT, 'test', 'releases');
const BUNDLE = 'workflows.js.gz';
const HISTORIES = 'histories.json.gz';

/** The code that a release ran: its workflow code, and recorded runs of every workflow type. */
export interface ReleasedWorkflows {
  readonly bundle: { readonly code: string };
  readonly histories: readonly { readonly name: string; readonly text: string }[];
}

/** The versions that have a folder, oldest first. */
export const listReleases = (): string[] =>
  readdirSync(RELEASES)
    .filter((name) => /^\d+\.\d+\.\d+/.test(name) && existsSync(path.join(RELEASES, name, BUNDLE)))
    .sort((one, other) => one.localeCompare(other, 'en', { numeric: true }));

export const folderOf = (version: string): string => path.join(RELEASES, version);

export function readReleasedWorkflows(folder: string): ReleasedWorkflows {
  const read = (name: string) => gunzipSync(readFileSync(path.join(folder, name))).toString('utf8');
  return { bundle: { code: read(BUNDLE) }, histories: JSON.parse(read(HISTORIES)) };
}

/** The library demands a source map in each bundle. That of a release is not used, and it is most of its size. */
const SOURCE_MAP = /\/\/# sourceMappingURL=data:application\/json;charset=utf-8;base64,\S+\s*$/;
const NO_SOURCE_MAP = `//# sourceMappingURL=data:application/json;charset=utf-8;base64,${Buffer.from('{"version":3,"file":"workflows.js","sources":[],"names":[],"mappings":""}').toString('base64')}\n`;

/** Writes the code that this version runs: the built bundle and the recorded runs. */
export function writeReleasedWorkflows(folder: string): void {
  const code = readFileSync(path.join(DIST, 'workflow-bundles', 'index.js'), 'utf8');
  if (!SOURCE_MAP.test(code)) throw new Error('The built bundle has no source map.');
  const files = { [BUNDLE]: code.replace(SOURCE_MAP, NO_SOURCE_MAP), [HISTORIES]: JSON.stringify(readHistories()) };
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of Object.entries(files))
    writeFileSync(path.join(folder, name), gzipSync(text, { level: 9 }));
}

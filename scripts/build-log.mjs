import { appendFileSync, existsSync, mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from './run.mjs';

const FILE = path.join(ROOT, '.cache', 'build.log');

/** The notes of the bundlers go to a file: they concern only the build. */
export function noteInBuildLog(text) {
  mkdirSync(path.dirname(FILE), { recursive: true });
  appendFileSync(FILE, `${text}\n`);
}

export const clearBuildLog = () => rmSync(FILE, { force: true });

/** @returns a sentence that names the file, if this build wrote it */
export const describeBuildLog = () =>
  existsSync(FILE) ? ` The bundlers' notes are in ${path.relative(ROOT, FILE)}.` : '';

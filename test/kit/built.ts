// The programs as users start them, built from the sources as they are now: a test of an older build proves nothing.
import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from '../../local/src/services.ts';

// `npm test` has built them; a mutation run builds nothing.
if (process.env.BUILT_FOR_TESTS === undefined) {
  await promisify(execFile)(process.execPath, [path.join(ROOT, 'scripts', 'build.mjs')]);
}

export const DIST = path.join(ROOT, 'dist');
/** The service and its command line. */
export const PROGRAM = path.join(DIST, 'main.js');
/** The local stack. */
export const LOCAL_PROGRAM = path.join(ROOT, 'local', 'dist', 'main.js');

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from '../../local/src/services.ts';

const PAGE = readFileSync(path.join(ROOT, 'test', 'long-tests.md'), 'utf8');

/** The tests that judge a release: searches, outages, and procedures that take minutes. `npm run test:long` runs them, `npm test` all others. */
export const LONG_TESTS: readonly string[] = [...PAGE.matchAll(/^\| \[[^\]]+\]\(([^)]+)\)/gm)].map(
  ([, file]) => `test/${file}`,
);

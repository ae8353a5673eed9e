import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from '../../local/src/services.ts';
import { findChromium } from './chromium.ts';
import { hasPrometheus } from './prometheus.ts';
import { findObstacle } from './recipes.ts';

/** Programs that a machine may lack, and how a test asks for them. */
const PROGRAMS = [
  { name: 'Chromium', isThere: () => findChromium() !== undefined, asked: /\bfindChromium\(/ },
  { name: 'Prometheus', isThere: () => hasPrometheus, asked: /\bhasPrometheus\b/ },
  { name: 'Go', isThere: () => findObstacle('Go') === undefined, asked: /\bfindObstacle\(/ },
];

/** One line for each missing program: the test files that skip tests without it. */
export function describeSkipped(isLeftOut: (file: string) => boolean): string[] {
  const missing = PROGRAMS.filter(({ isThere }) => !isThere());
  if (missing.length === 0) return [];
  const files = readdirSync(path.join(ROOT, 'test'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => `test/${name.replaceAll(path.sep, '/')}`)
    .filter((file) => !isLeftOut(file))
    .sort();
  return missing.flatMap(({ name, asked }) => {
    const skipping = files.filter((file) => asked.test(readFileSync(path.join(ROOT, file), 'utf8')));
    return skipping.length === 0
      ? []
      : `${name} is missing, so tests of these files are skipped: ${skipping.join(', ')}.`;
  });
}

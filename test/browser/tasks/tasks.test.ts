import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { TASKS } from './tasks.ts';

test('each task of the table is begun and ended by a test', () => {
  const files = readdirSync(import.meta.dirname).filter((name) => name.endsWith('.test.ts'));
  const sources = files.map((name) => readFileSync(path.join(import.meta.dirname, name), 'utf8'));
  const begun = sources.flatMap((text) => [...text.matchAll(/\.begin\('([^']+)'\)/g)].map(([, task]) => task));
  expect(begun.toSorted()).toEqual(Object.keys(TASKS).toSorted());
  const ends = sources.flatMap((text) => text.match(/operator\.end\(\)/g) ?? []);
  expect(ends).toHaveLength(begun.length);
});

import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const DOCS = path.join(import.meta.dirname, '..', '..', 'docs');
const page = readFileSync(path.join(DOCS, 'security.md'), 'utf8');
/** Titles may contain brackets, but no line break. */
const SHOWN = /\[((?:(?!\]\()[^\n])+)\]\((\.\.\/test\/[\w./-]+\.test\.ts)\)/g;

test('every test that the threat model names exists under that name', () => {
  const named = [...page.matchAll(SHOWN)].map(([, title = '', file = '']) => ({ title, file }));
  expect(named.length).toBeGreaterThan(50);
  const wrong = named.filter(({ title, file }) => {
    const source = path.join(DOCS, file);
    if (!existsSync(source)) return true;
    const text = readFileSync(source, 'utf8');
    const isWhole = !title.endsWith('…');
    // In quotes, as in a call of `test` or as the first value of a row of cases. The page shortens long names.
    const found = ["'", '"', '`'].flatMap((mark) =>
      text.split(isWhole ? `${mark}${title}${mark}` : `${mark}${title.slice(0, -1)}`).slice(1),
    );
    return isWhole ? found.length === 0 : found.length !== 1;
  });
  expect(wrong).toEqual([]);
});

test('every row of the threat model names a test', () => {
  const rows = page.split('\n').filter((line) => /^\| .* \|$/.test(line) && !/^\| Attack /.test(line));
  const unproven = rows.filter((row) => !SHOWN_ONCE.test(row));
  expect(unproven).toEqual([]);
});

const SHOWN_ONCE = new RegExp(SHOWN.source);

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { WordSearch } from './word-search.ts';

const search = new WordSearch(['subject-1', 'subject-12', 'öther-word', 'short', '-000abc']);

test('finds each word wherever it stands, and none that is a part of another word', () => {
  const text = Buffer.from('{"a":"subject-12"}, x=-000abc&öther-word; subject- short');
  expect([...search.findIn(text)].sort()).toEqual(['-000abc', 'subject-12', 'öther-word']);
  expect(search.findIn(Buffer.from('nothing of it'))).toEqual(new Set());
});

test('finds a word that two chunks of a file share', async ({ onTestFinished }) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'words-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = path.join(folder, 'log');
  writeFileSync(file, `${'.'.repeat(2 ** 22 - 4)}subject-1${'.'.repeat(100)}`);
  expect(await search.findInFile(file)).toEqual(new Set(['subject-1']));
});

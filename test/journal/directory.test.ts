import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect } from 'vitest';
import { fileName, type JournalLine } from '../../src/journal/files.ts';
import { openJournal } from '../../src/journal/journal.ts';
import { readLinesAfter } from '../../src/journal/keep.ts';
import { signLine } from '../../src/journal/sign-line.ts';
import { journalLine, journalMac, journalTest as test } from '../kit/journal.ts';

describe('a journal in a directory', () => {
  test('returns the lines batch by batch, and its last number', async ({ journal }) => {
    const [first, second, third] = [journalLine(1), journalLine(2), journalLine(3)];
    expect(await journal.lastNumber()).toBe(0);
    await journal.append([first, second]);
    await journal.append([third]);
    expect(await journal.read(1)).toEqual([first, second]);
    expect(await journal.read(3)).toEqual([third]);
    expect(await journal.read(4)).toBeUndefined();
    expect(await journal.lastNumber()).toBe(3);
  });

  test('names the damaged file and line', async ({ journal }) => {
    await journal.append([journalLine(1)]);
    await journal.append([journalLine(2), journalLine(3)]);
    const second = '000000000/002.jsonl';
    await writeFile(
      path.join(journal.folder, second),
      `${JSON.stringify(signLine(journalMac, journalLine(2)))}\nhalf a li`,
    );
    await expect(journal.read(2)).rejects.toThrow(`damaged: ${second}, line 2.`);
    await expect(journal.lastNumber()).rejects.toThrow('damaged');
  });

  test('is readable by its writer’s group, and not by others', async ({ journal }) => {
    await journal.append([journalLine(1)]);
    const { mode } = await stat(path.join(journal.folder, '000000000/001.jsonl'));
    expect(mode & 0o777).toBe(0o640 & ~process.umask());
  });

  test('never replaces a batch, and leaves no file when it refuses one', async ({ journal }) => {
    const first = journalLine(1);
    await journal.append([first]);
    await expect(journal.append([journalLine(1)])).rejects.toThrow('already has a batch that begins with line 1.');
    expect(await journal.read(1)).toEqual([first]);
    expect(await readdir(journal.folder, { recursive: true })).toEqual(['000000000', '000000000/001.jsonl']);
  });

  test('ignores a draft that a crash left, and removes an old one', async ({ journal }) => {
    const first = journalLine(1);
    const drafts = [`.${randomUUID()}`, `.${randomUUID()}`].map((name) => path.join(journal.folder, name));
    for (const draft of drafts) await writeFile(draft, '{"number":');
    const longAgo = new Date(Date.now() - 2 * 3_600_000);
    await utimes(drafts[0] ?? '', longAgo, longAgo);
    expect(await journal.lastNumber()).toBe(0);
    await openJournal(journal.folder, journalMac).append([first]);
    expect(await journal.read(1)).toEqual([first]);
    expect((await readdir(journal.folder)).filter((name) => name.startsWith('.'))).toEqual([
      path.basename(drafts[1] ?? ''),
    ]);
  });
});

/** Writes lines in batches of this size, without waiting for a disk, unlike `append`. */
async function fill(folder: string, { first = 1, count = 1, batch = 1 }): Promise<JournalLine[]> {
  const lines = Array.from({ length: count }, (_, index) => journalLine(first + index));
  for (let next = 0; next < count; next += batch) {
    const file = path.join(folder, fileName(first + next));
    await mkdir(path.dirname(file), { recursive: true });
    const text = lines.slice(next, next + batch).map((each) => `${JSON.stringify(signLine(journalMac, each))}\n`);
    await writeFile(file, text);
  }
  return lines;
}

describe('a journal of many batches', () => {
  test('has at most a thousand in a folder, and gives back every line in its order', async ({ journal }) => {
    const lines = await fill(journal.folder, { count: 2_345 });
    expect((await readdir(journal.folder)).sort()).toEqual(['000000000', '000000001', '000000002']);
    expect(await readdir(path.join(journal.folder, '000000001'))).toHaveLength(1_000);
    expect(await readLinesAfter(journal, 0)).toEqual(lines);
    expect(await readLinesAfter(journal, 998)).toEqual(lines.slice(998));
    expect(await readLinesAfter(journal, 2_345)).toEqual([]);
    for (const known of [0, 1_000, 2_345, 5_000]) expect(await journal.lastNumber(known)).toBe(2_345);
    expect(await journal.read(2_346)).toBeUndefined();
    await journal.append([journalLine(2_346)]);
    expect(await journal.lastNumber(2_345)).toBe(2_346);
  });

  test('names a missing line before others', async ({ journal }) => {
    const lines = await fill(journal.folder, { count: 300 });
    await rm(path.join(journal.folder, fileName(130)));
    await expect(readLinesAfter(journal, 0)).rejects.toThrow('lacks its line 130, but continues with line 131');
    expect(await readLinesAfter(journal, 130)).toEqual(lines.slice(130));
  });
});

import { randomUUID } from 'node:crypto';
import { cp, mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, test as plainTest } from 'vitest';
import { fileName, type JournalLine } from '../../src/journal/files.ts';
import { type Journal, openJournal } from '../../src/journal/journal.ts';
import { readLinesAfter } from '../../src/journal/keep.ts';
import { signLine } from '../../src/journal/sign-line.ts';
import { journalLine, journalMac } from '../kit/journal.ts';

interface TestJournal extends Journal {
  readonly folder: string;
  /** Adds this many lines in batches of this size. @returns the lines. */
  fill(count: number, batch?: number): Promise<JournalLine[]>;
  names(): Promise<string[]>;
  /** Makes all files two hours old. */
  age(): Promise<void>;
}

const test = plainTest.extend<{ journal: TestJournal }>({
  // biome-ignore lint/correctness/noEmptyPattern: the runner reads from it which fixtures this one needs.
  journal: async ({}, use) => {
    const folder = await mkdtemp(path.join(tmpdir(), 'journal-'));
    await use(openTestJournal(folder));
    await rm(folder, { recursive: true });
  },
});

function openTestJournal(folder: string): TestJournal {
  const journal = openJournal(folder, journalMac);
  return {
    ...journal,
    folder,
    async fill(count, batch = 1) {
      const begin = (await journal.lastNumber()) + 1;
      const lines = Array.from({ length: count }, (_, index) => journalLine(begin + index));
      // Without waiting for a disk, unlike `append`.
      for (let next = 0; next < count; next += batch) {
        const text = lines.slice(next, next + batch).map((each) => `${JSON.stringify(signLine(journalMac, each))}\n`);
        await writeFile(path.join(folder, fileName(begin + next)), text);
      }
      return lines;
    },
    names: async () => (await readdir(folder)).sort(),
    async age() {
      const then = new Date(Date.now() - 2 * 3_600_000);
      for (const name of await readdir(folder)) await utimes(path.join(folder, name), then, then);
    },
  };
}

const all = async (journal: Journal, last: number) => await readLinesAfter(journal, 0, last);

describe('a journal that is tidied', () => {
  test('keeps every line, with or without the small files, and lists few files', async ({ journal }) => {
    const lines = await journal.fill(250);
    await journal.tidy();
    await journal.tidy(); // Not at once: a reader may use it.
    expect(await journal.names()).toHaveLength(251);
    expect(await all(journal, 250)).toEqual(lines);
    await journal.age();
    await journal.tidy();
    expect(await journal.names()).toEqual(['000000000001-000000000249.jsonl', '000000000250.jsonl']);
    expect(await journal.lastNumber()).toBe(250);
    expect(await all(journal, 250)).toEqual(lines);
    for (const from of [1, 2, 100, 249, 250]) expect((await journal.read(from))?.at(0)).toEqual(lines[from - 1]);
    expect(await journal.read(251)).toBeUndefined();
    await journal.append([journalLine(251)]);
    expect(await journal.lastNumber()).toBe(251);
  });

  test('grows its newest merged file until that is full, and then begins another', async ({ journal }) => {
    const lines = await journal.fill(150);
    await journal.tidy();
    lines.push(...(await journal.fill(150)));
    await journal.tidy();
    lines.push(...(await journal.fill(12_000, 1_000)));
    await journal.tidy();
    lines.push(...(await journal.fill(1)));
    for (const _round of [1, 2]) {
      await journal.age();
      await journal.tidy();
    }
    expect(await all(journal, 12_301)).toEqual(lines);
    const names = await journal.names();
    expect(names[0]).toBe('000000000001-000000010300.jsonl');
    expect(names.slice(1)).toEqual(['000000010301.jsonl', '000000011301.jsonl', '000000012301.jsonl']);
  });

  test('does not merge a few small files', async ({ journal }) => {
    await journal.fill(100);
    const before = await journal.names();
    await journal.tidy();
    expect(await journal.names()).toEqual(before);
  });

  test('is complete at any moment, for readers and copies, while several processes merge and one adds', async ({
    journal,
  }) => {
    const lines = await journal.fill(300);
    const copy = await mkdtemp(path.join(tmpdir(), 'journal-copy-'));
    const tidying = Promise.all([1, 2, 3].map(() => openJournal(journal.folder, journalMac).tidy()));
    const copying = cp(journal.folder, copy, {
      recursive: true,
      filter: (file) => !path.basename(file).startsWith('.'),
    });
    for (let round = 0; round < 5; round += 1) {
      lines.push(...(await journal.fill(1)));
      expect(await all(journal, lines.length)).toEqual(lines);
    }
    await Promise.all([tidying, copying]);
    expect(await all(openJournal(copy, journalMac), 300)).toEqual(lines.slice(0, 300));
    await rm(copy, { recursive: true });
    await journal.age();
    const removing = Promise.all([1, 2, 3].map(() => openJournal(journal.folder, journalMac).tidy()));
    for (let round = 0; round < 5; round += 1) expect(await all(journal, lines.length)).toEqual(lines);
    await removing;
    expect((await journal.names()).length).toBeLessThan(10);
    expect(await all(journal, lines.length)).toEqual(lines);
  });

  test('is complete after a crash between any two files', async ({ journal }) => {
    const lines = await journal.fill(120);
    await journal.tidy();
    await writeFile(path.join(journal.folder, `.${randomUUID()}`), '{"number":'); // Left by an interrupted write.
    await rm(path.join(journal.folder, '000000000001.jsonl')); // As in the middle of a removal.
    await rm(path.join(journal.folder, '000000000017.jsonl'));
    expect(await all(journal, 120)).toEqual(lines);
    await journal.age();
    await journal.tidy();
    expect(await journal.names()).toEqual(['000000000001-000000000119.jsonl', '000000000120.jsonl']);
    expect(await all(journal, 120)).toEqual(lines);
  });

  test('never merges across a missing line', async ({ journal }) => {
    const lines = await journal.fill(300);
    await rm(path.join(journal.folder, '000000000130.jsonl'));
    await journal.tidy();
    await journal.age();
    await journal.tidy();
    expect((await journal.names()).map((name) => name.slice(0, 25)).slice(0, 2)).toEqual([
      '000000000001-000000000129',
      '000000000131-000000000299',
    ]);
    await expect(all(journal, 300)).rejects.toThrow('lacks its line 130');
    expect(await readLinesAfter(journal, 130, 300)).toEqual(lines.slice(130));
  });

  test('is readable by the group, one fact a line', async ({ journal }) => {
    const lines = await journal.fill(101);
    await journal.tidy();
    const text = await readFile(path.join(journal.folder, '000000000001-000000000100.jsonl'), 'utf8');
    expect(
      text
        .split('\n')
        .slice(0, -1)
        .map((each) => JSON.parse(each)),
    ).toEqual(lines.slice(0, 100).map((each) => signLine(journalMac, each)));
  });
});

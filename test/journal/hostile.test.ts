import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test as plainTest } from 'vitest';
import { fileName } from '../../src/journal/files.ts';
import { openJournal } from '../../src/journal/journal.ts';
import { signLine } from '../../src/journal/sign-line.ts';
import { journalLine, journalMac } from '../kit/journal.ts';

const test = plainTest.extend<{ folder: string }>({
  // biome-ignore lint/correctness/noEmptyPattern: the runner reads from it which fixtures this one needs.
  folder: async ({}, use) => {
    const folder = mkdtempSync(path.join(tmpdir(), 'journal-'));
    await use(folder);
    rmSync(folder, { recursive: true });
  },
});

/** The place of a batch, whose folder exists. */
function placeOf(folder: string, first: number): string {
  const place = path.join(folder, fileName(first));
  mkdirSync(path.dirname(place), { recursive: true });
  return place;
}

const text = (...numbers: number[]) =>
  numbers.map((number) => `${JSON.stringify(signLine(journalMac, journalLine(number)))}\n`).join('');

/** Expects that every operation on the journal fails with a reason. */
async function expectRefused(folder: string, reason: RegExp): Promise<void> {
  const journal = openJournal(folder, journalMac);
  const operations = [() => journal.lastNumber(), () => journal.read(1), () => journal.append([journalLine(2)])];
  for (const operation of operations) {
    await expect(operation()).rejects.toMatchObject({ name: 'ServiceError', message: expect.stringMatching(reason) });
  }
}

test('refuses a world-writable directory', async ({ folder }) => {
  await openJournal(folder, journalMac).append([journalLine(1)]);
  for (const mode of [0o777, 0o1777, 0o702]) {
    chmodSync(folder, mode);
    await expectRefused(folder, /^ERASURE_JOURNAL names a world-writable directory: .*chmod o-w/);
  }
  chmodSync(folder, 0o770);
  expect(await openJournal(folder, journalMac).lastNumber()).toBe(1);
});

test('refuses a link or a file in place of the directory', async ({ folder }) => {
  const [link, file] = [path.join(folder, 'link'), path.join(folder, 'file')];
  symlinkSync(mkdtempSync(path.join(folder, 'elsewhere-')), link);
  writeFileSync(file, '');
  for (const place of [link, file]) await expectRefused(place, /^ERASURE_JOURNAL must name a directory/);
});

test('follows no link in the directory, and does not wait for a pipe', async ({ folder }) => {
  const place = placeOf(folder, 1);
  const elsewhere = path.join(folder, 'elsewhere');
  writeFileSync(elsewhere, text(1));
  symlinkSync(elsewhere, place);
  const refused = /^The erasure journal is damaged: 0+\/001\.jsonl is not a regular file/;
  await expect(openJournal(folder, journalMac).read(1)).rejects.toThrow(refused);
  await expect(openJournal(folder, journalMac).lastNumber()).rejects.toThrow(refused);
  rmSync(place);
  execFileSync('mkfifo', [place]);
  await expect(openJournal(folder, journalMac).read(1)).rejects.toThrow(refused);
});

test.for([
  ['begins with another line than it is named after', text(2)],
  ['leaves lines out', text(1, 3)],
  ['holds a line twice', text(1, 1)],
  ['holds nothing', ''],
] as const)('a file that %s is damaged', async ([_what, content], { folder }) => {
  writeFileSync(placeOf(folder, 1), content);
  await expect(openJournal(folder, journalMac).read(1)).rejects.toThrow(
    /^The erasure journal is damaged: 0+\/001\.jsonl, line \d/,
  );
});

import { chmodSync, mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { fileName } from '../../src/journal/files.ts';
import { openJournal } from '../../src/journal/journal.ts';
import { signLine } from '../../src/journal/sign-line.ts';
import { journalLine, journalMac, journalTest as test } from '../kit/journal.ts';

/** Expects that every operation on the journal fails with a reason. */
async function expectRefused(folder: string, reason: RegExp): Promise<void> {
  const journal = openJournal(folder, journalMac);
  const operations = [() => journal.lastNumber(), () => journal.read(1), () => journal.append([journalLine(2)])];
  for (const operation of operations) {
    await expect(operation()).rejects.toMatchObject({ name: 'ServiceError', message: expect.stringMatching(reason) });
  }
}

test('refuses a world-writable directory', async ({ journal: { folder } }) => {
  await openJournal(folder, journalMac).append([journalLine(1)]);
  for (const mode of [0o777, 0o1777, 0o702]) {
    chmodSync(folder, mode);
    await expectRefused(folder, /^ERASURE_JOURNAL names a world-writable directory: .*chmod o-w/);
  }
  chmodSync(folder, 0o770);
  expect(await openJournal(folder, journalMac).lastNumber()).toBe(1);
});

test('refuses a link or a file in place of the directory', async ({ journal: { folder } }) => {
  const [link, file] = [path.join(folder, 'link'), path.join(folder, 'file')];
  symlinkSync(mkdtempSync(path.join(folder, 'elsewhere-')), link);
  writeFileSync(file, '');
  for (const place of [link, file]) await expectRefused(place, /^ERASURE_JOURNAL must name a directory/);
});

const text = (...numbers: readonly number[]) =>
  numbers.map((number) => `${JSON.stringify(signLine(journalMac, journalLine(number)))}\n`).join('');

test.for([
  ['is a link', text(1), /is not a regular file/],
  ['leaves lines out', text(1, 3), /line \d/],
  ['holds a line twice', text(1, 1), /line \d/],
] as const)('a file that %s is damaged', async ([what, content, reason], { journal: { folder, read } }) => {
  const place = path.join(folder, fileName(1));
  mkdirSync(path.dirname(place));
  const file = what === 'is a link' ? path.join(folder, 'elsewhere') : place;
  writeFileSync(file, content);
  if (file !== place) symlinkSync(file, place);
  await expect(read(1)).rejects.toThrow(reason);
});

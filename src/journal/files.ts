import { z } from 'zod';
import { ServiceError } from '../basics/errors.ts';
import { JOURNAL_KINDS } from '../store/journal.ts';

/** A line as a file holds it: a fact about a row, named by random ids, and its keyed hash. */
const SignedLine = z.object({
  /** 1, 2, 3 … without gaps. */
  number: z.int().positive(),
  entryId: z.uuid(),
  kind: z.enum(JOURNAL_KINDS),
  id: z.uuid(),
  at: z.iso.datetime(),
  /** In base64url. `signLine` makes it. */
  mac: z.string(),
});
export type SignedLine = z.infer<typeof SignedLine>;
export type JournalLine = Omit<SignedLine, 'mac'>;

/** Small files of text in one place: a directory or a bucket. A file is complete when it appears, and never changes. */
export interface Files {
  /** Lists the names from `from` on, in any order, perhaps with names that are not ours. Its cost grows with the listed names only. */
  list(from: string): Promise<readonly string[]>;
  /** Returns undefined if the file is missing. */
  read(name: string): Promise<string | undefined>;
  /** Tests a write, and removes the file if the place allows it. @throws ServiceError, or an error of the file system */
  requireWritable(): Promise<void>;
  /** Writes a file durably. Returns false, and changes nothing, if the name is taken. */
  add(name: string, text: string): Promise<boolean>;
}

/** The most lines of a batch. They take a quarter of a megabyte. */
export const BATCH = 1_000;
export const MAX_BYTES = 1024 * 1024;

/** A batch is named after its first line. A folder has the batches of a thousand lines, so that each is short to list. */
const NAME = /^(\d{9})\/(\d{3})\.jsonl$/;
export function fileName(first: number): string {
  const digits = String(first).padStart(12, '0');
  return `${digits.slice(0, 9)}/${digits.slice(9)}.jsonl`;
}
const firstLineOf = (name: string): number | undefined => {
  const [, folder, file] = NAME.exec(name) ?? [];
  return folder === undefined ? undefined : Number(`${folder}${file}`);
};

export const journalRefused = (message: string) => new ServiceError('UPSTREAM_UNAVAILABLE', message);
export const journalDamaged = (where: string) =>
  journalRefused(`The erasure journal is damaged: ${where}. Restore that file from a copy of the journal.`);
export const journalForeign = (where: string) =>
  journalRefused(
    `The erasure journal is not as this service wrote it: ${where} that no key of VAULT_MAC_KEYS has signed. Put a removed key back, or restore the file from a copy of the journal.`,
  );

/** Lists the first lines of the batches that begin after this line, in their order. */
export async function listFirstLines(files: Files, after: number): Promise<number[]> {
  const names = await files.list(fileName(Math.max(after, 0) + 1));
  return names
    .flatMap((name) => firstLineOf(name) ?? [])
    .filter((first) => first > after)
    .sort((a, b) => a - b);
}

/** @returns undefined if the file is missing. @throws ServiceError that names the damaged file or line. */
export async function readLines(files: Files, name: string): Promise<SignedLine[] | undefined> {
  const text = await files.read(name);
  const lines = text
    ?.trimEnd()
    .split('\n')
    .map((line, index) => parseLine(line, `${name}, line ${index + 1}`));
  requireInOrder(name, lines);
  return lines;
}

/** @returns false if the name is taken. */
export const addLines = (files: Files, name: string, lines: readonly SignedLine[]): Promise<boolean> =>
  files.add(name, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));

function parseLine(line: string, place: string): SignedLine {
  try {
    return SignedLine.parse(JSON.parse(line));
  } catch {
    throw journalDamaged(place); // The message names the line only: an operator restores it from the copy.
  }
}

/** @throws ServiceError unless the lines are consecutive, from the number in the file's name. */
function requireInOrder(name: string, lines: readonly JournalLine[] = []): void {
  const first = firstLineOf(name) ?? 0;
  const wrong = lines.findIndex(({ number }, index) => number !== first + index);
  if (wrong >= 0) throw journalDamaged(`${name}, line ${wrong + 1}`);
}

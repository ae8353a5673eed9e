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
  /** The names of all files, in any order, perhaps with names that are not ours. */
  list(): Promise<readonly string[]>;
  /** Returns undefined if the file is missing. */
  read(name: string): Promise<string | undefined>;
  /** Writes a file durably. Returns false, and changes nothing, if the name is taken. */
  add(name: string, text: string): Promise<boolean>;
  /** Returns undefined if the file is missing. */
  modifiedAt(name: string): Promise<Date | undefined>;
  /** Removes a file, if it is there. */
  remove(name: string): Promise<void>;
  /** Removes incomplete files that a crash left. */
  removeDrafts(): Promise<void>;
}

/**
 * A file of consecutive lines. The name of a batch is its first line; the name of a merged file is its first and last
 * line.
 */
export interface JournalFile {
  readonly name: string;
  readonly first: number;
  /** Undefined for a batch, because its name omits the last line. */
  readonly last: number | undefined;
}

/** A full file takes 2 MB. */
export const MAX_BYTES = 16 * 1024 * 1024;

const DIGITS = 12;
const NAME = new RegExp(`^(\\d{${DIGITS}})(?:-(\\d{${DIGITS}}))?\\.jsonl$`);

export const fileName = (...numbers: readonly [first: number, last?: number]): string =>
  `${numbers.map((number) => String(number).padStart(DIGITS, '0')).join('-')}.jsonl`;

/**
 * The last line of all merged files; 0 without any. A loop, because a call takes fewer arguments than there may be
 * files.
 */
export const findLastMergedLine = (files: readonly JournalFile[]): number =>
  files.reduce((most, { last = 0 }) => Math.max(most, last), 0);

export const journalRefused = (message: string) => new ServiceError('UPSTREAM_UNAVAILABLE', message);
export const journalDamaged = (where: string) =>
  journalRefused(`The erasure journal is damaged: ${where}. Restore that file from a copy of the journal.`);
export const journalForeign = (where: string) =>
  journalRefused(
    `The erasure journal is not as this service wrote it: ${where} that no key of VAULT_MAC_KEYS has signed. Put a removed key back, or restore the file from a copy of the journal.`,
  );

/** Lists journal files by first line. */
export async function listFiles(files: Files): Promise<JournalFile[]> {
  return (await files.list())
    .flatMap((name) => {
      const [, first, last] = NAME.exec(name) ?? [];
      return first === undefined
        ? []
        : [{ name, first: Number(first), last: last === undefined ? last : Number(last) }];
    })
    .sort((a, b) => a.first - b.first);
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

/** @throws ServiceError unless the lines are consecutive, from the first to the last number in the file's name. */
function requireInOrder(name: string, lines: readonly JournalLine[] = []): void {
  const [, first, last] = NAME.exec(name) ?? [];
  const wrong = lines.findIndex(({ number }, index) => number !== Number(first) + index);
  if (wrong >= 0) throw journalDamaged(`${name}, line ${wrong + 1}`);
  if (last !== undefined && lines.length > 0 && lines.at(-1)?.number !== Number(last)) {
    throw journalDamaged(`${name}, line ${lines.length}`);
  }
}

import type { Mac } from '../vault/mac.ts';
import { openBucket } from './bucket.ts';
import { openDirectory } from './directory.ts';
import {
  addLines,
  type Files,
  fileName,
  findLastMergedLine,
  type JournalFile,
  type JournalLine,
  journalForeign,
  journalRefused,
  listFiles,
  readLines,
  type SignedLine,
} from './files.ts';
import { mergeFiles, removeMerged } from './merge.ts';
import { isSigned, signLine } from './sign-line.ts';

/** A journal outside the database. A batch of lines never changes after it is written. */
export interface Journal {
  /**
   * Reads line `from` and lines that follow it. Returns undefined if the line is missing. @throws ServiceError that names the first
   * line that no key of ours signed.
   */
  read(from: number): Promise<readonly JournalLine[] | undefined>;
  /** Writes the lines durably. @throws ServiceError if a batch with the same first number exists. */
  append(lines: readonly JournalLine[]): Promise<void>;
  /** The number of the last line; 0 for an empty journal. */
  lastNumber(): Promise<number>;
  /**
   * Merges small files, to keep the directory short to list. Safe at any time, in several processes at once, and to
   * interrupt.
   */
  tidy(): Promise<void>;
}

/**
 * Opens the journal in an existing directory or bucket.
 * @param place a directory, `s3://bucket` or `s3://bucket/path`.
 * @param mac signs and verifies the lines; without it they are only read, and not verified.
 * @param endpoint base URL of an S3-compatible server; without it the bucket is Amazon's.
 */
export function openJournal(place: string, mac: Mac | undefined, endpoint?: string): Journal {
  const [, bucket, path = ''] = /^s3:\/\/([^/]+)\/?(.*)$/.exec(place) ?? [];
  if (bucket === undefined) return createJournal(openDirectory(place), mac);
  const prefix = path === '' ? '' : `${path.replace(/\/+$/, '')}/`;
  return createJournal(openBucket({ bucket, prefix, endpoint }), mac);
}

function createJournal(files: Files, mac: Mac | undefined): Journal {
  async function read(from: number): Promise<readonly JournalLine[] | undefined> {
    const batch = await readLines(files, fileName(from)); // The next line to read nearly always starts a batch.
    if (batch !== undefined) return verify(batch, fileName(from));
    const file = findHolder(await listFiles(files), from);
    const lines = file && (await readLines(files, file.name))?.filter(({ number }) => number >= from);
    return lines?.length ? verify(lines, file?.name ?? '') : undefined;
  }

  function verify(lines: readonly SignedLine[], name: string): JournalLine[] {
    const foreign = mac && lines.find((line) => !isSigned(mac, line));
    if (foreign !== undefined) throw journalForeign(`${name} has a line ${foreign.number}`);
    return lines.map(({ mac: _mac, ...line }) => line);
  }

  return {
    read,
    async append(lines) {
      const [first] = lines;
      if (first === undefined) return;
      if (mac === undefined) throw new Error('A journal without a key is only read.');
      const signed = lines.map((line) => signLine(mac, line));
      if (await addLines(files, fileName(first.number), signed)) return;
      throw journalRefused(`The erasure journal already has a batch that begins with line ${first.number}.`);
    },
    async lastNumber() {
      const listed = await listFiles(files);
      const lastMerged = findLastMergedLine(listed);
      const newest = listed.at(-1);
      if (newest === undefined || newest.first <= lastMerged) return lastMerged;
      return (await readLines(files, newest.name))?.at(-1)?.number ?? lastMerged;
    },
    async tidy() {
      await removeMerged(files);
      await files.removeDrafts();
      await mergeFiles(files);
    },
  };
}

/** Finds the file that holds a line. If several do, prefers the merged file that reaches furthest. */
function findHolder(files: readonly JournalFile[], number: number): JournalFile | undefined {
  const begun = files.filter(({ first }) => first <= number);
  const holdsIt = ({ last }: JournalFile) => last !== undefined && last >= number;
  const merged = begun.filter(holdsIt).sort((a, b) => (b.last ?? 0) - (a.last ?? 0));
  return merged[0] ?? begun.filter(({ last }) => last === undefined).at(-1);
}

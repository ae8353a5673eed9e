import type { Mac } from '../vault/mac.ts';
import { openBucket } from './bucket.ts';
import { openDirectory } from './directory.ts';
import {
  addLines,
  BATCH,
  type Files,
  fileName,
  type JournalLine,
  journalForeign,
  journalRefused,
  listFirstLines,
  readLines,
} from './files.ts';
import { isSigned, signLine } from './sign-line.ts';

/** How many batches are read at the same time. */
const AT_ONCE = 100;

/** A journal outside the database: batches of lines, which never change. */
export interface Journal {
  /**
   * Reads the batch that begins with line `first`. Returns undefined if there is none. @throws ServiceError that names the first line
   * that no key of ours signed.
   */
  read(first: number): Promise<readonly JournalLine[] | undefined>;
  /** Reads all batches that begin after a line, in their order. */
  readAfter(number: number): AsyncIterable<readonly JournalLine[]>;
  /** @throws ServiceError, or an error of the file system, if a batch could not be written */
  requireWritable(): Promise<void>;
  /** Writes a batch durably. @throws ServiceError if there is one with the same first number. */
  append(lines: readonly JournalLine[]): Promise<void>;
  /** The number of the last line; 0 for an empty journal. @param known a line that it should have: the search starts there. */
  lastNumber(known?: number): Promise<number>;
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
  async function read(first: number): Promise<readonly JournalLine[] | undefined> {
    const lines = await readLines(files, fileName(first));
    const foreign = mac && lines?.find((line) => !isSigned(mac, line));
    if (foreign !== undefined) throw journalForeign(`${fileName(first)} has a line ${foreign.number}`);
    return lines?.map(({ mac: _mac, ...line }) => line);
  }

  return {
    read,
    requireWritable: () => files.requireWritable(),
    async *readAfter(number) {
      const waiting = await listFirstLines(files, number);
      while (waiting.length > 0) {
        for (const batch of await Promise.all(waiting.splice(0, AT_ONCE).map(read))) if (batch) yield batch;
      }
    },
    async append(lines) {
      const [first] = lines;
      if (first === undefined) return;
      if (mac === undefined) throw new Error('A journal without a key is only read.');
      const signed = lines.map((line) => signLine(mac, line));
      if (await addLines(files, fileName(first.number), signed)) return;
      throw journalRefused(`The erasure journal already has a batch that begins with line ${first.number}.`);
    },
    async lastNumber(known = 0) {
      // The batch that holds the known line begins less than a batch before it.
      const near = (await listFirstLines(files, known - BATCH)).at(-1);
      const newest = near ?? (await listFirstLines(files, 0)).at(-1);
      return newest === undefined ? 0 : ((await read(newest))?.at(-1)?.number ?? 0);
    },
  };
}

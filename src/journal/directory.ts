import {
  addFile,
  fileName,
  findLastMergedLine,
  type JournalFile,
  type JournalLine,
  listFiles,
  readLines,
} from './files.ts';
import { mergeFiles, removeMerged } from './merge.ts';

/** A journal outside the database. A batch of lines never changes after it is written. */
export interface Journal {
  /** Reads line `from` and lines that follow it. Returns undefined if the line is missing. */
  read(from: number): Promise<readonly JournalLine[] | undefined>;
  /** Writes the lines durably. @throws if a batch with the same first number exists. */
  append(lines: readonly JournalLine[]): Promise<void>;
  /** The number of the last line; 0 for an empty journal. */
  lastNumber(): Promise<number>;
  /**
   * Merges small files, to keep the directory short to list. Safe at any time, in several processes at once, and to
   * interrupt.
   */
  tidy(): Promise<void>;
}

/** Opens a journal in an existing directory on a POSIX file system. Its files can be copied elsewhere at any time. */
export function openJournal(directory: string): Journal {
  async function read(from: number): Promise<readonly JournalLine[] | undefined> {
    const batch = await readLines(directory, fileName(from)); // The next line to read nearly always starts a batch.
    if (batch !== undefined) return batch;
    const file = findHolder(await listFiles(directory), from);
    const lines = file && (await readLines(directory, file.name))?.filter(({ number }) => number >= from);
    return lines?.length ? lines : undefined;
  }

  return {
    read,
    async append(lines) {
      const [first] = lines;
      if (first !== undefined) await addFile(directory, fileName(first.number), lines);
    },
    async lastNumber() {
      const files = await listFiles(directory);
      const lastMerged = findLastMergedLine(files);
      const newest = files.at(-1);
      if (newest === undefined || newest.first <= lastMerged) return lastMerged;
      return (await readLines(directory, newest.name))?.at(-1)?.number ?? lastMerged;
    },
    async tidy() {
      await removeMerged(directory);
      await mergeFiles(directory);
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

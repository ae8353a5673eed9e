import { addFile, fileName, type JournalFile, type JournalLine, lastMergedIn, listFiles, readLines } from './files.ts';
import { mergeFiles, removeMerged } from './merge.ts';

/** A journal outside the database. Lines come in batches that never change once they are there. */
export interface Journal {
  /** The line of this number and some that follow it, if it is there. */
  read(from: number): Promise<readonly JournalLine[] | undefined>;
  /** Durable once it returns. @throws when a batch that begins with the same number is there. */
  append(lines: readonly JournalLine[]): Promise<void>;
  /** Of the last line, 0 in an empty journal. */
  lastNumber(): Promise<number>;
  /** Keeps it short to list. Safe at any time, by several at once, and to break off. */
  tidy(): Promise<void>;
}

/** In a directory on a POSIX file system, which must exist. Files can be copied elsewhere at any time. */
export function openJournal(directory: string): Journal {
  async function read(from: number): Promise<readonly JournalLine[] | undefined> {
    const batch = await readLines(directory, fileName(from)); // What is read next nearly always begins a batch.
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
      const lastMerged = lastMergedIn(files);
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

/** The file in which a line is, if it is anywhere. Of several that hold it, the one that nothing is merged into yet. */
function findHolder(files: readonly JournalFile[], number: number): JournalFile | undefined {
  const begun = files.filter(({ first }) => first <= number);
  const holdsIt = ({ last }: JournalFile) => last !== undefined && last >= number;
  const merged = begun.filter(holdsIt).sort((a, b) => (b.last ?? 0) - (a.last ?? 0));
  return merged[0] ?? begun.filter(({ last }) => last === undefined).at(-1);
}

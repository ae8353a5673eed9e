import { addLines, type Files, fileName, type JournalFile, listFiles, readLines, type SignedLine } from './files.ts';

/** Files with at least this many lines (about 2 MB) are not merged again. */
const FULL_LINES = 10_000;
/** Fewer files than this are not merged. */
const WORTH_FILES = 100;
/** The number of files handled at once, and the time limit of one round. The next round handles the rest. */
const CHUNK_FILES = 100;
const WITHIN_MS = 10_000;
/**
 * How long merged files stay beside the file that replaces them, so that a reader or a copy in progress meets one or
 * the other.
 */
const KEPT_MS = 3_600_000;

type Merged = JournalFile & { readonly last: number };

/**
 * Merges adjacent small files, oldest first. It removes and replaces nothing: another process, or a repeat after a
 * crash, writes the same files.
 */
export async function mergeFiles(place: Files): Promise<void> {
  const files = await listFiles(place);
  const merged = files.filter(isMerged);
  // Excludes the newest file, which marks the end of the journal.
  const small = files.slice(0, -1).filter((file) => !isFull(file) && !merged.some((other) => covers(other, file)));
  const until = Date.now() + WITHIN_MS;
  let run: Run = { files: 0, lines: [] };
  for (let next = 0; next < small.length && Date.now() < until; next += CHUNK_FILES) {
    const chunk = small.slice(next, next + CHUNK_FILES);
    for (const lines of await Promise.all(chunk.map(({ name }) => readLines(place, name)))) {
      if (lines === undefined) continue; // An operator removed it.
      if (run.lines.length >= FULL_LINES || !isNext(run, lines)) {
        await write(place, run);
        run = { files: 0, lines: [] };
      }
      run.files += 1;
      run.lines.push(...lines);
    }
  }
  await write(place, run);
}

/** Removes files that were merged long enough ago. */
export async function removeMerged(place: Files): Promise<void> {
  const isOld = async (name: string) => {
    const modifiedAt = await place.modifiedAt(name);
    return modifiedAt !== undefined && modifiedAt.getTime() < Date.now() - KEPT_MS;
  };
  const until = Date.now() + WITHIN_MS;
  const files = await listFiles(place);
  const long: Merged[] = [];
  for (const file of files.filter(isMerged)) if (await isOld(file.name)) long.push(file);
  const replaced = files.filter((file) => long.some((other) => covers(other, file)));
  for (let next = 0; next < replaced.length && Date.now() < until; next += CHUNK_FILES) {
    await Promise.all(replaced.slice(next, next + CHUNK_FILES).map(({ name }) => place.remove(name)));
  }
}

interface Run {
  files: number;
  readonly lines: SignedLine[];
}

const isMerged = (file: JournalFile): file is Merged => file.last !== undefined;
const isFull = ({ first, last = first }: JournalFile): boolean => last - first + 1 >= FULL_LINES;

/** A merge takes whole files, so a merged file that holds a batch's first line holds all of the batch. */
const covers = (merged: Merged, { name, first, last = first }: JournalFile): boolean =>
  merged.name !== name && merged.first <= first && merged.last >= last;

const isNext = ({ lines }: Run, following: readonly SignedLine[]): boolean => {
  const last = lines.at(-1);
  return last === undefined || following[0]?.number === last.number + 1;
};

async function write(place: Files, { files, lines }: Run): Promise<void> {
  const [first, last] = [lines[0], lines.at(-1)];
  const isWorthIt = files >= WORTH_FILES || (files > 1 && lines.length >= FULL_LINES);
  if (!isWorthIt || first === undefined || last === undefined) return;
  await addLines(place, fileName(first.number, last.number), lines); // Another process may have written it first.
}

import { rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { addFile, fileName, type JournalFile, type JournalLine, listDrafts, listFiles, readLines } from './files.ts';

/** A file of so many lines, some 2 MB, is not merged any more. */
const FULL_LINES = 10_000;
/** Fewer files than this are not worth it. */
const WORTH_FILES = 100;
/** Files read or removed side by side, and for how long: what is left over then, the next round takes. */
const CHUNK_FILES = 100;
const WITHIN_MS = 10_000;
/**
 * For so long what was merged stays beside what it was merged into: who reads or copies the directory meanwhile has met
 * the one or the other.
 */
const KEPT_MS = 3_600_000;

type Merged = JournalFile & { readonly last: number };

/**
 * Writes neighbouring small files together into one, oldest first. Nothing is removed here, and nothing replaced: who does
 * the same at the same time, or does it again after a crash, writes the same.
 */
export async function mergeFiles(directory: string): Promise<void> {
  const files = await listFiles(directory);
  const merged = files.filter(isMerged);
  // Without the newest, which says where the journal ends.
  const small = files.slice(0, -1).filter((file) => !isFull(file) && !merged.some((other) => covers(other, file)));
  const until = Date.now() + WITHIN_MS;
  let run: Run = { files: 0, lines: [] };
  for (let next = 0; next < small.length && Date.now() < until; next += CHUNK_FILES) {
    const chunk = small.slice(next, next + CHUNK_FILES);
    for (const lines of await Promise.all(chunk.map(({ name }) => readLines(directory, name)))) {
      if (lines === undefined) continue; // Removed by hand.
      if (run.lines.length >= FULL_LINES || !isNext(run, lines)) {
        await write(directory, run);
        run = { files: 0, lines: [] };
      }
      run.files += 1;
      run.lines.push(...lines);
    }
  }
  await write(directory, run);
}

/** Removes what has long been merged into others, and drafts that a crash has left. */
export async function removeMerged(directory: string): Promise<void> {
  const remove = (name: string) => rm(path.join(directory, name), { force: true });
  const isOld = async (name: string) => {
    const found = await stat(path.join(directory, name)).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error; // Somebody else removed it.
      return undefined;
    });
    return found !== undefined && found.mtimeMs < Date.now() - KEPT_MS;
  };
  const until = Date.now() + WITHIN_MS;
  const files = await listFiles(directory);
  const long: Merged[] = [];
  for (const file of files.filter(isMerged)) if (await isOld(file.name)) long.push(file);
  const replaced = files.filter((file) => long.some((other) => covers(other, file)));
  for (let next = 0; next < replaced.length && Date.now() < until; next += CHUNK_FILES) {
    await Promise.all(replaced.slice(next, next + CHUNK_FILES).map(({ name }) => remove(name)));
  }
  for (const draft of await listDrafts(directory)) if (await isOld(draft)) await remove(draft);
}

interface Run {
  files: number;
  readonly lines: JournalLine[];
}

const isMerged = (file: JournalFile): file is Merged => file.last !== undefined;
const isFull = ({ first, last = first }: JournalFile): boolean => last - first + 1 >= FULL_LINES;

/** Files are written together whole: one that holds another's first line holds all of a batch. */
const covers = (merged: Merged, { name, first, last = first }: JournalFile): boolean =>
  merged.name !== name && merged.first <= first && merged.last >= last;

const isNext = ({ lines }: Run, following: readonly JournalLine[]): boolean => {
  const last = lines.at(-1);
  return last === undefined || following[0]?.number === last.number + 1;
};

async function write(directory: string, { files, lines }: Run): Promise<void> {
  const [first, last] = [lines[0], lines.at(-1)];
  const isWorthIt = files >= WORTH_FILES || (files > 1 && lines.length >= FULL_LINES);
  if (!isWorthIt || first === undefined || last === undefined) return;
  await addFile(directory, fileName(first.number, last.number), lines).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error; // Somebody else was faster.
  });
}

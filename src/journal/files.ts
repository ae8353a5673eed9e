import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, link, lstat, open, readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { ServiceError } from '../errors.ts';
import { JOURNAL_KINDS } from '../store/journal.ts';

/** A line of the journal: a fact about a row, named by random ids. */
const JournalLine = z.object({
  /** 1, 2, 3 … without gaps. */
  number: z.int().positive(),
  entryId: z.uuid(),
  kind: z.enum(JOURNAL_KINDS),
  id: z.uuid(),
  at: z.iso.datetime(),
});
export type JournalLine = z.infer<typeof JournalLine>;

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

/** The api only reads, and may run as another user than the worker. */
const READ_BY_GROUP = 0o640;
const DIGITS = 12;
const NAME = new RegExp(`^(\\d{${DIGITS}})(?:-(\\d{${DIGITS}}))?\\.jsonl$`);

const WORLD_WRITABLE = 0o002;
/** A full file takes 2 MB. */
const MAX_BYTES = 16 * 1024 * 1024;
/** Does not follow links, and does not wait for the writer of a pipe. */
const READ = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

const DRAFT = /^\.[0-9a-f-]{36}$/;

export const fileName = (...numbers: readonly [first: number, last?: number]): string =>
  `${numbers.map((number) => String(number).padStart(DIGITS, '0')).join('-')}.jsonl`;

/**
 * The last line of all merged files; 0 without any. A loop, because a call takes fewer arguments than there may be
 * files.
 */
export const findLastMergedLine = (files: readonly JournalFile[]): number =>
  files.reduce((most, { last = 0 }) => Math.max(most, last), 0);

/**
 * Anybody could write false facts into a world-writable directory.
 * @throws ServiceError unless it is a directory that others cannot write to.
 */
async function requireDirectory(directory: string): Promise<void> {
  const found = await lstat(directory);
  if (!found.isDirectory()) throw refused('ERASURE_JOURNAL must name a directory, not a link.');
  if ((found.mode & WORLD_WRITABLE) === 0) return;
  throw refused('ERASURE_JOURNAL names a world-writable directory: run chmod o-w on it.');
}

const refused = (message: string) => new ServiceError('UPSTREAM_UNAVAILABLE', message);
const damaged = (where: string) =>
  refused(`The erasure journal is damaged: ${where}. Restore that file from a copy of the directory.`);

/** Lists journal files by first line, without drafts. @throws ServiceError like `requireDirectory`. */
export async function listFiles(directory: string): Promise<JournalFile[]> {
  await requireDirectory(directory);
  return (await readdir(directory))
    .flatMap((name) => {
      const [, first, last] = NAME.exec(name) ?? [];
      return first === undefined
        ? []
        : [{ name, first: Number(first), last: last === undefined ? last : Number(last) }];
    })
    .sort((a, b) => a.first - b.first);
}

/** Lists drafts: files being written, or left by a crash. */
export async function listDrafts(directory: string): Promise<string[]> {
  return (await readdir(directory)).filter((name) => DRAFT.test(name));
}

/** @returns undefined if the file is missing. @throws ServiceError that names the damaged directory, file or line. */
export async function readLines(directory: string, name: string): Promise<JournalLine[] | undefined> {
  await requireDirectory(directory);
  const text = await readPlainFile(path.join(directory, name), name);
  const lines = text
    ?.trimEnd()
    .split('\n')
    .map((line, index) => parseLine(line, `${name}, line ${index + 1}`));
  requireInOrder(name, lines);
  return lines;
}

async function readPlainFile(file: string, name: string): Promise<string | undefined> {
  const handle = await open(file, READ).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ELOOP') throw damaged(`${name} is not a regular file`);
    if (error.code !== 'ENOENT') throw error;
    return undefined;
  });
  try {
    return handle && (await readChecked(handle, name));
  } finally {
    await handle?.close();
  }
}

async function readChecked(handle: FileHandle, name: string): Promise<string> {
  const found = await handle.stat();
  if (!found.isFile()) throw damaged(`${name} is not a regular file`);
  if (found.size > MAX_BYTES) throw damaged(`${name} is too large`);
  if ((found.mode & WORLD_WRITABLE) !== 0) throw damaged(`${name} is world-writable`);
  return await handle.readFile('utf8');
}

function parseLine(line: string, place: string): JournalLine {
  try {
    return JournalLine.parse(JSON.parse(line));
  } catch {
    throw damaged(place); // The message names the line only: an operator restores it from the copy.
  }
}

/** @throws ServiceError unless the lines are consecutive, from the first to the last number in the file's name. */
function requireInOrder(name: string, lines: readonly JournalLine[] = []): void {
  const [, first, last] = NAME.exec(name) ?? [];
  const wrong = lines.findIndex(({ number }, index) => number !== Number(first) + index);
  if (wrong >= 0) throw damaged(`${name}, line ${wrong + 1}`);
  if (last !== undefined && lines.length > 0 && lines.at(-1)?.number !== Number(last)) {
    throw damaged(`${name}, line ${lines.length}`);
  }
}

/** Writes a complete, durable file. @throws `EEXIST` if the name is taken. */
export async function addFile(directory: string, name: string, lines: readonly JournalLine[]): Promise<void> {
  await requireDirectory(directory);
  // A crash leaves a draft behind. A random name keeps the next try, which may have the same process id in a container,
  // from colliding with it.
  const draft = path.join(directory, `.${randomUUID()}`);
  try {
    await writeDurably(draft, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    await link(draft, path.join(directory, name)); // Unlike a rename, a link never replaces an existing file.
  } finally {
    await rm(draft, { force: true });
  }
  await syncDirectory(directory);
}

async function writeDurably(file: string, text: string): Promise<void> {
  const handle = await open(file, 'wx', READ_BY_GROUP);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, link, lstat, open, readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { ServiceError } from '../errors.ts';
import { JOURNAL_KINDS } from '../store/journal.ts';

/** A line of the journal: a fact about a row, by random ids. */
const JournalLine = z.object({
  /** 1, 2, 3 … without a gap. */
  number: z.int().positive(),
  entryId: z.uuid(),
  kind: z.enum(JOURNAL_KINDS),
  id: z.uuid(),
  at: z.iso.datetime(),
});
export type JournalLine = z.infer<typeof JournalLine>;

/** Lines one after the other. A batch is named after its first line; what batches were merged into, after the last one too. */
export interface JournalFile {
  readonly name: string;
  readonly first: number;
  /** Undefined of a batch: its name does not tell. */
  readonly last: number | undefined;
}

/** Apis only read, and need not run as the workers' user. */
const READ_BY_GROUP = 0o640;
const DIGITS = 12;
const NAME = new RegExp(`^(\\d{${DIGITS}})(?:-(\\d{${DIGITS}}))?\\.jsonl$`);

const WRITTEN_BY_OTHERS = 0o002;
/** A full file takes 2 MB. */
const MAX_BYTES = 16 * 1024 * 1024;
/** Neither follows a link nor waits for whoever writes to a pipe. */
const READ = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

const DRAFT = /^\.[0-9a-f-]{36}$/;

export const fileName = (...numbers: readonly [first: number, last?: number]): string =>
  `${numbers.map((number) => String(number).padStart(DIGITS, '0')).join('-')}.jsonl`;

/** The last line that stands in a merged file, 0 where none does. There may be more files than a call takes arguments. */
export const lastMergedIn = (files: readonly JournalFile[]): number =>
  files.reduce((most, { last = 0 }) => Math.max(most, last), 0);

/**
 * What everybody may write tells what anybody likes.
 * @throws ServiceError unless it is a directory, and not everybody's to write in.
 */
async function requireDirectory(directory: string): Promise<void> {
  const found = await lstat(directory);
  if (!found.isDirectory()) throw refused('ERASURE_JOURNAL does not name a directory: name one, and not a link to it.');
  if ((found.mode & WRITTEN_BY_OTHERS) === 0) return;
  throw refused('ERASURE_JOURNAL names a directory that everybody may write: take that right away (chmod o-w).');
}

const refused = (message: string) => new ServiceError('UPSTREAM_UNAVAILABLE', message);
const damaged = (what: string) =>
  refused(`The journal of erasures is damaged: ${what}. Put that file back from where the directory is copied to.`);

/** In the order of their first lines. A draft is not one of them. @throws ServiceError as `requireDirectory`. */
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

/** What is being written, or was when a process crashed. */
export async function listDrafts(directory: string): Promise<string[]> {
  return (await readdir(directory)).filter((name) => DRAFT.test(name));
}

/** @returns undefined when there is no such file. @throws ServiceError naming what is wrong: the directory, the file or a line. */
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
    if (error.code === 'ELOOP') throw damaged(`${name} is not a plain file`);
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
  if (!found.isFile()) throw damaged(`${name} is not a plain file`);
  if (found.size > MAX_BYTES) throw damaged(`${name} is too large`);
  if ((found.mode & WRITTEN_BY_OTHERS) !== 0) throw damaged(`${name} can be written by everybody`);
  return await handle.readFile('utf8');
}

function parseLine(line: string, place: string): JournalLine {
  try {
    return JournalLine.parse(JSON.parse(line));
  } catch {
    throw damaged(place); // What stands there tells nobody more; its copy elsewhere does.
  }
}

/** @throws ServiceError unless the lines follow each other from the first to the last that the file is named after. */
function requireInOrder(name: string, lines: readonly JournalLine[] = []): void {
  const [, first, last] = NAME.exec(name) ?? [];
  const wrong = lines.findIndex(({ number }, index) => number !== Number(first) + index);
  if (wrong >= 0) throw damaged(`${name}, line ${wrong + 1}`);
  if (last !== undefined && lines.length > 0 && lines.at(-1)?.number !== Number(last)) {
    throw damaged(`${name}, line ${lines.length}`);
  }
}

/** Complete when it appears, and durable once this returns. @throws `EEXIST` rather than replace a file. */
export async function addFile(directory: string, name: string, lines: readonly JournalLine[]): Promise<void> {
  await requireDirectory(directory);
  // Of a crash a draft stays behind, which the next try, of the same lines and in a container by the same process id, is
  // not to meet.
  const draft = path.join(directory, `.${randomUUID()}`);
  try {
    await writeDurably(draft, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    await link(draft, path.join(directory, name)); // Unlike a rename it never replaces what is there.
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

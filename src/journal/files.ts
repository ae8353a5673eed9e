import { randomUUID } from 'node:crypto';
import { link, open, readdir, readFile, rm } from 'node:fs/promises';
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

const DRAFT = /^\.[0-9a-f-]{36}$/;

export const fileName = (...numbers: readonly [first: number, last?: number]): string =>
  `${numbers.map((number) => String(number).padStart(DIGITS, '0')).join('-')}.jsonl`;

/** The last line that stands in a merged file, 0 where none does. There may be more files than a call takes arguments. */
export const lastMergedIn = (files: readonly JournalFile[]): number =>
  files.reduce((most, { last = 0 }) => Math.max(most, last), 0);

/** In the order of their first lines. A draft is not one of them. */
export async function listFiles(directory: string): Promise<JournalFile[]> {
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

/** @returns undefined when there is no such file. @throws ServiceError naming the line that is damaged. */
export async function readLines(directory: string, name: string): Promise<JournalLine[] | undefined> {
  const text = await readFile(path.join(directory, name), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
    return undefined;
  });
  return text
    ?.trimEnd()
    .split('\n')
    .map((line, index) => parseLine(line, `${name}, line ${index + 1}`));
}

function parseLine(line: string, place: string): JournalLine {
  try {
    return JournalLine.parse(JSON.parse(line));
  } catch {
    // What stands there tells nobody more; its copy elsewhere does.
    throw new ServiceError(
      'UPSTREAM_UNAVAILABLE',
      `The journal of erasures is damaged: ${place}. Put that file back from where the directory is copied to.`,
    );
  }
}

/** Complete when it appears, and durable once this returns. @throws `EEXIST` rather than replace a file. */
export async function addFile(directory: string, name: string, lines: readonly JournalLine[]): Promise<void> {
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

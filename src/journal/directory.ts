import { randomUUID } from 'node:crypto';
import { link, open, readdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
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

/** A journal outside the database. Lines come in batches that never change once they are there. */
export interface Journal {
  /** The batch that begins with this number, if there is one. */
  read(first: number): Promise<readonly JournalLine[] | undefined>;
  /** Durable once it returns. @throws when a batch that begins with the same number is there. */
  append(lines: readonly JournalLine[]): Promise<void>;
  /** Of the last line, 0 in an empty journal. */
  lastNumber(): Promise<number>;
}

/** Apis only read, and need not run as the workers' user. */
const READ_BY_GROUP = 0o640;
const DIGITS = 12;
const NAME = new RegExp(`^\\d{${DIGITS}}\\.jsonl$`);

/**
 * In a directory on a POSIX file system, which must exist: a file of JSON lines for each batch, named after its first
 * number. Files are complete when they appear, so that they can be copied elsewhere at any time.
 */
export function openJournal(directory: string): Journal {
  const fileOf = (first: number) => path.join(directory, `${String(first).padStart(DIGITS, '0')}.jsonl`);

  async function read(first: number): Promise<readonly JournalLine[] | undefined> {
    const text = await readFile(fileOf(first), 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error;
      return undefined;
    });
    return text
      ?.trimEnd()
      .split('\n')
      .map((line) => JournalLine.parse(JSON.parse(line)));
  }

  return {
    read,
    async append(lines) {
      const [first] = lines;
      if (first === undefined) return;
      // Of a crash a draft stays behind, which the next try, of the same lines and in a container by the same process id, is
      // not to meet.
      const draft = path.join(directory, `.${randomUUID()}`);
      try {
        await writeDurably(draft, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
        await link(draft, fileOf(first.number)); // Unlike a rename it never replaces what is there.
      } finally {
        await rm(draft, { force: true });
      }
      await syncDirectory(directory);
    },
    async lastNumber() {
      const newest = (await readdir(directory))
        .filter((name) => NAME.test(name))
        .sort()
        .at(-1);
      if (newest === undefined) return 0;
      return (await read(Number.parseInt(newest, 10)))?.at(-1)?.number ?? 0;
    },
  };
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

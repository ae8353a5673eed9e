import { StaleDatabaseError } from '../errors.ts';
import {
  deleteJournalEntries,
  getJournalPosition,
  getJournalState,
  listJournalEntries,
  lockJournalPosition,
  updateJournalPosition,
} from '../store/journal.ts';
import { type Database, inTransaction, type Transaction } from '../store/sql.ts';
import { type Journal, openJournal } from './directory.ts';
import type { JournalLine } from './files.ts';

/** Most lines of one batch. */
const BATCH = 1_000;

/** What keeps facts outside the database. */
export interface JournalKeeper {
  /** Whether there is a journal at all. Without one nothing is shipped, and nothing refused. */
  readonly isKept: boolean;
  /** Brings out all that has been committed so far; once it returns, no backup can undo it unnoticed. */
  ship(): Promise<void>;
  /** @throws StaleDatabaseError when the journal tells of facts that this database does not know. */
  check(): Promise<void>;
  /** Keeps what is outside the database short to list. */
  tidy(): Promise<void>;
}

/** @param journal where it is kept; without one nothing is, and restores have to be made good by hand. @internal */
export const createJournalKeeper = (sql: Database, journal: Journal | undefined): JournalKeeper =>
  journal === undefined
    ? { isKept: false, ship: async () => undefined, check: async () => undefined, tidy: async () => undefined }
    : { isKept: true, ship: () => ship(sql, journal), check: () => check(sql, journal), tidy: () => journal.tidy() };

/** @param directory of the journal, as it is configured. */
export const openJournalKeeper = (sql: Database, directory: string | undefined): JournalKeeper =>
  createJournalKeeper(sql, directory === undefined ? undefined : openJournal(directory));

async function ship(sql: Database, journal: Journal): Promise<void> {
  while ((await inTransaction(sql, (tx) => shipBatch(tx, journal))) === BATCH);
}

/** One after the other, over all processes. @returns how many lines were added. */
async function shipBatch(tx: Transaction, journal: Journal): Promise<number> {
  const position = await catchUp(tx, journal, await lockJournalPosition(tx));
  const entries = await listJournalEntries(tx, BATCH);
  const lines = entries.map(({ happenedAt, ...entry }, index) => ({
    number: position + 1 + index,
    ...entry,
    at: happenedAt.toISOString(),
  }));
  await journal.append(lines);
  await deleteJournalEntries(
    tx,
    entries.map(({ entryId }) => entryId),
  );
  await updateJournalPosition(tx, position + lines.length);
  return lines.length;
}

/** A crash after lines were added and before that was committed: they are there, and their entries are here. */
async function catchUp(tx: Transaction, journal: Journal, position: number): Promise<number> {
  const lines = await journal.read(position + 1);
  if (lines === undefined) return position;
  const known = await deleteJournalEntries(
    tx,
    lines.map(({ entryId }) => entryId),
  );
  if (known < lines.length) throw new StaleDatabaseError(behind(lines.length - known));
  return await catchUp(tx, journal, position + lines.length);
}

async function check(sql: Database, journal: Journal): Promise<void> {
  const position = await getJournalPosition(sql); // Before the journal is read: it may grow, and never shrinks.
  const last = await journal.lastNumber();
  if (last < position) {
    throw new StaleDatabaseError(
      `The journal of erasures ends with line ${last}, and this database knows of ${position}: ERASURE_JOURNAL is not its journal, or not all of it.`,
    );
  }
  const lines = await readAfter(journal, position, last);
  const { lastNumber, known } = await getJournalState(
    sql,
    lines.map(({ entryId }) => entryId),
  );
  const unknown = lines.filter(({ number, entryId }) => number > lastNumber && !known.has(entryId));
  if (unknown.length > 0) throw new StaleDatabaseError(behind(unknown.length));
}

/** All lines after a number. @throws StaleDatabaseError when some of them are missing. */
export async function readAfter(journal: Journal, position: number, last: number): Promise<JournalLine[]> {
  const lines: JournalLine[] = [];
  while (position + lines.length < last) {
    const batch = await journal.read(position + lines.length + 1);
    if (batch === undefined) {
      throw new StaleDatabaseError(
        `The journal of erasures lacks its line ${position + lines.length + 1}: the backup is older than what is left of it.`,
      );
    }
    lines.push(...batch);
  }
  return lines;
}

const behind = (count: number) =>
  `This database is older than the journal of erasures: ${count} erasure(s) and revocation(s) have happened since. Run \`restore replay\` before anything is served from it.`;

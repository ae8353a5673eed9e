import { setTimeout as delay } from 'node:timers/promises';
import { StaleDatabaseError } from '../basics/errors.ts';
import { type Database, inTransaction, type Sql, type Transaction, withCommit } from '../store/driver/sql.ts';
import {
  deleteJournalEntries,
  getJournalPosition,
  getJournalState,
  hasJournalEntries,
  listJournalEntries,
  lockJournalPosition,
  updateJournalPosition,
} from '../store/journal.ts';
import type { Mac } from '../vault/mac.ts';
import { BATCH, type JournalLine } from './files.ts';
import { type Journal, openJournal } from './journal.ts';

/** Writes facts to the journal outside the database. */
export interface JournalKeeper {
  /** False without a journal: then `ship` writes nothing and `check` accepts every database. */
  readonly isKept: boolean;
  /** Writes all facts committed so far. After it returns, a restored backup that lacks them is detected. */
  ship(): Promise<void>;
  /** @throws StaleDatabaseError if the journal has facts that this database lacks. */
  check(): Promise<void>;
  /** @throws ServiceError, or an error of the file system, if this process cannot write the journal */
  requireWritable(): Promise<void>;
  /** Lists the facts that this database lacks. @throws StaleDatabaseError if it knows of lines that the journal lacks */
  listMissing(): Promise<readonly JournalLine[]>;
  /** Repeats the missing facts in one transaction, after which the database has them. Processes take turns. */
  repeatMissing(repeat: (tx: Transaction, missing: readonly JournalLine[]) => Promise<void>): Promise<void>;
}

/** @param journal undefined to keep none; after a restore, an operator then repeats lost erasures by hand. @internal */
export const createJournalKeeper = (sql: Database, journal: Journal | undefined): JournalKeeper =>
  journal === undefined
    ? {
        isKept: false,
        ship: async () => undefined,
        check: async () => undefined,
        requireWritable: async () => undefined,
        listMissing: async () => [],
        repeatMissing: async () => undefined,
      }
    : {
        isKept: true,
        ship: shareNext(() => ship(sql, journal)),
        check: () => check(sql, journal),
        requireWritable: () => journal.requireWritable(),
        listMissing: () => listMissing(sql, journal),
        repeatMissing: (repeat) => repeatMissing(sql, journal, repeat),
      };

/** The settings of the journal's place. */
export interface JournalSettings {
  readonly ERASURE_JOURNAL?: string | undefined;
  readonly ERASURE_JOURNAL_ENDPOINT?: string | undefined;
}

/** @param mac without it the keeper can only check, and does not verify who wrote the lines. */
export const openJournalKeeper = (
  sql: Database,
  { ERASURE_JOURNAL: place, ERASURE_JOURNAL_ENDPOINT: endpoint }: JournalSettings,
  mac: Mac | undefined,
): JournalKeeper => createJournalKeeper(sql, place === undefined ? undefined : openJournal(place, mac, endpoint));

/** How long a call waits for the one before it, whose disk or bucket may not answer at all. */
const WAIT_MS = 10_000;

/** Calls that arrive while one runs share the next one, which begins after them: it writes all that they have committed. */
function shareNext(run: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  let next: Promise<void> | undefined;
  const start = (): Promise<void> => {
    const own = run().finally(() => {
      if (running === own) running = undefined;
    });
    running = own;
    return own;
  };
  return () => {
    if (running === undefined) return start();
    const ended = running.catch(() => undefined);
    next ??= Promise.race([ended, delay(WAIT_MS, undefined, { ref: false })]).then(() => {
      next = undefined;
      return start();
    });
    return next;
  };
}

async function ship(sql: Database, journal: Journal): Promise<void> {
  // An entry is deleted by the transaction that knows its line to be written: without entries, all are.
  if (!(await hasJournalEntries(sql))) return;
  while ((await inTransaction(sql, (tx) => shipBatch(tx, journal))) === BATCH);
}

/** Processes take turns. @returns the number of lines written. */
async function shipBatch(tx: Transaction, journal: Journal): Promise<number> {
  const position = await catchUp(tx, journal, await lockJournalPosition(tx));
  const entries = await listJournalEntries(tx, BATCH);
  const lines = entries.map(({ happenedAt, ...entry }, index) => ({
    number: position + 1 + index,
    ...entry,
    at: happenedAt.toISOString(),
  }));
  await journal.append(lines);
  const entryIds = entries.map(({ entryId }) => entryId);
  await withCommit(tx, deleteJournalEntries(tx, entryIds), updateJournalPosition(tx, position + lines.length));
  return lines.length;
}

/** After a crash between writing lines and committing, deletes the entries whose lines are in the journal. */
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
  const missing = await listMissing(sql, journal);
  if (missing.length > 0) throw new StaleDatabaseError(behind(missing.length));
}

async function repeatMissing(
  sql: Database,
  journal: Journal,
  repeat: (tx: Transaction, missing: readonly JournalLine[]) => Promise<void>,
): Promise<void> {
  await inTransaction(sql, async (tx) => {
    const position = await lockJournalPosition(tx);
    const lines = await readLinesAfter(journal, position);
    const entryIds = lines.map(({ entryId }) => entryId);
    const { known } = await getJournalState(tx, entryIds);
    const missing = lines.filter(({ entryId }) => !known.has(entryId));
    if (missing.length > 0) await repeat(tx, missing);
    await deleteJournalEntries(tx, entryIds);
    await updateJournalPosition(tx, position + lines.length);
  });
}

async function listMissing(sql: Sql, journal: Journal): Promise<readonly JournalLine[]> {
  const position = await getJournalPosition(sql); // Read before the journal: the journal may grow meanwhile, but never shrinks.
  const last = await journal.lastNumber(position);
  if (last === position) return [];
  if (last < position) {
    throw new StaleDatabaseError(
      `The erasure journal ends with line ${last}, but this database knows of line ${position}: ERASURE_JOURNAL names another journal, or an incomplete one.`,
    );
  }
  const lines = await readLinesAfter(journal, position);
  const { lastNumber, known } = await getJournalState(
    sql,
    lines.map(({ entryId }) => entryId),
  );
  return lines.filter(({ number, entryId }) => number > lastNumber && !known.has(entryId));
}

/** Reads all lines after `position`. @throws StaleDatabaseError if one is missing before others. */
export async function readLinesAfter(journal: Journal, position: number): Promise<JournalLine[]> {
  const lines: JournalLine[] = [];
  for await (const batch of journal.readAfter(position)) {
    const [number, found] = [position + lines.length + 1, batch[0]?.number];
    if (found !== number) {
      throw new StaleDatabaseError(
        `The erasure journal lacks its line ${number}, but continues with line ${found}: restore the missing file from a copy of the journal, or a newer backup.`,
      );
    }
    lines.push(...batch);
  }
  return lines;
}

const behind = (count: number) =>
  `This database is older than the erasure journal: it lacks ${count} erasure(s) and revocation(s). Run \`restore replay\` before you start the service.`;

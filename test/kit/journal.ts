import { randomBytes, randomUUID } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Client } from '@temporalio/client';
import type { Deps } from '../../src/activities/deps.ts';
import { replay } from '../../src/cli/replay.ts';
import type { JournalLine } from '../../src/journal/files.ts';
import { type Journal, openJournal } from '../../src/journal/journal.ts';
import { createMac, type Mac } from '../../src/vault/mac.ts';
import { asMaintenance, type Database, test as postgresTest } from './postgres.ts';

// What tests of other folders need of the store.
export { getJournalPosition, listJournalEntries } from '../../src/store/journal.ts';

/** A key of a set. */
const newKey = (kid: string) => ({ kty: 'oct', kid, k: randomBytes(32).toString('base64url') });
export const [OLD_KEY, NEW_KEY] = [newKey('old'), newKey('new')] as const;
export const macOf = (...keys: readonly { kid: string; k: string }[]): Mac => createMac({ keys: [...keys] });
export const journalMac = macOf(OLD_KEY);

/** What a replay needs besides the deps of a worker: a Temporal that runs nothing, and no disconnect that it recalls. */
const NOTHING_RUNS = {
  temporal: { workflow: { list: async function* () {} } } as unknown as Client,
  recall: { findDisconnect: async () => undefined },
  taskQueue: 'accounts',
};

/** `restore replay` of a journal. */
export const replayJournal = (sql: Database, deps: Deps, journal: Journal) =>
  replay({ ...deps, ...NOTHING_RUNS, sql: asMaintenance(sql), journal }, { dryRun: false });

/** A line about a missing grant. */
export const journalLine = (number: number): JournalLine => ({
  number,
  entryId: randomUUID(),
  kind: 'GRANT',
  id: randomUUID(),
  at: new Date().toISOString(),
});

/** The files of a journal in a directory. */
export const listJournalFiles = (directory: string): string[] =>
  readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.jsonl'))
    .map((name) => path.join(directory, name));

/** Each test starts with an empty journal and a database without entries. */
export const journalTest = postgresTest.extend<{ sql: Database; journal: Journal & { folder: string } }>({
  sql: async ({ sql }, use) => {
    await sql`truncate journal_entry`;
    await sql`update journal_state set last_number = 0`;
    await use(sql);
  },
  journal: async ({}, use) => {
    const folder = await mkdtemp(path.join(tmpdir(), 'journal-'));
    await use({ ...openJournal(folder, journalMac), folder });
    await rm(folder, { recursive: true });
  },
});

import { randomUUID } from 'node:crypto';
import { chmod, cp, mkdir, mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect } from 'vitest';
import { StaleDatabaseError } from '../../src/basics/errors.ts';
import type { ConnectionId, GrantId } from '../../src/basics/ids.ts';
import { fileName, type JournalLine } from '../../src/journal/files.ts';
import { type Journal, openJournal } from '../../src/journal/journal.ts';
import { createJournalKeeper, readLinesAfter } from '../../src/journal/keep.ts';
import { signLine } from '../../src/journal/sign-line.ts';
import { revokeKey } from '../../src/store/apps/keys.ts';
import { moveConnection } from '../../src/store/connections/connections.ts';
import { type Database, inTransaction } from '../../src/store/driver/sql.ts';
import { moveGrantToDead } from '../../src/store/grants/grant-end.ts';
import { getJournalPosition, listJournalEntries } from '../../src/store/journal.ts';
import { insertAdminToken, revokeAdminToken } from '../../src/store/operators/admin-tokens.ts';
import { gate } from '../kit/fake-activities.ts';
import { journalLine, journalMac } from '../kit/journal.ts';
import { test as postgresTest } from '../kit/postgres.ts';
import { seedApp, seedConnection, seedScope } from '../kit/seed.ts';

/** Each test starts with an empty journal and a database without entries. */
const test = postgresTest.extend<{ sql: Database; journal: Journal & { folder: string } }>({
  sql: async ({ sql }, use) => {
    await sql`truncate journal_entry`;
    await sql`update journal_state set last_number = 0`;
    await use(sql);
  },
  // biome-ignore lint/correctness/noEmptyPattern: the runner reads from it which fixtures this one needs.
  journal: async ({}, use) => {
    const folder = await mkdtemp(path.join(tmpdir(), 'journal-'));
    await use({ ...openJournal(folder, journalMac), folder });
    await rm(folder, { recursive: true });
  },
});

const note = async (sql: Database, ...ids: string[]) => {
  for (const id of ids) await sql`insert into journal_entry (kind, id) values ('GRANT', ${id})`;
};
const grantOf = async (sql: Database, connectionId: ConnectionId) =>
  (await sql`select grant_id from account_grant where connection_id = ${connectionId}`)[0]?.grantId as GrantId;
const uuids = (count: number) => Array.from({ length: count }, () => randomUUID());

describe('a journal in a directory', () => {
  test('returns the lines batch by batch, and its last number', async ({ journal }) => {
    const [first, second, third] = [journalLine(1), journalLine(2), journalLine(3)];
    expect(await journal.lastNumber()).toBe(0);
    await journal.append([first, second]);
    await journal.append([third]);
    expect(await journal.read(1)).toEqual([first, second]);
    expect(await journal.read(3)).toEqual([third]);
    expect(await journal.read(4)).toBeUndefined();
    expect(await journal.lastNumber()).toBe(3);
  });

  test('names the damaged file and line', async ({ journal }) => {
    await journal.append([journalLine(1)]);
    await journal.append([journalLine(2), journalLine(3)]);
    const second = '000000000/002.jsonl';
    await writeFile(
      path.join(journal.folder, second),
      `${JSON.stringify(signLine(journalMac, journalLine(2)))}\nhalf a li`,
    );
    await expect(journal.read(2)).rejects.toThrow(`damaged: ${second}, line 2.`);
    await expect(journal.lastNumber()).rejects.toThrow('damaged');
  });

  test('is readable by its writer’s group, and not by others', async ({ journal }) => {
    await journal.append([journalLine(1)]);
    const { mode } = await stat(path.join(journal.folder, '000000000/001.jsonl'));
    expect(mode & 0o777).toBe(0o640 & ~process.umask());
  });

  test('never replaces a batch, and leaves no file when it refuses one', async ({ journal }) => {
    const first = journalLine(1);
    await journal.append([first]);
    await expect(journal.append([journalLine(1)])).rejects.toThrow('already has a batch that begins with line 1.');
    expect(await journal.read(1)).toEqual([first]);
    expect(await readdir(journal.folder, { recursive: true })).toEqual(['000000000', '000000000/001.jsonl']);
  });

  test('ignores a draft that a crash left, and removes an old one', async ({ journal }) => {
    const first = journalLine(1);
    const drafts = [`.${randomUUID()}`, `.${randomUUID()}`].map((name) => path.join(journal.folder, name));
    for (const draft of drafts) await writeFile(draft, '{"number":');
    const longAgo = new Date(Date.now() - 2 * 3_600_000);
    await utimes(drafts[0] ?? '', longAgo, longAgo);
    expect(await journal.lastNumber()).toBe(0);
    await openJournal(journal.folder, journalMac).append([first]);
    expect(await journal.read(1)).toEqual([first]);
    expect((await readdir(journal.folder)).filter((name) => name.startsWith('.'))).toEqual([
      path.basename(drafts[1] ?? ''),
    ]);
  });

  test('must exist before the first write', async ({ journal }) => {
    const missing = openJournal(path.join(journal.folder, 'missing'), journalMac);
    await expect(missing.append([journalLine(1)])).rejects.toMatchObject({ code: 'ENOENT' });
    await expect(missing.lastNumber()).rejects.toMatchObject({ code: 'ENOENT' });
  });
});

/** Writes lines in batches of this size, without waiting for a disk, unlike `append`. */
async function fill(folder: string, { first = 1, count = 1, batch = 1 }): Promise<JournalLine[]> {
  const lines = Array.from({ length: count }, (_, index) => journalLine(first + index));
  for (let next = 0; next < count; next += batch) {
    const file = path.join(folder, fileName(first + next));
    await mkdir(path.dirname(file), { recursive: true });
    const text = lines.slice(next, next + batch).map((each) => `${JSON.stringify(signLine(journalMac, each))}\n`);
    await writeFile(file, text);
  }
  return lines;
}

describe('a journal of many batches', () => {
  test('has at most a thousand in a folder, and gives back every line in its order', async ({ journal }) => {
    const lines = await fill(journal.folder, { count: 2_345 });
    expect((await readdir(journal.folder)).sort()).toEqual(['000000000', '000000001', '000000002']);
    expect(await readdir(path.join(journal.folder, '000000001'))).toHaveLength(1_000);
    expect(await readLinesAfter(journal, 0)).toEqual(lines);
    expect(await readLinesAfter(journal, 998)).toEqual(lines.slice(998));
    expect(await readLinesAfter(journal, 2_345)).toEqual([]);
    for (const known of [0, 1_000, 2_345, 5_000]) expect(await journal.lastNumber(known)).toBe(2_345);
    expect(await journal.read(2_346)).toBeUndefined();
    await journal.append([journalLine(2_346)]);
    expect(await journal.lastNumber(2_345)).toBe(2_346);
  });

  test('finds the batch of a known line in the folder before it', async ({ journal }) => {
    await fill(journal.folder, { first: 1, count: 999, batch: 999 });
    await fill(journal.folder, { first: 1_000, count: 1_000, batch: 1_000 });
    for (const known of [1_000, 1_500, 1_999]) expect(await journal.lastNumber(known)).toBe(1_999);
  });

  test('reads the newest folders only, also if the old ones are gone', async ({ journal }) => {
    const lines = await fill(journal.folder, { count: 3_100, batch: 10 });
    const old = path.join(journal.folder, '000000000');
    await chmod(old, 0o777); // Whoever reads it refuses it.
    expect(await journal.lastNumber(3_090)).toBe(3_100);
    expect(await readLinesAfter(journal, 2_000)).toEqual(lines.slice(2_000));
    await expect(readLinesAfter(journal, 900)).rejects.toThrow('world-writable');
    await rm(old, { recursive: true });
    expect(await readLinesAfter(journal, 2_000)).toEqual(lines.slice(2_000));
  });

  test('names a missing line before others', async ({ journal }) => {
    const lines = await fill(journal.folder, { count: 300 });
    await rm(path.join(journal.folder, fileName(130)));
    await expect(readLinesAfter(journal, 0)).rejects.toThrow('lacks its line 130, but goes on with line 131');
    expect(await readLinesAfter(journal, 130)).toEqual(lines.slice(130));
  });

  test('can be copied while it is written', async ({ journal }) => {
    const lines = await fill(journal.folder, { count: 500 });
    const copy = await mkdtemp(path.join(tmpdir(), 'journal-copy-'));
    // A draft, whose name begins with a dot, is gone as soon as its line is written.
    const isLine = (file: string) => !path.basename(file).startsWith('.');
    const copying = cp(journal.folder, copy, { recursive: true, filter: isLine });
    for (let number = 501; number <= 510; number += 1) await journal.append([journalLine(number)]);
    await copying;
    expect((await readLinesAfter(openJournal(copy, journalMac), 0)).slice(0, 500)).toEqual(lines);
    await rm(copy, { recursive: true });
  });
});

describe('facts that a backup must not undo', () => {
  test('are written in the transaction of the change, by any role', async ({ sql }) => {
    const seeded = await seedApp(sql);
    const scope = seeded.newScope();
    const connectionId = await seedConnection(sql, seeded, { scope });
    const scopeId = await seedScope(sql, seeded, scope);
    const grantId = await grantOf(sql, connectionId);
    const otherGrantId = await grantOf(sql, await seedConnection(sql, seeded, { scope: seeded.newScope() }));
    const jobId = randomUUID();
    await sql`
      insert into disconnect_job (job_id, kind, app_id, provider, registration_id, sealed_tokens, correlation_id)
      values (${jobId}, 'REVOKE', ${seeded.app.appId}, 'PROVIDER_B', ${seeded.registrations.PROVIDER_B}, 'sealed', ${randomUUID()})
    `;
    const expiresAt = new Date(Date.now() + 60_000);
    const { tokenId } = await insertAdminToken(sql, { label: 'test', role: 'VIEWER', expiresAt });
    expect(await listJournalEntries(sql, 10)).toEqual([]);

    await moveConnection(sql, connectionId, 'DISCONNECTED');
    await inTransaction(sql, (tx) => moveGrantToDead(tx, otherGrantId));
    await sql`update disconnect_job set sealed_tokens = null where job_id = ${jobId}`;
    await sql`update scope set external_subject_id = 'erased' where scope_id = ${scopeId}`;
    await revokeKey(sql, seeded.keyId);
    await revokeAdminToken(sql, tokenId);
    // A repetition or another change writes no fact.
    await sql`update connection set status = 'DELETING' where connection_id = ${connectionId}`;
    await sql`update account_grant set status = 'REVOKING' where grant_id = ${grantId}`;
    await revokeKey(sql, seeded.keyId);
    const noted = (await listJournalEntries(sql, 10)).map(({ kind, id }) => [kind, id]).sort();
    expect(noted).toEqual(
      [
        ['ADMIN_TOKEN', tokenId],
        ['APP_KEY', seeded.keyId],
        ['CONNECTION', connectionId],
        ['GRANT', otherGrantId],
        ['KEPT_TOKENS', jobId],
        ['SUBJECT', scopeId],
      ].sort(),
    );
  });

  test('are not written if the transaction rolls back', async ({ sql }) => {
    const seeded = await seedApp(sql);
    const undone = sql.begin(async (tx) => {
      await revokeKey(tx, seeded.keyId);
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    expect(await listJournalEntries(sql, 10)).toEqual([]);
  });
});

describe('keeping the journal', () => {
  test('writes each entry once, numbered without a gap, when several processes write at once', async ({
    sql,
    journal,
  }) => {
    const ids = uuids(25);
    await note(sql, ...ids);
    const keeper = createJournalKeeper(sql, journal);
    await Promise.all(Array.from({ length: 5 }, () => keeper.ship()));
    await note(sql, ...uuids(5));
    await keeper.ship();
    expect(await listJournalEntries(sql, 10)).toEqual([]);
    expect(await getJournalPosition(sql)).toBe(30);
    const batch = await journal.read(1);
    expect(batch?.map(({ number }) => number)).toEqual(ids.map((_, index) => index + 1));
    expect(batch?.map(({ id }) => id).sort()).toEqual([...ids].sort());
    expect(await journal.read(26)).toHaveLength(5);
    await keeper.check();
  });

  test('writes a fact that is committed while another call writes, before its own call returns', async ({
    sql,
    journal,
  }) => {
    const [writing, goOn] = [gate(), gate()];
    const slow: Journal = {
      ...journal,
      append: async (lines) => {
        writing.open();
        await goOn.opened;
        await journal.append(lines);
      },
    };
    const keeper = createJournalKeeper(sql, slow);
    await note(sql, ...uuids(1));
    const first = keeper.ship();
    await writing.opened;
    const late = uuids(1);
    await note(sql, ...late);
    const second = keeper.ship();
    goOn.open();
    await Promise.all([first, second]);
    expect((await journal.read(2))?.map(({ id }) => id)).toEqual(late);
  });

  test('continues after a crash between line and commit, without mistaking it for a restore', async ({
    sql,
    journal,
  }) => {
    await note(sql, ...uuids(3));
    const crashing: Journal = {
      ...journal,
      append: async (lines) => {
        await journal.append(lines);
        throw new Error('crashed');
      },
    };
    await expect(createJournalKeeper(sql, crashing).ship()).rejects.toThrow('crashed');
    const keeper = createJournalKeeper(sql, journal);
    await keeper.check();
    await note(sql, ...uuids(1));
    await keeper.ship();
    expect(await journal.read(1)).toHaveLength(3);
    expect((await journal.read(4))?.map(({ number }) => number)).toEqual([4]);
    expect(await getJournalPosition(sql)).toBe(4);
  });

  test('keeps the entries while the journal is not writable', async ({ sql, journal }) => {
    await note(sql, ...uuids(2));
    const full: Journal = { ...journal, append: async () => Promise.reject(new Error('no space')) };
    await expect(createJournalKeeper(sql, full).ship()).rejects.toThrow('no space');
    expect(await listJournalEntries(sql, 10)).toHaveLength(2);
  });

  test('refuses a database that is older than the journal, and adds no line', async ({ sql, journal }) => {
    const keeper = createJournalKeeper(sql, journal);
    await note(sql, ...uuids(2));
    await keeper.ship();
    await journal.append([journalLine(3), journalLine(4)]); // A time that this database has never seen.
    await expect(keeper.check()).rejects.toThrow(/older than the erasure journal: it lacks 2 /);
    await note(sql, ...uuids(1));
    await expect(keeper.ship()).rejects.toThrow(StaleDatabaseError);
    expect(await journal.lastNumber()).toBe(4);
  });

  test('refuses the journal of another database, or an incomplete one', async ({ sql, journal }) => {
    await sql`update journal_state set last_number = 7`;
    const keeper = createJournalKeeper(sql, journal);
    await expect(keeper.check()).rejects.toThrow(/ends with line 0, but this database knows of line 7/);
    await journal.append([journalLine(9)]);
    await expect(keeper.check()).rejects.toThrow(/lacks its line 8/);
  });

  test('does nothing without a directory', async ({ sql }) => {
    await note(sql, ...uuids(1));
    const keeper = createJournalKeeper(sql, undefined);
    await keeper.ship();
    await keeper.check();
    expect(await listJournalEntries(sql, 10)).toHaveLength(1);
  });
});

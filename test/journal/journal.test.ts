import { randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import { StaleDatabaseError } from '../../src/basics/errors.ts';
import type { ConnectionId, GrantId } from '../../src/basics/ids.ts';
import type { Journal } from '../../src/journal/journal.ts';
import { createJournalKeeper } from '../../src/journal/keep.ts';
import { getJournalPosition, journalLine, listJournalEntries, journalTest as test } from '../kit/journal.ts';
import { type Database, inTransaction } from '../kit/postgres.ts';
import {
  insertAdminToken,
  moveConnection,
  moveGrantToDead,
  revokeAdminToken,
  revokeKey,
  seedApp,
  seedConnection,
  seedScope,
} from '../kit/seed.ts';

const note = async (sql: Database, ...ids: string[]) => {
  for (const id of ids) await sql`insert into journal_entry (kind, id) values ('GRANT', ${id})`;
};
const grantOf = async (sql: Database, connectionId: ConnectionId) =>
  (await sql`select grant_id from account_grant where connection_id = ${connectionId}`)[0]?.grantId as GrantId;
const uuids = (count: number) => Array.from({ length: count }, () => randomUUID());

test('facts that a backup must not undo are written in the transaction of the change, by any role', async ({ sql }) => {
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

describe('keeping the journal', () => {
  test('writes each entry once, numbered without a gap, if processes write at once', async ({ sql, journal }) => {
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

  test('continues after a crash between line and commit, and takes it for no restore', async ({ sql, journal }) => {
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
});

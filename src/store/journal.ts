import { z } from 'zod';
import type { AdminTokenId, KeyId } from '../basics/ids.ts';
import type { Sql, Transaction } from './driver/sql.ts';
import { getValue, hasRows, listRows } from './rows.ts';

/**
 * Facts that a restored backup must not undo. Triggers write each in the transaction that creates it.
 * @later keep a fact when a backup is restored: a trigger that calls `journal_fact` with a kind
 */
export const JOURNAL_KINDS = ['CONNECTION', 'GRANT', 'KEPT_TOKENS', 'SUBJECT', 'APP_KEY', 'ADMIN_TOKEN'] as const;

const Entry = z.object({
  entryId: z.string(),
  kind: z.enum(JOURNAL_KINDS),
  /** The id of the row that the fact concerns. */
  id: z.string(),
  happenedAt: z.date(),
});
type JournalEntry = z.infer<typeof Entry>;

/** The number of the last line known to be in the journal; 0 before the first. */
export async function getJournalPosition(sql: Sql): Promise<number> {
  return await getValue(sql, z.coerce.number())`select last_number from journal_state`;
}

/** The same, locked: no other process writes to the journal until the transaction ends. */
export async function lockJournalPosition(tx: Transaction): Promise<number> {
  return await getValue(tx, z.coerce.number())`select last_number from journal_state for no key update`;
}

export async function updateJournalPosition(tx: Transaction, lastNumber: number): Promise<void> {
  await tx`update journal_state set last_number = ${lastNumber}`;
}

/** Facts not known to be in the journal, oldest first. */
export async function listJournalEntries(sql: Sql, limit: number): Promise<JournalEntry[]> {
  return await listRows(sql, Entry)`
    select entry_id, kind, id, happened_at from journal_entry order by happened_at, entry_id limit ${limit}
  `;
}

export async function hasJournalEntries(sql: Sql): Promise<boolean> {
  return await hasRows(sql)`select from journal_entry limit 1`;
}

/** @returns the number of deleted entries. */
export async function deleteJournalEntries(tx: Transaction, entryIds: readonly string[]): Promise<number> {
  const { count } = await tx`delete from journal_entry where entry_id = any(${[...entryIds]}::uuid[])`;
  return count;
}

/** Position and known entries from one snapshot. */
export async function getJournalState(
  sql: Sql,
  entryIds: readonly string[],
): Promise<{ lastNumber: number; known: ReadonlySet<string> }> {
  const [row] = await sql`
    select last_number, array(
      select entry_id::text from journal_entry where entry_id = any(${[...entryIds]}::uuid[])
    ) as known
    from journal_state
  `;
  return { lastNumber: Number(row?.lastNumber), known: new Set(row?.known as string[]) };
}

/** Revokes a credential that is revoked in the journal. @returns false if it is revoked, or gone. */
export async function repeatRevocation(
  tx: Transaction,
  { keyId = null, tokenId = null }: { keyId?: KeyId | null; tokenId?: AdminTokenId | null },
): Promise<boolean> {
  return await getValue(tx, z.boolean())`select repeat_revocation(${keyId}, ${tokenId})`;
}

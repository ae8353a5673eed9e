import { randomBytes, randomUUID } from 'node:crypto';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import type { JournalLine } from '../../src/journal/files.ts';
import { createMac, type Mac } from '../../src/vault/mac.ts';

/** A key of a set. */
const newKey = (kid: string) => ({ kty: 'oct', kid, k: randomBytes(32).toString('base64url') });
export const [OLD_KEY, NEW_KEY] = [newKey('old'), newKey('new')] as const;
export const macOf = (...keys: readonly { kid: string; k: string }[]): Mac => createMac({ keys: [...keys] });
export const journalMac = macOf(OLD_KEY);

/** A line about a grant that nobody has. */
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

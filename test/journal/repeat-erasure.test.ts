import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { type ConnectionId, newId } from '../../src/basics/ids.ts';
import { repeatErasure } from '../../src/domain/disconnecting/repeat-erasure.ts';
import type { JournalLine } from '../../src/journal/files.ts';
import { type Stage, stageTest as test } from '../kit/activity-stage.ts';
import { inTransaction } from '../kit/postgres.ts';

const NUMBER = 5;
/** The lane for bulk, as the outbox stores it. */
const BULK = 3;

const lineOf = (kind: JournalLine['kind'], id: string): JournalLine => ({
  kind,
  id,
  number: NUMBER,
  at: new Date().toISOString(),
  entryId: randomUUID(),
});

/** Repeats a line of the journal. */
const repeat = (
  { sql, deps }: Stage,
  kind: JournalLine['kind'],
  id: string,
  endOf: ReadonlyMap<string, number> = new Map(),
) => inTransaction(sql, (tx) => repeatErasure({ ...deps, endOf }, tx, lineOf(kind, id)));

const listDispatches = ({ sql }: Stage, connectionId: ConnectionId) =>
  sql`select restart, lane from outbox where workflow_id = ${`disconnect/${connectionId}`}`;

test('the repetition of a disconnect starts it once', async ({ sql, stage }) => {
  const { connectionId } = await stage.newConnection();
  expect(await repeat(stage, 'CONNECTION', connectionId)).toBe(true);
  expect(await listDispatches(stage, connectionId)).toEqual([{ restart: true, lane: BULK }]);
  await sql`delete from outbox where workflow_id = ${`disconnect/${connectionId}`}`;
  expect(await repeat(stage, 'CONNECTION', connectionId)).toBe(false);
  expect(await listDispatches(stage, connectionId)).toEqual([]);
  expect(await repeat(stage, 'CONNECTION', newId())).toBe(false);
});

test.for([
  ['PENDING', true, 'DEAD'],
  ['LIVE', true, 'DEAD'],
  ['REVOKING', false, 'REVOKING'],
  ['DEAD', false, 'DEAD'],
] as const)('the repeated end of a grant that is %s: %s', async ([status, isRepeated, after], { sql, stage }) => {
  const { grantId } = await stage.newConnection();
  if (status !== 'LIVE')
    await sql`
      update account_grant set status = ${status}, connection_id = null,
        sealed_tokens = case ${status} when 'DEAD' then null else sealed_tokens end
      where grant_id = ${grantId}
    `;
  expect(await repeat(stage, 'GRANT', grantId)).toBe(isRepeated);
  expect(await stage.grant(grantId)).toMatchObject({ status: after });
  expect(await repeat(stage, 'GRANT', newId())).toBe(false);
});

test('the repeated erasure of a subject is the first one, of a subject that is there', async ({ stage }) => {
  const scopeId = await stage.newScopeId();
  expect(await repeat(stage, 'SUBJECT', scopeId)).toBe(true);
  expect(await repeat(stage, 'SUBJECT', scopeId)).toBe(false);
  expect(await repeat(stage, 'SUBJECT', newId())).toBe(false);
});

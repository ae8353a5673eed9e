import { expect } from 'vitest';
import { type AdminTokenId, newId } from '../../src/basics/ids.ts';
import { needsFreshSignIn } from '../../src/domain/rules/fresh-sign-in.ts';
import type { Operation } from '../../src/domain/rules/roles.ts';
import { type Database, inTransaction } from '../../src/store/driver/sql.ts';
import { asApi, test } from '../kit/postgres.ts';

/** Acts of a new operator in the last hour. @returns whether the next one needs a fresh sign-in. */
async function needs(sql: Database, next: Operation, acts: readonly (readonly [count: number, action: Operation])[]) {
  const tokenId = newId<AdminTokenId>();
  const actor = `token:${tokenId}`;
  for (const [count, action] of acts) {
    await sql`
      insert into audit_log (actor, action, outcome) select ${actor}, ${action}, 'DONE' from generate_series(1, ${count})
    `;
  }
  const operator = { tokenId, openidSub: null, actor };
  return await inTransaction(asApi(sql), (tx) => needsFreshSignIn(tx, next, operator));
}

test.for<[Operation, number, Operation, boolean]>([
  ['disableApp', 2, 'pauseRegistration', false], // Both stop something: three within an hour.
  ['disableApp', 3, 'pauseRegistration', true],
  ['disableApp', 9, 'disconnectConnection', false], // That ends one: ten within an hour.
  ['disconnectConnection', 9, 'disconnectConnection', false],
  ['disconnectConnection', 10, 'disconnectConnection', true],
  ['disconnectConnection', 9, 'createApp', false],
  ['createApp', 999, 'disconnectConnection', false],
  ['createApp', 1_000, 'disconnectConnection', true], // Nobody does that by hand.
  ['createApp', 1_000, 'createApp', false],
  ['createApp', 0, 'eraseSubject', true],
  ['createApp', 0, 'issueKey', true],
])(
  'after %s, %i times, an operator who wants to %s signs in again: %s',
  async ([action, count, next, fresh], { sql }) => {
    expect(await needs(sql, next, [[count, action]])).toBe(fresh);
  },
);

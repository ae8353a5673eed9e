import { randomUUID } from 'node:crypto';
import { expect, onTestFinished } from 'vitest';
import { type CorrelationId, newId } from '../../src/basics/ids.ts';
import { insertAdminToken } from '../../src/store/operators/admin-tokens.ts';
import { insertAuditEntry, listAuditChoices, listAuditEntries } from '../../src/store/operators/audit-log.ts';
import { createTestDatabase, test } from '../kit/postgres.ts';

test('entries come newest first, a page at a time, as the filter asks', async ({ sql }) => {
  const [target, first, second] = [randomUUID(), newId<CorrelationId>(), newId<CorrelationId>()];
  const entries = [
    ['a', 'DONE', first],
    ['b', 'FAILED', second],
    ['c', 'DONE', second],
    ['d', 'REFUSED', first],
  ] as const;
  for (const [action, outcome, correlationId] of entries)
    await insertAuditEntry(sql, { actor: 'command line', action, target, outcome, correlationId });
  await insertAuditEntry(sql, { actor: 'command line', action: 'x', target: randomUUID(), outcome: 'DONE' });
  const list = async (filter: object, limit = 10) => {
    const all = { actor: null, action: null, outcome: null, targets: [target], ...filter };
    const found = await listAuditEntries(sql, all, { limit, position: null });
    return found.map(({ action }) => action).join('');
  };
  expect(await list({})).toBe('dcba');
  expect(await list({}, 3)).toBe('dcb');
  expect(await list({ outcome: 'DONE' })).toBe('ca');
  expect(await list({ outcome: 'FAILED' })).toBe('b');
  expect(await list({ correlationId: first })).toBe('da');
  expect(await list({ correlationId: second, outcome: 'DONE' })).toBe('c');
});

test('the choices are the first 500 actions, and the operators by label, then by name', async () => {
  const { sql, drop } = await createTestDatabase(); // It lists the entries of everybody.
  onTestFinished(drop);
  const expiresAt = new Date(Date.now() + 3_600_000);
  const insert = async (label: string) =>
    `token:${(await insertAdminToken(sql, { label, role: 'ADMIN', expiresAt })).tokenId}`;
  const twins = [await insert('Twin'), await insert('Twin'), await insert('Twin')].sort();
  const [a, b, c] = twins as [string, string, string];
  const first = await insert('First');
  for (const actor of [c, a, first, b, c, a])
    await sql`insert into audit_log (actor, action, outcome) values (${actor}, 'action 500', 'DONE')`;
  await sql`
    insert into audit_log (actor, action, outcome)
    select ${first}, 'action ' || n, 'DONE' from generate_series(700, 200, -1) as n
  `;
  const { actors, actions } = await listAuditChoices(sql);
  expect(actors).toEqual([
    { actor: first, actorLabel: 'First' },
    ...twins.map((actor) => ({ actor, actorLabel: 'Twin' })),
  ]);
  expect(actions).toEqual(Array.from({ length: 500 }, (_, index) => `action ${200 + index}`));
});

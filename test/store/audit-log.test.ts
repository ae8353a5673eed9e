import { expect, onTestFinished } from 'vitest';
import { insertAdminToken } from '../../src/store/operators/admin-tokens.ts';
import { listAuditChoices } from '../../src/store/operators/audit-log.ts';
import { createTestDatabase, test } from '../kit/postgres.ts';

test('the choices are the first 500 actions, and the operators by label, then by name', async () => {
  const { sql, drop } = await createTestDatabase(); // It lists the entries of all operators.
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

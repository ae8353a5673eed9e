import { randomBytes, randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import type { ScopeId } from '../../src/basics/ids.ts';
import { deleteUnusedScopes, eraseConnection } from '../../src/store/connections/disconnects.ts';
import { type Database, inTransaction } from '../../src/store/driver/sql.ts';
import { businessNow } from '../kit/clock.ts';
import { test } from '../kit/postgres.ts';
import { type SeededApp, seedApp, seedConnection, seedScope } from '../kit/seed.ts';
import { answerAttempt, seedAttempt } from '../kit/seed-attempts.ts';
import { insertRow } from '../kit/seed-jobs.ts';

/** A grant that no connection uses, unless one is given. */
async function insertGrant(sql: Database, seeded: SeededApp, scopeId: ScopeId, status: string, row: object = {}) {
  const grantId = randomUUID();
  await insertRow(sql, 'account_grant', {
    ...{ grantId, attemptId: randomUUID(), scopeId, provider: 'PROVIDER_B', status, permissions: ['read'] },
    ...{ registrationId: seeded.registrations.PROVIDER_B, obtainedAt: await businessNow(sql) },
    ...{ sealedTokens: status === 'DEAD' ? null : 'sealed', principalMac: randomBytes(32), ...row },
  });
  return grantId;
}

describe('an erase', () => {
  test('deletes the connection, and grants of its person that nothing uses', async ({ sql }) => {
    const seeded = await seedApp(sql);
    const [scope, otherScope] = [seeded.newScope(), seeded.newScope()];
    const [scopeId, otherId] = [await seedScope(sql, seeded, scope), await seedScope(sql, seeded, otherScope)];
    const make = (status: 'DELETING' | 'DISCONNECTED') => seedConnection(sql, seeded, { scope, status });
    const [erased, disconnected, deleting] = [
      await make('DELETING'),
      await make('DISCONNECTED'),
      await make('DELETING'),
    ];
    const { attemptId } = await seedAttempt(sql, seeded, { scopeId }, answerAttempt);
    const canceled = await seedAttempt(sql, seeded, { scopeId });
    await sql`
      update connect_attempt set status = 'CANCELED', finished_at = business_now() where attempt_id = ${canceled.attemptId}
    `;
    const kept = [
      await insertGrant(sql, seeded, scopeId, 'DEAD', { attemptId }),
      await insertGrant(sql, seeded, scopeId, 'PENDING'),
      await insertGrant(sql, seeded, scopeId, 'REVOKING'),
      await insertGrant(sql, seeded, scopeId, 'DEAD', { connectionId: deleting }),
      await insertGrant(sql, seeded, otherId, 'DEAD'),
    ];
    const gone = [
      await insertGrant(sql, seeded, scopeId, 'DEAD', { attemptId: canceled.attemptId }),
      await insertGrant(sql, seeded, scopeId, 'DEAD'),
    ];
    await inTransaction(sql, (tx) => eraseConnection(tx, disconnected));
    await inTransaction(sql, (tx) => eraseConnection(tx, erased));
    const connections = await sql`select connection_id from connection where scope_id = ${scopeId}`;
    expect(connections.map((row) => row.connectionId).sort()).toEqual([disconnected, deleting].sort());
    const grants = await sql`select grant_id from account_grant where grant_id = any(${[...kept, ...gone]}::uuid[])`;
    expect(grants.map((row) => row.grantId).sort()).toEqual([...kept].sort());
  });

  test('deletes a scope that nothing refers to', async ({ sql }) => {
    const seeded = await seedApp(sql);
    const make = async () => {
      const scope = seeded.newScope();
      return { scope, scopeId: await seedScope(sql, seeded, scope) };
    };
    const [connected, tried, granted] = [await make(), await make(), await make()];
    const [unused, unasked] = [await make(), await make()];
    for (let n = 0; n < 2; n += 1) {
      const id = await seedConnection(sql, seeded, { scope: connected.scope });
      await sql`delete from account_grant where connection_id = ${id}`;
      await seedAttempt(sql, seeded, { scopeId: tried.scopeId });
      await insertGrant(sql, seeded, granted.scopeId, 'DEAD');
    }
    const kept = [connected, tried, granted].map(({ scopeId }) => scopeId);
    await deleteUnusedScopes(sql, [...kept, unused.scopeId]);
    const rows = await sql`
      select scope_id from scope where scope_id = any(${[...kept, unused.scopeId, unasked.scopeId]}::uuid[])
    `;
    expect(rows.map((row) => row.scopeId).sort()).toEqual([...kept, unasked.scopeId].sort());
  });
});

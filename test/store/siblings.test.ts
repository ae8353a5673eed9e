import { randomBytes } from 'node:crypto';
import { describe, expect } from 'vitest';
import { type ConnectionId, type JobId, newId } from '../../src/basics/ids.ts';
import { moveConnection } from '../../src/store/connections/connections.ts';
import { listSiblings } from '../../src/store/connections/siblings.ts';
import { type Database, inTransaction } from '../../src/store/driver/sql.ts';
import { moveGrantToDead } from '../../src/store/grants/grant-end.ts';
import { findGrantOfConnection } from '../../src/store/grants/grants.ts';
import { asWorker, test } from '../kit/postgres.ts';
import { type SeedConnection, seedApp, seedConnection, seedScope } from '../kit/seed.ts';

async function openPerson(sql: Database) {
  const seeded = await seedApp(sql);
  const scope = seeded.newScope();
  const connect = (options: Partial<SeedConnection> = {}) => seedConnection(sql, seeded, { scope, ...options });
  const elsewhere = (options: Partial<SeedConnection> = {}) => connect({ scope: seeded.newScope(), ...options });
  return { seeded, scopeId: await seedScope(sql, seeded, scope), connect, elsewhere };
}

/** Ends the grant of a connection. It keeps the principal. */
async function _endGrant(sql: Database, connectionId: ConnectionId, to: 'CONNECTED' | 'RECONNECT_REQUIRED') {
  const grant = (await findGrantOfConnection(sql, connectionId)) ?? expect.fail('There is no grant.');
  await inTransaction(sql, (tx) => moveGrantToDead(tx, grant.grantId));
  if (to === 'CONNECTED') await moveConnection(sql, connectionId, to);
}

describe('siblings of a connection', () => {
  test('are verified after the revoke: suspended ones beside it, and those of its principal', async ({ sql }) => {
    const { scopeId, connect, elsewhere } = await openPerson(sql);
    const principalMac = randomBytes(32);
    const beside = await connect({ status: 'SUSPENDED' });
    const inUse = await connect(); // No revoke held it.
    await connect({ provider: 'PROVIDER_A', status: 'SUSPENDED' });
    await elsewhere({ status: 'SUSPENDED' });
    const samePrincipal = [await elsewhere({ principalMac }), await elsewhere({ principalMac, status: 'SUSPENDED' })];
    await elsewhere({ principalMac, status: 'DISCONNECTED' });
    const found = await listSiblings(
      asWorker(sql),
      { jobId: newId(), scopeId, provider: 'PROVIDER_B', principalMac },
      [],
    );
    expect(new Set(found)).toEqual(new Set([beside, ...samePrincipal]));
    const unknown = { jobId: newId<JobId>(), scopeId, provider: 'PROVIDER_B', principalMac: null } as const;
    expect(new Set(await listSiblings(asWorker(sql), unknown, []))).toEqual(new Set([beside, inUse]));
  });
});

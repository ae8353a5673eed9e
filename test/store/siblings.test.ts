import { randomBytes } from 'node:crypto';
import { describe, expect } from 'vitest';
import { type JobId, newId } from '../../src/basics/ids.ts';
import { listSiblings } from '../../src/store/connections/siblings.ts';
import type { Database } from '../../src/store/driver/sql.ts';
import { asWorker, test } from '../kit/postgres.ts';
import { type SeedConnection, seedApp, seedConnection, seedScope } from '../kit/seed.ts';

async function openPerson(sql: Database) {
  const seeded = await seedApp(sql);
  const scope = seeded.newScope();
  const connect = (options: Partial<SeedConnection> = {}) => seedConnection(sql, seeded, { scope, ...options });
  const elsewhere = (options: Partial<SeedConnection> = {}) => connect({ scope: seeded.newScope(), ...options });
  return { seeded, scopeId: await seedScope(sql, seeded, scope), connect, elsewhere };
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

import { describe, expect } from 'vitest';
import type { ConnectionId } from '../../src/basics/ids.ts';
import { insertTenant } from '../../src/store/apps/tenants.ts';
import { lockConnectionById, lockConnectionOfScope } from '../../src/store/connections/connections.ts';
import { type Database, inTransaction } from '../../src/store/driver/sql.ts';
import type { SubjectScope } from '../../src/store/scopes.ts';
import { beside, hold } from '../kit/beside.ts';
import { asApi, asWorker, test } from '../kit/postgres.ts';
import { seedApp, seedConnection } from '../kit/seed.ts';

/** Three persons with a connection each: two of one tenant, and one of the same name of another tenant. */
async function openPersons(sql: Database) {
  const seeded = await seedApp(sql);
  await insertTenant(sql, seeded.app.appId, 'another');
  const scope = seeded.newScope();
  const connect = (of: SubjectScope) => seedConnection(sql, seeded, { scope: of });
  const neighbour = seeded.newScope();
  const namesake = { ...scope, tenantKey: 'another' };
  const [own, second] = [await connect(scope), await connect(scope)];
  for (const of of [neighbour, namesake]) await connect(of);
  return { appId: seeded.app.appId, scope, neighbour, namesake, own, second };
}

describe('a connection that an app asks for', () => {
  test('is locked alone, and by its own person alone', async ({ sql }) => {
    const { appId, scope, neighbour, namesake, own, second } = await openPersons(sql);
    const lockedWhile = async (held: ConnectionId, by: SubjectScope) => {
      const lock = () => inTransaction(asApi(sql), (tx) => lockConnectionOfScope(tx, { appId, scope: by, id: own }));
      const { waited, result } = await beside(sql, hold('connection', 'connection_id', held), lock);
      return { waited, found: result.connection?.connectionId };
    };
    expect(await lockedWhile(own, scope)).toEqual({ waited: true, found: own });
    expect(await lockedWhile(second, scope)).toEqual({ waited: false, found: own });
    for (const by of [neighbour, namesake])
      expect(await lockedWhile(own, by)).toEqual({ waited: false, found: undefined });
    const lockById = () => inTransaction(asWorker(sql), (tx) => lockConnectionById(tx, own));
    expect(await beside(sql, hold('connection', 'connection_id', second), lockById)).toMatchObject({ waited: false });
  });
});

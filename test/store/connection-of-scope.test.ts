import { describe, expect } from 'vitest';
import { type ConnectionId, newId } from '../../src/basics/ids.ts';
import { insertTenant } from '../../src/store/apps/tenants.ts';
import {
  findConnectionOfScope,
  lockConnectionById,
  lockConnectionOfScope,
} from '../../src/store/connections/connections.ts';
import { readContentListing } from '../../src/store/content/listing.ts';
import { type Database, inTransaction } from '../../src/store/driver/sql.ts';
import type { SubjectScope } from '../../src/store/scopes.ts';
import { beside, hold } from '../kit/beside.ts';
import { businessNow, DAY_MS } from '../kit/clock.ts';
import { asApi, asWorker, test } from '../kit/postgres.ts';
import { seedApp, seedConnection, seedContent } from '../kit/seed.ts';

/** Three persons with a connection each: two of one tenant, and one of the same name of another tenant. */
async function openPersons(sql: Database) {
  const seeded = await seedApp(sql);
  await insertTenant(sql, seeded.app.appId, 'another');
  const scope = seeded.newScope();
  const connect = (of: SubjectScope) => seedConnection(sql, seeded, { scope: of });
  const neighbour = seeded.newScope();
  const namesake = { ...scope, tenantKey: 'another' };
  const [own, second] = [await connect(scope), await connect(scope)];
  const others = [await connect(neighbour), await connect(namesake)] as const;
  return { appId: seeded.app.appId, scope, neighbour, namesake, own, second, others };
}

describe('a connection that an app asks for', () => {
  test('is found by its own person alone', async ({ sql }) => {
    const { appId, scope, neighbour, namesake, own, second, others } = await openPersons(sql);
    const now = await businessNow(sql);
    for (const id of [own, second, ...others]) await seedContent(sql, id, { publishedAt: now });
    const range = {
      publishedAfter: new Date(now.getTime() - DAY_MS),
      publishedBefore: new Date(now.getTime() + DAY_MS),
      limit: 9,
      after: null,
    };
    const ask = async (by: SubjectScope, id: ConnectionId | undefined) => {
      const asked = { appId, scope: by, id };
      const listing = await readContentListing(asApi(sql), { ...asked, ...range });
      const found = [
        await findConnectionOfScope(asApi(sql), asked),
        await inTransaction(asApi(sql), (tx) => lockConnectionOfScope(tx, asked)),
        listing,
      ];
      expect(listing.items).toHaveLength(listing.connection ? 1 : 0);
      return found.map(({ connection, tenantRegistered }) => connection?.connectionId ?? tenantRegistered);
    };
    const thrice = <T>(value: T) => [value, value, value];
    expect(await ask(scope, own)).toEqual(thrice(own));
    expect(await ask(scope, second)).toEqual(thrice(second));
    // To others it looks like one that there never was.
    for (const id of [...others, newId<ConnectionId>(), undefined]) expect(await ask(scope, id)).toEqual(thrice(true));
    for (const by of [neighbour, namesake]) expect(await ask(by, own)).toEqual(thrice(true));
    expect(await ask({ ...scope, tenantKey: 'unknown' }, own)).toEqual(thrice(false));
  });

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

import { randomBytes } from 'node:crypto';
import { describe, expect } from 'vitest';
import { type ConnectionId, type CorrelationId, type JobId, newId } from '../../src/basics/ids.ts';
import { findAdminConnection } from '../../src/store/connections/admin-connections.ts';
import { moveConnection } from '../../src/store/connections/connections.ts';
import { deleteUnusedScopes, startDisconnect } from '../../src/store/connections/disconnects.ts';
import {
  isPrincipalDisconnecting,
  listSiblings,
  lockConnectionWithSiblings,
  resumeSibling,
  suspendConnections,
} from '../../src/store/connections/siblings.ts';
import { type Database, inTransaction } from '../../src/store/driver/sql.ts';
import { moveGrantToDead } from '../../src/store/grants/grant-end.ts';
import { findGrantOfConnection } from '../../src/store/grants/grants.ts';
import { businessNow } from '../kit/clock.ts';
import { asApi, asWorker, test } from '../kit/postgres.ts';
import { at, type SeedConnection, seedApp, seedConnection, seedScope } from '../kit/seed.ts';

async function openPerson(sql: Database) {
  const seeded = await seedApp(sql);
  const scope = seeded.newScope();
  const connect = (options: Partial<SeedConnection> = {}) => seedConnection(sql, seeded, { scope, ...options });
  const elsewhere = (options: Partial<SeedConnection> = {}) => connect({ scope: seeded.newScope(), ...options });
  return { seeded, scopeId: await seedScope(sql, seeded, scope), connect, elsewhere };
}

/** Ends the grant of a connection. It keeps the principal. */
async function endGrant(sql: Database, connectionId: ConnectionId, to: 'CONNECTED' | 'RECONNECT_REQUIRED') {
  const grant = (await findGrantOfConnection(sql, connectionId)) ?? expect.fail('There is no grant.');
  await inTransaction(sql, (tx) => moveGrantToDead(tx, grant.grantId));
  if (to === 'CONNECTED') await moveConnection(sql, connectionId, to);
}

describe('siblings of a connection', () => {
  test('are those of its scope and platform, and of its principal anywhere', async ({ sql }) => {
    const { scopeId, connect, elsewhere } = await openPerson(sql);
    const principalMac = randomBytes(32);
    const connectionId = await connect({ principalMac });
    const beside = await connect();
    const samePrincipal = await elsewhere({ principalMac });
    await connect({ provider: 'PROVIDER_A' });
    await connect({ status: 'SUSPENDED' });
    await elsewhere();
    const found = await inTransaction(asApi(sql), (tx) =>
      lockConnectionWithSiblings(tx, { connectionId, scopeId, provider: 'PROVIDER_B' }, []),
    );
    expect(found).toEqual([beside, samePrincipal].sort());
  });

  test('are not those by a grant that has ended', async ({ sql }) => {
    const { connect, elsewhere, scopeId } = await openPerson(sql);
    const principalMac = randomBytes(32);
    const [connectionId, other] = [await connect({ principalMac }), await elsewhere({ principalMac })];
    const ended = await elsewhere({ principalMac });
    await endGrant(sql, ended, 'CONNECTED');
    const lock = () =>
      inTransaction(asApi(sql), (tx) =>
        lockConnectionWithSiblings(tx, { connectionId, scopeId, provider: 'PROVIDER_B' }, []),
      );
    const list = () =>
      listSiblings(asWorker(sql), { jobId: newId(), scopeId, provider: 'PROVIDER_B', principalMac }, []);
    expect(await lock()).toEqual([other]);
    expect((await list()).sort()).toEqual([connectionId, other].sort());
    await endGrant(sql, connectionId, 'RECONNECT_REQUIRED');
    expect(await lock()).toEqual([]);
    expect(await list()).toEqual([other]);
  });

  test('are on hold from a disconnect on until they resume', async ({ sql }) => {
    const { connect } = await openPerson(sql);
    const now = await businessNow(sql);
    const make = (options = {}) => at(sql, now, 0, () => connect(options));
    const [first, second, beside] = [await make(), await make(), await make()];
    const lost = await make({ status: 'RECONNECT_REQUIRED' });
    const shown = async (connectionId: ConnectionId) => {
      const found = await findAdminConnection(sql, connectionId);
      return [found?.status, Number(found?.changedAt) - now.getTime()];
    };
    await at(sql, now, 1, () => inTransaction(asApi(sql), (tx) => suspendConnections(tx, [first, second, lost])));
    for (const id of [first, second]) expect(await shown(id)).toEqual(['SUSPENDED', 1]);
    await at(sql, now, 2, () => inTransaction(asWorker(sql), (tx) => resumeSibling(tx, first, async () => [])));
    expect(await shown(first)).toEqual(['CONNECTED', 2]);
    expect(await shown(second)).toEqual(['SUSPENDED', 1]);
    expect(await shown(beside)).toEqual(['CONNECTED', 0]);
    expect(await shown(lost)).toEqual(['RECONNECT_REQUIRED', 0]);
  });

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

  test('resume unless a revoke of their scope and platform, or of their principal, is open', async ({ sql }) => {
    const { connect, elsewhere } = await openPerson(sql);
    const principalMac = randomBytes(32);
    const resume = (connectionId: ConnectionId) =>
      inTransaction(asWorker(sql), (tx) => resumeSibling(tx, connectionId, async () => []));
    expect(await resume(newId<ConnectionId>())).toBe(false);
    const free = await connect({ status: 'SUSPENDED' });
    const besideAnother = await connect({ status: 'SUSPENDED', provider: 'PROVIDER_A' });
    const held = await elsewhere({ status: 'SUSPENDED', principalMac });
    expect(await isPrincipalDisconnecting(sql, { principalMac, providerAccountId: null, reached: [] })).toBe(false);
    expect(await resume(free)).toBe(true);
    expect(await resume(free)).toBe(false);
    const disconnected = await connect({ status: 'DISCONNECTED', principalMac });
    const heldToo = await connect({ status: 'SUSPENDED' });
    expect(await isPrincipalDisconnecting(sql, { principalMac, providerAccountId: null, reached: [] })).toBe(true);
    expect([await resume(held), await resume(heldToo), await resume(besideAnother)]).toEqual([false, false, true]);
    await endGrant(sql, disconnected, 'RECONNECT_REQUIRED'); // As a settled revoke does.
    expect(await isPrincipalDisconnecting(sql, { principalMac, providerAccountId: null, reached: [] })).toBe(false);
    expect(await isPrincipalDisconnecting(sql, { principalMac: null, providerAccountId: null, reached: [] })).toBe(
      false,
    );
    expect(await resume(held)).toBe(true);
  });
});

test('a disconnect that is requested again has the receipts of the first', async ({ sql }) => {
  const { scopeId, connect } = await openPerson(sql);
  const [connectionId, other] = [await connect(), await connect()];
  const start = (id: ConnectionId | undefined) =>
    inTransaction(asApi(sql), (tx) =>
      startDisconnect(
        tx,
        { scopeId, scopeMac: randomBytes(32) },
        id,
        { reason: 'APP', correlationId: newId<CorrelationId>() },
        {
          spares: false,
          listAccountMacs: () => [],
        },
      ),
    );
  const first = await start(connectionId);
  await start(other);
  expect(first).toMatchObject({ started: true, revokeSettledWell: false });
  const { revokeJobId, eraseJobId } = first ?? expect.fail('It was not disconnected.');
  expect(await start(connectionId)).toMatchObject({
    connection: { connectionId, status: 'DISCONNECTED' },
    revokeJobId,
    eraseJobId,
    revokeSettledWell: false,
    started: false,
    canceledReads: [],
  });
  expect(await start(newId<ConnectionId>())).toBeUndefined();
});

test('a scope is deleted once nothing uses it, and no other', async ({ sql }) => {
  const { seeded, scopeId, connect } = await openPerson(sql);
  await connect();
  const [unused, other] = [
    await seedScope(sql, seeded, seeded.newScope()),
    await seedScope(sql, seeded, seeded.newScope()),
  ];
  await deleteUnusedScopes(asWorker(sql), [scopeId, unused]);
  const rows = await sql`select scope_id from scope where scope_id = any(${[scopeId, unused, other]}::uuid[])`;
  expect(new Set(rows.map((row) => row.scopeId))).toEqual(new Set([scopeId, other]));
});

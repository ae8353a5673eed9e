import { describe, expect } from 'vitest';
import type { ConnectionId } from '../../src/basics/ids.ts';
import { listConnections, updateCapability, withdrawCapabilities } from '../../src/store/connections/connections.ts';
import { type Database, inTransaction } from '../../src/store/driver/sql.ts';
import { moveGrantToDead } from '../../src/store/grants/grant-end.ts';
import { findGrantOfConnection } from '../../src/store/grants/grants.ts';
import { asWorker, test } from '../kit/postgres.ts';
import { available, type SeedConnection, seedApp, seedConnection, seedScope } from '../kit/seed.ts';

/** Connections of one subject, of new accounts. */
async function openSubject(sql: Database) {
  const seeded = await seedApp(sql);
  const scope = seeded.newScope();
  const connect = (options: Partial<SeedConnection> = {}) => seedConnection(sql, seeded, { scope, ...options });
  const list = async () => await listConnections(sql, await seedScope(sql, seeded, scope), { limit: 9, after: null });
  const show = async (connectionId: ConnectionId) =>
    (await list()).find((one) => one.connectionId === connectionId) ?? expect.fail('It is not listed.');
  return { seeded, scope, connect, list, show };
}

describe('the results of a grant', () => {
  test('changes nothing once the grant has ended', async ({ sql }) => {
    const { connect, show } = await openSubject(sql);
    const capabilities = available('PROFILE', 'CONTENT_LIST');
    const connectionId = await connect({ capabilities });
    const { grantId } = (await findGrantOfConnection(sql, connectionId)) ?? expect.fail('There is no grant.');
    await inTransaction(sql, (tx) => moveGrantToDead(tx, grantId));
    const state = { capability: 'CONTENT_LIST', availability: 'UNAVAILABLE', reason: 'NO_CHANNEL' } as const;
    await updateCapability(asWorker(sql), grantId, state);
    await withdrawCapabilities(asWorker(sql), grantId, ['PROFILE', 'CONTENT_LIST']);
    expect((await show(connectionId)).capabilities).toEqual(capabilities);
  });
});

import { randomBytes } from 'node:crypto';
import { expect } from 'vitest';
import { type ConnectionId, type CorrelationId, type GrantId, newId } from '../../src/basics/ids.ts';
import { completeAttempt } from '../../src/domain/connecting/complete-attempt.ts';
import { type Database, inTransaction } from '../../src/store/driver/sql.ts';
import {
  insertDeletionRequest,
  insertDeletionRequestConnections,
  isDeletionRequested,
  listConnectionsToDelete,
} from '../../src/store/erasures/platform-callbacks.ts';
import { moveGrantToDead } from '../../src/store/grants/grant-end.ts';
import { findGrantOfConnection, updateGrantAccount } from '../../src/store/grants/grants.ts';
import { openStage } from '../kit/activity-stage.ts';
import { beside } from '../kit/beside.ts';
import { businessNow, SECOND_MS } from '../kit/clock.ts';
import { withoutIndexes } from '../kit/plans.ts';
import { asApi, test } from '../kit/postgres.ts';
import { at } from '../kit/seed.ts';

/** Connections of one account each, and the acts of their persons and of their platform, some seconds after an instant. */
async function openAccounts(sql: Database, within: typeof inTransaction = inTransaction) {
  const stage = await openStage(sql);
  const now = await businessNow(sql);
  const grantOf = async (connectionId: ConnectionId): Promise<GrantId> =>
    (await findGrantOfConnection(sql, connectionId))?.grantId ?? expect.fail('It has no grant.');
  /** Makes the platform's name of the account known, as the read of an account does. */
  const name = async (connectionId: ConnectionId, accountMac: Buffer) =>
    updateGrantAccount(sql, await grantOf(connectionId), {
      providerAccountId: 'account',
      accountMacs: [accountMac],
      profile: { displayName: null, handle: null, avatarUrl: null, profileUrl: null, description: null },
    });
  const after = <T>(seconds: number, work: () => Promise<T>) => at(sql, now, seconds * SECOND_MS, work);
  return {
    stage,
    grantOf,
    async connect(seconds: number) {
      const accountMac = randomBytes(32);
      const connection = await after(seconds, () => stage.newConnection());
      await name(connection.connectionId, accountMac);
      return { ...connection, accountMac };
    },
    async reconnect(
      seconds: number,
      { connectionId, scopeId, accountMac }: Awaited<ReturnType<typeof stage.newConnection>> & { accountMac: Buffer },
    ) {
      await after(seconds, async () => {
        const { attemptId } = await stage.newExchangedAttempt({ scopeId });
        await inTransaction(sql, (tx) => completeAttempt(stage.deps, tx, attemptId));
      });
      await name(connectionId, accountMac);
    },
    /** @returns the number of connections that the request names. */
    request: (seconds: number, ...accountMacs: readonly Buffer[]): Promise<number> =>
      after(seconds, () =>
        within(asApi(sql), async (tx) => {
          const code = await insertDeletionRequest(tx, [randomBytes(16).toString('hex')]);
          const registrationId = stage.seeded.registrations.PROVIDER_B;
          const named = { registrationId, accountMacs, happenedAt: await businessNow(sql) };
          return await insertDeletionRequestConnections(tx, code, named, newId<CorrelationId>());
        }),
      ),
    isRequested: ({ connectionId }: { connectionId: ConnectionId }) =>
      inTransaction(sql, (tx) => isDeletionRequested(tx, connectionId)),
    /** The connections to delete, each with the second of its request. */
    list: async () =>
      (await listConnectionsToDelete(sql, { after: null, limit: 100 }))
        .filter(({ appId }) => appId === stage.seeded.app.appId)
        .map(({ connectionId, dueAt }) => [connectionId, (dueAt.getTime() - now.getTime()) / SECOND_MS]),
  };
}

test('deletion requests list the connections that they name, without those that are disconnected', async ({ sql }) => {
  const { stage, connect, request, list } = await openAccounts(sql);
  const [one, two, gone] = [await connect(0), await connect(0), await connect(0)];
  await stage.disconnect(gone);
  expect(await request(1, one.accountMac, gone.accountMac)).toBe(2);
  expect(await request(2, two.accountMac)).toBe(1);
  expect(await request(3, one.accountMac)).toBe(1);
  expect(await list()).toEqual([
    [one.connectionId, 1],
    [two.connectionId, 2],
    [one.connectionId, 3],
  ]);
});

test('a reconnect ends the deletion requests before it, of its own connection, and none that came after', async ({
  sql,
}) => {
  const { connect, reconnect, request, isRequested, list } = await openAccounts(sql);
  const [own, other] = [await connect(0), await connect(0)];
  expect(await request(1, own.accountMac, other.accountMac)).toBe(2);
  await reconnect(2, own);
  await reconnect(2, other);
  await request(3, own.accountMac);
  expect(await isRequested(own)).toBe(true);
  expect(await list()).toEqual([
    [other.connectionId, 1],
    [own.connectionId, 3],
  ]);
  await reconnect(4, own);
  expect(await isRequested(own)).toBe(false);
  expect(await list()).toEqual([[other.connectionId, 1]]);
});

test('a deletion request stands if the reconnect has failed since, or was in the same millisecond', async ({ sql }) => {
  const { connect, reconnect, request, isRequested, grantOf, list } = await openAccounts(sql);
  const [dead, same] = [await connect(0), await connect(1)];
  await request(1, dead.accountMac, same.accountMac);
  await reconnect(2, dead);
  const grantId = await grantOf(dead.connectionId);
  await inTransaction(sql, (tx) => moveGrantToDead(tx, grantId));
  expect(await isRequested(dead)).toBe(true);
  expect(await isRequested(same)).toBe(true);
  expect(await list()).toEqual([dead, same].map(({ connectionId }) => [connectionId, 1]).toSorted());
});

test('a deletion request that waits for one connection does not hold a later one', async ({ sql }) => {
  // Without indexes, whose order the locks could have by chance.
  const { connect, request } = await openAccounts(sql, withoutIndexes);
  const connections: Awaited<ReturnType<typeof connect>>[] = [];
  for (let i = 0; i < 6; i += 1) connections.push(await connect(0));
  const [first, ...later] = connections.map(({ connectionId }) => connectionId).toSorted();
  const { result: named } = await beside(
    sql,
    (tx) => tx`select from connection where connection_id = ${first ?? null} for update`,
    () => request(1, ...connections.map(({ accountMac }) => accountMac)),
    (tx) => tx`select from connection where connection_id = any(${later}::uuid[]) for update nowait`,
  );
  expect(named).toBe(6);
});

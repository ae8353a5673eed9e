import { randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import { type ConnectionId, newId } from '../../src/basics/ids.ts';
import { findAdminConnection } from '../../src/store/connections/admin-connections.ts';
import { type Database, inTransaction } from '../../src/store/driver/sql.ts';
import {
  hasDoubtfulEnd,
  listExpiredGrants,
  moveExpiredGrantsToDead,
  moveGrantToDead,
  moveGrantToRevoking,
} from '../../src/store/grants/grant-end.ts';
import { findGrant, findGrantOfConnection, type Grant } from '../../src/store/grants/grants.ts';
import { claimRefresh, updateTokens } from '../../src/store/grants/refresh-claims.ts';
import { beside, hold } from '../kit/beside.ts';
import { businessNow, SECOND_MS } from '../kit/clock.ts';
import { PERMIT } from '../kit/permit.ts';
import { asWorker, test } from '../kit/postgres.ts';
import { at, type SeedConnection, seedApp, seedConnection } from '../kit/seed.ts';

const LOST_MS = 90 * SECOND_MS;

interface InUse {
  readonly connectionId: ConnectionId;
  readonly grant: Grant;
}

/** Connections of one app with their grants, on a clock that stands so many milliseconds after `now`. */
async function openApp(sql: Database) {
  const seeded = await seedApp(sql);
  const now = await businessNow(sql);
  const connect = async (options: Partial<SeedConnection> = {}, ms = 0): Promise<InUse> => {
    const made = () => seedConnection(sql, seeded, { scope: seeded.newScope(), ...options });
    const connectionId = await at(sql, now, ms, made);
    return { connectionId, grant: (await findGrantOfConnection(sql, connectionId)) ?? expect.fail('It has no grant.') };
  };
  const end = ({ grant }: InUse, inDoubt?: boolean, ms = 0) =>
    at(sql, now, ms, () =>
      inTransaction(asWorker(sql), (tx) =>
        moveGrantToDead(tx, grant.grantId, inDoubt === undefined ? {} : { inDoubt }),
      ),
    );
  const shown = async ({ connectionId }: InUse) => {
    const found = await findAdminConnection(sql, connectionId);
    return [found?.status, Number(found?.changedAt) - now.getTime()];
  };
  const statusOf = async ({ grant }: InUse) => (await findGrant(sql, grant.grantId))?.status;
  /** Refreshes a grant, whose new refresh token expires so much later. */
  const expire = async ({ grant }: InUse, ms: number) => {
    const claim = randomUUID();
    const fresh = { sealedTokens: 'fresh', permissions: ['read'], accessExpiresAt: null };
    await claimRefresh(sql, grant.grantId, 1, claim);
    await updateTokens(sql, grant.grantId, claim, { ...fresh, refreshExpiresAt: new Date(now.getTime() + ms) });
  };
  const endExpired = (ms: number, all: readonly InUse[]) =>
    at(sql, now, ms, () =>
      inTransaction(asWorker(sql), (tx) =>
        moveExpiredGrantsToDead(
          tx,
          all.map(({ connectionId }) => connectionId),
        ),
      ),
    );
  const isDoubtful = ({ connectionId }: InUse) => hasDoubtfulEnd(asWorker(sql), connectionId);
  return { now, connect, end, shown, statusOf, expire, endExpired, isDoubtful };
}

describe('the end of a grant', () => {
  test('is in doubt without a proof, and if there is no grant to ask', async ({ sql }) => {
    const { connect, end, isDoubtful } = await openApp(sql);
    const [proven, doubtful] = [await connect(), await connect()];
    await end(proven);
    await end(doubtful, true);
    await end(doubtful); // It has ended already.
    expect([await isDoubtful(proven), await isDoubtful(doubtful)]).toEqual([false, true]);
    expect(await hasDoubtfulEnd(asWorker(sql), newId<ConnectionId>())).toBe(true);
  });

  test.for([true, false])('is that of the latest grant, in doubt: %s', async (isInDoubt, { sql }) => {
    const { connect, end, isDoubtful } = await openApp(sql);
    for (const [olderMs, isOlderFirst] of [
      [-1, true],
      [-1, false],
      [0, true],
      [0, false],
    ] as const) {
      const two = [await connect(), await connect({}, olderMs)].sort((a, b) =>
        olderMs === 0 ? (a.grant.grantId < b.grant.grantId ? -1 : 1) : 0,
      );
      const [latest, older] = two as [InUse, InUse];
      const inOrder = isOlderFirst ? [older, latest] : [latest, older];
      for (const one of inOrder) {
        await end(one, (one === latest) === isInDoubt);
        await sql`
          update account_grant set connection_id = ${latest.connectionId} where grant_id = ${one.grant.grantId}
        `;
      }
      expect(await isDoubtful(latest), `${olderMs} ${isOlderFirst}`).toBe(isInDoubt);
    }
  });

  test('changes its connection at that time, and waits for no other', async ({ sql }) => {
    const { connect, end, shown } = await openApp(sql);
    const [own, other] = [await connect(), await connect()];
    const first = hold('connection', 'connection_id', other.connectionId);
    expect(await beside(sql, first, () => end(own, false, 7))).toMatchObject({ waited: false });
    expect(await shown(own)).toEqual(['RECONNECT_REQUIRED', 7]);
    expect(await shown(other)).toEqual(['CONNECTED', 0]);
  });

  test('waits for the revoke of one that was in use', async ({ sql }) => {
    const { connect, end, statusOf } = await openApp(sql);
    const [own, ended, other] = [await connect(), await connect(), await connect()];
    await end(ended);
    const revoke = ({ grant }: InUse) =>
      inTransaction(asWorker(sql), (tx) => moveGrantToRevoking(tx, grant.grantId, PERMIT));
    expect([await revoke(own), await revoke(own), await revoke(ended)]).toEqual([true, false, false]);
    expect([await statusOf(own), await statusOf(ended), await statusOf(other)]).toEqual(['REVOKING', 'DEAD', 'LIVE']);
  });
});

describe('a refresh token that expires', () => {
  test('ends its grant, once a refresh that is under way is lost', async ({ sql }) => {
    const { now, connect, expire, endExpired, isDoubtful } = await openApp(sql);
    const [own, revoking] = [await connect(), await connect()];
    for (const each of [own, revoking]) await expire(each, 1000);
    await inTransaction(sql, (tx) => moveGrantToRevoking(tx, revoking.grant.grantId, PERMIT));
    await at(sql, now, 1000, () => claimRefresh(asWorker(sql), own.grant.grantId, 2, randomUUID()));
    const list = async (ms: number) => {
      const page = { after: null, limit: 1000 };
      const due = await at(sql, now, ms, () => listExpiredGrants(asWorker(sql), page));
      const asked: readonly string[] = [own.connectionId, revoking.connectionId];
      return due.filter(({ id }) => asked.includes(id));
    };
    expect(await list(1000 + LOST_MS - 1)).toEqual([]);
    expect(await endExpired(1000 + LOST_MS - 1, [own])).toBe(0);
    expect(await list(1000 + LOST_MS)).toEqual([{ id: own.connectionId, dueAt: new Date(now.getTime() + 1000) }]);
    expect(await endExpired(1000 + LOST_MS, [own])).toBe(1);
    expect(await findGrant(asWorker(sql), own.grant.grantId)).toMatchObject({ status: 'DEAD', refreshLost: true });
    expect(await isDoubtful(own)).toBe(true);
  });
});

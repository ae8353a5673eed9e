import { describe, expect } from 'vitest';
import { type ConnectionId, newId } from '../../src/basics/ids.ts';
import { type Database, inTransaction } from '../../src/store/driver/sql.ts';
import { hasDoubtfulEnd, moveGrantToDead } from '../../src/store/grants/grant-end.ts';
import { findGrantOfConnection, type Grant } from '../../src/store/grants/grants.ts';
import { businessNow } from '../kit/clock.ts';
import { asWorker, test } from '../kit/postgres.ts';
import { at, type SeedConnection, seedApp, seedConnection } from '../kit/seed.ts';

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
  const isDoubtful = ({ connectionId }: InUse) => hasDoubtfulEnd(asWorker(sql), connectionId);
  return { connect, end, isDoubtful };
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
});

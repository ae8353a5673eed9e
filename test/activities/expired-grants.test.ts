import { afterEach, describe, expect } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../kit/clock.ts';
import { newTokens } from '../kit/fake-provider.ts';
import { type Database, test } from '../kit/postgres.ts';
import { openReader } from '../kit/reader.ts';
import { releaseClock, seedConnection } from '../kit/seed.ts';
import { sweepOnce } from '../kit/sweeping.ts';

afterEach<{ sql: Database }>(({ sql }) => releaseClock(sql));

const NOW = Date.parse('2030-06-01T00:00:00.000Z');

/** A connection with a refresh token that expires in an hour. */
async function openExpiring(sql: Database) {
  const reader = await openReader(sql, NOW);
  const tokens = newTokens({ accessExpiresAt: null, refreshExpiresAt: new Date(NOW + HOUR_MS) });
  reader.provider.exchangeCode.mockResolvedValueOnce({ tokens, principal: 'account-1' });
  const connectionId = await reader.connect(['PROFILE', 'CONTENT_LIST']);
  const window = { publishedAfter: new Date(NOW - DAY_MS), publishedBefore: new Date(NOW), first: 1 };
  return {
    reader,
    connectionId,
    sweep: () => sweepOnce(reader.stage.activities.startUpkeep),
    connection: () => reader.ask('connection', { id: connectionId }),
    content: () => reader.ask('content', { connectionId, window }),
    grant: async () => {
      const [row] = await sql`select status, sealed_tokens from account_grant where connection_id = ${connectionId}`;
      return row;
    },
  };
}

describe('a refresh token that expires by the clock', () => {
  test('ends a waiting scan at its next try, and blocks no reconnect', async ({ database }) => {
    const { reader, connectionId, connection, sweep } = await openExpiring(database.sql);
    const jobId = await reader.scanInFlight(connectionId);
    await reader.move(HOUR_MS);
    await sweep();
    expect(await reader.step(jobId ?? expect.fail())).toBe('has ended');
    expect(await reader.ask('syncJob', { connectionId, id: jobId })).toMatchObject({
      status: 'FAILED',
      errorCode: 'RECONNECT_REQUIRED',
    });
    expect(await reader.connect(['PROFILE', 'CONTENT_LIST'], connectionId)).toBe(connectionId);
    expect(await connection()).toMatchObject({ status: 'CONNECTED' });
    const grants = await database.sql`select status from account_grant where connection_id = ${connectionId}`;
    expect(grants).toEqual([{ status: 'LIVE' }]); // Retention deletes the dead one.
  });

  test('stays while its refresh is in flight and can still be answered', async ({ database }) => {
    const { reader, connectionId, sweep, grant } = await openExpiring(database.sql);
    await reader.move(HOUR_MS - 1);
    await database.sql`
      update account_grant set refresh_claim = gen_random_uuid(), refresh_claimed_at = business_now()
      where connection_id = ${connectionId}
    `;
    await reader.move(MINUTE_MS);
    expect(await sweep()).not.toHaveProperty('expiredGrants');
    expect(await grant()).toMatchObject({ status: 'LIVE' });
    await reader.move(MINUTE_MS);
    expect(await sweep()).toMatchObject({ expiredGrants: 1 });
  });

  test('affects no grant that was refreshed meanwhile, is being disconnected, or never expires', async ({ sql }) => {
    const { reader, connectionId, sweep, connection } = await openExpiring(sql);
    const endless = await seedConnection(sql, reader.stage.seeded, { scope: reader.scope });
    const leaving = await seedConnection(sql, reader.stage.seeded, { scope: reader.stage.seeded.newScope() });
    await sql`
      update account_grant set refresh_expires_at = business_now(), status = 'REVOKING' where connection_id = ${leaving}
    `;
    await sql`update account_grant set refresh_expires_at = ${new Date(NOW + DAY_MS)} where connection_id = ${connectionId}`;
    await reader.move(HOUR_MS);
    expect(await sweep()).not.toHaveProperty('expiredGrants');
    expect(await connection()).toMatchObject({ status: 'CONNECTED' });
    expect(await reader.ask('connection', { id: endless })).toMatchObject({ status: 'CONNECTED' });
  });
});

import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { sealTokens } from '../../src/activities/grant-tokens.ts';
import { type ConnectionId, type GrantId, newId } from '../../src/basics/ids.ts';
import { ProviderError } from '../../src/providers/provider.ts';
import { measureGauges } from '../../src/store/gauges.ts';
import { associatedData } from '../../src/vault/associated-data.ts';
import { openStage } from '../kit/activity-stage.ts';
import { MINUTE_MS, moveClock } from '../kit/clock.ts';
import { runActivity } from '../kit/deps.ts';
import { newTokens } from '../kit/fake-provider.ts';
import { createTestDatabase, type Database } from '../kit/postgres.ts';

/** The same holds for 10,000, which take two minutes. */
const MANY = 1_000;
const AT_ONCE = 20;

interface Account {
  readonly connectionId: ConnectionId;
  readonly token: string;
}

/** Connects many accounts of different people, each with tokens of its own. */
async function connectMany(stage: Awaited<ReturnType<typeof openStage>>): Promise<Account[]> {
  const { sql, seeded } = stage;
  const { connectionId: first } = await stage.newConnection({ scope: seeded.newScope() });
  const rows = await Promise.all(
    Array.from({ length: MANY }, async (_, number) => {
      const [grantId, tokens] = [newId<GrantId>(), newTokens()];
      const ids = { grantId, connectionId: newId<ConnectionId>(), account: `account-${number}` };
      return {
        ...{ ...ids, token: tokens.accessToken.reveal() },
        sealed: await sealTokens(stage.deps, tokens, associatedData.tokens(grantId)),
        mac: createHash('sha256').update(ids.account).digest('hex'),
      };
    }),
  );
  for (let done = 0; done < MANY; done += 1_000) {
    const part = sql.json(rows.slice(done, done + 1_000));
    await sql`
      insert into connection (connection_id, scope_id, app_id, provider, registration_id, provider_account_id, status, capabilities)
      select r."connectionId", scope_id, app_id, provider, registration_id, r.account, status, capabilities
      from connection c, jsonb_to_recordset(${part}) as r ("connectionId" uuid, account text)
      where c.connection_id = ${first}
    `;
    await sql`
      insert into account_grant (grant_id, attempt_id, scope_id, provider, registration_id, connection_id, status, principal_mac,
        permissions, sealed_tokens, obtained_at, access_expires_at)
      select r."grantId", gen_random_uuid(), scope_id, provider, registration_id, r."connectionId", status, decode(r.mac, 'hex'),
        permissions, r.sealed, obtained_at, business_now()
      from account_grant g, jsonb_to_recordset(${part}) as r ("grantId" uuid, "connectionId" uuid, mac text, sealed text)
      where g.connection_id = ${first}
    `;
  }
  await sql`delete from account_grant where connection_id = ${first}`;
  await sql`delete from connection where connection_id = ${first}`;
  await sql`analyze connection, account_grant`;
  return rows;
}

const countStatuses = async (sql: Database) => {
  const rows = await sql`select status, count(*)::int as count from connection group by status order by status`;
  return Object.fromEntries(rows.map(({ status, count }) => [status, count]));
};

test('a platform answers invalid_grant for each of 1,000 grants in an hour: none must reconnect, and all work again without a person', async () => {
  const database = await createTestDatabase();
  try {
    const { sql } = database;
    const stage = await openStage(sql);
    const accounts = await connectMany(stage);
    const byToken = new Map(accounts.map(({ token }, index) => [token, index]));
    /** The accounts that the platform refuses. */
    let isRefused = (_index: number) => true;
    stage.provider.refresh.mockImplementation(async (_client, tokens, call) => {
      await call.admit({ quotaUnits: 0, cannotWait: false });
      const index = byToken.get(tokens.accessToken.reveal()) ?? 0;
      if (isRefused(index)) throw new ProviderError('GrantDead', 'invalid_grant');
      const fresh = newTokens();
      byToken.set(fresh.accessToken.reveal(), index);
      return fresh;
    });
    stage.provider.readAccount.mockImplementation(async ({ accessToken }) => ({
      ...{ providerAccountId: `account-${byToken.get(accessToken.reveal())}`, aliasIds: [] },
      profile: { displayName: 'Harbour', handle: null, avatarUrl: null, profileUrl: null, description: null },
    }));
    const check = async (indexes: readonly number[]) => {
      const left = [...indexes];
      await Promise.all(
        Array.from({ length: AT_ONCE }, async () => {
          for (let index = left.pop(); index !== undefined; index = left.pop())
            await runActivity(stage.activities.checkGrant, {
              connectionId: accounts[index]?.connectionId as ConnectionId,
            }).catch(() => undefined);
        }),
      );
    };
    const range = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => from + index);
    const alerts = () => stage.deps.lines.filter((line) => line.includes('unusually many accounts')).length;
    const gauge = async () =>
      (await measureGauges(sql)).registrations.find(({ provider }) => provider === 'PROVIDER_B')?.doubted;
    const ALL = { CONNECTED: MANY };

    // Each minute of the hour brings 16 others, and the first ones are tried again and again.
    for (let minute = 0; minute < 60; minute += 1) {
      await check(range(Math.round((minute * MANY) / 60), Math.round(((minute + 1) * MANY) / 60)));
      if (minute === 2 || minute % 15 === 5) await check(range(0, 100));
      await moveClock(sql, MINUTE_MS);
    }
    expect(await countStatuses(sql)).toEqual(ALL);
    expect([alerts(), await gauge()]).toEqual([1, 1]);

    // The outage ends for half of them first.
    isRefused = (index) => index % 2 === 1;
    await check(range(0, 500));
    expect(await countStatuses(sql)).toEqual(ALL);
    expect([alerts(), await gauge()]).toEqual([1, 1]);

    // It ends for all, except for a person who has really left.
    const LEFT = MANY - 1;
    isRefused = (index) => index === LEFT;
    await check(range(0, MANY));
    expect([await countStatuses(sql), await gauge()]).toEqual([ALL, 0]);
    const refused = await sql`select connection_id from account_grant where refused_at is not null`;
    expect(refused).toEqual([{ connectionId: accounts[LEFT]?.connectionId }]);
    await check([LEFT]);
    expect(await countStatuses(sql)).toEqual({ CONNECTED: MANY - 1, RECONNECT_REQUIRED: 1 });
    expect(alerts()).toBe(1);
  } finally {
    await database.drop();
  }
}, 600_000);

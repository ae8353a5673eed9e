import { describe, expect, onTestFinished, vi } from 'vitest';
import type { ProviderErrorType } from '../../src/basics/codes.ts';
import type { ConnectionId, GrantId } from '../../src/basics/ids.ts';
import { ProviderError } from '../../src/providers/provider.ts';
import { areDowngradesHeld, believePlatform } from '../../src/store/connections/downgrades.ts';
import type { Database } from '../../src/store/driver/sql.ts';
import { openStage } from '../kit/activity-stage.ts';
import { DAY_MS, HOUR_MS, moveClock } from '../kit/clock.ts';
import { runActivity } from '../kit/deps.ts';
import { newTokens } from '../kit/fake-provider.ts';
import { test } from '../kit/postgres.ts';

/** A platform whose accounts can end, each by itself. Every account belongs to a person of its own. */
async function openPlatform(sql: Database, count: number) {
  const stage = await openStage(sql);
  const { provider } = stage;
  const refused = new Set<string>();
  const refusals: ProviderErrorType[] = ['TokenStale'];
  const accounts: { connectionId: ConnectionId; grantId: GrantId; token: string }[] = [];
  for (let index = 0; index < count; index += 1) {
    const tokens = newTokens();
    const { connectionId, grantId } = await stage.newConnection({ tokens, scope: stage.seeded.newScope() });
    accounts.push({ connectionId, grantId, token: tokens.accessToken.reveal() });
  }
  const refuse = (type: ProviderErrorType) => {
    throw new ProviderError(type, 'No.');
  };
  const [succeed] = [provider.readAccount.getMockImplementation()];
  if (succeed === undefined) throw new Error('The fake provider has no account.');
  provider.readAccount.mockImplementation(async (tokens, call) => {
    if (refused.has(tokens.accessToken.reveal())) refuse(refusals[0] ?? 'TokenStale');
    const account = await succeed(tokens, call);
    const own = accounts.find(({ token }) => token === tokens.accessToken.reveal());
    const [row] =
      await sql`select provider_account_id from connection where connection_id = ${own?.connectionId ?? null}`;
    return { ...account, providerAccountId: String(row?.providerAccountId) };
  });
  provider.refresh.mockImplementation(async (_client, tokens) => {
    if (refused.has(tokens.accessToken.reveal())) refuse('GrantDead');
    return tokens;
  });
  const registrationId = stage.seeded.registrations.PROVIDER_B;
  return {
    ...{ stage, accounts, registrationId },
    /** From now on the platform refuses these accounts. */
    end: (...indexes: number[]) => {
      for (const index of indexes) refused.add(accounts[index]?.token ?? '');
    },
    recover: () => refused.clear(),
    /** The upkeep of these connections. */
    use: async (...indexes: number[]) => {
      for (const index of indexes) {
        const { connectionId } = accounts[index] ?? {};
        if (connectionId) await runActivity(stage.activities.checkGrant, { connectionId }).catch(() => undefined);
      }
    },
    statuses: async () =>
      await Promise.all(accounts.map(async ({ connectionId }) => await stage.connectionStatus(connectionId))),
  };
}

const range = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => from + index);
const CONNECTED = 'CONNECTED';
const ENDED = 'RECONNECT_REQUIRED';

describe('an account that the platform refuses', () => {
  test('must reconnect at once while another one works, and nothing happens to that one', async ({ sql }) => {
    const platform = await openPlatform(sql, 2);
    platform.end(0);
    await platform.use(0, 1);
    expect(await platform.statuses()).toEqual([ENDED, CONNECTED]);
  });

  test('must reconnect without another one if the platform accepts our client, and not while it is unclear', async ({
    sql,
  }) => {
    const platform = await openPlatform(sql, 1);
    platform.end(0);
    platform.stage.provider.probeClient.mockRejectedValueOnce(new ProviderError('RetryLater', 'Later.'));
    await platform.use(0);
    expect(await platform.statuses()).toEqual([CONNECTED]);
    await moveClock(sql, HOUR_MS);
    await platform.use(0);
    await moveClock(sql, -HOUR_MS);
    expect(await platform.statuses()).toEqual([ENDED]);
  });

  test('must reconnect after two days, if there are few, also when all are refused', async ({ sql }) => {
    const platform = await openPlatform(sql, 2);
    platform.end(0, 1);
    await platform.use(0, 1);
    expect(await platform.statuses()).toEqual([CONNECTED, CONNECTED]);
    await moveClock(sql, 1.9 * DAY_MS);
    await platform.use(0, 1);
    expect(await platform.statuses()).toEqual([CONNECTED, CONNECTED]);
    await moveClock(sql, 0.2 * DAY_MS);
    await platform.use(0);
    await moveClock(sql, -2.1 * DAY_MS);
    expect(await platform.statuses()).toEqual([ENDED, CONNECTED]);
  });
});

describe('a platform that refuses many accounts', () => {
  test('changes at most five of a few within an hour; the others stay until accounts work again', async ({ sql }) => {
    const platform = await openPlatform(sql, 12);
    const random = vi.spyOn(Math, 'random').mockReturnValue(0); // It asks the oldest accounts, which work.
    onTestFinished(() => random.mockRestore());
    platform.end(...range(6, 12));
    await platform.use(...range(0, 12));
    expect(await platform.statuses()).toEqual(
      range(0, 12).map((index) => (index < 6 || index > 10 ? CONNECTED : ENDED)),
    );
    expect(await areDowngradesHeld(sql, platform.registrationId)).toBe(true);
    await moveClock(sql, HOUR_MS);
    await platform.use(11, 0);
    await moveClock(sql, -HOUR_MS);
    expect(await areDowngradesHeld(sql, platform.registrationId)).toBe(false);
    expect((await platform.statuses()).slice(6)).toEqual(range(6, 12).map(() => ENDED));
    expect((await platform.statuses()).slice(0, 6)).toEqual(range(0, 6).map(() => CONNECTED));
  });

  test('changes none of many for days, until an operator believes it; accounts that work stay', async ({ sql }) => {
    const platform = await openPlatform(sql, 8);
    platform.end(...range(0, 8));
    for (const days of [0, 1, 2]) {
      await moveClock(sql, days === 0 ? 0 : DAY_MS + HOUR_MS);
      await platform.use(...range(0, 8));
    }
    expect(await platform.statuses()).toEqual(range(0, 8).map(() => CONNECTED));
    expect(await believePlatform(sql, platform.registrationId)).toBe(true);
    platform.recover();
    platform.end(...range(0, 7));
    await platform.use(...range(0, 8));
    await moveClock(sql, -2 * (DAY_MS + HOUR_MS));
    expect(await platform.statuses()).toEqual(range(0, 8).map((index) => (index < 7 ? ENDED : CONNECTED)));
  });
});

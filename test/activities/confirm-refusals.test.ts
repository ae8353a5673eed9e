import { describe, expect } from 'vitest';
import { followWithdrawal } from '../../src/activities/capabilities.ts';
import { confirmGrantEnd } from '../../src/activities/confirm-refusals.ts';
import { refreshTokens } from '../../src/activities/tokens.ts';
import type { Capability, ProviderErrorType } from '../../src/basics/codes.ts';
import type { ConnectionId, GrantId } from '../../src/basics/ids.ts';
import { ProviderError } from '../../src/providers/provider.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, moveClock, SECOND_MS } from '../kit/clock.ts';
import { runActivity } from '../kit/deps.ts';
import { type Database, inTransaction, test } from '../kit/postgres.ts';
import { believePlatform, findConnection, recordRemoval } from '../kit/seed.ts';
import { openAccounts, type ScriptedAccount } from './accounts-of-one.ts';

/** A platform whose accounts can end separately. Every account belongs to another person. */
async function openPlatform(sql: Database, count: number) {
  const scripts = Array.from({ length: count }, (): { read?: Error; refresh?: Error } => ({}));
  const platform = await openAccounts(sql, scripts);
  const { stage, accounts } = platform;
  const refuse = (type: ProviderErrorType) =>
    new ProviderError(type, 'No.', { status: 400, platformCode: 'invalid_grant' });
  return {
    ...platform,
    /** From now on the platform refuses these accounts. */
    end: (...indexes: number[]) => {
      for (const index of indexes)
        Object.assign(scripts[index] ?? {}, { read: refuse('TokenStale'), refresh: refuse('GrantDead') });
    },
    /** From now on it accepts these accounts, by default all. */
    recover: (...indexes: number[]) => {
      for (const index of indexes.length === 0 ? scripts.keys() : indexes) scripts[index] = {};
    },
    reports: () => stage.deps.lines.filter((line) => line.includes('unusually many accounts')),
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
  test('must reconnect if the same refresh is refused ten seconds on; no other account is called', async ({ sql }) => {
    const platform = await openPlatform(sql, 2);
    const { deps } = platform.stage;
    platform.end(0);
    const grant = await platform.stage.grant(platform.accounts[0]?.grantId as GrantId);
    const { signal } = new AbortController();
    const refresh = async () =>
      await runActivity(() => refreshTokens(deps, grant, signal), undefined).catch((error: unknown) => error);
    expect(await refresh()).toMatchObject({
      type: 'RetryLater',
      retryAfterSeconds: 10,
      status: 400,
      platformCode: 'invalid_grant',
    });
    await moveClock(sql, 6 * SECOND_MS);
    expect(await refresh()).toMatchObject({ type: 'RetryLater', retryAfterSeconds: expect.closeTo(4, -1) });
    expect(await platform.statuses()).toEqual([CONNECTED, CONNECTED]);
    await moveClock(sql, 4 * SECOND_MS);
    expect(await refresh()).toMatchObject({ type: 'GrantDead' });
    await moveClock(sql, -10 * SECOND_MS);
    expect(await platform.statuses()).toEqual([ENDED, CONNECTED]);
    expect(platform.sent).toEqual(['refresh 0', 'refresh 0', 'refresh 0']);
  });

  test('stays if the refresh works ten seconds later, and its refusal does not count', async ({ sql }) => {
    const platform = await openPlatform(sql, 6);
    for (let index = 0; index < 5; index += 1) {
      platform.end(index);
      await platform.use(index);
      await moveClock(sql, 10 * SECOND_MS);
      platform.recover();
      await platform.use(index);
    }
    platform.end(5);
    await platform.use(5);
    await moveClock(sql, 10 * SECOND_MS);
    await platform.use(5);
    await moveClock(sql, -60 * SECOND_MS);
    expect(await platform.statuses()).toEqual([...range(0, 5).map(() => CONNECTED), ENDED]);
  });

  test('is believed after it has refused its own new tokens for two days', async ({ sql }) => {
    const platform = await openPlatform(sql, 1);
    const { provider, deps } = platform.stage;
    const { signal } = new AbortController();
    const judge = async () => {
      provider.readAccount.mockRejectedValueOnce(new ProviderError('TokenStale', 'No.'));
      const grant = await platform.stage.grant(platform.accounts[0]?.grantId as GrantId);
      return await runActivity(() => confirmGrantEnd(deps, grant, { by: 'READ', isFinal: false }, signal), undefined);
    };
    await expect(judge()).rejects.toMatchObject({ type: 'RetryLater' });
    await moveClock(sql, 2 * DAY_MS);
    await judge();
    await moveClock(sql, -2 * DAY_MS);
  });

  test('must reconnect at once if the platform has reported the removal', async ({ sql }) => {
    const platform = await openPlatform(sql, 1);
    const { connectionId } = platform.accounts[0] ?? expect.fail('There is no account.');
    await inTransaction(sql, (tx) => recordRemoval(tx, [connectionId]));
    platform.end(0);
    await platform.use(0);
    expect(await platform.statuses()).toEqual([ENDED]);
  });
});

describe('a platform that refuses many accounts', () => {
  test('at once: none must reconnect for a day, and all recover without a person', async ({ sql }) => {
    const platform = await openPlatform(sql, 12);
    platform.end(...range(0, 12));
    for (const ms of [0, 0.1 * HOUR_MS, 0.9 * HOUR_MS, 0.9 * DAY_MS]) {
      await moveClock(sql, ms);
      await platform.use(...range(0, 12));
    }
    expect(await platform.statuses()).toEqual(range(0, 12).map(() => CONNECTED));
    expect(platform.reports()).toHaveLength(1);
    platform.recover(...range(0, 6)); // The others are refused a little longer.
    for (const index of range(0, 6)) await platform.use(index, index + 6);
    expect(await platform.statuses()).toEqual(range(0, 12).map(() => CONNECTED));
    platform.recover();
    await platform.use(...range(0, 12));
    platform.end(11); // Nothing is held any more.
    await platform.use(11);
    await moveClock(sql, 10 * SECOND_MS);
    await platform.use(11);
    await moveClock(sql, -0.9 * DAY_MS - HOUR_MS - 10 * SECOND_MS);
    expect(await platform.statuses()).toEqual([...range(0, 11).map(() => CONNECTED), ENDED]);
    expect(platform.reports()).toHaveLength(1);
  });

  test('one by one: five must reconnect, then none', async ({ sql }) => {
    const platform = await openPlatform(sql, 8);
    platform.end(...range(0, 8));
    for (const index of range(0, 8)) {
      await platform.use(index);
      await moveClock(sql, 3 * MINUTE_MS);
      await platform.use(index);
    }
    await moveClock(sql, -24 * MINUTE_MS);
    expect(await platform.statuses()).toEqual(range(0, 8).map((index) => (index < 5 ? ENDED : CONNECTED)));
    expect(platform.reports()).toHaveLength(1);
  });

  test('ends all once an operator believes it; accounts that work stay', async ({ sql }) => {
    const platform = await openPlatform(sql, 8);
    platform.end(...range(0, 7));
    await platform.use(...range(0, 8));
    await moveClock(sql, HOUR_MS / 2);
    await platform.use(...range(0, 8));
    expect(await platform.statuses()).toEqual(range(0, 8).map(() => CONNECTED));
    expect(await believePlatform(sql, platform.registrationId)).toBe(true);
    await platform.use(...range(0, 8));
    await moveClock(sql, -HOUR_MS / 2);
    expect(await platform.statuses()).toEqual(range(0, 8).map((index) => (index < 7 ? ENDED : CONNECTED)));
  });
});

const refused = new ProviderError('PermissionMissing', 'No.');
const unusable = new ProviderError('AccountUnusable', 'No channel.');
const later = new ProviderError('RetryLater', 'Later.');
const SICK: ScriptedAccount = { read: later, posts: later };
const LOOKUPS_ONLY: ScriptedAccount = { capabilities: ['PROFILE', 'CONTENT_LOOKUP'] };

/** Two accounts. The platform refuses a capability of the first. */
async function open(sql: Database, script: ScriptedAccount) {
  const platform = await openAccounts(sql, [script, {}]);
  const { stage, accounts } = platform;
  const { connectionId, grantId } = accounts[0] ?? expect.fail('There is no account.');
  const withdraw = async (capability: Capability, error = refused) => {
    const grant = await stage.grant(grantId);
    const connection = (await findConnection(sql, connectionId)) ?? expect.fail('There is no such connection.');
    const signal = new AbortController().signal;
    return await runActivity(
      () => followWithdrawal(stage.deps, error, { connection, grant, capability }, signal),
      undefined,
    ).then(
      () => 'BELIEVED',
      (thrown: unknown) => {
        expect(thrown).toMatchObject({ type: 'RetryLater', retryAfterSeconds: 900 });
        return 'IN_DOUBT';
      },
    );
  };
  return { ...platform, withdraw };
}

test.for<[string, Capability, ScriptedAccount, string, string[], ProviderError?]>([
  ['posts, and the account is read', 'CONTENT_LIST', { posts: refused }, 'BELIEVED', ['read 0']],
  ['posts, and the account is not read either', 'CONTENT_LIST', SICK, 'IN_DOUBT', ['read 0']],
  ['the profile, and posts are read', 'PROFILE', {}, 'BELIEVED', ['posts 0']],
  ['the profile, and posts are not read either', 'PROFILE', SICK, 'IN_DOUBT', ['posts 0']],
  ['the profile of an account that shares no posts', 'PROFILE', LOOKUPS_ONLY, 'BELIEVED', []],
  ['the account, which is read', 'PROFILE', {}, 'IN_DOUBT', ['read 0'], unusable],
  ['the account, and a read fails otherwise', 'PROFILE', SICK, 'IN_DOUBT', ['read 0'], unusable],
  ['the account, and a read says the same', 'PROFILE', { read: unusable }, 'BELIEVED', ['read 0'], unusable],
])('the withdrawal of a capability %s', async ([, capability, script, verdict, calls, error], { sql }) => {
  const { withdraw, sent, accounts } = await open(sql, script);
  expect(await withdraw(capability, error)).toBe(verdict);
  expect(sent).toEqual(calls);
  const { capabilities = [] } = (await findConnection(sql, accounts[0]?.connectionId as ConnectionId)) ?? {};
  const lost = error === unusable ? 'UNAVAILABLE' : 'NOT_GRANTED';
  expect(capabilities.find((one) => one.capability === capability)?.availability).toBe(
    verdict === 'BELIEVED' ? lost : 'AVAILABLE',
  );
});

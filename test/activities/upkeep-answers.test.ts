import { describe, expect, onTestFinished } from 'vitest';
import { recheckWithdrawn, withdrawUngranted } from '../../src/activities/capabilities.ts';
import type { Availability, Capability, ProviderErrorType } from '../../src/basics/codes.ts';
import { ProviderError, type ProviderProfile, type Tokens } from '../../src/providers/provider.ts';
import { failureOf } from '../kit/activity-stage.ts';
import { businessNow, DAY_MS, HOUR_MS } from '../kit/clock.ts';
import { runActivity } from '../kit/deps.ts';
import { type Database, test } from '../kit/postgres.ts';
import { findConnection, freezeClock, releaseClock, setEnabled } from '../kit/seed.ts';
import { openAccounts, type ScriptedAccount } from './accounts-of-one.ts';

const signal = new AbortController().signal;
const error = (type: ProviderErrorType, outcomeUnknown = false) => new ProviderError(type, 'No.', { outcomeUnknown });

/** The first account is looked after, at one moment. The others belong to the same registration. */
async function open(sql: Database, own: ScriptedAccount = {}, ...others: readonly ScriptedAccount[]) {
  const now = await businessNow(sql);
  await freezeClock(sql, now);
  onTestFinished(() => releaseClock(sql));
  const platform = await openAccounts(sql, [own, ...others]);
  const { stage, accounts } = platform;
  const { connectionId, grantId } = accounts[0] ?? expect.fail('There is no account.');
  const find = async () => (await findConnection(sql, connectionId)) ?? expect.fail('There is no such connection.');
  return {
    ...{ ...platform, now, connectionId, grantId, find },
    tend: () => runActivity(stage.activities.checkGrant, { connectionId }),
    shown: async () => Object.fromEntries((await find()).capabilities.map((one) => [one.capability, one.availability])),
    show: async (states: readonly (readonly [Capability, Availability, string | null])[]) => {
      const rows = states.map(([capability, availability, reason]) => ({ capability, availability, reason }));
      await sql`update connection set capabilities = ${sql.json(rows)} where connection_id = ${connectionId}`;
    },
    fail: () => sql`update connection set upkeep_failing_since = business_now() where connection_id = ${connectionId}`,
    /** In how many days upkeep is due, and whether it counts as failing. */
    upkeep: async () => {
      const [row] = await sql`
        select extract(epoch from upkeep_due_at - business_now())::float8 / 86400 as days,
          upkeep_failing_since is not null as is_failing
        from connection where connection_id = ${connectionId}
      `;
      return { days: row?.days, isFailing: row?.isFailing };
    },
  };
}

const WITHDRAWN = 'PERMISSION_WITHDRAWN';

describe('a look at withdrawn capabilities', () => {
  async function look(opened: Awaited<ReturnType<typeof open>>) {
    const { stage, grantId, find } = opened;
    const [connection, grant] = [await find(), await stage.grant(grantId)];
    await runActivity(() => recheckWithdrawn(stage.deps, { connection, grant }, signal), undefined);
  }
  const STATES = [
    ['PROFILE', 'NOT_GRANTED', WITHDRAWN],
    ['CONTENT_LIST', 'NOT_GRANTED', WITHDRAWN],
    ['CONTENT_LOOKUP', 'NOT_GRANTED', 'NOT_CONSENTED'],
    ['CONTENT_METRICS', 'NOT_GRANTED', WITHDRAWN],
  ] as const;

  test('reads one post of the last day with each but PROFILE, and shows those that work', async ({ sql }) => {
    const opened = await open(sql);
    await opened.show(STATES);
    await look(opened);
    const window = { publishedAfter: new Date(opened.now.getTime() - DAY_MS), publishedBefore: opened.now };
    expect(opened.listed).toEqual([
      { window, cursor: null, limit: 1, withMetrics: false },
      { window, cursor: null, limit: 1, withMetrics: true },
    ]);
    expect(await opened.shown()).toEqual({
      PROFILE: 'NOT_GRANTED',
      CONTENT_LIST: 'AVAILABLE',
      CONTENT_LOOKUP: 'NOT_GRANTED',
      CONTENT_METRICS: 'AVAILABLE',
    });
  });

  test('comes again in a day, without a failure, if the permission is still missing', async ({ sql }) => {
    const opened = await open(sql, { posts: error('PermissionMissing') });
    await opened.show(STATES);
    await opened.fail();
    await look(opened);
    expect(opened.sent).toEqual(['posts 0', 'posts 0']);
    expect(new Set(Object.values(await opened.shown()))).toEqual(new Set(['NOT_GRANTED']));
    expect(await opened.upkeep()).toEqual({ days: 1, isFailing: false });
  });
});

test.for<[string, Availability, string[], Availability, string[]]>([
  ['is withdrawn after proof', 'AVAILABLE', ['user.info.basic'], 'NOT_GRANTED', ['read 0']],
  ['stays withdrawn', 'NOT_GRANTED', ['user.info.basic'], 'NOT_GRANTED', []],
  ['stays', 'AVAILABLE', ['user.info.basic', 'video.list'], 'AVAILABLE', []],
])('a capability %s: %s with %s', async ([, before, permissions, after, calls], { sql }) => {
  const { stage, grantId, find, show, shown, sent } = await open(sql, { tokens: { permissions } }, {});
  await show([
    ['PROFILE', 'AVAILABLE', null],
    ['CONTENT_LIST', before, null],
  ]);
  const connection = await find();
  await runActivity(() => withdrawUngranted(stage.deps, { connection, grantId }, signal), undefined);
  expect(await shown()).toEqual({ PROFILE: 'AVAILABLE', CONTENT_LIST: after });
  expect(sent).toEqual(calls);
});

const profile = (changes: Partial<ProviderProfile>): ProviderProfile => ({
  ...{ displayName: null, handle: null, avatarUrl: null, profileUrl: null, description: null },
  ...changes,
});

describe('the profile', () => {
  const TWO = profile({ displayName: 'Harbour', handle: 'harbour' });
  const OTHER_TWO = profile({ displayName: 'Port', description: 'Boats.' });
  const ONE = profile({ displayName: 'Port' });

  test.for<
    [string, ProviderProfile | null, Pick<Required<ScriptedAccount>['account'], 'profile' | 'isPartial'>, boolean]
  >([
    ['a poorer part', TWO, { profile: ONE, isPartial: true }, false],
    ['a part with as many fields', TWO, { profile: OTHER_TWO, isPartial: true }, true],
    ['a richer part', ONE, { profile: TWO, isPartial: true }, true],
    ['a poorer whole', TWO, { profile: ONE }, true],
    ['a first part', null, { profile: ONE, isPartial: true }, true],
    ['an empty part before any other', null, { profile: profile({}), isPartial: true }, true],
  ])('takes %s or waits a day for more', async ([, stored, account, isTaken], { sql }) => {
    const { tend, find, upkeep, fail, connectionId } = await open(sql, { account: account as never });
    await sql`update connection set profile = ${stored && sql.json(stored as never)} where connection_id = ${connectionId}`;
    await fail();
    await tend();
    expect((await find()).profile).toEqual(isTaken ? account.profile : stored);
    const { days, isFailing } = await upkeep();
    expect(isFailing).toBe(false);
    if (isTaken) expect(days).toBeGreaterThan(20);
    else expect(days).toBe(1);
  });

  test('is withdrawn alone if its permission is missing', async ({ sql }) => {
    const { tend, shown, sent } = await open(sql, { read: error('PermissionMissing') }, {});
    expect(await failureOf(tend())).toMatchObject({ type: 'PermissionMissing' });
    expect(await shown()).toMatchObject({ PROFILE: 'NOT_GRANTED', CONTENT_LIST: 'AVAILABLE' });
    expect(sent).toEqual(['refresh 0', 'read 0', 'posts 0']);
  });
});

test.for<[string, 'before' | 'after', string[]]>([
  ['is not sent', 'before', ['refresh 0']],
  ['stores nothing', 'after', ['refresh 0', 'read 0']],
])('upkeep of an account that may not be read from the moment of the read %s', async ([, when, calls], { sql }) => {
  const { tend, sent, find, upkeep, stage } = await open(sql, { account: { profile: profile({ handle: 'other' }) } });
  const read = stage.provider.readAccount.getMockImplementation() ?? expect.fail('There is none.');
  const forbid = () => setEnabled(sql, stage.seeded.app.appId, false);
  stage.provider.readAccount.mockImplementation(async (access, call) => {
    if (when === 'before') await forbid();
    const answer = await read(access, call);
    await forbid();
    return answer;
  });
  await tend();
  expect(sent).toEqual(calls);
  expect((await find()).profile).toMatchObject({ handle: 'harbour' });
  expect(await upkeep()).toEqual({ days: 7, isFailing: false });
});

describe('a refresh by upkeep', () => {
  const inDays = (days: number, ms = 0) => new Date(Date.now() + days * DAY_MS + ms);
  /** 40 days from now, so upkeep is due within 15 days, unless no refresh moves the end. */
  test.for<[string, number | null, number, boolean]>([
    ['moves the end by an hour', 0, HOUR_MS, false],
    ['moves the end by less than an hour', 0, HOUR_MS - 1, true],
    ['keeps the end', 0, 0, true],
    ['brings the end forward', 0, -HOUR_MS, true],
    ['gives an end for the first time', null, 0, false],
  ])('%s: upkeep comes before it or not', async ([, before, after, isFixed], { sql }) => {
    const end = inDays(40);
    const at = (ms: number | null) => (ms === null ? null : new Date(end.getTime() + ms));
    const { tend, upkeep } = await open(sql, {
      tokens: { refreshExpiresAt: at(before) },
      fresh: { refreshExpiresAt: at(after) },
    });
    await tend();
    const { days } = await upkeep();
    if (isFixed) expect(days).toBeGreaterThan(20);
    else expect(days).toBeLessThan(16);
  });

  const OLD: Partial<Tokens> = { accessExpiresAt: new Date() };
  test.for<[string, ScriptedAccount, string, string[]]>([
    ['has no answer in time', { refresh: error('RetryLater') }, 'RetryLater', ['refresh 0', 'read 0']],
    ['has an odd answer', { refresh: error('ContractBroken') }, 'ContractBroken', ['refresh 0', 'read 0']],
    ['refuses our client', { refresh: error('ClientRejected') }, 'ClientRejected', ['refresh 0']],
    ['may have spent the token', { refresh: error('RetryLater', true) }, 'RetryLater', ['refresh 0']],
    ['fails in our code', { refresh: new TypeError('Ours.') }, 'Unexpected', ['refresh 0']],
    ['is too late', { tokens: OLD, refresh: error('RetryLater') }, 'RetryLater', ['refresh 0']],
  ])('that %s fails, after a read with a token that lives', async ([, own, type, calls], { sql }) => {
    const { tend, sent } = await open(sql, own);
    expect(await failureOf(tend())).toMatchObject({ type });
    expect(sent).toEqual(calls);
  });
});

import { beforeEach, describe, expect, onTestFinished, vi } from 'vitest';
import { withdrawCapability } from '../../src/activities/capabilities.ts';
import { confirmGrantEnd } from '../../src/activities/downgrades.ts';
import type { Capability, ProviderErrorType } from '../../src/basics/codes.ts';
import { ProviderError } from '../../src/providers/provider.ts';
import { findConnection } from '../../src/store/connections/connections.ts';
import { areDowngradesHeld } from '../../src/store/connections/downgrades.ts';
import type { Database } from '../../src/store/driver/sql.ts';
import type { Grant } from '../../src/store/grants/grants.ts';
import { openAccounts, type ScriptedAccount } from '../kit/accounts-of-one.ts';
import { businessNow, DAY_MS } from '../kit/clock.ts';
import { runActivity } from '../kit/deps.ts';
import { test } from '../kit/postgres.ts';
import { freezeClock, releaseClock, setEnabled } from '../kit/seed.ts';

const signal = new AbortController().signal;
const error = (type: ProviderErrorType, outcomeUnknown = false) => new ProviderError(type, 'No.', { outcomeUnknown });
const WELL: ScriptedAccount = {};
const ENDED: ScriptedAccount = { read: error('GrantDead'), refresh: error('GrantDead') };
const OLD = { accessExpiresAt: new Date() };
const SICK: ScriptedAccount = { read: error('RetryLater'), posts: error('RetryLater'), refresh: error('RetryLater') };

interface Refusal {
  readonly by?: 'READ' | 'REFRESH';
  readonly isFinal?: boolean;
  /** Happens after the grant was read. */
  readonly meanwhile?: (grant: Grant) => Promise<unknown>;
}

async function open(sql: Database, scripts: readonly ScriptedAccount[]) {
  const platform = await openAccounts(sql, scripts);
  const { stage, accounts } = platform;
  const account = (number: number) => accounts[number] ?? expect.fail('There is no such account.');
  const settle = async (work: () => Promise<void>) =>
    await runActivity(work, undefined).then(
      () => 'BELIEVED',
      (thrown: unknown) => {
        if (!(thrown instanceof ProviderError)) throw thrown;
        expect(thrown).toMatchObject({ type: 'RetryLater', retryAfterSeconds: 15 * 60 });
        return 'IN_DOUBT';
      },
    );
  return {
    ...platform,
    /** The platform refuses the grant of this account. */
    judge: async (number = 0, { by = 'READ', isFinal = true, meanwhile }: Refusal = {}) => {
      const grant = await stage.grant(account(number).grantId);
      await meanwhile?.(grant);
      return await settle(() => confirmGrantEnd(stage.deps, grant, { by, isFinal }, signal));
    },
    /** The platform refuses this capability of the first account. */
    withdraw: async (capability: Capability) => {
      const { connectionId, grantId } = account(0);
      const grant = await stage.grant(grantId);
      const connection = (await findConnection(sql, connectionId)) ?? expect.fail('There is no such connection.');
      return await settle(() => withdrawCapability(stage.deps, { connection, grant }, capability, signal));
    },
    reports: () =>
      stage.deps.lines
        .map((line) => JSON.parse(line).message)
        .filter((message: string) => /^The (platform refuses unusually many accounts|accounts of)/.test(message)),
  };
}
const MANY = 'The platform refuses unusually many accounts: their connections stay as they are';
const OVER = 'The accounts of a registration work again';

beforeEach(() => {
  const random = vi.spyOn(Math, 'random').mockReturnValue(0); // It asks the oldest accounts first.
  return () => random.mockRestore();
});

describe('the end of a grant', () => {
  test.for<[string, ScriptedAccount[], Refusal, string, string[]]>([
    ['is believed while another account works', [ENDED, WELL], {}, 'BELIEVED', ['read 0', 'read 1']],
    ['is in doubt if it reads its account', [WELL, WELL], {}, 'IN_DOUBT', ['read 0']],
    ['is in doubt if its own account gives no answer', [SICK, WELL], {}, 'IN_DOUBT', ['read 0']],
    ['is in doubt if nobody works', [ENDED, SICK, ENDED], {}, 'IN_DOUBT', ['read 0', 'read 1', 'read 2']],
    ['needs one of the others', [ENDED, ENDED, WELL, WELL], {}, 'BELIEVED', ['read 0', 'read 1', 'read 2']],
    [
      'is in doubt if three others do not work',
      [ENDED, SICK, SICK, SICK, WELL],
      {},
      'IN_DOUBT',
      ['read 0', 'read 1', 'read 2', 'read 3'],
    ],
    [
      'needs no posts of another',
      [ENDED, { capabilities: ['PROFILE'] }],
      { isFinal: false },
      'BELIEVED',
      ['read 0', 'read 1'],
    ],
    ['by a refresh needs the refresh of another', [ENDED, WELL], { by: 'REFRESH' }, 'BELIEVED', ['refresh 1']],
    [
      'by a refresh needs a read of another that has no refresh token',
      [ENDED, { tokens: { refreshToken: null } }],
      { by: 'REFRESH' },
      'BELIEVED',
      ['read 1'],
    ],
    [
      'by a refresh without a refresh token needs its own read',
      [{ ...ENDED, tokens: { refreshToken: null } }, WELL],
      { by: 'REFRESH' },
      'BELIEVED',
      ['read 0', 'refresh 1'],
    ],
    [
      'refreshes an old token of another before the read',
      [ENDED, { tokens: OLD }],
      {},
      'BELIEVED',
      ['read 0', 'refresh 1', 'read 1'],
    ],
    [
      'reads with an old token of another that has no refresh token',
      [ENDED, { tokens: { ...OLD, refreshToken: null } }],
      {},
      'BELIEVED',
      ['read 0', 'read 1'],
    ],
    [
      'is in doubt if another only refreshes its token',
      [ENDED, { read: error('RetryLater'), tokens: OLD }],
      {},
      'IN_DOUBT',
      ['read 0', 'refresh 1', 'read 1'],
    ],
  ])('%s', async ([, scripts, refusal, verdict, calls], { sql }) => {
    const { judge, sent } = await open(sql, scripts);
    expect(await judge(0, refusal)).toBe(verdict);
    expect(sent).toEqual(calls);
  });

  test('is in doubt while another call is refreshing the only other account', async ({ sql }) => {
    const { judge, sent, accounts } = await open(sql, [ENDED, WELL]);
    await sql`
      update account_grant set refresh_claim = gen_random_uuid(), refresh_claimed_at = business_now()
      where grant_id = ${accounts[1]?.grantId ?? null}
    `;
    expect(await judge(0, { by: 'REFRESH' })).toBe('IN_DOUBT');
    expect(sent).toEqual([]);
  });

  test('asks nobody for whom a call is no longer allowed', async ({ sql }) => {
    const disabled = await open(sql, [ENDED, WELL]);
    await setEnabled(sql, disabled.stage.seeded.app.appId, false);
    expect(await disabled.judge()).toBe('IN_DOUBT');
    expect(disabled.sent).toEqual([]);
    const before = (grantId: string) => sql`update account_grant set status = 'REVOKING' where grant_id = ${grantId}`;
    const leaving = await open(sql, [ENDED, { before }]);
    expect(await leaving.judge(0, { by: 'REFRESH' })).toBe('IN_DOUBT');
    expect(leaving.sent).toEqual([]);
  });

  test('needs no read of its account if its connection has gone meanwhile', async ({ sql }) => {
    const { judge, sent } = await open(sql, [WELL, WELL]);
    const meanwhile = ({ grantId }: Grant) =>
      sql`update account_grant set status = 'REVOKING', connection_id = null, profile = null, provider_account_id = null where grant_id = ${grantId}`;
    expect(await judge(0, { meanwhile })).toBe('BELIEVED');
    expect(sent).toEqual(['read 1']);
  });

  test('gives each call of a proof 15 seconds', async ({ sql }) => {
    const { judge, sent } = await open(sql, [ENDED, WELL]);
    const timeout = AbortSignal.timeout;
    const spy = vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
      return ms === 15_000 ? AbortSignal.abort() : timeout.call(AbortSignal, ms);
    });
    onTestFinished(() => spy.mockRestore());
    expect(await judge()).toBe('IN_DOUBT');
    expect(sent).toEqual([]);
  });

  test('is not believed if our own code fails', async ({ sql }) => {
    const { judge } = await open(sql, [ENDED, { read: new TypeError('Ours.') }]);
    await expect(judge()).rejects.toThrow('Ours.');
  });

  test.for<[string, Error, boolean]>([
    ['no answer', error('RetryLater', true), true],
    ['a refusal for now', error('RetryLater'), false],
    ['the end of the grant', error('GrantDead', true), false],
    ['a failure of our own', new TypeError('Ours.'), false],
  ])('keeps the refresh of another claimed after %s: %s', async ([, refresh, isKept], { sql }) => {
    const { judge, accounts, sent } = await open(sql, [ENDED, { refresh }]);
    await judge(0, { by: 'REFRESH' }).catch(() => undefined);
    expect(sent).toEqual(['refresh 1']);
    const [row] = await sql`
      select refresh_claim is not null as is_kept, status from account_grant where grant_id = ${accounts[1]?.grantId ?? null}
    `;
    expect(row).toEqual({ isKept, status: 'LIVE' });
  });

  test('is believed after exactly two days of refusals, although nobody works', async ({ sql }) => {
    const now = await businessNow(sql);
    await freezeClock(sql, now);
    onTestFinished(() => releaseClock(sql));
    for (const [ms, verdict] of [
      [2 * DAY_MS - 1, 'IN_DOUBT'],
      [2 * DAY_MS, 'BELIEVED'],
    ] as const) {
      const { judge, accounts } = await open(sql, [ENDED, ENDED]);
      await sql`
        update account_grant set refused_at = ${new Date(now.getTime() - ms)} where grant_id = ${accounts[0]?.grantId ?? null}
      `;
      expect(await judge()).toBe(verdict);
    }
  });
});

describe('a registration of which many grants end', () => {
  test('believes five within an hour, reports the sixth once, and asks nobody for the next', async ({ sql }) => {
    const { judge, sent, reports, registrationId } = await open(sql, [ENDED, WELL]);
    const verdicts = [];
    for (let count = 0; count < 6; count += 1) verdicts.push(await judge());
    expect(verdicts).toEqual(['BELIEVED', 'BELIEVED', 'BELIEVED', 'BELIEVED', 'BELIEVED', 'IN_DOUBT']);
    expect(reports()).toEqual([MANY]);
    expect(await areDowngradesHeld(sql, registrationId)).toBe(true);
    sent.length = 0;
    expect(await judge()).toBe('IN_DOUBT');
    expect(sent).toEqual(['read 0']);
    expect(reports()).toEqual([MANY]);
  });

  test('reports once that nobody works, and looks again ten minutes later', async ({ sql }) => {
    const { judge, sent, reports, registrationId } = await open(sql, [ENDED, ENDED]);
    expect([await judge(), await judge()]).toEqual(['IN_DOUBT', 'IN_DOUBT']);
    expect(sent).toEqual(['read 0', 'read 1', 'read 0']);
    expect(reports()).toEqual([MANY]);
    await sql`update registration set downgrades_checked_at = business_now() - interval '10 minutes' where registration_id = ${registrationId}`;
    expect(await judge()).toBe('IN_DOUBT');
    expect(sent.slice(3)).toEqual(['read 0', 'read 1']);
    expect(await areDowngradesHeld(sql, registrationId)).toBe(true);
    expect(reports()).toEqual([MANY]);
  });

  test.for<[string, ScriptedAccount[], string, string[], string[]]>([
    ['all of two others', [WELL, WELL], 'BELIEVED', ['read 1', 'read 2', 'read 1'], [OVER]],
    ['not one of two others', [WELL, SICK], 'IN_DOUBT', ['read 1', 'read 2'], []],
    ['not two of three others', [WELL, WELL, SICK], 'IN_DOUBT', ['read 1', 'read 2', 'read 3'], []],
    ['not none', [], 'IN_DOUBT', [], []],
  ])('goes on when %s work again', async ([, others, verdict, calls, reported], { sql }) => {
    const { judge, sent, reports, registrationId } = await open(sql, [ENDED, ...others]);
    await sql`
      update registration set downgrades_held_at = business_now() - interval '1 hour',
        downgrades_checked_at = business_now() - interval '1 hour'
      where registration_id = ${registrationId}
    `;
    expect(await judge()).toBe(verdict);
    expect(sent).toEqual(['read 0', ...calls]);
    expect(reports()).toEqual(reported);
    expect(await areDowngradesHeld(sql, registrationId)).toBe(verdict === 'IN_DOUBT');
  });

  test('believes five of many that were refused for days, reports the sixth once, and asks no other', async ({
    sql,
  }) => {
    const { judge, sent, reports, registrationId } = await open(
      sql,
      Array.from({ length: 6 }, () => ENDED),
    );
    await sql`update account_grant set refused_at = business_now() - interval '3 days' where registration_id = ${registrationId}`;
    const verdicts = [];
    for (let count = 0; count < 8; count += 1) verdicts.push(await judge());
    expect(verdicts).toEqual([
      ...Array.from({ length: 5 }, () => 'BELIEVED'),
      ...Array.from({ length: 3 }, () => 'IN_DOUBT'),
    ]);
    expect(new Set(sent)).toEqual(new Set(['read 0']));
    expect(reports()).toEqual([MANY]);
  });
});

describe('the withdrawal of a capability', () => {
  const POSTS_REFUSED: ScriptedAccount = { posts: error('PermissionMissing') };
  const LOOKUPS_ONLY: ScriptedAccount = { capabilities: ['PROFILE', 'CONTENT_LOOKUP'] };

  test.for<[string, Capability, ScriptedAccount[], string, string[]]>([
    ['posts while another has posts', 'CONTENT_LIST', [WELL, WELL], 'BELIEVED', ['posts 1']],
    ['posts while another has none either', 'CONTENT_LIST', [WELL, POSTS_REFUSED], 'IN_DOUBT', ['posts 1']],
    [
      'posts while the only other shares none, and the account is read',
      'CONTENT_LIST',
      [WELL, { ...POSTS_REFUSED, capabilities: ['PROFILE'] }],
      'BELIEVED',
      ['read 0'],
    ],
    ['posts of the only account, which is read', 'CONTENT_LIST', [POSTS_REFUSED], 'BELIEVED', ['read 0']],
    ['posts of the only account, which is not read either', 'CONTENT_LIST', [SICK], 'IN_DOUBT', ['read 0']],
    [
      'lookups of the only account, which is not read either',
      'CONTENT_LOOKUP',
      [{ ...SICK, ...LOOKUPS_ONLY }],
      'IN_DOUBT',
      ['read 0'],
    ],
    ['the profile while another is read', 'PROFILE', [WELL, { capabilities: ['PROFILE'] }], 'BELIEVED', ['read 1']],
    ['the profile of the only account, whose posts are read', 'PROFILE', [WELL], 'BELIEVED', ['posts 0']],
    ['the profile of the only account, whose posts are not read either', 'PROFILE', [SICK], 'IN_DOUBT', ['posts 0']],
    ['the profile of the only account, which shares no posts', 'PROFILE', [LOOKUPS_ONLY], 'BELIEVED', []],
  ])('%s', async ([, capability, scripts, verdict, calls], { sql }) => {
    const { withdraw, sent, accounts } = await open(sql, scripts);
    expect(await withdraw(capability)).toBe(verdict);
    expect(sent).toEqual(calls);
    const { capabilities = [] } = (await findConnection(sql, accounts[0]?.connectionId as never)) ?? {};
    expect(capabilities.find((one) => one.capability === capability)?.availability).toBe(
      verdict === 'BELIEVED' ? 'NOT_GRANTED' : 'AVAILABLE',
    );
  });

  test('of posts lists one post of the last day of another, and looks again a day later', async ({ sql }) => {
    const now = await businessNow(sql);
    await freezeClock(sql, now);
    onTestFinished(() => releaseClock(sql));
    const { withdraw, listed, accounts } = await open(sql, [WELL, WELL]);
    await withdraw('CONTENT_LIST');
    const window = { publishedAfter: new Date(now.getTime() - DAY_MS), publishedBefore: now };
    expect(listed).toEqual([{ window, cursor: null, limit: 1, withMetrics: false }]);
    const [row] =
      await sql`select upkeep_due_at, upkeep_failing_since from connection where connection_id = ${accounts[0]?.connectionId ?? null}`;
    expect(row).toEqual({ upkeepDueAt: new Date(now.getTime() + DAY_MS), upkeepFailingSince: null });
  });
});

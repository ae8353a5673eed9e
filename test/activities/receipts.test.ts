import fc from 'fast-check';
import { expect } from 'vitest';
import type { JobId } from '../../src/basics/ids.ts';
import { ProviderError, type Tokens } from '../../src/providers/provider.ts';
import { openStage, useGrant } from '../kit/activity-stage.ts';
import { businessNow, DAY_MS, HOUR_MS, moveClock, SECOND_MS } from '../kit/clock.ts';
import { runActivity } from '../kit/deps.ts';
import { newTokens } from '../kit/fake-provider.ts';
import { type Database, inTransaction, test } from '../kit/postgres.ts';
import { requeueRevokes } from '../kit/seed-jobs.ts';

/** Longer than a claim is valid. */
const LAPSED_MS = 91 * SECOND_MS;

/** What a platform or a worker does to one call; `store` is the step after the answer to a refresh. */
const FAULTS = [
  ...(['refresh', 'revoke'] as const).flatMap((of) =>
    (['is away', 'loses its answer', 'does not answer', 'dies before', 'dies after'] as const).map((how) => ({
      of,
      how,
    })),
  ),
  { of: 'store', how: 'dies before' },
] as const;
type Fault = (typeof FAULTS)[number];

const rarely = (times: number) => fc.nat(times).map((drawn) => drawn === 0);
/** One use of a grant, or one try to revoke it, and what happens before and after it. */
const step = fc.record({
  fault: fc.option(fc.constantFrom(...FAULTS), { nil: undefined, freq: 3 }),
  accessExpires: fc.boolean(),
  failsOver: rarely(5),
  /** Whether the fail-over, which is asynchronous, loses a rotation that the platform has made. */
  losesRotation: fc.boolean(),
  personRemovesApp: rarely(7),
  isLater: fc.boolean(),
  /** The service gives up after three days, and an operator lets it try again. */
  givesUp: rarely(2),
});
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

const QUIET: Step = {
  fault: undefined,
  accessExpires: false,
  failsOver: false,
  losesRotation: false,
  personRemovesApp: false,
  isLater: false,
  givesUp: false,
};
const LOST_REFRESH: Step = { ...QUIET, accessExpires: true, fault: { of: 'refresh', how: 'loses its answer' } };
const outageOf = (of: 'refresh' | 'revoke'): Step => ({ ...QUIET, isLater: true, fault: { of, how: 'is away' } });
const KEPT: Step = { ...outageOf('revoke'), givesUp: true };
/** Without a doubt, a refusal proves that the person has removed the app. */
const REMOVED: Step = { ...QUIET, personRemovesApp: true };
/** Tries that random ones rarely have in a row. */
const KNOWN: readonly (readonly Step[])[] = [
  // Its own crash leaves no doubt.
  [{ ...QUIET, fault: { of: 'revoke', how: 'dies after' } }],
  // A doubt stays when the tokens move to the job, and after an outage.
  [{ ...LOST_REFRESH, givesUp: true }],
  ...[outageOf('revoke'), outageOf('refresh')].flatMap((outage) => [
    [LOST_REFRESH, outage],
    [KEPT, LOST_REFRESH, outage],
  ]),
  // An outage during a refresh delays no one.
  [KEPT, { ...outageOf('refresh'), accessExpires: true }],
];

/** How the platform refuses a token that it has replaced: as if the grant had ended. */
const refusals = fc.constantFrom('TokenStale', 'GrantDead', 'alreadyEnded');

/**
 * A connection at a platform that rotates: each refresh token works once, a revoke needs the live access token, and a
 * refusal looks the same whether the grant has ended or the token was replaced.
 */
async function connect(sql: Database, refusal: 'TokenStale' | 'GrantDead' | 'alreadyEnded') {
  const stage = await openStage(sql);
  const { provider, deps, activities } = stage;
  const now = (await businessNow(sql)).getTime();
  const issue = () =>
    newTokens({ accessExpiresAt: new Date(now + 90 * DAY_MS), refreshExpiresAt: new Date(now + 180 * DAY_MS) });
  const far = { tokens: issue(), hasExpired: false, hasEnded: false };
  const { grantId, ...connection } = await stage.newConnection({ tokens: far.tokens });
  const known = {
    /** Whether a refresh may have replaced our tokens, as far as we can know. */
    inDoubt: false,
    /** Whether one has. */
    isSpent: false,
    /** Whether we sent a replaced refresh token without a doubt about it. */
    misused: false,
    /** Whether the platform has told us that it has revoked. */
    confirmed: false,
  };

  let fault: Fault | undefined;
  let reachDeath = () => {};
  const die = () => {
    reachDeath();
    return new Promise<never>(() => undefined); // The call of a killed worker never returns.
  };
  const call = async <T>(of: 'refresh' | 'revoke', answer: () => T): Promise<T> => {
    const how = fault?.of === of ? fault.how : undefined;
    if (how === 'is away') throw new ProviderError('RetryLater', 'Away.');
    if (of === 'refresh' && how !== undefined) known.inDoubt = true;
    if (how === 'dies before') return await die();
    if (how === 'does not answer') throw new ProviderError('RetryLater', 'Lost.', { outcomeUnknown: true });
    const answered = answer();
    if (of === 'refresh' && how !== undefined) known.isSpent = true;
    if (how === 'dies after') return await die();
    if (how === 'loses its answer') throw new ProviderError('RetryLater', 'Lost.', { outcomeUnknown: true });
    return answered;
  };
  const isCurrent = (held: Tokens) => held.accessToken.reveal() === far.tokens.accessToken.reveal();
  const works = (held: Tokens) => isCurrent(held) && !far.hasExpired && !far.hasEnded;

  provider.refresh.mockImplementation(async (_client, held) => {
    const fresh = await call('refresh', () => {
      const isReplaced = held.refreshToken?.reveal() !== far.tokens.refreshToken?.reveal();
      if (isReplaced && !known.inDoubt) known.misused = true;
      if (far.hasEnded || isReplaced) throw new ProviderError('GrantDead', 'Spent, or ended.');
      Object.assign(far, { tokens: issue(), hasExpired: false });
      return far.tokens;
    });
    if (fault?.of !== 'store') Object.assign(known, { inDoubt: false, isSpent: false });
    return fresh;
  });
  provider.revoke.mockImplementation(async (_client, held) => {
    const outcome = await call('revoke', () => {
      if (works(held)) {
        far.hasEnded = true;
        return 'revoked';
      }
      if (refusal === 'TokenStale' || isCurrent(held)) throw new ProviderError('TokenStale', 'Stale.');
      if (refusal === 'GrantDead') throw new ProviderError(refusal, 'Ended.');
      return refusal;
    });
    known.confirmed ||= outcome === 'revoked';
    return outcome;
  });
  const { sealGrant } = deps.vault;
  const vault = deps.vault as { sealGrant: typeof sealGrant };
  vault.sealGrant = async (...sealing) => {
    if (fault?.of !== 'store') return await sealGrant(...sealing);
    Object.assign(known, { inDoubt: true, isSpent: true });
    return await die();
  };

  /** @returns how `work` ended, or that its worker has died. */
  const act = async (next: Fault | undefined, work: () => Promise<unknown>): Promise<string> => {
    const death = new Promise<string>((resolve) => {
      reachDeath = () => resolve('died');
    });
    fault = next;
    const ended = work().then(
      () => 'done',
      ({ type }: { type?: string }) => type ?? 'a defect',
    );
    const end = await Promise.race([death, ended]);
    fault = undefined;
    expect(['done', 'died', 'RetryLater', 'GrantDead']).toContain(end);
    return end;
  };

  const happen = async ({ accessExpires, failsOver, losesRotation, personRemovesApp, isLater }: Step) => {
    far.hasExpired ||= accessExpires;
    far.hasEnded ||= personRemovesApp;
    if (isLater) await moveClock(sql, LAPSED_MS);
    if (!failsOver) return;
    if (losesRotation) far.tokens = issue();
    known.inDoubt = true;
    known.isSpent ||= losesRotation;
    await sql`update account_grant set tokens_timeline = '00000000' where grant_id = ${grantId}`;
    await sql`update disconnect_job set tokens_timeline = '00000000' where grant_id = ${grantId}`;
  };

  return {
    far,
    known,
    provider,
    use: async (next: Step) => {
      await happen({ ...next, isLater: true });
      const isUsable = !far.hasEnded && !known.isSpent;
      const end = await act(next.fault, () =>
        useGrant(deps, grantId, new AbortController().signal, async (held) => {
          if (!works(held)) throw new ProviderError('TokenStale', 'Stale.');
        }),
      );
      if (isUsable && next.fault === undefined) expect(end).toBe('done');
    },
    disconnect: async () => {
      const { revokeJobId: jobId } = await stage.disconnect(connection);
      const receipt = () => stage.job('disconnect_job', jobId);
      const tryOnce = (next?: Fault) => act(next, () => runActivity(activities.tryRevoke, { jobId }));
      const hasEnded = async () => (await receipt()).finishedAt !== null;
      return { receipt, hasEnded, tryOnce, giveUp: () => giveUpAndOpenAgain(jobId), happen };
    },
  };

  /** From then on, the job holds the only copy of the tokens. */
  async function giveUpAndOpenAgain(jobId: JobId): Promise<void> {
    await moveClock(sql, 72 * HOUR_MS);
    const failedTry = { type: 'RetryLater', retryAfterSeconds: null };
    await runActivity(activities.recordDisconnectFailure, { jobId, failedTry });
    expect(await stage.job('disconnect_job', jobId)).toMatchObject({
      status: 'FAILED',
      creatorAction: 'REMOVE_APP_AT_PROVIDER',
    });
    expect((await stage.grant(grantId)).sealedTokens).toBeNull();
    await inTransaction(sql, (tx) => requeueRevokes(tx, [jobId]));
  }
}

test('a receipt reports the end of a grant if the platform has proven it, and else asks the person to remove the app', async ({
  sql,
}) => {
  const ends = { proven: 0, asked: 0, afterGivingUp: 0 };
  const run = async (
    refusal: Parameters<typeof connect>[1],
    uses: readonly Step[],
    tries: readonly Step[],
    isLastTryLate: boolean,
  ) => {
    const { far, known, provider, ...connection } = await connect(sql, refusal);
    for (const use of uses) await connection.use(use);
    const job = await connection.disconnect();
    for (const next of tries) {
      await job.happen(next);
      await job.tryOnce(next.fault);
      if (await job.hasEnded()) break;
      if (!next.givesUp) continue;
      await job.giveUp();
      ends.afterGivingUp += 1;
    }
    // A healthy platform ends it with one try: at once, unless a refresh without an answer may still be under way.
    if (known.inDoubt || isLastTryLate) await moveClock(sql, LAPSED_MS);
    await job.tryOnce();
    const receipt = await job.receipt();
    const isProven = receipt.status === 'SUCCEEDED' && receipt.creatorAction === null;
    if (isProven) expect(far.hasEnded).toBe(true);
    else expect(receipt).toMatchObject({ status: 'FAILED', creatorAction: 'REMOVE_APP_AT_PROVIDER' });
    if (!known.inDoubt || known.confirmed) expect(isProven).toBe(true);
    expect(receipt.sealedTokens).toBeNull();
    expect(known.misused).toBe(false);
    ends[isProven ? 'proven' : 'asked'] += 1;

    const calls = provider.revoke.mock.calls.length + provider.refresh.mock.calls.length;
    await job.tryOnce(); // The answer of the last try may have been lost.
    expect(await job.receipt()).toEqual(receipt);
    expect(provider.revoke.mock.calls.length + provider.refresh.mock.calls.length).toBe(calls);
  };
  const steps = (maxLength: number) => fc.array(step, { maxLength });
  await fc.assert(fc.asyncProperty(refusals, steps(3), steps(5), fc.boolean(), run), {
    numRuns: 60,
    seed: 7,
    endOnFailure: true,
    examples: [
      ...KNOWN.map((tries, index): Parameters<typeof run> => ['TokenStale', [], tries, index < KNOWN.length - 1]),
      ['TokenStale', [{ ...QUIET, failsOver: true, accessExpires: true }], [REMOVED], false],
    ],
  });
  for (const count of Object.values(ends)) expect(count).toBeGreaterThan(5);
});

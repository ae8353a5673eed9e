import { describe, expect, onTestFinished, vi } from 'vitest';
import type { Deps } from '../../src/activities/deps.ts';
import { runWithin } from '../../src/activities/provider-activity.ts';
import type { QueueName } from '../../src/activities/provider-queue.ts';
import { createRateLimitedCall } from '../../src/activities/provider-rate-limit.ts';
import { type AppId, newId, type RegistrationId } from '../../src/basics/ids.ts';
import type { Slot } from '../../src/store/provider-rate-limit.ts';
import { asWorker, test } from '../kit/postgres.ts';
import { clearTurns, setNextTurn } from '../kit/turns.ts';
import { holdPauses } from './pauses.ts';

const appId = newId<AppId>();
const registrationId = newId<RegistrationId>();
const provider = 'PROVIDER_B';
const BEGIN = 1_000_000;
const TAKEN: Slot = { taken: true, waitSeconds: 0 };

/** A step's meter at a moment that does not pass for it, before lines of which each notes who waits, and until when. */
function open({
  queue = 'READS' as QueueName,
  isOurs = false,
  callsPerSecond = 4,
  sql = undefined as unknown,
  abort = new AbortController(),
} = {}) {
  const now = vi.spyOn(performance, 'now').mockReturnValue(BEGIN);
  onTestFinished(() => now.mockRestore());
  const waits: [QueueName, string, number][] = [];
  const answer = vi.fn(async () => TAKEN);
  const lineOf = (name: QueueName) => ({
    waitForSlot: async (appKey: string, latestAtMs: number) => {
      waits.push([name, appKey, latestAtMs - BEGIN]);
      return await answer();
    },
  });
  const lines = { CONNECTS: lineOf('CONNECTS'), GRANTS: lineOf('GRANTS'), READS: lineOf('READS') };
  const deps = {
    sql,
    facts: {},
    callsPerSecond: { [provider]: callsPerSecond },
    providerQueues: { [provider]: lines },
  } as unknown as Deps;
  const caller = { provider, registrationId, appId: isOurs ? null : appId, purpose: { for: 'PROBE' } } as const;
  const call = createRateLimitedCall(deps, caller, queue, abort.signal);
  return {
    ...{ waits, answer, abort },
    admit: ({ quotaUnits = 0, cannotWait = false } = {}) => call.admit({ quotaUnits, cannotWait }),
    pass: (ms: number) => now.mockReturnValue(BEGIN + ms),
  };
}

describe('a request of a step', () => {
  test.for<[QueueName, number]>([
    ['CONNECTS', 20_000],
    ['GRANTS', 20_000],
    ['READS', 5_000],
  ])(
    'waits in the queue of %s for %d ms, and until 15 s before the end of the step once one was sent',
    async ([queue, ms]) => {
      const { admit, waits, answer, pass } = open({ queue });
      answer.mockResolvedValueOnce({ taken: false, waitSeconds: 30 });
      await expect(admit()).rejects.toMatchObject({ type: 'OwnRateLimit', retryAfterSeconds: 30 });
      pass(1_000);
      await admit();
      pass(3_000);
      await admit();
      expect(waits).toEqual([
        [queue, appId, ms],
        [queue, appId, ms + 1_000],
        [queue, appId, 75_000],
      ]);
    },
  );

  test('waits no longer than the limits of its step', async () => {
    const { admit, waits } = open({ queue: 'GRANTS' });
    const limits = { stepMs: 40_000, timeSliceMs: 500, patienceSeconds: 0.1, hasTimeForRefresh: false };
    await runWithin(limits, () => admit());
    expect(waits).toEqual([['GRANTS', appId, 100]]);
  });

  test('of our own counts against no app', async () => {
    const { admit, waits } = open({ isOurs: true });
    await admit({ quotaUnits: 5 });
    expect(waits).toEqual([['READS', registrationId, 5_000]]);
  });

  test('is tried again no sooner than the next turn', async () => {
    const { admit, answer } = open({ callsPerSecond: 0.25 });
    answer.mockResolvedValueOnce({ taken: false, waitSeconds: 0 });
    await expect(admit()).rejects.toMatchObject({
      type: 'OwnRateLimit',
      retryAfterSeconds: 4,
      outcomeUnknown: false,
    });
  });

  test('goes when its turn is', async () => {
    const { admit, answer } = open();
    const { lengths, end } = holdPauses();
    answer.mockResolvedValueOnce({ taken: true, waitSeconds: 2.5 });
    const admitted = admit();
    await vi.waitUntil(() => lengths().length > 0, { interval: 1 });
    expect(lengths()).toEqual([2_500]);
    end(2_500);
    await admitted;
  });

  test.each(['queue', 'pause'])('that is aborted in its %s was not sent', async (where) => {
    const { admit, answer, abort } = open();
    const { lengths } = holdPauses();
    answer.mockImplementationOnce(async () => {
      if (where === 'queue') abort.abort();
      if (where === 'queue') throw abort.signal.reason;
      return { taken: true, waitSeconds: 3 };
    });
    const admitted = expect(admit()).rejects.toMatchObject({
      type: 'RetryLater',
      message: 'A call was aborted before its slot.',
    });
    if (where === 'pause') {
      await vi.waitUntil(() => lengths().length > 0, { interval: 1 });
      abort.abort();
    }
    await admitted;
  });

  test('fails as its queue fails', async () => {
    const { admit, answer } = open();
    const error = new Error('Postgres is away.');
    answer.mockRejectedValueOnce(error);
    await expect(admit()).rejects.toBe(error);
  });

  test.for([
    [12, 11, 12],
    [40, 30, 30],
  ] as const)(
    'that cannot wait goes before its turn in %d seconds after 30',
    async ([turnIn, least, most], { sql }) => {
      await setNextTurn(sql, provider, turnIn);
      const { admit, waits } = open({ sql: asWorker(sql), queue: 'CONNECTS' });
      const { left, end } = holdPauses();
      const admitted = admit({ cannotWait: true });
      await vi.waitUntil(() => left().length > 0, { interval: 5 });
      const [pauseMs = 0] = left();
      expect(pauseMs).toBeGreaterThanOrEqual(least * 1_000);
      expect(pauseMs).toBeLessThanOrEqual(most * 1_000);
      expect(waits).toEqual([]);
      end(pauseMs);
      await admitted;
    },
  );

  test.for<[QueueName, string[]]>([
    ['READS', []],
    ['CONNECTS', ['provider_b_turns_connects']],
    ['GRANTS', ['provider_b_turns_grants']],
  ])('that cannot wait counts in the share of %s', async ([queue, moved], { sql }) => {
    await clearTurns(sql, provider);
    await open({ sql: asWorker(sql), queue }).admit({ cannotWait: true });
    const rows = await sql`
      select sequencename as name from pg_sequences
      where sequencename in ('provider_b_turns_connects', 'provider_b_turns_grants') and last_value is not null
    `;
    expect(rows.map(({ name }) => name)).toEqual(moved);
  });
});

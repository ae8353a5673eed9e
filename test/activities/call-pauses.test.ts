import { describe, expect, onTestFinished, vi } from 'vitest';
import { createProviderQueues, ProviderQueue, type QueueName } from '../../src/activities/provider-queue.ts';
import { forEachProvider } from '../../src/basics/codes.ts';
import type { Slot } from '../../src/store/provider-rate-limit.ts';
import { gate } from '../kit/fake-activities.ts';
import { asWorker, test } from '../kit/postgres.ts';
import { clearTurns } from '../kit/turns.ts';
import { holdPauses } from './pauses.ts';

const signal = new AbortController().signal;
const TURN: Slot = { taken: true, waitSeconds: 0 };

/** A line that asks the test for turns, at a moment that does not pass for it. The test ends its pauses. */
function open() {
  const nowMs = 1_000_000;
  const now = vi.spyOn(performance, 'now').mockReturnValue(nowMs);
  onTestFinished(() => now.mockRestore());
  const held = holdPauses();
  const asked: ((turn: Slot | Promise<never>) => void)[] = [];
  const line = new ProviderQueue(() => new Promise<Slot>((resolve) => void asked.push(resolve)));
  return {
    asked,
    read: (appKey: string, ms = 5_000, abort = signal) => line.waitForSlot(appKey, nowMs + ms, abort),
    answer: async (turn: Slot | Promise<never>) => {
      const [ask] = asked.splice(0);
      expect(ask).toBeDefined();
      ask?.(turn);
      await settle();
    },
    pauses: held.lengths,
    left: held.left,
    end: async (ms: number) => {
      held.end(ms);
      await settle();
    },
  };
}

/** Waits until everything that can continue without the test has done so. */
const settle = () => new Promise<void>((resolve) => setImmediate(resolve));
const now = <T>(promise: Promise<T>) => Promise.race([promise, settle()]);

describe('a line of calls', () => {
  test.for([
    [0.25, 250],
    [1, 1_000],
    [9, 1_000],
  ] as const)('asks again after %d seconds, or one', async ([waitSeconds, ms]) => {
    const { asked, read, answer, pauses, end } = open();
    const waiting = read('app', 20_000);
    expect(pauses()).toEqual([20_000, 10_000]); // The call's own time, and the longest answer.
    await answer({ taken: false, waitSeconds });
    expect(asked).toEqual([]);
    expect(pauses()).toEqual([20_000, 10_000, ms]);
    await end(ms);
    await answer(TURN);
    expect(await waiting).toEqual(TURN);
  });

  test('refuses at once, and while it pauses, a call for which the next turn is too late', async () => {
    const { read, answer, end } = open();
    const refusal = { taken: false, waitSeconds: 9 };
    const [exact, hasty] = [read('app', 9_000), read('app', 8_999)];
    await answer(refusal);
    expect(await now(hasty)).toEqual(refusal);
    expect(await now(read('app', 8_999))).toEqual(refusal);
    expect(await now(exact)).toBeUndefined();
    await end(1_000);
    await answer(TURN);
    expect(await now(exact)).toEqual(TURN);
  });

  test('loses a call whose time is over, or that is aborted, and the next one gets the turn', async () => {
    const { read, answer, end, pauses } = open();
    const abort = new AbortController();
    const [late, aborted, last] = [read('late', 300), read('aborted', 400, abort.signal), read('last', 500)];
    expect(pauses()).toEqual([300, 10_000, 400, 500]);
    await end(300);
    expect(await now(late)).toEqual({ taken: false, waitSeconds: 0 });
    abort.abort(new Error('The worker stops.'));
    await expect(now(aborted)).rejects.toThrow('The worker stops.');
    await answer(TURN);
    expect(await now(last)).toEqual(TURN);
  });

  test('gives no turn to a call that it has just refused', async () => {
    for (let moments = 0; moments < 8; moments += 1) {
      const { asked, read, answer, end } = open();
      const first = read('app');
      await answer(TURN);
      await first;
      const patient = read('app');
      await answer({ taken: false, waitSeconds: 0.25 });
      await end(250);
      asked.shift()?.(TURN);
      for (let moment = 0; moment < moments; moment += 1) await Promise.resolve();
      const late = read('other', 0);
      expect(await now(patient)).toEqual(TURN);
      await end(0);
      expect(await now(late)).toEqual({ taken: false, waitSeconds: 0.25 });
    }
  });

  test('takes no unneeded slot, and does not wait', async () => {
    const { asked, read, answer, left } = open();
    const served = read('app');
    await answer(TURN);
    expect(await now(served)).toEqual(TURN);
    expect(asked).toEqual([]);
    expect(left()).toEqual([]);
    const failed = read('app');
    const ended = expect(failed).rejects.toThrow('away');
    await answer(Promise.reject(new Error('Postgres is away.')));
    await ended;
    expect(asked).toEqual([]);
    expect(left()).toEqual([]);
  });

  test.each([
    [1_000, ['new', 'app 0']],
    [1_001, ['app 0', 'new']],
  ])('remembers the last thousand apps: after %d, the first is served as %j', async (count, order) => {
    const [before, go] = [Promise.resolve(), gate()];
    let turns = 0;
    const line = new ProviderQueue(async () => {
      turns += 1;
      await (turns <= count ? before : go.opened);
      return TURN;
    });
    for (let app = 0; app < count; app += 1) await line.waitForSlot(`app ${app}`, performance.now() + 5_000, signal);
    const served: string[] = [];
    const reads = ['app 0', 'new'].map(async (app) => {
      await line.waitForSlot(app, performance.now() + 5_000, signal);
      served.push(app);
    });
    go.open();
    await Promise.all(reads);
    expect(served).toEqual(order);
  });
});

test.for<[QueueName, string[]]>([
  ['CONNECTS', ['provider_b_turns', 'provider_b_turns_connects']],
  ['GRANTS', ['provider_b_turns', 'provider_b_turns_grants']],
  ['READS', ['provider_b_turns']],
])('the line of %s counts in its own share: %j', async ([name, moved], { sql }) => {
  await clearTurns(sql, 'PROVIDER_B');
  const lines = createProviderQueues(
    asWorker(sql),
    forEachProvider(() => 10),
  );
  expect(await lines.PROVIDER_B[name].waitForSlot('app', performance.now() + 5_000, signal)).toMatchObject({
    taken: true,
  });
  const rows = await sql`
    select sequencename as name from pg_sequences
    where sequencename like 'provider_b_turns%' and sequencename not like '%clock' and last_value is not null order by 1
  `;
  expect(rows.map((row) => row.name)).toEqual(moved);
});

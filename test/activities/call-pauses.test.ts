import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, onTestFinished, vi } from 'vitest';
import { CallLine, createCallLines, type LineName } from '../../src/activities/call-line.ts';
import { forEachProvider } from '../../src/basics/codes.ts';
import type { Turn } from '../../src/store/provider-rate-limit.ts';
import { gate } from '../kit/fake-activities.ts';
import { asWorker, test } from '../kit/postgres.ts';
import { clearTurns } from '../kit/turns.ts';

vi.mock('node:timers/promises', { spy: true });

const signal = new AbortController().signal;
const TURN: Turn = { taken: true, waitSeconds: 0 };

/** A line that asks the test for turns, at a moment that does not pass for it. */
function open() {
  const nowMs = performance.now();
  const now = vi.spyOn(performance, 'now').mockReturnValue(nowMs);
  onTestFinished(() => now.mockRestore());
  const asked: ((turn: Turn | Promise<never>) => void)[] = [];
  const line = new CallLine(() => new Promise<Turn>((resolve) => void asked.push(resolve)));
  const read = (appKey: string, ms = 5_000) => line.waitForTurn(appKey, nowMs + ms, signal);
  const answer = async (turn: Turn | Promise<never>) => {
    await vi.waitUntil(() => asked.length > 0, { interval: 1, timeout: 3_000 });
    asked.shift()?.(turn);
  };
  return { asked, read, answer };
}

/** Until all that can go on without the test has done so. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

describe('a line of calls', () => {
  test.for([
    [0.2, 200],
    [9, 1_000],
  ])('asks again after a pause of %d seconds, or one', async ([waitSeconds = 0, ms]) => {
    const { asked, read, answer } = open();
    const waiting = read('app', 10_000);
    vi.mocked(delay).mockClear();
    await answer({ taken: false, waitSeconds });
    await settle();
    expect(asked).toEqual([]);
    expect(vi.mocked(delay).mock.calls.map(([pauseMs]) => pauseMs)).toEqual([ms]);
    await answer(TURN);
    expect(await waiting).toEqual(TURN);
  });

  test('refuses at once, and while it pauses, a call for which the next turn is too late, and says when it is', async () => {
    const { read, answer } = open();
    const [exact, hasty] = [read('app', 9_000), read('app', 8_999)];
    await answer({ taken: false, waitSeconds: 9 });
    expect(await hasty).toEqual({ taken: false, waitSeconds: 9 });
    expect(await read('app', 8_999)).toEqual({ taken: false, waitSeconds: 9 });
    expect(await Promise.race([exact, settle()])).toBeUndefined();
    await answer(TURN);
    expect(await exact).toEqual(TURN);
  });

  test('gives no turn to a call that it has just refused', async () => {
    for (let moments = 0; moments < 8; moments += 1) {
      const { asked, read, answer } = open();
      const patient = read('app');
      await answer({ taken: false, waitSeconds: 0.001 });
      await vi.waitUntil(() => asked.length === 1, { interval: 1, timeout: 3_000 });
      asked.shift()?.(TURN);
      for (let moment = 0; moment < moments; moment += 1) await Promise.resolve();
      const late = read('other', 0);
      expect(await late).toEqual({ taken: false, waitSeconds: 0.001 });
      expect(await Promise.race([patient, settle()])).toEqual(TURN);
    }
  });

  test('asks for no turn that nobody needs, and waits for nothing then', async () => {
    const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;
    const before = timers();
    const { asked, read, answer } = open();
    const served = read('app');
    await answer(TURN);
    await served;
    await settle();
    expect(asked).toEqual([]);
    const failed = read('app');
    await answer(Promise.reject(new Error('Postgres is away.')));
    await expect(failed).rejects.toThrow('away');
    await settle();
    expect(asked).toEqual([]);
    expect(timers()).toBe(before);
  });

  test.each([
    [1_000, ['new', 'app 0']],
    [1_001, ['app 0', 'new']],
  ])('remembers the last thousand apps: after %d, the first is served as %j', async (count, order) => {
    const [before, go] = [Promise.resolve(), gate()];
    let turns = 0;
    const line = new CallLine(async () => {
      turns += 1;
      await (turns <= count ? before : go.opened);
      return TURN;
    });
    for (let app = 0; app < count; app += 1) await line.waitForTurn(`app ${app}`, performance.now() + 5_000, signal);
    const served: string[] = [];
    const reads = ['app 0', 'new'].map(async (app) => {
      await line.waitForTurn(app, performance.now() + 5_000, signal);
      served.push(app);
    });
    go.open();
    await Promise.all(reads);
    expect(served).toEqual(order);
  });
});

test.for<[LineName, string[]]>([
  ['CONNECTS', ['provider_b_turns', 'provider_b_turns_connects']],
  ['GRANTS', ['provider_b_turns', 'provider_b_turns_grants']],
  ['READS', ['provider_b_turns']],
])('the line of %s counts in its own share: %j', async ([name, moved], { sql }) => {
  await clearTurns(sql, 'PROVIDER_B');
  const lines = createCallLines(
    asWorker(sql),
    forEachProvider(() => 10),
  );
  expect(await lines.PROVIDER_B[name].waitForTurn('app', performance.now() + 5_000, signal)).toMatchObject({
    taken: true,
  });
  const rows = await sql`
    select sequencename as name from pg_sequences
    where sequencename like 'provider_b_turns%' and sequencename not like '%clock' and last_value is not null order by 1
  `;
  expect(rows.map((row) => row.name)).toEqual(moved);
});

import { describe, expect, test as plainTest, vi } from 'vitest';
import { perFile } from '../kit/per-file.ts';
import type { Explorer, Failure, Order } from './explore.ts';
import { REGRESSIONS } from './regressions.ts';

vi.mock('@temporalio/workflow', async () => await import('./temporal.ts'));

// Set by `npm run test:orders`. `npm run test:long` takes a sample: always the same orders, however fast the machine is.
const MINUTES = Number(process.env.ORDERS_MINUTES ?? 4);
const ALL = Number.POSITIVE_INFINITY;
const MOST_ORDERS = process.env.ORDERS_MINUTES === undefined ? 150 : ALL;
const SAMPLE_STATES = 8;
const SEED = Number(process.env.ORDERS_SEED ?? 1);
const ONLY = new RegExp(process.env.ORDERS_PAIR ?? '', 'i');
const REPLAY = process.env.ORDERS_REPLAY;
/** A commit: code that differs from it comes first. */
const BASE = process.env.ORDERS_BASE;
/** `2/3`: the second of three processes that share the pairs. */
const [SHARD = 1, SHARDS = 1] = (process.env.ORDERS_SHARD ?? '1/1').split('/').map(Number);

/** Numbers from 0 to 1 that a seed repeats (mulberry32). */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let value = Math.imul(state ^ (state >>> 15), 1 | state);
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value;
    return ((value ^ (value >>> 14)) >>> 0) / 2 ** 32;
  };
}

function shuffle<Item>(items: readonly Item[], random: () => number): Item[] {
  const shuffled = [...items];
  for (let index = shuffled.length - 1; index > 0; index -= 1) {
    const other = Math.floor(random() * (index + 1));
    [shuffled[index], shuffled[other]] = [shuffled[other] as Item, shuffled[index] as Item];
  }
  return shuffled;
}

/** Ends a run. */
class TimeIsUp extends Error {}

const test = plainTest.extend<{ $file: { explorer: Explorer } }>({
  explorer: perFile(async () => await (await import('./explore.ts')).Explorer.open()),
});

describe.skipIf(REPLAY !== undefined)('no longer', () => {
  for (const [what, order] of Object.entries(REGRESSIONS)) {
    test(what, async ({ explorer }) => {
      const { tell } = await import('./explore.ts');
      const { broken, steps } = await explorer.play(order);
      expect(broken, tell({ order, broken, steps })).toEqual([]);
    });
  }
});

/** The states in which the most is due. They come first: to build a state takes seconds. */
const FIRST = [
  ...['a consent comes back', 'a code waits for its exchange', 'connected', 'connected, due for upkeep'],
  ...['disconnected, the revoke waits', 'a scan waits', 'two accounts of one person, the other disconnects'],
  ...['a sign-in is created', 'a code of a sign-in waits for its exchange', 'the platform refuses the client'],
].map((name) => `PROVIDER_A: ${name}`);
const NEXT = ['a metrics refresh waits', 'a lookup waits', 'all connections of the tenant disconnect'].map(
  (name) => `PROVIDER_B: ${name}`,
);

test.skipIf(REPLAY !== undefined)(
  'some order runs every activity, and every step of housekeeping',
  async ({ explorer }) => {
    const { STATES } = await import('./states.ts');
    const { activities, engine, recorder } = explorer.world;
    // No read of these states fails: `test/conformance/jobs.test.ts` has those that do.
    const listMissing = () =>
      Object.keys(activities).filter((name) => !engine.called.has(name) && name !== 'recordReadFailure');
    for (const state of new Set([...FIRST, ...NEXT, ...STATES.map(({ name }) => name)])) {
      if (listMissing().length === 0) break;
      const known = await explorer.listOperations(state);
      for (const { name } of known.filter((one) => /^(worker|sweep): /.test(one.name)))
        await explorer.play({ state, operations: [name], plan: [] });
    }
    expect(listMissing()).toEqual([]);
    // Otherwise the checker has nothing to judge.
    for (const kind of ['answered', 'browser', 'event', 'phase']) expect(recorder.kinds).toContain(kind);
  },
);

test.skipIf(REPLAY === undefined)('the specification holds in this order', async ({ explorer }) => {
  const { tell } = await import('./explore.ts');
  const order = JSON.parse(REPLAY ?? '') as Order;
  const { broken, steps } = await explorer.play({
    ...order,
    plan: order.plan.map((move) => ('run' in move && move.steps === null ? { ...move, steps: ALL } : move)),
  });
  console.log(tell({ order, broken, steps }));
  expect(broken).toEqual([]);
});

test.skipIf(REPLAY !== undefined)(
  'the specification holds in every order of operations',
  { timeout: 86_400_000 },
  async ({ explorer }) => {
    const { tell } = await import('./explore.ts');
    const { STATES } = await import('./states.ts');
    const { listChanged, listTouched } = await import('./touched.ts');
    const random = createRandom(SEED);
    const failures = new Map<string, Failure>();
    let startedAt = performance.now();
    let run = 0;
    const check = async (order: Order) => {
      if (run >= MOST_ORDERS || performance.now() - startedAt > MINUTES * 60_000) throw new TimeIsUp();
      run += 1;
      const played = await explorer.play(order);
      const failure = { order, ...played };
      if (played.broken.some((one) => !failures.has(one))) console.log(`${new Date().toISOString()} ${tell(failure)}`);
      for (const one of played.broken) failures.set(one, failure);
      return played;
    };
    const units: { names: readonly string[]; explore: () => Promise<void> }[] = [];
    // `npm run test:long` builds a few states only: that takes a second or two each.
    const states = MOST_ORDERS === ALL ? STATES : shuffle(STATES, random).slice(0, SAMPLE_STATES);
    for (const { name: state } of states) {
      const known = await explorer.listOperations(state);
      for (const [index, { name: first, isTwice = false }] of known.entries()) {
        if (ONLY.test(`${state} | ${first}`))
          units.push({ names: [first], explore: () => explorer.exploreAlone(state, first, check) });
        for (const { name: second } of known.slice(isTwice ? index : index + 1)) {
          if (ONLY.test(`${state} | ${first} | ${second}`))
            units.push({ names: [first, second], explore: () => explorer.explorePair(state, first, second, check) });
        }
      }
    }
    const changed = BASE === undefined ? [] : listChanged(BASE);
    const touched = changed.length === 0 ? new Set<string>() : await listTouched(explorer, changed);
    if (BASE !== undefined)
      console.log(`orders: ${changed.length} files changed since ${BASE}: ${[...touched].join(', ')}`);
    const isTouched = ({ names }: { names: readonly string[] }) => names.some((name) => touched.has(name));
    const mine = shuffle(units, random).filter((_unit, index) => index % SHARDS === SHARD - 1);
    startedAt = performance.now();
    let done = 0;
    try {
      for (const { explore } of [...mine.filter(isTouched), ...mine.filter((unit) => !isTouched(unit))]) {
        await explore();
        done += 1;
      }
    } catch (error) {
      if (!(error instanceof TimeIsUp)) throw error;
    }
    const seconds = Math.round((performance.now() - startedAt) / 1_000);
    console.log(
      `orders: ${run} run; ${done} of ${mine.length} operations and pairs complete; seed ${SEED}, ${seconds} s; ` +
        `${failures.size} promises broken`,
    );
    expect([...failures.keys()]).toEqual([]);
  },
);

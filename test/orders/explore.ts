/**
 * Runs operations of the service in all orders, and looks whether the specification holds in each.
 *
 * - `states.ts` drives the service into starting states, by its own functions.
 * - `operations.ts` has the possible actions of a caller, a browser, a worker, a sweep, an operator, a person and a platform.
 * - `fibers.ts` and `hooks.ts` stop an operation before each statement outside a transaction, before each transaction and
 *   its commit, and before and after each call to a platform.
 * - `temporal.ts` runs the workflows, and `clock.ts` moves time, in this process.
 * - `play.ts` plays one order: it runs one operation at a time, notices who waits for a lock, lets a process die or time
 *   pass, and then brings all to quiet.
 * - `recorder.ts` records the order for the checker of `test/history`; `invariants` has the rules about rows and moments.
 * - This file lists the orders, runs them, and shrinks one that fails.
 */

import { MINUTE_MS } from '../kit/clock.ts';
import { mayConflict, type Step } from './footprints.ts';
import { findForbiddenCall, watchRows } from './invariants/index.ts';
import { OPERATIONS } from './operations/index.ts';
import type { Operation } from './operations/operation.ts';
import { type Move, type Played, play, Record, type Start, type Watch } from './play.ts';
import { Builder, STATES, seed } from './states.ts';
import { openWorld, type World } from './world.ts';

/** An order: a state, the operations that run in it, and when each gives way to another. */
export interface Order {
  readonly state: string;
  readonly operations: readonly string[];
  readonly plan: readonly Move[];
}

export interface Failure {
  readonly order: Order;
  readonly broken: readonly string[];
  readonly steps: readonly string[];
}

const ALL = Number.POSITIVE_INFINITY;
/** Beyond the deadline of an attempt, and of the claims of a sign-in. */
const BEYOND_DEADLINES = [10 * MINUTE_MS + 1_000, 20 * MINUTE_MS + 2_000];

const BOTH_WAYS = [
  [0, 1],
  [1, 0],
] as const;
const isOfWorker = (operation: string) => operation.startsWith('worker: ');

/** Whether the step before has left something, and one of those that follow will. Elsewhere a process that dies leaves all or nothing. */
const isHalfDone = (steps: readonly Step[], at: number): boolean =>
  steps[at - 1]?.isLasting === true && steps.slice(at).some(({ isLasting }) => isLasting);

/** Runs an order and judges it. */
type Check = (order: Order) => Promise<Played>;

/** How many orders there are of some operations, and how many of them had to run: the others equal one that did. */
export interface Count {
  readonly all: number;
  readonly run: number;
}

export class Explorer {
  readonly world: World;
  readonly #record: Record;
  readonly #starts = new Map<string, Start>();
  readonly #empty: Start['saved'];
  /** The effect of each operation in each state when nothing else happens. */
  readonly #alone = new Map<string, readonly Step[]>();
  played = 0;

  private constructor(world: World, record: Record, empty: Start['saved']) {
    this.world = world;
    this.#record = record;
    this.#empty = empty;
  }

  static async open(): Promise<Explorer> {
    const record = new Record();
    const world: World = await openWorld({
      statement: (text) => record.add(text),
      aboutToCall: async (call) => {
        const forbidden = await findForbiddenCall(world, call);
        if (forbidden !== undefined) record.broken.push(forbidden);
      },
    });
    await watchRows(world.sql);
    return new Explorer(world, record, await world.save());
  }

  /** The state's operations. */
  async listOperations(state: string): Promise<readonly Operation[]> {
    const { facts } = await this.#start(state);
    return OPERATIONS.filter((operation) => operation.fits(facts));
  }

  async #start(name: string): Promise<Start> {
    const known = this.#starts.get(name);
    if (known !== undefined) return known;
    const state = STATES.find((one) => one.name === name);
    if (state === undefined) throw new Error(`There is no state ${name}.`);
    await this.world.restore(this.#empty);
    const facts = await seed(this.world, state.provider);
    await state.build(new Builder(this.world, facts));
    const start = { state, facts, saved: await this.world.save() };
    this.#starts.set(name, start);
    return start;
  }

  /** @param watch is called when the operations begin, and when they are over and all is brought to quiet. */
  async play({ state, operations, plan }: Order, watch?: Watch): Promise<Played> {
    const chosen = operations.map((name) => {
      const found = OPERATIONS.find((one) => one.name === name);
      if (found === undefined) throw new Error(`There is no operation ${name}.`);
      return found;
    });
    const start = await this.#start(state);
    this.played += 1;
    return await play(this.world, this.#record, start, chosen, plan, watch);
  }

  /** The effect of an operation alone. */
  async #trace(state: string, operation: string): Promise<readonly Step[]> {
    const key = `${state}/${operation}`;
    const known = this.#alone.get(key);
    if (known !== undefined) return known;
    const { traces } = await this.play({ state, operations: [operation], plan: [] });
    this.#alone.set(key, traces[0] ?? []);
    return traces[0] ?? [];
  }

  /** One operation: time passes at each point, or its process dies there. */
  async exploreAlone(state: string, operation: string, check: Check): Promise<Count> {
    const operations = [operation];
    const { traces } = await check({ state, operations, plan: [] });
    const steps = traces[0] ?? [];
    this.#alone.set(`${state}/${operation}`, steps);
    let run = 1;
    for (let at = 1; at < steps.length; at += 1) {
      const begin = { run: 0, steps: at };
      for (const wait of BEYOND_DEADLINES) await check({ state, operations, plan: [begin, { wait }] });
      run += BEYOND_DEADLINES.length;
      if (!isHalfDone(steps, at)) continue;
      await check({ state, operations, plan: [begin, { kill: 0 }] });
      if (isOfWorker(operation)) await check({ state, operations, plan: [begin, { lose: 0 }] });
      run += isOfWorker(operation) ? 2 : 1;
    }
    return { all: 1 + Math.max(0, steps.length - 1) * (2 + BEYOND_DEADLINES.length), run };
  }

  /**
   * Two operations: each before the other, and each interrupted once at every point, by the whole of the other; or its process
   * dies there. An interruption one step later is the same order if that step and the other operation have no table in common.
   * Two that have none in common at all are as if each ran alone.
   */
  async explorePair(state: string, first: string, second: string, check: Check): Promise<Count> {
    const operations = [first, second];
    const alone = [await this.#trace(state, first), await this.#trace(state, second)] as const;
    const ways = BOTH_WAYS.slice(0, first === second ? 1 : 2);
    const all = ways.map(([index]) => Math.max(1, alone[index].length * 2 - 1)).reduce((sum, count) => sum + count);
    if (!alone[0].some((step) => mayConflict(step, alone[1])) && !alone[1].some((step) => mayConflict(step, alone[0])))
      return { all, run: 0 };
    let run = 0;
    for (const [index, other] of ways) {
      const steps = alone[index];
      let others = alone[other];
      for (const [position, step] of steps.entries()) {
        const at = position + 1;
        const isWhole = at === steps.length;
        const begin = { run: index, steps: isWhole ? ALL : at };
        const rest = { run: other, steps: ALL };
        if (isWhole || mayConflict(step, others)) {
          // Two workers get one task only if Temporal has given up the first.
          const isRetried = first === second && isOfWorker(first) && !isWhole;
          const plan = isRetried ? [begin, { lose: index }, rest] : [begin, rest];
          const { traces } = await check({ state, operations, plan });
          others = traces[other] ?? others;
          run += 1;
        }
        if (!isHalfDone(steps, at)) continue;
        await check({ state, operations, plan: [begin, { kill: index }, rest] });
        run += 1;
      }
    }
    return { all, run };
  }

  /** Three operations with two switches at random points. */
  async drawTriple(state: string, operations: readonly string[], random: () => number): Promise<Order> {
    const [first, second] = [
      await this.#trace(state, operations[0] ?? ''),
      await this.#trace(state, operations[1] ?? ''),
    ];
    const pick = (length = 1) => 1 + Math.floor(random() * length);
    const plan: Move[] = [
      { run: 0, steps: pick(first.length) },
      { run: 1, steps: pick(second.length) },
      { run: 2, steps: ALL },
    ];
    if (random() < 0.2) plan.splice(1, 0, { kill: 0 });
    if (random() < 0.2) plan.splice(2, 0, { wait: BEYOND_DEADLINES[0] as number });
    return { state, operations, plan };
  }

  /** Runs an order. @returns how it fails, as short as it still does. */
  async check(order: Order): Promise<Failure | undefined> {
    const { broken, steps } = await this.play(order);
    if (broken.length === 0) return undefined;
    return await this.#shrink({ order, broken, steps });
  }

  /** Leaves out operations, moves and steps as long as the first promise still breaks. */
  async #shrink(failure: Failure): Promise<Failure> {
    const { order } = failure;
    const smaller: Order[] = [];
    if (order.operations.length > 1) {
      for (const left of order.operations.keys()) smaller.push(without(order, left));
    }
    for (const index of order.plan.keys())
      smaller.push({ ...order, plan: order.plan.filter((_move, at) => at !== index) });
    order.plan.forEach((move, index) => {
      if ('run' in move && Number.isFinite(move.steps) && move.steps > 1) {
        const plan = order.plan.with(index, { ...move, steps: move.steps - 1 });
        smaller.push({ ...order, plan });
      }
    });
    for (const candidate of smaller) {
      const { broken, steps } = await this.play(candidate);
      if (broken.includes(failure.broken[0] ?? '')) return await this.#shrink({ order: candidate, broken, steps });
    }
    return failure;
  }

  async close(): Promise<void> {
    await this.world.close();
  }
}

function without({ state, operations, plan }: Order, left: number): Order {
  const place = (index: number) => (index > left ? index - 1 : index);
  return {
    state,
    operations: operations.filter((_name, index) => index !== left),
    plan: plan.flatMap((move): Move[] => {
      if ('wait' in move) return [move];
      if ('lose' in move) return move.lose === left ? [] : [{ lose: place(move.lose) }];
      if ('kill' in move) return move.kill === left ? [] : [{ kill: place(move.kill) }];
      return move.run === left ? [] : [{ ...move, run: place(move.run) }];
    }),
  };
}

/** A failing order as a list of steps, and the command that repeats it. */
export function tell({ order, broken, steps }: Failure): string {
  const lines = [`In the state "${order.state}":`];
  let last = '';
  for (const step of steps) {
    const [who = '', what = ''] = step.split(/(?<=^[^:]+: [^:]+): /);
    if (who === last) lines[lines.length - 1] += `; ${what}`;
    else lines.push(`  ${who}${what === '' ? '' : ` | ${what}`}`);
    last = what === '' ? '' : who;
  }
  return [...lines, ...broken.map((one) => `  => ${one}`), `  --replay '${JSON.stringify(order)}'`].join('\n');
}

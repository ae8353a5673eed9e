/**
 * Runs operations of the service in all orders, and looks whether the specification holds in each.
 *
 * - `states.ts` drives the service into starting states, by its own functions.
 * - `operations` has the possible actions of a caller, a browser, a worker, a sweep, an operator, a person and a platform.
 * - `fibers.ts` and `hooks.ts` stop an operation before each statement outside a transaction, before each transaction and
 *   its commit, and before and after each call to a platform.
 * - `temporal.ts` runs the workflows, and `clock.ts` moves time, in this process.
 * - `play.ts` plays one order: it runs one operation at a time, notices who waits for a lock, lets a process die or time
 *   pass, and then brings all to quiet.
 * - `recorder.ts` records the order for the checker of `test/history`; `invariants` has the rules about rows and moments.
 * - This file lists the orders, and runs them.
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

export interface Failure extends Pick<Played, 'broken' | 'steps'> {
  readonly order: Order;
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

export class Explorer {
  readonly world: World;
  readonly #record: Record;
  readonly #starts = new Map<string, Start>();
  readonly #empty: Start['saved'];
  /** The effect of each operation in each state when nothing else happens. */
  readonly #alone = new Map<string, readonly Step[]>();

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
    const builder = new Builder(this.world, facts);
    for (const act of state.acts) await act(builder);
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
  async exploreAlone(state: string, operation: string, check: Check): Promise<void> {
    const operations = [operation];
    const { traces } = await check({ state, operations, plan: [] });
    const steps = traces[0] ?? [];
    this.#alone.set(`${state}/${operation}`, steps);
    for (let at = 1; at < steps.length; at += 1) {
      const begin = { run: 0, steps: at };
      for (const wait of BEYOND_DEADLINES) await check({ state, operations, plan: [begin, { wait }] });
      if (!isHalfDone(steps, at)) continue;
      await check({ state, operations, plan: [begin, { kill: 0 }] });
      if (isOfWorker(operation)) await check({ state, operations, plan: [begin, { lose: 0 }] });
    }
  }

  /**
   * Two operations: each before the other, and each interrupted once at every point, by the whole of the other; or its process
   * dies there. An interruption one step later is the same order if that step and the other operation have no table in common.
   * Two that have none in common at all are as if each ran alone.
   */
  async explorePair(state: string, first: string, second: string, check: Check): Promise<void> {
    const operations = [first, second];
    const alone = [await this.#trace(state, first), await this.#trace(state, second)] as const;
    if (!alone[0].some((step) => mayConflict(step, alone[1])) && !alone[1].some((step) => mayConflict(step, alone[0])))
      return;
    for (const [index, other] of BOTH_WAYS.slice(0, first === second ? 1 : 2)) {
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
        }
        if (isHalfDone(steps, at)) await check({ state, operations, plan: [begin, { kill: index }, rest] });
      }
    }
  }

  async close(): Promise<void> {
    await this.world.close();
  }
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

/**
 * Runs operations of the service in all orders, and looks whether the specification holds in each.
 *
 * - `states.ts` drives the service into starting states, by its own functions.
 * - `operations.ts` has what a caller, a browser, a worker, a sweep, an operator, a person and a platform may do then.
 * - `fibers.ts` and `hooks.ts` stop an operation before each statement outside a transaction, before each transaction and
 *   its commit, and before and after each call to a platform.
 * - `temporal.ts` runs the workflows, and `clock.ts` moves time, in this process.
 * - `play.ts` plays one order: it runs one operation at a time, notices who waits for a lock, lets a process die or time
 *   pass, and then brings all to quiet.
 * - `invariants.ts` says what must hold.
 * - This file lists the orders, runs them, and shrinks one that fails.
 */

import { MINUTE_MS } from '../kit/clock.ts';
import { findForbiddenCall, watchRows } from './invariants.ts';
import { OPERATIONS, type Operation } from './operations.ts';
import { type Move, type Played, play, Record, type Start } from './play.ts';
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
const BEYOND_DEADLINE = 10 * MINUTE_MS + 1_000;

export class Explorer {
  readonly world: World;
  readonly #record: Record;
  readonly #starts = new Map<string, Start>();
  readonly #empty: Start['saved'];
  /** How many steps each operation takes in each state, once it is known. */
  readonly #lengths = new Map<string, number>();
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

  async play({ state, operations, plan }: Order): Promise<Played> {
    const chosen = operations.map((name) => {
      const found = OPERATIONS.find((one) => one.name === name);
      if (found === undefined) throw new Error(`There is no operation ${name}.`);
      return found;
    });
    const start = await this.#start(state);
    this.played += 1;
    const played = await play(this.world, this.#record, start, chosen, plan);
    operations.forEach((name, index) => {
      const key = `${state}/${name}`;
      this.#lengths.set(key, Math.max(this.#lengths.get(key) ?? 0, played.lengths[index] ?? 0));
    });
    return played;
  }

  /** How many steps an operation takes alone. */
  async getLength(state: string, operation: string): Promise<number> {
    const key = `${state}/${operation}`;
    if (!this.#lengths.has(key)) await this.play({ state, operations: [operation], plan: [] });
    return this.#lengths.get(key) ?? 1;
  }

  /** One operation: time passes at each point, or its process dies there. */
  async listAlone(state: string, operation: string): Promise<Order[]> {
    const length = await this.getLength(state, operation);
    const orders: Order[] = [{ state, operations: [operation], plan: [] }];
    for (let at = 1; at < length; at += 1) {
      const begin = { run: 0, steps: at };
      orders.push({ state, operations: [operation], plan: [begin, { wait: BEYOND_DEADLINE }] });
      orders.push({ state, operations: [operation], plan: [begin, { kill: 0 }] });
    }
    return orders;
  }

  /** Two operations: each before the other, and each interrupted once, at every point; or its process dies there. */
  async listPair(state: string, first: string, second: string): Promise<Order[]> {
    const operations = [first, second];
    const orders: Order[] = [];
    for (const [run, other] of [
      [0, 1],
      [1, 0],
    ] as const) {
      const length = await this.getLength(state, operations[run] as string);
      for (let at = 1; at <= length; at += 1) {
        const isWhole = at === length;
        const begin = { run, steps: isWhole ? ALL : at };
        orders.push({ state, operations, plan: [begin, { run: other, steps: ALL }] });
        if (!isWhole) orders.push({ state, operations, plan: [begin, { kill: run }, { run: other, steps: ALL }] });
      }
    }
    return orders;
  }

  /** Two operations that interrupt each other: two switches back and forth, at every pair of points. */
  async listTwice(state: string, first: string, second: string): Promise<Order[]> {
    const operations = [first, second];
    const orders: Order[] = [];
    for (const [run, other] of [
      [0, 1],
      [1, 0],
    ] as const) {
      const length = await this.getLength(state, operations[run] as string);
      const otherLength = await this.getLength(state, operations[other] as string);
      for (let at = 1; at < length; at += 1) {
        for (let then = 1; then < otherLength; then += 1) {
          orders.push({
            state,
            operations,
            plan: [
              { run, steps: at },
              { run: other, steps: then },
              { run, steps: ALL },
              { run: other, steps: ALL },
            ],
          });
        }
      }
    }
    return orders;
  }

  /** Three operations with two switches at random points. */
  async drawTriple(state: string, operations: readonly string[], random: () => number): Promise<Order> {
    const [first, second] = await Promise.all(operations.slice(0, 2).map((name) => this.getLength(state, name)));
    const pick = (length = 1) => 1 + Math.floor(random() * length);
    const plan: Move[] = [
      { run: 0, steps: pick(first) },
      { run: 1, steps: pick(second) },
      { run: 2, steps: ALL },
    ];
    if (random() < 0.2) plan.splice(1, 0, { kill: 0 });
    if (random() < 0.2) plan.splice(2, 0, { wait: BEYOND_DEADLINE });
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
      if ('kill' in move) return move.kill === left ? [] : [{ kill: place(move.kill) }];
      return move.run === left ? [] : [{ ...move, run: place(move.run) }];
    }),
  };
}

/** A failing order as a list of steps, and what repeats it. */
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

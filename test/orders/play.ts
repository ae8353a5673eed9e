import { MINUTE_MS } from '../kit/clock.ts';
import type { Facts, Outcome } from './facts.ts';
import { Fiber, findFiber, runAs } from './fibers.ts';
import type { Step } from './footprints.ts';
import { checkConnected, checkQuiet, listOpen } from './invariants/index.ts';
import type { Operation } from './operations/operation.ts';
import type { State } from './states.ts';
import type { Saved, World } from './world.ts';

/** A move of the scheduler. */
export type Move =
  /** Runs an operation for so many steps, or until it is over or waits for a lock. */
  | { readonly run: number; readonly steps: number }
  /** The operation's process dies. */
  | { readonly kill: number }
  /** The operation's process does not answer for so long that Temporal gives its tasks to others; it may continue later. */
  | { readonly lose: number }
  /** Time passes. */
  | { readonly wait: number };

/** A state to start from. */
export interface Start {
  readonly state: State;
  readonly saved: Saved;
  readonly facts: Facts;
}

export interface Played {
  readonly broken: readonly string[];
  readonly steps: readonly string[];
  /** The result of each operation. */
  readonly traces: readonly (readonly Step[])[];
}

/** Called when the operations of an order begin, and when they are over. */
export interface Watch {
  begin(): Promise<void>;
  end(): Promise<void>;
}

/** The fibers' steps, in their order. */
export class Record {
  steps: string[] = [];
  broken: string[] = [];

  add(text: string): void {
    const fiber = findFiber();
    if (fiber !== undefined) this.steps.push(`${fiber.name}: ${text}`);
  }
}

const MOST_STEPS = 250;
const LOCK_LOOK_MS = 4;

/** Plays one order, brings all to quiet, and looks. */
export async function play(
  world: World,
  record: Record,
  { saved, facts: initial }: Start,
  operations: readonly Operation[],
  plan: readonly Move[],
  watch?: Watch,
): Promise<Played> {
  await world.restore(saved);
  await watch?.begin();
  const facts: Facts = { ...initial, removed: new Set() };
  record.steps = [];
  record.broken = [];
  world.skew(facts.skewMs ?? 0);
  if (facts.fault) world.control.addFault({ ...facts.fault, what: { kind: 'status', status: 503 }, times: null });
  const fibers = operations.map(({ name }) => new Fiber(name));
  operations.forEach((operation, index) => {
    const fiber = fibers[index] as Fiber;
    void runAs(fiber, async () => {
      await fiber.gate('begins');
      return await operation.run(world, facts);
    }).then(
      (outcome) => fiber.finish(outcome),
      (error: unknown) => {
        if (!fiber.isDead)
          record.broken.push(`${operation.name} fails: ${String((error as Error)?.stack ?? error).slice(0, 400)}`);
        fiber.finish(error);
      },
    );
  });

  const step = async (index: number): Promise<void> => {
    const fiber = fibers[index] as Fiber;
    for (const label of fiber.labels)
      if (label.startsWith('call') || label.startsWith('answer')) void runAs(fiber, async () => record.add(label));
    fiber.open();
    await rest(world, fibers);
    if (fiber.steps.length > MOST_STEPS) {
      const last = fiber.steps.slice(-4).map(({ label }) => label);
      record.broken.push(`${fiber.name} does not end while another waits: ${last.join('; ')}`);
      fiber.kill();
      await rest(world, fibers);
    }
  };
  for (const move of plan) {
    if ('run' in move) {
      for (let count = 0; count < move.steps && fibers[move.run]?.isWaiting; count += 1) await step(move.run);
    } else if ('wait' in move) {
      record.steps.push(`${move.wait / MINUTE_MS} min pass`);
      await world.advance(move.wait);
    } else {
      const fiber = fibers['kill' in move ? move.kill : move.lose];
      if (fiber === undefined || fiber.isOver) continue;
      world.recorder.add({ type: 'fault', kind: 'process stops', detail: fiber.name });
      record.steps.push(`${fiber.name}: its process ${'kill' in move ? 'dies' : 'does not answer for a while'}`);
      if ('kill' in move) fiber.kill();
      else world.engine.timeOut(fiber);
      await rest(world, fibers);
    }
  }
  // The steps that the plan leaves over, the first first; one that polls for another lets it continue.
  for (let turn = 0; fibers.some(({ isOver }) => !isOver); turn += 1) {
    const next = fibers.findIndex(({ isWaiting }, index) => isWaiting && (turn % 8 < 6 || index > 0));
    const any = next >= 0 ? next : fibers.findIndex(({ isWaiting }) => isWaiting);
    if (any < 0) await rest(world, fibers);
    else await step(any);
  }
  await watch?.end();
  const outcomes = operations.map(({ name }, index): Outcome => {
    const { isDone = false, outcome } = fibers[index] ?? {};
    const isLost = plan.some((move) => 'lose' in move && move.lose === index);
    return { name, isWhole: isDone && !isLost, outcome };
  });
  await quieten(world, facts, record.broken);
  return {
    broken: [...new Set([...record.broken, ...(await checkQuiet(world, facts, outcomes))])],
    steps: record.steps,
    traces: fibers.map((fiber) => fiber.steps),
  };
}

/** Waits until every fiber stands at a gate, is over, or waits for a lock. */
async function rest({ sql }: World, fibers: readonly Fiber[]): Promise<void> {
  const listBusy = () => fibers.filter((fiber) => !fiber.isOver && !fiber.isWaiting);
  const startedAt = performance.now();
  let seen = 0;
  for (let busy = listBusy(); busy.length > 0; busy = listBusy()) {
    await Promise.race(busy.map((fiber) => fiber.changed(LOCK_LOOK_MS)));
    const still = listBusy();
    // Only a fiber that stands before its commit holds locks. A state that is seen twice is no moment.
    const mayBlock = fibers.some(({ isWaiting, labels }) => isWaiting && labels.includes('commit'));
    if (still.length < busy.length || !mayBlock) seen = 0;
    else {
      const [row] = await sql`
        select count(*)::int as waiting from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'
      `;
      seen = still.length <= row?.waiting ? seen + 1 : 0;
      if (seen === 2) return;
    }
    if (performance.now() - startedAt > 30_000) throw new Error(`${busy.map(({ name }) => name).join(', ')} hangs.`);
  }
}

/** The steps that repair: the others count, or send webhooks. */
const REPAIRS = [
  'disconnectJobs',
  'attempts',
  'identityAttempts',
  'unclaimedGrants',
  'holds',
  'bulkDisconnects',
  'readJobs',
  'lateTokens',
  'erased',
] as const;

/** The platforms work again; all that was accepted runs to its end; the deadlines pass. */
async function quieten(world: World, facts: Facts, broken: string[]): Promise<void> {
  world.control.clearFaults();
  world.recorder.add({ type: 'phase', phase: 'healed' });
  await world.settle(MINUTE_MS);
  broken.push(...(await checkConnected(world, facts)));
  await world.sweep('deletions');
  await world.sweep('upkeep', ['expiredGrants', `upkeep/${facts.provider}`]);
  await world.settle(10 * MINUTE_MS);
  await world.advance(3 * MINUTE_MS);
  for (let round = 0; round < 2; round += 1) {
    await world.sweep('attempts');
    await world.sweep('reconcile', REPAIRS);
    await world.settle(90 * MINUTE_MS);
    if ((await listOpen(world)).length === 0) return;
    await world.advance(15 * MINUTE_MS); // A grant without an attempt waits for the attempt's deadline.
  }
}

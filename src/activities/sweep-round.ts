import postgres from 'postgres';
import { isId } from '../ids.ts';
import type { Log } from '../log.ts';
import type { Due, DuePage } from '../store/due.ts';
import { countSweepTurn } from '../telemetry/instruments.ts';
import type { Positions, SweepRound, SweepStep } from '../workflows/contract.ts';

/** One kind of row that a sweep looks for, and what it does with those that are due. */
export interface Step<Row extends Due = Due> {
  /** The most rows of one turn. */
  readonly batch: number;
  /** The most rows of one round, where doing all at once would be too much for somebody; the next round goes on. */
  readonly mostRows?: number;
  /** Due rows in the order in which they became due. It costs what is due. */
  list(page: DuePage): Promise<readonly Row[]>;
  handle(rows: readonly Row[], clock: Clock): Promise<Handled>;
}

/** What became of the rows of a turn, from the first on. */
export interface Handled {
  /** Rows that needed it and got it. */
  readonly done: number;
  readonly errors: readonly unknown[];
  /** How many were dealt with, well or not, before it was over. */
  readonly seen: number;
  /** Whether it makes no sense to go on with the others now: whoever is needed for that does not answer. */
  readonly isHopeless: boolean;
}

/** Says when a round has to come to its end. */
export interface Clock {
  isOver(): boolean;
}

/**
 * Handles rows by one statement for all. Should it fail, halves of them are tried, so that a row that cannot be handled
 * stands alone in the end and holds up nobody else.
 */
export const handleTogether =
  <Row extends Due>(take: (rows: readonly Row[]) => Promise<number>): Step<Row>['handle'] =>
  async (rows, clock) => {
    let [done, seen] = [0, 0];
    const errors: unknown[] = [];
    const waiting = [rows];
    for (let part = waiting.pop(); part !== undefined; part = waiting.pop()) {
      if (seen > 0 && clock.isOver()) return { done, errors, seen, isHopeless: false };
      try {
        done += await take(part);
        seen += part.length;
      } catch (error) {
        if (!isAboutRows(error)) return { done, errors: [...errors, error], seen, isHopeless: true };
        if (part.length === 1) {
          errors.push(error);
          seen += 1;
        } else {
          const half = Math.ceil(part.length / 2);
          waiting.push(part.slice(half), part.slice(0, half));
        }
      }
    }
    return { done, errors, seen, isHopeless: false };
  };

/** Whether Postgres answered, and may answer otherwise for other rows: not when it goes away or lets us do nothing. */
const isAboutRows = (error: unknown): boolean =>
  error instanceof postgres.PostgresError && !/^(08|28|3D|42|53|57P)/.test(error.code);

/** So many failures in a row are no longer about the rows. */
const HOPELESS = 20;

/**
 * Handles rows one by one, so many side by side. One that fails holds up nobody else.
 * @param handle returns whether there was anything to do.
 */
export const handleOneByOne =
  <Row extends Due>(atOnce: number, handle: (row: Row) => Promise<boolean>): Step<Row>['handle'] =>
  async (rows, clock) => {
    let [done, seen, inVain] = [0, 0, 0];
    const errors: unknown[] = [];
    while (seen < rows.length && inVain < HOPELESS && !(seen > 0 && clock.isOver())) {
      const part = rows.slice(seen, seen + atOnce);
      const outcomes = await Promise.allSettled(part.map(handle));
      for (const outcome of outcomes) {
        if (outcome.status === 'rejected') errors.push(outcome.reason);
        else if (outcome.value) done += 1;
      }
      seen += part.length;
      inVain = outcomes.every(({ status }) => status === 'rejected') ? inVain + part.length : 0;
    }
    return { done, errors, seen, isHopeless: inVain >= HOPELESS };
  };

export interface RoundOptions {
  /** Where steps left off in a round that was not finished. */
  readonly positions: Positions;
  readonly withinMs: number;
  readonly signal: AbortSignal;
  readonly log: Log;
  /** Says that the round is alive. */
  heartbeat(): void;
}

/**
 * Runs steps by turns, a batch of each, until nothing is due or the time is up. What fails in one step is no other's
 * concern. A step that was not finished is gone on with where it left off, behind what failed there, next time.
 */
export async function runRound(
  steps: Readonly<Partial<Record<SweepStep, Step>>>,
  { positions, withinMs, signal, log, heartbeat }: RoundOptions,
): Promise<SweepRound> {
  const endsAtMs = performance.now() + withinMs;
  const clock: Clock = {
    isOver: () => {
      heartbeat();
      return signal.aborted || performance.now() >= endsAtMs;
    },
  };
  const begun = Object.entries(steps).map(([name, step]) => begin(name as SweepStep, step, positions));
  for (let waiting = begun; waiting.length > 0 && !clock.isOver(); waiting = waiting.filter(isWaiting)) {
    for (const each of waiting) {
      if (clock.isOver()) break;
      await takeTurn(each, clock, log);
    }
  }
  const left = begun.filter(({ state }) => state !== 'DONE');
  const named = (state: Progress['state']) => left.filter((each) => each.state === state).map(({ name }) => name);
  return {
    rows: Object.fromEntries(begun.map(({ name, done }) => [name, done])),
    failed: named('FAILED'),
    unfinished: named('WAITING'),
    positions: Object.fromEntries(left.map(({ name, after }) => [name, toPosition(after)])),
  };
}

/** How far a step has come in a round. */
interface Progress {
  readonly name: SweepStep;
  readonly step: Step;
  /** The last row that was dealt with. */
  after: Due | null;
  seen: number;
  done: number;
  state: 'WAITING' | 'DONE' | 'FAILED';
}

const begin = (name: SweepStep, step: Step, positions: Positions): Progress => {
  const left = positions[name] ?? null;
  const after = left && { id: left.id, dueAt: new Date(left.dueAt) };
  return { name, step, after, seen: 0, done: 0, state: 'WAITING' };
};
const isWaiting = ({ state }: Progress) => state === 'WAITING';
/** Only ids of ours may enter history: a step whose rows have other keys begins anew. */
const toPosition = (due: Due | null) => (due && isId(due.id) ? { id: due.id, dueAt: due.dueAt.toISOString() } : null);

async function takeTurn(progress: Progress, clock: Clock, log: Log): Promise<void> {
  const { name, step } = progress;
  const { mostRows = Number.POSITIVE_INFINITY } = step;
  const startedAtMs = performance.now();
  const count = (rows: { done: number; failed: number }) =>
    countSweepTurn(name, { ...rows, hasFailed: progress.state === 'FAILED', seconds: getSecondsSince(startedAtMs) });
  try {
    const limit = Math.min(step.batch, mostRows - progress.seen);
    const rows = await step.list({ after: progress.after, limit });
    const { done, errors, seen, isHopeless } = rows.length === 0 ? NOTHING : await step.handle(rows, clock);
    progress.after = rows[seen - 1] ?? progress.after;
    progress.done += done;
    progress.seen += seen;
    const isAll = seen === rows.length && (rows.length < limit || progress.seen >= mostRows);
    if (isHopeless) progress.state = 'FAILED';
    else if (isAll) progress.state = 'DONE';
    count({ done, failed: isHopeless ? 0 : errors.length });
    if (errors.length > 0) {
      log.error('A sweep could not handle some rows', { step: name, count: errors.length, error: errors[0] });
    }
  } catch (error) {
    progress.state = 'FAILED';
    count({ done: 0, failed: 0 });
    log.error('A step of a sweep failed', { step: name, error });
  }
}

export const getSecondsSince = (startedAtMs: number) => (performance.now() - startedAtMs) / 1000;
const NOTHING: Handled = { done: 0, errors: [], seen: 0, isHopeless: false };

import { setTimeout as delay } from 'node:timers/promises';
import { isId } from '../basics/ids.ts';
import type { Log } from '../basics/log.ts';
import type { SweepKind, SweepStep } from '../basics/sweeps.ts';
import { classifyDatabaseFailure } from '../store/driver/database-failure.ts';
import { logOutage } from '../store/driver/log-outage.ts';
import type { Due, DuePage } from '../store/due.ts';
import { countSweepTurn } from '../telemetry/instruments.ts';
import type { Positions, SweepRound } from '../workflows/contract.ts';

/** Lists one kind of due row for a sweep, and handles them. */
export interface Step<Row extends Due = Due> {
  /** The maximum number of rows in one turn. */
  readonly batch: number;
  /** The maximum number of rows in one round, to limit the load on a dependency; the next round continues. */
  readonly mostRows?: number;
  /** Lists due rows in the order in which they became due. Reads only due rows. */
  list(page: DuePage): Promise<readonly Row[]>;
  handle(rows: readonly Row[], clock: Clock): Promise<Handled>;
}

export type StepsOf<Kind extends SweepKind> = Readonly<Record<SweepStep<Kind>, Step>>;

/** The time limit of a round. Its last statement may take 15 s longer. */
export const ROUND_MS = 45_000;
/** Rows of one statement, which takes about 50 ms. */
export const ROWS = 1_000;

/** The result of a turn. */
export interface Handled {
  /** Rows that needed work and got it. */
  readonly done: number;
  readonly errors: readonly unknown[];
  /** How many rows, counted from the first, it handled or failed to handle before the time was up. */
  readonly seen: number;
  /** Whether the other rows would fail too, because a dependency does not answer. */
  readonly isHopeless: boolean;
}

/** Whether a round must end. */
export interface Clock {
  isOver(): boolean;
}

/** Handles all rows in one statement. If it fails, it retries each half, so that in the end only the faulty row fails. */
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

/** Whether the error concerns the rows: Postgres answered, and may accept other rows. False if it is away or refuses all access. */
const isAboutRows = (error: unknown): boolean =>
  ['DATA', 'OURS', 'BUSY'].includes(classifyDatabaseFailure(error) ?? '');

/** After this many consecutive failures the cause is not the rows. */
const HOPELESS = 20;

/**
 * Handles rows one by one, `atOnce` of them concurrently. A row that fails does not delay the others.
 * @param handle returns whether the row needed work.
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
  /** The positions of the steps that an earlier round did not finish. */
  readonly positions: Positions;
  readonly withinMs: number;
  readonly signal: AbortSignal;
  readonly log: Log;
}

/**
 * Runs the steps in turn, one batch each, until nothing is due or the time is up. A failed step does not stop the others.
 * The next round continues an unfinished step at its position, behind the rows that failed.
 */
export async function runRound(
  steps: Readonly<Partial<Record<SweepStep, Step>>>,
  { positions, withinMs, signal, log }: RoundOptions,
): Promise<SweepRound> {
  const endsAtMs = performance.now() + withinMs;
  const clock: Clock = { isOver: () => signal.aborted || performance.now() >= endsAtMs };
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

/** The progress of a step in a round. */
interface Progress {
  readonly name: SweepStep;
  readonly step: Step;
  /** The last row that was handled or failed. */
  after: Due | null;
  seen: number;
  done: number;
  state: 'WAITING' | 'DONE' | 'FAILED';
}

const begin = (name: SweepStep, step: Step, positions: Positions): Progress => {
  const left = positions[name] ?? null;
  const after = left && { ...left, dueAt: new Date(left.dueAt) };
  return { name, step, after, seen: 0, done: 0, state: 'WAITING' };
};
const isWaiting = ({ state }: Progress) => state === 'WAITING';
/** Only our own ids may enter history: a step over rows with other keys starts from the beginning. */
const toPosition = (due: Due | null) => {
  if (due === null || !isId(due.id)) return null;
  return { id: due.id, dueAt: due.dueAt.toISOString() };
};

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
    if (errors.length > 0 && !logOutage(log, errors.at(-1))) {
      log.error('A sweep could not handle some rows', { step: name, count: errors.length, error: errors[0] });
    }
  } catch (error) {
    progress.state = 'FAILED';
    count({ done: 0, failed: 0 });
    if (!logOutage(log, error)) log.error('A step of a sweep failed', { step: name, error });
  }
}

export const getSecondsSince = (startedAtMs: number) => (performance.now() - startedAtMs) / 1000;
const NOTHING: Handled = { done: 0, errors: [], seen: 0, isHopeless: false };

/** The time limit for the journal, whose file system may hang. */
const JOURNAL_WITHIN_MS = 10_000;

/** Waits for the erasure journal. @throws if it does not answer in time. */
export async function awaitJournal(work: Promise<void>): Promise<void> {
  const late = delay(JOURNAL_WITHIN_MS, undefined, { ref: false }).then(() => {
    throw new Error('The erasure journal does not answer.');
  });
  await Promise.race([work, late]);
}

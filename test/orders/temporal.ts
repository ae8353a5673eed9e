/**
 * Stands in for `@temporalio/workflow` and for the server, in the process of the explorer: the service's own workflows run
 * unchanged, one task at a time. As in Temporal, a task runs a workflow from its start over what it has recorded, so a
 * worker may die at any point; an activity whose answer was not recorded is tried again.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Client, WorkflowExecutionAlreadyStartedError, WorkflowNotFoundError } from '@temporalio/client';
import {
  ActivityFailure,
  ApplicationFailure,
  CancelledFailure,
  TemporalFailure,
  TimeoutFailure,
} from '@temporalio/common';
import { runActivity } from '../kit/deps.ts';
import { type Fiber, findFiber } from './fibers.ts';

type Activities = Readonly<Record<string, (input: unknown) => Promise<unknown>>>;
type Recorded = { readonly at: number; readonly value?: unknown; readonly error?: unknown };

interface Run {
  readonly id: string;
  readonly type: string;
  readonly input: unknown;
  readonly history: Recorded[];
  /** When each timer is due, by its place in the history. */
  readonly timers: Map<number, number>;
  readonly signals: { readonly name: string; readonly at: number }[];
  status: 'RUNNING' | 'COMPLETED' | 'FAILED';
  failure?: unknown;
  /** Something has happened since its last task. */
  isFresh: boolean;
  /** The fiber that works on its task. */
  worker?: Fiber | undefined;
}

/** One task of a run. */
interface Task {
  readonly run: Run;
  readonly engine: Engine;
  readonly handlers: Map<string, () => void>;
  place: number;
  delivered: number;
  now: number;
  /** Activities at work. */
  working: number;
  /** Called when one of them ends. */
  activityEnded(): void;
}

const tasks = new AsyncLocalStorage<Task | undefined>();
const getTask = (): Task => {
  const task = tasks.getStore();
  if (task === undefined) throw new Error('No workflow runs here.');
  return task;
};
/** The activity that runs, and its input. */
interface Running {
  readonly name: string;
  readonly input: Readonly<Record<string, string>>;
}
const activityRuns = new AsyncLocalStorage<Running>();
export const findActivity = (): Running | undefined => activityRuns.getStore();

export const findWorkflowTime = (): number | undefined => tasks.getStore()?.now;

const MOST_TRIES = 3;

export class Engine {
  readonly #workflows: Activities;
  readonly #activities: () => Activities;
  /** Temporal's time. */
  readonly now: () => number;
  #runs = new Map<string, Run>();

  constructor(workflows: Activities, activities: () => Activities, now: () => number) {
    this.#workflows = workflows;
    this.#activities = activities;
    this.now = now;
  }

  forgetAll(): void {
    this.#runs = new Map();
  }

  get runs(): readonly Run[] {
    return [...this.#runs.values()];
  }

  get activities(): Activities {
    return this.#activities();
  }

  /** As much of Temporal's client as the service uses. */
  readonly client = {
    withDeadline: (_deadline: number, ask: () => Promise<unknown>) => ask(),
    workflow: {
      start: async (type: string, options: { workflowId: string; args: [unknown]; workflowIdReusePolicy: string }) =>
        this.#begin(type, options),
      signalWithStart: async (
        type: string,
        options: { workflowId: string; args: [unknown]; workflowIdReusePolicy: string; signal: string },
      ) => {
        const run = this.#begin(type, options);
        run.signals.push({ name: options.signal, at: run.history.length });
        run.isFresh = true;
      },
      getHandle: (workflowId: string) => ({
        describe: async () => {
          const run = this.#runs.get(workflowId);
          if (run === undefined) throw new WorkflowNotFoundError('Not found.', workflowId, undefined);
          return { status: { name: run.status } };
        },
      }),
    },
  } as unknown as Client;

  #begin(type: string, options: { workflowId: string; args: [unknown]; workflowIdReusePolicy: string }): Run {
    const known = this.#runs.get(options.workflowId);
    if (known?.status === 'RUNNING') return known;
    if (known?.status === 'COMPLETED' && options.workflowIdReusePolicy !== 'ALLOW_DUPLICATE')
      throw new WorkflowExecutionAlreadyStartedError('Has run.', options.workflowId, type);
    const run: Run = {
      id: options.workflowId,
      type,
      input: options.args[0],
      history: [],
      timers: new Map(),
      signals: [],
      status: 'RUNNING',
      isFresh: true,
    };
    this.#runs.set(run.id, run);
    return run;
  }

  /** The runs that have something to do now, but for those that a living fiber works on. */
  listDue(): readonly Run[] {
    return this.runs.filter((run) => {
      const isFree = run.worker === undefined || run.worker.isOver;
      const isDue = run.isFresh || run.worker?.isDead || this.#findDueTimer(run) <= this.now();
      return run.status === 'RUNNING' && isFree && isDue;
    });
  }

  #findDueTimer(run: Run): number {
    const open = [...run.timers].filter(([place]) => run.history[place] === undefined);
    return Math.min(...open.map(([, at]) => at));
  }

  /** Runs a workflow until it waits for a timer or a signal, or ends. */
  async step(run: Run): Promise<void> {
    run.isFresh = false;
    run.worker = findFiber();
    const workflow = this.#workflows[run.type];
    if (workflow === undefined) throw new Error(`There is no workflow ${run.type}.`);
    const task: Task = {
      run,
      engine: this,
      handlers: new Map(),
      place: 0,
      delivered: 0,
      now: run.history[0]?.at ?? this.now(),
      working: 0,
      activityEnded: () => undefined,
    };
    let isOver = false;
    void tasks
      .run(task, () => workflow(run.input))
      .then(
        () => {
          run.status = 'COMPLETED';
        },
        (error: unknown) => {
          run.status = 'FAILED';
          run.failure = error;
        },
      )
      .finally(() => {
        isOver = true;
      });
    for (;;) {
      for (let turn = 0; turn < 3; turn += 1) await nextTurn();
      if (isOver || task.working === 0) {
        run.worker = undefined;
        return;
      }
      // For ever, if its process died meanwhile.
      await new Promise<void>((resolve) => {
        task.activityEnded = resolve;
      });
    }
  }

  /** When the next timer of a run that waits is due; infinite if none waits. */
  nextTimer(): number {
    return Math.min(...this.runs.filter(({ status }) => status === 'RUNNING').map((run) => this.#findDueTimer(run)));
  }
}

/** Gives the run the signals that it had at this point. */
function deliverSignals(task: Task): void {
  const { signals } = task.run;
  for (
    let next = signals[task.delivered];
    next !== undefined && next.at <= task.place;
    next = signals[task.delivered]
  ) {
    const handler = task.handlers.get(next.name);
    if (handler === undefined) return;
    task.delivered += 1;
    handler();
  }
}

/** The recorded outcome of the next command, or what `live` gives. */
async function record(task: Task, live: (place: number) => Promise<unknown>): Promise<unknown> {
  const place = task.place;
  task.place += 1;
  const known = task.run.history[place];
  if (known === undefined) {
    let outcome: Recorded;
    try {
      outcome = { value: await live(place), at: task.engine.now() };
    } catch (error) {
      outcome = { error, at: task.engine.now() };
    }
    task.run.history[place] = outcome;
  }
  const { value, error, at } = task.run.history[place] as Recorded;
  task.now = Math.max(task.now, at);
  deliverSignals(task);
  if (error !== undefined) throw error;
  return value;
}

async function callActivity(name: string, input: unknown): Promise<unknown> {
  const task = getTask();
  return await record(task, async () => {
    task.working += 1;
    try {
      for (let attempt = 1; ; attempt += 1) {
        try {
          const activity = task.engine.activities[name];
          if (activity === undefined) throw new Error(`There is no activity ${name}.`);
          return await tasks.run(undefined, () =>
            activityRuns.run({ name, input } as Running, () => runActivity(activity, input, attempt)),
          );
        } catch (error) {
          const isFinal = error instanceof ApplicationFailure && error.nonRetryable === true;
          if (isFinal || attempt === MOST_TRIES) {
            const cause = error instanceof Error ? error : new Error(String(error));
            throw new ActivityFailure(
              'Activity failed.',
              name,
              '1',
              'MAXIMUM_ATTEMPTS_REACHED' as never,
              undefined,
              cause,
            );
          }
        }
      }
    } finally {
      task.working -= 1;
      task.activityEnded();
    }
  });
}

const proxy = () => new Proxy({}, { get: (_target, name) => (input: unknown) => callActivity(String(name), input) });
export const proxyActivities = proxy;
export const proxyLocalActivities = proxy;

/** Waits for a timer or for `isTrue`. Without an outcome now, the task ends here. */
async function wait(ms: number | undefined, isTrue: () => boolean): Promise<unknown> {
  const task = getTask();
  return await record(task, async (place) => {
    const { timers } = task.run;
    if (ms !== undefined && !timers.has(place)) timers.set(place, task.now + ms);
    deliverSignals(task);
    if (isTrue()) return true;
    if (ms !== undefined && (timers.get(place) ?? 0) <= task.engine.now()) return false;
    return await new Promise(() => undefined);
  });
}

export const condition = (isTrue: () => boolean, ms?: number) => wait(ms, isTrue);
export const sleep = (ms: number) => wait(ms, () => false);
export const defineSignal = (name: string) => ({ name });
export const defineQuery = (name: string) => ({ name, isQuery: true });
export function setHandler(of: { readonly name: string; readonly isQuery?: boolean }, handler: () => void): void {
  if (of.isQuery) return;
  const task = getTask();
  task.handlers.set(of.name, handler);
  deliverSignals(task);
}
export const setCurrentDetails = () => undefined;
export const upsertSearchAttributes = () => undefined;
export const setWorkflowOptions = () => undefined;
export const workflowInfo = () => ({
  taskQueue: 'orders',
  runId: '00000000-0000-4000-8000-00000000abcd',
  searchAttributes: {},
  continueAsNewSuggested: false,
});
export const continueAsNew = () => Promise.reject(new Error('A short run does not continue as new.'));
export const CancellationScope = { nonCancellable: <T>(work: () => Promise<T>) => work() };
export const isCancellation = (error: unknown) => error instanceof CancelledFailure;
export { ActivityFailure, ApplicationFailure, TemporalFailure, TimeoutFailure };

/**
 * Stands in for `@temporalio/workflow` and for the server, in the process of the explorer: the service's own workflows run
 * unchanged, one task at a time. As in Temporal, a task runs a workflow from its start over its history, so a
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
import type { InlineCall } from '../../src/activities/fast/inline-steps.ts';
import { runActivity } from '../kit/deps.ts';
import { type Fiber, findFiber, never } from './fibers.ts';

type Activities = Readonly<Record<string, (input: unknown) => Promise<unknown>>>;
type Recorded = { readonly at: number; readonly value?: unknown; readonly error?: unknown };

export interface Run {
  readonly id: string;
  readonly type: string;
  readonly input: unknown;
  readonly startedAt: number;
  /** The outcome of each command: parallel branches may give their commands in another order when they run again. */
  readonly history: Map<string, Recorded>;
  /** When each timer is due, by its command. */
  readonly timers: Map<string, number>;
  readonly signals: { readonly name: string; readonly at: number }[];
  status: 'RUNNING' | 'COMPLETED' | 'FAILED';
  failure?: unknown;
  /** Something has happened since its last task. */
  isFresh: boolean;
  /** The fiber that works on its task. */
  worker?: Fiber | undefined;
}

const copy = (run: Run): Run => ({
  ...run,
  history: new Map(run.history),
  timers: new Map(run.timers),
  signals: [...run.signals],
  worker: undefined,
});

/** One task of a run. */
interface Task {
  readonly run: Run;
  readonly engine: Engine;
  readonly handlers: Map<string, () => void>;
  /** How many commands it has given, of each kind and in all. */
  readonly commands: Map<string, number>;
  place: number;
  delivered: number;
  now: number;
  readonly worker: Fiber | undefined;
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
  /** The names of all activities that have run, in any order. */
  readonly called = new Set<string>();
  #runs = new Map<string, Run>();

  constructor(workflows: Activities, activities: () => Activities, now: () => number) {
    this.#workflows = workflows;
    this.#activities = activities;
    this.now = now;
  }

  /** The state of all runs that no worker is at. */
  save(): readonly Run[] {
    return this.runs.map(copy);
  }

  restore(runs: readonly Run[]): void {
    this.#runs = new Map(runs.map((run) => [run.id, copy(run)]));
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
        run.signals.push({ name: options.signal, at: run.history.size });
        run.isFresh = true;
      },
      getHandle: (workflowId: string) => ({
        describe: async () => {
          findFiber()?.note({ reads: ['temporal'], writes: [] });
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
      startedAt: this.now(),
      history: new Map(),
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
    const open = [...run.timers].filter(([command]) => !run.history.has(command));
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
      commands: new Map(),
      place: 0,
      delivered: 0,
      now: run.startedAt,
      working: 0,
      worker: run.worker,
      activityEnded: () => undefined,
    };
    let isOver = false;
    const end = (status: Run['status'], failure?: unknown) => {
      if (run.worker !== task.worker) return; // Another worker has its task.
      findFiber()?.note({ reads: [], writes: ['temporal'] });
      Object.assign(run, { status, failure });
    };
    void tasks
      .run(task, () => workflow(run.input))
      .then(
        () => end('COMPLETED'),
        (error: unknown) => end('FAILED', error),
      )
      .finally(() => {
        isOver = true;
      });
    for (;;) {
      for (let turn = 0; turn < 3; turn += 1) await nextTurn();
      if (isOver || task.working === 0) {
        if (run.worker === task.worker) run.worker = undefined;
        return;
      }
      // For ever, if its process died meanwhile.
      await new Promise<void>((resolve) => {
        task.activityEnded = resolve;
      });
    }
  }

  /** Temporal gives up the tasks of a worker that does not answer, and gives them to another. The first may still continue. */
  timeOut(worker: Fiber): void {
    for (const run of this.runs) {
      if (run.worker !== worker) continue;
      run.worker = undefined;
      run.isFresh = true;
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

/** The recorded outcome of the next command of this kind, or the result of `live`. */
async function record(task: Task, kind: string, live: (command: string) => Promise<unknown>): Promise<unknown> {
  const count = task.commands.get(kind) ?? 0;
  task.commands.set(kind, count + 1);
  const command = `${kind} ${count}`;
  task.place += 1;
  if (!task.run.history.has(command)) {
    let outcome: Recorded;
    try {
      outcome = { value: await live(command), at: task.engine.now() };
    } catch (error) {
      outcome = { error, at: task.engine.now() };
    }
    // Temporal has timed it out meanwhile, and takes no answer of it.
    if (task.run.worker !== task.worker) return await never();
    task.run.history.set(command, outcome);
  }
  const { value, error, at } = task.run.history.get(command) as Recorded;
  task.now = Math.max(task.now, at);
  deliverSignals(task);
  if (error !== undefined) throw error;
  return value;
}

/** The activity that a call runs: the step itself, also if it runs inline. */
const toRunning = (name: string, input: unknown): Running =>
  (name.endsWith('Inline')
    ? { ...(input as InlineCall), name: name.replace(/Inline$/, '') }
    : { name, input }) as Running;

async function callActivity(name: string, input: unknown): Promise<unknown> {
  const task = getTask();
  const running = toRunning(name, input);
  return await record(task, `${name} ${JSON.stringify(input)}`, async () => {
    task.working += 1;
    try {
      for (let attempt = 1; ; attempt += 1) {
        try {
          task.engine.called.add(name).add(running.name);
          const activity = task.engine.activities[name];
          if (activity === undefined) throw new Error(`There is no activity ${name}.`);
          return await tasks.run(undefined, () =>
            activityRuns.run(running, () => runActivity(activity, input, attempt)),
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
  return await record(task, 'timer', async (command) => {
    const { timers } = task.run;
    if (ms !== undefined && !timers.has(command)) timers.set(command, task.now + ms);
    deliverSignals(task);
    if (isTrue()) return true;
    if (ms !== undefined && (timers.get(command) ?? 0) <= task.engine.now()) return false;
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
  typedSearchAttributes: { get: () => undefined },
  continueAsNewSuggested: false,
});
export const continueAsNew = () => Promise.reject(new Error('A short run does not continue as new.'));
export class CancellationScope {
  static readonly nonCancellable = <T>(work: () => Promise<T>): Promise<T> => work();
  #cancel: () => void = () => undefined;
  readonly #canceled = new Promise<never>((_resolve, reject) => {
    this.#cancel = () => reject(new CancelledFailure('Canceled.'));
  });

  constructor() {
    this.#canceled.catch(() => undefined); // Nothing may run in the scope.
  }

  run<T>(work: () => Promise<T>): Promise<T> {
    return Promise.race([work(), this.#canceled]);
  }

  cancel(): void {
    this.#cancel();
  }
}
export const isCancellation = (error: unknown) => error instanceof CancelledFailure;
export { ActivityFailure, ApplicationFailure, TemporalFailure, TimeoutFailure };

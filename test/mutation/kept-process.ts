import { EventEmitter } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { ForksPoolWorker, type PoolOptions, type PoolWorker, type WorkerRequest } from 'vitest/node';

/** The processes that run tests, one for each project. Global, because Vitest loads its configuration separately. */
const holder = globalThis as { keptProcesses?: Map<string, ForksPoolWorker> };
holder.keptProcesses ??= new Map();
const kept = holder.keptProcesses;

const STOP_MS = 10_000;

type Listener = (message: unknown) => void;

/**
 * What a process that ended would have answered. Vitest would stop that process otherwise, and wait without an end if a
 * failed test cancelled the run before.
 */
const ENDED = { __vitest_worker_response__: true, type: 'testfileFinished', error: new Error('The process ended.') };

/** A process that outlives the run of tests for which it started, so that the next run need not load the service again. */
class KeptProcess implements PoolWorker {
  readonly name = 'kept';
  readonly cacheFs = true;
  readonly #project: string;
  readonly #options: PoolOptions;
  readonly #listeners: [event: string, listener: Listener][] = [];
  readonly #answers = new EventEmitter();

  constructor(options: PoolOptions) {
    this.#options = options;
    this.#project = options.project.name;
  }

  get #process(): ForksPoolWorker {
    const process = kept.get(this.#project);
    if (process === undefined) throw new Error(`No process runs the tests of ${this.#project}.`);
    return process;
  }

  async start(): Promise<void> {
    if (kept.has(this.#project)) return;
    const process = new ForksPoolWorker(this.#options);
    await process.start();
    kept.set(this.#project, process);
    process.on('exit', () => {
      if (kept.get(this.#project) === process) kept.delete(this.#project);
    });
  }

  /** Ends the use of the process, which stays. */
  async stop(): Promise<void> {
    const process = kept.get(this.#project);
    for (const [event, listener] of this.#listeners) process?.off(event, listener);
  }

  on(event: string, listener: Listener): void {
    const heard = event === 'exit' ? () => this.#answers.emit('message', ENDED) : listener;
    this.#listeners.push([event, heard]);
    this.#answers.on(event, heard);
    this.#process.on(event, heard);
  }

  off(event: string, listener: Listener): void {
    this.#answers.off(event, listener);
    kept.get(this.#project)?.off(event, listener);
  }

  send(message: WorkerRequest): void {
    if ('type' in message && message.type === 'stop') {
      this.#answers.emit('message', { __vitest_worker_response__: true, type: 'stopped' });
    } else kept.get(this.#project)?.send(message);
  }

  deserialize(data: unknown): unknown {
    return data;
  }
}

export const keptProcesses = {
  name: 'kept',
  createPoolWorker: (options: PoolOptions) => new KeptProcess(options),
};

/** Ends the processes; the next run starts others. */
export async function endKeptProcesses(): Promise<void> {
  const processes = [...kept.values()];
  kept.clear();
  // The stop of a process that was killed does not end.
  await Promise.all(
    processes.map((process) => Promise.race([process.stop(), delay(STOP_MS, undefined, { ref: false })])),
  );
}

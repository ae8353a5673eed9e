import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync, renameSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { endProcess, identifyProcess, type ProcessIdentity, type ProcessRecord, type StopPolicy } from './process.ts';

/** A program of the local stack: how to start it, check that it is ready, and stop it. */
export interface Service {
  readonly name: string;
  readonly program: string;
  readonly args: readonly string[];
  /** Its whole environment. */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** The user to run as, if not the one who started the stack. */
  readonly user?: { readonly uid: number; readonly gid: number } | undefined;
  readonly stop: StopPolicy;
  /** Called repeatedly until it returns true. An error counts as false. */
  isReady(): Promise<boolean>;
}

/** The log folder, process record and output that all services share. */
export interface ServiceContext {
  readonly logs: string;
  readonly record: ProcessRecord;
  say(line: string): void;
}

const READY_WITHIN_MS = 60_000;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 30_000;
/** A program that has run this long started successfully. */
const SETTLED_MS = 60_000;
const SHOWN_LINES = 15;

/** Keeps one service running. Reports a service that ends unexpectedly and restarts it, at growing intervals. */
export class RunningService {
  readonly #service: Service;
  readonly #surroundings: ServiceContext;
  readonly #log: string;
  #process: ProcessIdentity | undefined;
  #stopping = new AbortController();
  #watch: Promise<void> | undefined;

  constructor(service: Service, surroundings: ServiceContext) {
    this.#service = service;
    this.#surroundings = surroundings;
    this.#log = path.join(surroundings.logs, `${service.name}.log`);
    keepPrevious(this.#log);
  }

  get name(): string {
    return this.#service.name;
  }

  /** @throws if the service ends or is not ready in time. Its process has ended then. */
  async start(): Promise<void> {
    this.#stopping = new AbortController();
    const stopping = this.#stopping.signal;
    const startedAt = Date.now();
    const ended = await this.#launch(stopping);
    this.#watch = this.#restartWhenEnded(ended, startedAt, stopping);
  }

  /** Stops the service until the next `start`. Also aborts a start in progress, which then returns. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    if (this.#process !== undefined) await endProcess(this.#process, this.#service.stop);
    await this.#watch;
  }

  /** Waits until the service is ready. @returns a promise that resolves when the service ends */
  async #launch(stopping: AbortSignal): Promise<{ how: Promise<string> }> {
    const child = this.#spawn();
    const how = new Promise<string>((resolve) => {
      child.once('error', (error) => resolve(`could not be started: ${error.message}`));
      child.once('exit', (code, signal) => resolve(`ended (${signal ?? `code ${code}`})`));
    });
    const failure = await Promise.race([how, this.#untilReady(stopping)]);
    if (failure !== undefined && !stopping.aborted) {
      if (this.#process !== undefined) await endProcess(this.#process, this.#service.stop);
      throw new Error(`${this.name} ${failure}. ${this.#lastLines()}`);
    }
    return { how };
  }

  async #restartWhenEnded(first: { how: Promise<string> }, firstAt: number, stopping: AbortSignal): Promise<void> {
    const { say } = this.#surroundings;
    let [running, startedAt, pauseMs] = [first, firstAt, FIRST_PAUSE_MS];
    for (;;) {
      const how = await running.how;
      if (stopping.aborted || !existsSync(this.#surroundings.logs)) return; // Without its folder the stack ends.
      if (Date.now() - startedAt > SETTLED_MS) pauseMs = FIRST_PAUSE_MS;
      say(`${this.name} ${how}; restarting in ${pauseMs / 1000} s. ${this.#lastLines()}`);
      await delay(pauseMs, undefined, { signal: stopping }).catch(() => undefined); // Only the signal rejects it.
      if (stopping.aborted) return;
      pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
      startedAt = Date.now();
      try {
        running = await this.#launch(stopping);
        if (!stopping.aborted) say(`${this.name} runs again.`);
      } catch {
        running = { how: Promise.resolve('did not become ready') }; // Its last log lines follow.
      }
    }
  }

  #spawn(): ChildProcess {
    const { program, args, env, cwd, user, stop, name } = this.#service;
    const log = openSync(this.#log, 'a', 0o600);
    // A separate session: Ctrl-C reaches only the starter, which stops all services in the right order. Logs go directly
    // to a file, so that a program that outlives its starter does not fail on a broken pipe.
    const child = spawn(program, args, { cwd, env, ...user, detached: true, stdio: ['ignore', log, log] });
    closeSync(log);
    this.#process = child.pid === undefined ? undefined : identifyProcess(child.pid);
    if (this.#process !== undefined) this.#surroundings.record.add({ ...this.#process, ...stop, name });
    return child;
  }

  /** @returns the failure, or undefined once the service is ready or `stopping` aborts */
  async #untilReady(stopping: AbortSignal): Promise<string | undefined> {
    const giveUpAt = Date.now() + READY_WITHIN_MS;
    while (!stopping.aborted) {
      if (await this.#service.isReady().catch(() => false)) return undefined;
      if (Date.now() > giveUpAt) return `was not ready within ${READY_WITHIN_MS / 1000} s`;
      await delay(50);
    }
    return undefined;
  }

  #lastLines(): string {
    const lines = readFileSync(this.#log, 'utf8').trimEnd().split('\n').slice(-SHOWN_LINES);
    return `The end of ${this.#log}:\n${lines.map((line) => `    ${line}`).join('\n')}`;
  }
}

/** Keeps the log of the previous run, which may explain its end. */
function keepPrevious(log: string): void {
  try {
    renameSync(log, log.replace(/\.log$/, '.previous.log'));
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
  }
}

/** Whether a server answers at `url` without a server error. */
export async function isAnswering(url: string): Promise<boolean> {
  const response = await fetch(url, { signal: AbortSignal.timeout(2_000) });
  await response.body?.cancel();
  return response.status < 500;
}

import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { endProcess, identifyProcess, isRunning, type ProcessIdentity } from '../../local/src/process.ts';
import type { Service, ServiceContext } from '../../local/src/service.ts';
import { WAIT_LIMIT_MS } from './limits.ts';

/** A program under test, run as in the local stack, but without restarts; tests can kill or pause it. */
export class Part {
  /** Started and not ended by a test. One listener ends them all: a long run has hundreds. */
  static readonly #running = new Set<Part>();
  static {
    process.once('exit', () => {
      for (const part of Part.#running) part.#signal('SIGKILL');
    });
  }

  readonly #service: Service;
  readonly #surroundings: ServiceContext;
  readonly #log: string;
  #process: ProcessIdentity | undefined;

  /** The process starts with `start`. */
  constructor(service: Service, surroundings: ServiceContext) {
    this.#service = service;
    this.#surroundings = surroundings;
    this.#log = path.join(surroundings.logs, `${service.name}.log`);
  }

  get name(): string {
    return this.#service.name;
  }

  /** Undefined before its first start. */
  get pid(): number | undefined {
    return this.#process?.pid;
  }

  get isRunning(): boolean {
    return this.#process !== undefined && isRunning(this.#process);
  }

  get logFile(): string {
    return this.#log;
  }

  /** All its output since its first start. */
  get log(): string {
    return readFileSync(this.#log, 'utf8');
  }

  /** @throws if it ends or is not ready in time. */
  async start(withinMs = WAIT_LIMIT_MS): Promise<void> {
    const { program, args, env, cwd, user, stop, name } = this.#service;
    const log = openSync(this.#log, 'a', 0o600);
    const child = spawn(program, args, { cwd, env, ...user, detached: true, stdio: ['ignore', log, log] });
    closeSync(log);
    this.#process = child.pid === undefined ? undefined : identifyProcess(child.pid);
    Part.#running.add(this);
    if (this.#process !== undefined) this.#surroundings.record.add({ ...this.#process, ...stop, name });
    const giveUpAt = Date.now() + withinMs;
    while (!(await this.#service.isReady().catch(() => false))) {
      if (child.exitCode !== null) throw new Error(`${name} ended (code ${child.exitCode}).\n${this.lastLines()}`);
      if (Date.now() > giveUpAt) throw new Error(`${name} did not get ready.\n${this.lastLines()}`);
      await delay(50);
    }
  }

  /** Sends the shutdown signal, and waits. */
  async stop(): Promise<void> {
    if (this.#process !== undefined) await endProcess(this.#process, this.#service.stop);
    Part.#running.delete(this);
  }

  /** `kill -9`. */
  async kill(): Promise<void> {
    this.#signal('SIGKILL');
    while (this.isRunning) await delay(10);
    Part.#running.delete(this);
  }

  /** Pauses it: connections stay open and nothing answers, until `resume`. */
  pause(): void {
    this.#signal('SIGSTOP');
  }

  resume(): void {
    this.#signal('SIGCONT');
  }

  lastLines(count = 30): string {
    const lines = this.log.trimEnd().split('\n').slice(-count);
    return `The end of the log of ${this.name}:\n${lines.map((line) => `    ${line}`).join('\n')}`;
  }

  #signal(signal: NodeJS.Signals): void {
    if (this.#process !== undefined && isRunning(this.#process)) process.kill(this.#process.pid, signal);
  }
}
